"""How a public name or option goes: it still works for a while and warns, with since, until and the line to write."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar

from rocsteady._src.base.errors import DeprecatedWarning, warn
from rocsteady._src.base.unknown_options import CallError

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Leaving:
    """What goes: warned of from version ``since``, gone in version ``until``; ``instead`` is the line to write.

    Examples
    --------
    >>> print(Leaving("area()", since="0.2", until="0.3", instead="rs.auc"))
    area() is deprecated since 0.2 and will be gone in 0.3; write rs.auc
    >>> Leaving("area()", since="0.2", until="0.2.1", instead="rs.auc")
    Traceback (most recent call last):
    ValueError: area(): 0.2.1 is too early after 0.2, what is promised stays until 0.3
    >>> Leaving("area()", since="1.2", until="1.3", instead="rs.auc")
    Traceback (most recent call last):
    ValueError: area(): 1.3 is too early after 1.2, what is promised stays until 2.0
    """

    what: str
    since: str
    until: str
    instead: str

    def __post_init__(self) -> None:
        """Refuse a removal that the promise of docs/promises.md does not allow."""
        first, second, *_ = _numbers(self.since)
        earliest = (first + 1, 0) if first else (0, second + 1)
        if _numbers(self.until) < earliest:
            stays = ".".join(map(str, earliest))
            told = f"{self.until} is too early after {self.since}, what is promised stays until {stays}"
            raise ValueError(f"{self.what}: {told}")

    def __str__(self) -> str:
        return f"{self.what} is deprecated since {self.since} and will be gone in {self.until}; write {self.instead}"

    def warn(self) -> None:
        """Tell whoever wrote the line."""
        warn(DeprecatedWarning("deprecated", str(self)))


ANNOUNCED: Final[list[Leaving]] = []
RENAMED: Final[dict[str, tuple[str, Leaving]]] = {}  # names that were: the name now, and what is said


def renamed(old: str, new: str, *, since: str, until: str) -> None:
    """Keep ``rs.old`` for a while as another name of ``rs.new``; either may have its module before it.

    Public names are found in the package and in their module alike, so one line is enough for both doors.
    """
    leaving = _announced(Leaving(f"rs.{old}", since, until, f"rs.{new}"))
    RENAMED[old.rpartition(".")[2]] = new.rpartition(".")[2], leaving


def deprecated(*, since: str, until: str, instead: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Mark a function that goes: it works as before, and every call warns."""

    def mark(function: Callable[P, R]) -> Callable[P, R]:
        leaving = _announced(Leaving(f"{function.__name__}()", since, until, instead))

        @functools.wraps(function)
        def warned(*args: P.args, **kwargs: P.kwargs) -> R:
            leaving.warn()
            return function(*args, **kwargs)

        return warned

    return mark


def renamed_option(old: str, new: str, *, since: str, until: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Take an option by its old name too, with a warning; by both names at once it is refused."""

    def mark(function: Callable[P, R]) -> Callable[P, R]:
        leaving = _announced(Leaving(f"{old}= of {function.__name__}()", since, until, f"{new}="))

        @functools.wraps(function)
        def translated(*args: P.args, **kwargs: P.kwargs) -> R:
            if old in kwargs:
                if new in kwargs:
                    raise CallError("option", f"{function.__name__}() got {new}= and its old name {old}=; keep {new}=")
                leaving.warn()
                kwargs[new] = kwargs.pop(old)
            return function(*args, **kwargs)

        return translated

    return mark


def overdue(version: str) -> list[Leaving]:
    """What should be gone by this version; a test holds that there is nothing."""
    return [leaving for leaving in ANNOUNCED if _numbers(leaving.until) <= _numbers(version)]


def _announced(leaving: Leaving) -> Leaving:
    ANNOUNCED.append(leaving)
    return leaving


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in version.split("."))
