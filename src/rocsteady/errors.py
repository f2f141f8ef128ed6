"""Errors and warnings of this package."""

from rocsteady._src.base.errors import (
    ArgumentError,
    DeprecatedWarning,
    InputError,
    MissingDependencyError,
    RocsteadyError,
    RocsteadyWarning,
    Undefined,
    UndefinedWarning,
)

__all__ = [
    "ArgumentError",
    "DeprecatedWarning",
    "InputError",
    "MissingDependencyError",
    "RocsteadyError",
    "RocsteadyWarning",
    "Undefined",
    "UndefinedWarning",
]
