"""rocsteady: which classifier is better, at what threshold, and how sure can I be?

Names load when they are first used, so that ``import rocsteady`` stays light; ``__init__.pyi`` lists them.
"""

from __future__ import annotations

from rocsteady._names import all_names, found, homes
from rocsteady._version import __version__ as __version__


def __getattr__(name: str) -> object:
    """Load a public name from the module it lives in."""
    if name == "__all__":
        return all_names()
    value = found(name)
    if name in homes():  # other names for them may have something to say, each time
        globals()[name] = value
    return value


def __dir__() -> list[str]:
    return all_names()
