"""Plain text for terminals and files: numbers, aligned tables."""

from __future__ import annotations

import math
import re

from rocsteady.errors import printable


def format_number(value: object) -> str:
    """Four decimals for rates, whole numbers as they are, NaN as an empty mark."""
    if isinstance(value, float):
        if math.isnan(value):
            return "-"
        if math.isinf(value):
            return "inf" if value > 0 else "-inf"
        return f"{value:.4f}" if 1e-3 <= abs(value) < 1e4 or value == 0 else f"{value:.4g}"
    return printable(value)


def format_interval(value: float, low: float, high: float) -> str:
    """An estimate with its ends; a small end has as many decimals as the estimate.

    Examples
    --------
    >>> format_interval(0.0022, 0.0009125, 0.0104), format_interval(0.0005, 0.0001, 0.002)
    ('0.0022 [0.0009, 0.0104]', '0.0005 [0.0001, 0.0020]')
    """
    decimals = 1e-3 <= abs(value) < 1e4
    ends = (f"{end:.4f}" if decimals and abs(end) < 1e-3 else format_number(end) for end in (low, high))
    return f"{format_number(value)} [{', '.join(ends)}]"


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
