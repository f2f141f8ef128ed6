"""Plain text for terminals and files: numbers, aligned tables."""

from __future__ import annotations

import math

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


def text_table(header: list[str], rows: list[list[str]]) -> str:
    """Columns aligned: text to the left, numbers to the right."""
    cells = [[printable(cell) for cell in row] for row in [header, *rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    lines = []
    for row in cells:
        first = row[0].ljust(widths[0])
        rest = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join([first, *rest]).rstrip())
    return "\n".join(lines)
