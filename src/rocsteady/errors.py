"""Errors and warnings of this package."""

from rocsteady._src.base.errors import (
    ArgumentError,
    InputError,
    MissingDependencyError,
    RocsteadyError,
    RocsteadyWarning,
    Undefined,
    UndefinedWarning,
)

__all__ = [
    "ArgumentError",
    "InputError",
    "MissingDependencyError",
    "RocsteadyError",
    "RocsteadyWarning",
    "Undefined",
    "UndefinedWarning",
]
