"""Exceptions and warnings; each carries a stable ``code`` and says where, how many, and what to do."""

from __future__ import annotations

import importlib
import math
import numbers
import shlex
import sys
import warnings
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROWS_SHOWN: Final = 5
PACKAGE: Final = "rocsteady"
_QUIET: Final = ContextVar("_QUIET", default=False)


@dataclass(frozen=True, slots=True)
class _Counting:
    """From which number rows are counted in messages, and, unless from 0, which were named."""

    first: int
    named: set[str] = field(default_factory=set)


_COUNTING: Final = ContextVar("_COUNTING", default=_Counting(0))  # noqa: B039 - nothing is named where rows count from 0
REASONS: Final = {
    "empty": "there are no rows",
    "single_class": "only one class is present",
    "no_positives": "there are no positives",
    "no_negatives": "there are no negatives",
    "zero_division": "the denominator is zero",
    "k_exceeds_rows": "k is larger than the number of rows",
    "one_row": "a pair needs at least two rows",
    "not_probabilities": "the scores do not lie in [0, 1]",
    "infinite_scores": "some scores are infinite",
    "class_absent": "a class has no rows",
    "label_of_one_class": "every row has a label, or none has",
    "weights_no_counts": "weights that are no counts of rows have no standard error here",
    "no_error_to_reduce": "the first model makes no errors",
}


CALIBRATE = "fit a calibration map on other rows first"
MOST_OF_SHARES = 2  # above it scores may be percentages
CALIBRATE_FIRST = "calibrate the scores first (nothing is transformed silently)"


class RocsteadyError(ValueError):
    """Base of all errors raised on purpose; ``code`` never changes between versions.

    ``sentence`` is the message, which the command line says in its own words; ``names_rows`` tells that it counts rows
    from another number than 0.

    Examples
    --------
    >>> import rocsteady as rs
    >>> [issubclass(each, rs.RocsteadyError) for each in (rs.InputError, rs.ArgumentError)]
    [True, True]
    """

    def __init__(self, code: str, message: str | None = None) -> None:
        """Make one with a code and a message, or with a message alone, as ``warnings.warn(text, category)`` does."""
        self.sentence = code if message is None else message
        super().__init__(printable(self.sentence))
        self.code = type(self).__name__ if message is None else code
        self.names_rows = any(rows in self.sentence for rows in _COUNTING.get().named)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, self.sentence)


class InputError(RocsteadyError):
    """The data handed in cannot be read without guessing.

    Examples
    --------
    >>> import rocsteady as rs
    >>> try:
    ...     rs.auc([1, 0], [0.9, None])
    ... except rs.InputError as error:
    ...     print(error.code)
    missing_values
    """


class ArgumentError(RocsteadyError):
    """An option has a value that does not exist or does not fit the others.

    Examples
    --------
    >>> import rocsteady as rs
    >>> try:
    ...     rs.best_threshold([1, 0], [0.9, 0.1], rule="best")
    ... except rs.ArgumentError as error:
    ...     print(error.code)
    rule
    """


class MissingDependencyError(ImportError):
    """An optional part is asked for, and the package behind it is not installed.

    Examples
    --------
    >>> import rocsteady as rs
    >>> issubclass(rs.errors.MissingDependencyError, ImportError)
    True
    """


class RocsteadyWarning(UserWarning):
    """Base of all warnings; ``code`` never changes between versions.

    Examples
    --------
    >>> import rocsteady as rs
    >>> issubclass(rs.errors.UndefinedWarning, rs.RocsteadyWarning)
    True
    """

    def __init__(self, code: str, message: str | None = None) -> None:
        """Make one with a code and a message, or with a message alone, as ``warnings.warn(text, category)`` does."""
        self.sentence = code if message is None else message
        super().__init__(printable(self.sentence))
        self.code = type(self).__name__ if message is None else code

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, self.sentence)


class UndefinedWarning(RocsteadyWarning):
    """A measure has no value on these data; the result is NaN with a ``reason``.

    Examples
    --------
    >>> import rocsteady as rs
    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     value = rs.auc([1, 1], [0.9, 0.1])
    >>> value, said[0].category.__name__, said[0].message.code
    (nan, 'UndefinedWarning', 'single_class')
    """


class Undefined(float):
    """NaN that knows why: it behaves as ``float("nan")`` and carries ``reason``.

    Examples
    --------
    >>> value = Undefined("single_class")
    >>> value != value, value.reason, value.explanation
    (True, 'single_class', 'only one class is present')
    """

    reason: str

    def __new__(cls, reason: str) -> Undefined:
        """Make a NaN for a reason listed in ``REASONS``."""
        if reason not in REASONS:
            raise KeyError(reason)
        value = super().__new__(cls, "nan")
        value.reason = reason
        return value

    @property
    def explanation(self) -> str:
        """The reason as a sentence."""
        return REASONS[self.reason]

    def __reduce__(self) -> tuple[Any, ...]:
        return Undefined, (self.reason,)


def refuse_one_class(n_pos: Any, n_neg: Any, needs: str) -> None:
    """Refuse rows of one class; ``needs`` says what needs both, in the words of the caller.

    Examples
    --------
    >>> refuse_one_class(2, 0, "a hull needs")
    Traceback (most recent call last):
    rocsteady.errors.InputError: only one class is present: a hull needs both classes
    """
    if not (n_pos and n_neg):
        raise InputError("single_class", f"only one class is present: {needs} both classes")


def refuse_outside(low: Any, high: Any, needs: str, way_out: str = CALIBRATE, *, told: str = "") -> None:
    """Refuse scores beyond [0, 1]: ``needs`` says who needs probabilities, ``told`` where the odd scores are.

    Examples
    --------
    >>> refuse_outside(-1.0, 0.5, "scored needs them in [0, 1]", "take mm12")
    Traceback (most recent call last):
    rocsteady.errors.InputError: scored needs them in [0, 1], and the scores reach from -1 to 0.5; take mm12
    """
    if not (low >= 0 and high <= 1):
        text = told or f", and the scores reach from {short(low)} to {short(high)}"
        percent = low >= 0 and MOST_OF_SHARES < high <= 100 and way_out == CALIBRATE
        raise not_probabilities(
            f"{needs}{text}", f"if they are percentages, divide by 100; else {way_out}" if percent else way_out
        )


def not_probabilities(what: str, way_out: str) -> InputError:
    """The error of scores that had to be probabilities."""
    return InputError("not_probabilities", f"{what}; {way_out}")


def warn(warning: RocsteadyWarning) -> None:
    """Warn whoever called the library, unless something further up has other plans for it, see :func:`quietly`."""
    if not _QUIET.get():
        warnings.warn(warning, stacklevel=_levels_to_caller())


def _levels_to_caller() -> int:
    """How far up the first line is that is not ours, however many of our functions lie between."""
    level, frame = 2, sys._getframe(2)  # noqa: SLF001 - what `warnings` counts by
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == PACKAGE:
        level, frame = level + 1, frame.f_back
    return level


@contextmanager
def quietly() -> Iterator[None]:
    """Do not warn here; the filters of the process, which threads share, are left alone."""
    token = _QUIET.set(True)
    try:
        yield
    finally:
        _QUIET.reset(token)


def first_rows(rows: Iterable[int], *, total: int) -> str:
    """Name the first few offending rows, counted from 0 unless told otherwise, and how many more there are."""
    counting = _COUNTING.get()
    shown = [str(int(row) + counting.first) for row, _ in zip(rows, range(ROWS_SHOWN), strict=False)]
    more = total - len(shown)
    told = f"row{'s' if total > 1 else ''} {', '.join(shown)}" + (f" and {more:,} more" if more > 0 else "")
    if counting.first:
        counting.named.add(told)
    return told


@contextmanager
def rows_counted_from(first: int) -> Iterator[None]:
    """Count rows in messages from another number than 0, as people count the rows of a file."""
    token = _COUNTING.set(_Counting(first))
    try:
        yield
    finally:
        _COUNTING.reset(token)


def some_values(values: Iterable[object], *, most: int = 10) -> str:
    """List values for a message, cut to a bearable length and free of control characters."""
    shown = [printable(repr(value), most=60) for value, _ in zip(values, range(most + 1), strict=False)]
    return ", ".join(shown[:most]) + (", ..." if len(shown) > most else "")


def printable(text: object, *, most: int | None = None) -> str:
    """Text that is safe on a terminal: control and escape characters are replaced, length is bounded."""
    clean = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in str(text))
    return clean if most is None or len(clean) <= most else clean[: most - 3] + "..."


def in_shell(name: object) -> str:
    """A file's name for a command that people paste: quoted, so that it is a name and nothing else.

    Examples
    --------
    >>> in_shell("a b.csv"), in_shell("-x.csv"), in_shell("$(reboot).csv")
    ("'a b.csv'", './-x.csv', "'$(reboot).csv'")
    """
    text = printable(name)
    return shlex.quote(f"./{text}" if text.startswith("-") else text)


def is_number(value: Any) -> bool:
    """Whether a value is one real number that a float can hold: what an option with limits is asked first."""
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
        value = value.item()
    if not isinstance(value, numbers.Real):
        return False
    try:
        return float(value) == value or value != value or math.isfinite(value)  # noqa: PLR0124 - NaN is a float
    except OverflowError:
        return False


def is_text_of_number(text: str) -> bool:
    """Whether a text reads as a number.

    Examples
    --------
    >>> is_text_of_number(" 0.3"), is_text_of_number("f1")
    (True, False)
    """
    try:
        float(text)
    except ValueError:
        return False
    return True


def short(number: Any) -> str:
    """A number in six digits, also one that no float holds."""
    try:
        return f"{float(number):g}"
    except OverflowError:
        return printable(number, most=20)


def require(module: str, *, extra: str, purpose: str) -> Any:
    """Import an optional package, or say which command installs it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        # double quotes, since cmd.exe takes single ones for a part of the name
        message = f'{purpose} needs {module.partition(".")[0]}: pip install "rocsteady[{extra}]"'
        raise MissingDependencyError(message) from error


for _public in (
    ArgumentError,
    InputError,
    MissingDependencyError,
    RocsteadyError,
    RocsteadyWarning,
    Undefined,
    UndefinedWarning,
):
    _public.__module__ = "rocsteady.errors"  # the name in tracebacks is the one that people import
