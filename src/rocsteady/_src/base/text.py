"""Plain text for terminals, files, pages and pictures: figures as all of them show them, aligned tables.

``report/assets/page.js`` follows the same rules for the few numbers that a page formats itself.
"""

from __future__ import annotations

import math
import re
from decimal import ROUND_FLOOR, Context, Decimal
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rocsteady._src.base.errors import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

MISSING: Final = "-"
DECIMALS: Final = 4
MOST_DECIMALS: Final = 12
MOST_SHARED: Final = 8  # decimals that one value of a column brings to the others
LEVELS: Final = (0.001, 0.01, 0.05, 0.1)  # rounding never carries a p-value over one of these
SMALL: Final = 0.01  # below it, three decimals leave one digit
SHORT: Final = 6  # digits that nobody minds


def format_number(value: object, decimals: int = DECIMALS, *, signed: bool = False) -> str:
    """A value for reading: rates in four decimals, counts whole with separators, NaN as a mark.

    What is not 0 does not look like 0, what is not 1 does not look like 1, and nothing is called -0.

    Examples
    --------
    >>> [format_number(each) for each in (0.81, 1.0, 0.99999, 0.00002, -0.0, 1234567, 2001840.0, float("nan"))]
    ['0.8100', '1.0000', '0.99999', '2e-05', '0.0000', '1,234,567', '2,001,840', '-']
    >>> format_number(0.0214, 3, signed=True), format_number(-0.0214, 3, signed=True)
    ('+0.021', '-0.021')
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return printable(value)
    if isinstance(value, int):
        return f"{value:{'+' if signed and value else ''},}"
    if not math.isfinite(value):
        return MISSING if math.isnan(value) else f"{value:{'+' if signed else ''}}"
    return _small_or_large(value, signed) or _fixed(value, _decimals(value, decimals), signed=signed)


def number_words(value: float) -> str:
    """A number within a sentence, where a mark for NaN would be overlooked.

    Examples
    --------
    >>> number_words(0.25), number_words(float("nan"))
    ('0.2500', 'undefined')
    """
    return "undefined" if math.isnan(value) else format_number(value)


def _small_or_large(value: float, signed: bool) -> str:
    """Text of what four decimals do not suit; empty for all else."""
    size, sign = abs(value), "+" if signed else ""
    if value == 0 or 1e-3 <= size < 1e3:
        return ""
    if size >= 1e15 or size < 1e-3:
        return f"{value:{sign}.4g}"
    return f"{value:{sign},.{0 if size >= 1e4 or value == int(value) else 1}f}"


def _decimals(value: float, decimals: int) -> int:
    """More of them where a value is small, or would look like 1 and is not, unless by rounding only."""
    if abs(abs(value) - 1) < 10.0**-MOST_DECIMALS:
        return decimals
    while round(abs(value), decimals) == 1:
        decimals += 1
    return max(decimals, DECIMALS) if 0 < abs(value) < SMALL else decimals


def _fixed(value: float, decimals: int, *, signed: bool = False) -> str:
    """So many decimals, and no sign before zero."""
    rounded = f"{value:.{decimals}f}"
    if not rounded.strip("-0."):
        return rounded.lstrip("-")
    return f"+{rounded}" if signed and value > 0 else rounded


def format_interval(value: float, low: float, high: float, decimals: int = DECIMALS, *, signed: bool = False) -> str:
    """An estimate with its ends, in as many decimals as show a narrow interval; alone where there are no ends.

    Examples
    --------
    >>> format_interval(0.0022, 0.0009125, 0.0104), format_interval(0.7613217, 0.7612871, 0.7613563)
    ('0.0022 [0.0009, 0.0104]', '0.761322 [0.761287, 0.761356]')
    >>> format_interval(0.0214, 0.0101, 0.0327, 3, signed=True), format_interval(0.5, float("nan"), float("nan"))
    ('+0.021 [+0.010, +0.033]', '0.5000')
    """
    if math.isnan(low) and math.isnan(high):
        return format_number(value, decimals, signed=signed)
    numbers = [float(each) for each in (value, low, high)]
    largest = max((abs(each) for each in numbers if math.isfinite(each)), default=0.0)
    digits = _shared_decimals(numbers, decimals)
    if digits > MOST_DECIMALS or largest >= 1e3:
        shown = [format_number(each, decimals, signed=signed) for each in numbers]
    else:
        shown = [
            _fixed(each, digits, signed=signed) if math.isfinite(each) else format_number(each, signed=signed)
            for each in numbers
        ]
    return f"{shown[0]} [{shown[1]}, {shown[2]}]"


def _shared_decimals(numbers: list[float], decimals: int) -> int:
    """So many that half the width has two digits, and that none of the three looks like a 1 that it is not."""
    half = (numbers[2] - numbers[1]) / 2
    wanted = decimals
    if math.isfinite(half) and half > 0:
        wanted = max(wanted, 1 + math.ceil(-math.log10(half)))
    near_one = (_decimals(each, wanted) for each in numbers if math.isfinite(each))
    return max([wanted, *(each for each in near_one if each <= MOST_DECIMALS)])


def format_column(values: Sequence[object]) -> list[str]:
    """Values below each other, in as many decimals as the one that needs most; more than eight only where needed.

    >>> format_column([0.81, 0.99997, 1.0, 12, float("nan")])
    ['0.81000', '0.99997', '1.00000', '12', '-']
    """
    floats = [float(each) for each in values if isinstance(each, (float, np.floating)) and math.isfinite(each)]
    found = [_decimals(each, DECIMALS) for each in floats if not _small_or_large(each, signed=False)]
    return [format_number(each, max((n for n in found if n <= MOST_SHARED), default=DECIMALS)) for each in values]


def format_intervals(found: Sequence[tuple[float, float, float]]) -> list[str]:
    """Estimates with their ends below each other, in as many decimals as the narrowest needs.

    >>> format_intervals([(0.8, 0.7, 0.9), (0.7613217, 0.7612871, 0.7613563)])
    ['0.800000 [0.700000, 0.900000]', '0.761322 [0.761287, 0.761356]']
    """
    wanted = [_shared_decimals([*map(float, each)], DECIMALS) for each in found]
    return [format_interval(*each, max((n for n in wanted if n <= MOST_SHARED), default=DECIMALS)) for each in found]


def format_count(value: object) -> str:
    """A number of rows, or their weight: whole with separators; of a weight, six digits at most behind the point.

    Examples
    --------
    >>> [format_count(each) for each in (10, 2001840.0, 2001840.25, 0.125, 10**20)]
    ['10', '2,001,840', '2,001,840.2', '0.125', '100,000,000,000,000,000,000']
    """
    number: Any = value.item() if isinstance(value, np.generic) else value
    if not isinstance(number, float):
        return format_number(number)
    if not math.isfinite(number) or abs(number) >= 1e15 or 0 < abs(number) < 1e-3:
        return format_number(number) if not 1e15 <= abs(number) <= 2**62 else f"{int(number):,}"
    decimals = max(0, SHORT - max(1, len(str(int(abs(number))))))
    whole, point, rest = f"{number:,.{max(1, decimals)}f}".partition(".")
    return (whole + point + rest).rstrip("0").rstrip(".").replace("-0", "0") if number else "0"


def format_p(value: float) -> str:
    """A p-value: three digits, "< 0.001" below; rounding never moves it to the other side of 0.05 or 0.01.

    Examples
    --------
    >>> [format_p(each) for each in (0.61234, 0.0499, 0.049999, 0.0123, 1e-30, 0.99999, 1.0, float("nan"))]
    ['0.612', '0.0499', '0.049999', '0.0123', '< 0.001', '> 0.999', '1.000', '-']
    """
    value = float(value)
    if math.isnan(value):
        return MISSING
    if value < LEVELS[0]:
        return "< 0.001"
    if 0.9995 <= value < 1:
        return "> 0.999"
    decimals = 3 if value >= LEVELS[-1] else 4
    while decimals < MOST_DECIMALS and any((value < at) != (round(value, decimals) < at) for at in LEVELS):
        decimals += 1
    return f"{value:.{decimals}f}"


def p_words(value: float, name: str = "p") -> str:
    """A p-value in a sentence: "p = 0.0499", "p < 0.001".

    Examples
    --------
    >>> p_words(0.0499), p_words(1e-30), p_words(float("nan"))
    ('p = 0.0499', 'p < 0.001', 'p undefined')
    """
    shown = format_p(value)
    return f"{name} undefined" if shown == MISSING else f"{name} {shown}" if shown[0] in "<>" else f"{name} = {shown}"


def format_tenths(value: float) -> str:
    """A coordinate of a picture: to a tenth, without a zero behind the point.

    Examples
    --------
    >>> [format_tenths(each) for each in (12.34567, 3.04, -0.01)]
    ['12.3', '3', '0']
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def format_share(value: float, decimals: int = 1) -> str:
    """A share in percent; a small one that is not 0, or a large one that is not 1, does not look so.

    Examples
    --------
    >>> [format_share(each) for each in (0.125, 0.0, 1.0, 0.00001, 0.99999, -0.0, float("nan"))]
    ['12.5%', '0.0%', '100.0%', '< 0.1%', '> 99.9%', '0.0%', '-']
    """
    value = float(value)
    if math.isnan(value):
        return MISSING
    unit = 10.0**-decimals
    if 0 < 100 * value < unit / 2:
        return f"< {unit:.{decimals}f}%"
    if 100 - unit / 2 <= 100 * value < 100:
        return f"> {100 - unit:.{decimals}f}%"
    return f"{_fixed(100 * value, decimals)}%"


def format_level(level: float) -> str:
    """A confidence level in percent, with all its digits.

    Examples
    --------
    >>> format_level(0.95), format_level(0.995), format_level(0.9999)
    ('95%', '99.5%', '99.99%')
    """
    return f"{100 * float(level):.10g}%"


def format_setting(value: object) -> str:
    """A number that somebody chose, such as a margin or a cost: as it was written.

    Examples
    --------
    >>> format_setting(0.05), format_setting(2.0), format_setting(1e-9), format_setting(1_000_000)
    ('0.05', '2', '1e-09', '1000000')
    """
    if isinstance(value, np.generic):
        value = value.item()
    return printable(repr(value).removesuffix(".0") if isinstance(value, float) else value)


def format_digits(value: float, digits: int) -> str:
    """So many digits of a value that is known to more than four decimals, such as the end of a bracket.

    Examples
    --------
    >>> format_digits(0.76132171234, 9), format_digits(-0.0, 9), format_digits(1 / 3, 12)
    ('0.761321712', '0', '0.333333333333')
    """
    return f"{float(value) + 0.0:.{digits}g}"


def format_threshold(threshold: object, below: object = None) -> str:
    """A threshold in as few digits as call the same rows positive, at least four of them.

    Read back as a number, the text lies above ``below``, the next lower score, and not above the threshold itself.
    Without ``below`` all digits are shown.

    Examples
    --------
    >>> format_threshold(0.99999999998, 0.99999999991), format_threshold(0.8), format_threshold(float("inf"))
    ('0.99999999998', '0.8', 'inf')
    >>> format_threshold(0.417352931022, 0.4), format_threshold(0.417352931022, 0.4173), format_threshold(2**53 + 1)
    ('0.4173', '0.41735', '9007199254740993')
    """
    exact = format_setting(threshold)
    value: Any = threshold.item() if isinstance(threshold, np.generic) else threshold
    if below is None or not isinstance(value, float):
        return exact
    return format_setting(short_threshold(value, below))


def short_threshold(value: float, below: Any) -> float:
    """The number that ``format_threshold`` writes.

    Examples
    --------
    >>> short_threshold(0.417352931022, 0.4), short_threshold(0.4179, 0.1)
    (0.4173, 0.4179)
    """
    if not math.isfinite(value) or _digits(repr(value).removesuffix(".0")) <= SHORT:
        return value
    lower = below.item() if isinstance(below, np.generic) else below
    narrow = _narrow_types(value, lower)
    for digits in range(4, 17):
        read = float(f"{value:.{digits}g}")
        if read > value:
            read = float(Context(prec=digits, rounding=ROUND_FLOOR).plus(Decimal(value)))
        if lower < read <= value and _above(read, lower, narrow):
            return read
    return value


def _digits(text: str) -> int:
    return len(text.partition("e")[0].replace(".", "").lstrip("-0"))


def _above(read: float, lower: Any, narrow: list[type[np.floating[Any]]]) -> bool:
    """Whether a number is above another also where it is rounded."""
    with np.errstate(over="ignore"):
        return all(float(each(read)) > lower for each in narrow)


def _narrow_types(threshold: float, lower: Any) -> list[type[np.floating[Any]]]:
    """Narrow types that scores may have which hold both: what stands between them has to when it is rounded, too."""
    if not isinstance(lower, float):
        return []
    with np.errstate(over="ignore"):
        return [
            each
            for each in (np.float32, np.float16)
            if float(each(threshold)) == threshold and float(each(lower)) == lower
        ]


def table_cells(header: Sequence[str], rows: Iterable[Sequence[object]]) -> list[list[str]]:
    """Cells of a table for reading, each by what its column holds: p-values, thresholds, names, numbers.

    Examples
    --------
    >>> table_cells(["fold", "errors", "pvalue"], [[2024, 1827, 1e-30]])
    [['2024', '1,827', '< 0.001']]
    """
    columns = zip(*rows, strict=True)
    forms = [_FORMS.get(name) for name in header]
    shown = [format_column(each) if form is None else [*map(form, each)] for form, each in zip(forms, columns)]  # noqa: B905
    return [list(row) for row in zip(*shown, strict=True)]


def _p_cell(value: object) -> str:
    return format_p(float(value)) if isinstance(value, (float, np.floating)) else printable(value)


_FORMS: Final[dict[str, Callable[[Any], str]]] = {
    **dict.fromkeys(
        ("p", "pvalue", "p_holm", "p_bh", "p_holm_all", "nri_p", "idi_p", "score_p", "p (Holm)", "pvalue_holm"), _p_cell
    ),
    **dict.fromkeys(("threshold", "next_lower"), format_threshold),
    **dict.fromkeys(("fold", "repeat", "class", "true", "called", "row", "seed", "pos_label"), printable),
    **dict.fromkeys(("tp", "fp", "fn", "tn", "n_pos", "n_neg", "support", "count", "df"), format_count),
}


def turned_if_wide(header: list[str], rows: list[list[str]], width: int = 100) -> tuple[list[str], list[list[str]]]:
    """Exchange rows and columns where the table is wider than ``width`` and the exchange makes it narrower."""
    turned = [list(line) for line in zip(header, *rows, strict=True)]
    if _width([header, *rows]) <= width or _width(turned) >= _width([header, *rows]):
        return header, rows
    return turned[0], turned[1:]


def _width(lines: list[list[str]]) -> int:
    return sum(max(map(len, column)) + 2 for column in zip(*lines, strict=True))


def text_table(header: list[str], rows: list[list[str]], *, numbers: bool = True) -> str:
    """Columns aligned: the first to the left, the others to the right if they hold numbers."""
    cells = [[printable(cell) for cell in row] for row in [header, *rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    lines = []
    for row in cells:
        first = row[0].ljust(widths[0])
        align = str.rjust if numbers else str.ljust
        rest = [align(cell, width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join([first, *rest]).rstrip())
    return "\n".join(lines)


def markdown_text(text: object) -> str:
    """Text that Markdown shows as it is: no HTML, no table borders, no links."""
    shown = re.sub(r"[\\`|*]", r"\\\g<0>", printable(text)).replace("<", "&lt;").replace(">", "&gt;")
    shown = re.sub(r"\](?=[(:\[])", r"\\]", shown)  # a link; an interval in brackets is none
    return re.sub(r"(?<![0-9A-Za-z])_|_(?![0-9A-Za-z])", r"\\_", shown)  # emphasis; within a word it is none


def json_printable(text: str) -> str:
    r"""JSON in which what no terminal shows, such as marks of direction, is written as escapes.

    Examples
    --------
    >>> print(json_printable('"a\u202eb"'))
    "a\u202eb"
    """
    return re.sub(r"[^\n -~]", lambda found: found[0] if found[0].isprintable() else _escape(found[0]), text)


def _escape(char: str) -> str:
    units = char.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[place : place + 4]}" for place in range(0, len(units), 4))
