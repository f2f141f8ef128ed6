"""Every printed number of the five sources that can be computed, in one table: ``python -m reproductions.printed``.

It writes ``docs/sources/printed.csv``: source, place, what is printed, what is obtained, where it stands, and why.
"""

from __future__ import annotations

import csv
import io
import math
from dataclasses import astuple, dataclass, fields
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

FILE = Path(__file__).parent.parent / "docs" / "sources" / "printed.csv"
AGREES, ROUNDING, MISPRINT = "agrees", "rounding", "misprint"
ARTEFACT, CONTRADICTION, NO_DATA = "float artefact", "contradiction", "no data"
STANDINGS = (AGREES, ROUNDING, MISPRINT, ARTEFACT, CONTRADICTION, NO_DATA)


@dataclass(frozen=True, slots=True)
class Number:
    """One printed number and what becomes of it.

    It *agrees* to its last digit; differs by *rounding*, of itself or of what it was made from; is a *misprint*; is a
    *float artefact*, reached only in the arithmetic of the source; stands in *contradiction* to another of its source;
    or there is *no data* to compute it from.
    """

    source: str
    place: str
    printed: str
    obtained: str
    standing: str
    remark: str = ""


def value_of(printed: str) -> Decimal:
    """A printed number, with a decimal point or comma, perhaps in percent, perhaps as a fraction."""
    text = printed.strip().rstrip("%").replace(",", ".").strip()
    if "/" in text:
        above, below = text.split("/")
        return Decimal(above) / Decimal(below)
    return Decimal(text)


def last_place(printed: str) -> Decimal:
    """One unit in the last printed digit."""
    return Decimal(1).scaleb(int(value_of(printed).as_tuple().exponent))


def reaches(printed: str, value: float) -> bool:
    """Whether a value, rounded to the digits of the print, is the print; a half may go either way."""
    told = Decimal(repr(float(100 * value if "%" in printed else value)))
    if "/" in printed:
        return math.isclose(float(value_of(printed)), value, rel_tol=1e-12)
    unit = last_place(printed)
    nearly = Decimal(repr(round(float(told), 12)))  # 0.5049999999999999 is the half that 0.505 is
    return value_of(printed) in {
        each.quantize(unit, way) for each in (told, nearly) for way in (ROUND_HALF_UP, ROUND_HALF_EVEN)
    }


def cut_off(printed: str, value: float) -> bool:
    """Whether the print is the value with its further digits dropped."""
    return value_of(printed) == Decimal(repr(float(value))).quantize(last_place(printed), ROUND_DOWN)


def shown(printed: str, value: float) -> str:
    """What was obtained, in the unit of the print and with some digits more."""
    if math.isnan(value):
        return "undefined"
    scaled = 100 * value if "%" in printed else value
    if 1e-30 < abs(scaled) < 1e-6:
        return f"{scaled:.1e}"
    return f"{round(scaled, 12):.6g}" + ("%" if "%" in printed else "")


def same(source: str, place: str, printed: str, value: float, remark: str = "") -> Number:
    """A number that agrees; raises where it does not, so that nothing agrees by being said to."""
    if not reaches(printed, value):
        raise AssertionError(f"{source}, {place}: printed {printed}, obtained {value!r}")
    return Number(source, place, printed, shown(printed, value), AGREES, remark)


def other(source: str, place: str, printed: str, value: float, standing: str, remark: str) -> Number:
    """A number that does not agree, or only by rounding; raises where it agrees after all."""
    if reaches(printed, value) and standing != ARTEFACT:
        raise AssertionError(f"{source}, {place}: printed {printed} agrees with {value!r}")
    return Number(source, place, printed, shown(printed, value), standing, remark)


def without_data(source: str, place: str, printed: str, remark: str) -> Number:
    """A number that nobody can compute from what the source gives."""
    return Number(source, place, printed, "", NO_DATA, remark)


def every_number() -> list[Number]:
    """All printed numbers, source by source."""
    from reproductions import printed_lecture, printed_paper, printed_seminar, printed_survey, printed_thesis

    modules = (printed_thesis, printed_seminar, printed_survey, printed_lecture, printed_paper)
    return [number for module in modules for number in module.numbers()]


def as_csv(numbers: Iterable[Number]) -> str:
    """The table, one number per line."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([field.name for field in fields(Number)])
    writer.writerows(astuple(number) for number in numbers)
    return text.getvalue()


def main() -> None:
    """Write the table and say how many numbers stand where."""
    numbers = every_number()
    FILE.write_text(as_csv(numbers), encoding="utf-8")
    for standing in STANDINGS:
        print(f"{standing:15} {sum(number.standing == standing for number in numbers)}")


if __name__ == "__main__":
    main()
