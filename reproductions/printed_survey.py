"""Printed numbers of the survey of classifier comparison: without its data, tables are held against each other."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING

import rocsteady as rs
from reproductions.printed import (
    CONTRADICTION,
    MISPRINT,
    ROUNDING,
    Number,
    last_place,
    other,
    reaches,
    same,
    without_data,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SOURCE = "survey"
N = 50  # of each class
UNPUBLISHED = "the borrowers are not published"
# ACC, TPR, 1-FPR, PPV, NPV
TABLE_3 = {
    "LogReg": ("70%", "72%", "68%", "69,2%", "70,8%"),
    "nB": ("58%", "60%", "56%", "57,7%", "58,3%"),
    "LDA": ("55%", "62%", "48%", "54,4%", "55,8%"),
    "QDA": ("56%", "52%", "60%", "56,5%", "55,6%"),
    "SVM": ("79%", "80%", "78%", "78,4%", "79,6%"),
}
# AUC, SE, p, ends of the 95% interval
TABLE_4 = {
    "LogReg": ("0,816", "0,041", "0,0000", "0,735", "0,897"),
    "nB": ("0,618", "0,056", "0,0420", "0,508", "0,728"),
    "LDA": ("0,592", "0,057", "0,1140", "0,480", "0,703"),
    "QDA": ("0,589", "0,057", "0,1260", "0,477", "0,700"),
    "SVM": ("0,904", "0,029", "0,0000", "0,848", "0,960"),
}
# SVM is the new model. NRI of the collected, of the paid, their sum, its interval and p; the same of IDI; relative IDI
TABLE_5 = {
    "LogReg": ("0,10", "0,08", "0,18", "0,0324", "0,3276", "0,0169", "-0,044", "-0,0961", "0,0081", "0,0978", "0,8625"),
    "nB": ("0,22", "0,20", "0,42", "0,1703", "0,6697", "0,0010", "0,143", "-0,0081", "0,294", "0,0636", "2,0748"),
    "QDA": ("0,30", "0,16", "0,46", "0,2083", "0,7117", "0,0003", "0,182", "0,0261", "0,3369", "0,0221", "3,3461"),
    "LDA": ("0,20", "0,28", "0,48", "0,2257", "0,7343", "0,0002", "0,194", "0,0603", "0,3267", "0,0044", "2,9204"),
}
MEASURES_3 = ("ACC", "TPR", "1-FPR", "PPV", "NPV")
Z = 1.959963984540054
HALF = 0.0005  # AUC and SE have three digits


def number(printed: str) -> float:
    """A printed number as a number."""
    value = float(printed.rstrip("%").replace(",", "."))
    return value / 100 if "%" in printed else value


def hits(model: str) -> tuple[int, int]:
    """Positives and negatives that a model gets right, of 50 each: TPR and 1 - FPR of Table 3 fix them."""
    _, tpr, tnr, *_ = TABLE_3[model]
    return round(N * number(tpr)), round(N * number(tnr))


def numbers() -> Iterator[Number]:
    """All of them, table by table."""
    for model in TABLE_3:
        yield from _table_3(model)
    for model in TABLE_4:
        yield from _table_4(model)
    for model in TABLE_5:
        yield from _table_5_nri(model)
        yield from _table_5_idi(model)
    yield from _text()


def _table_3(model: str) -> Iterator[Number]:
    right = hits(model)
    found = rs.Confusion(tp=right[0], fn=N - right[0], tn=right[1], fp=N - right[1])
    values = (found.accuracy, found.recall, found.specificity, found.precision, found.npv)
    for name, printed, value in zip(MEASURES_3, TABLE_3[model], values, strict=True):
        place = f"Table 3, {model}, {name}"
        if name not in ("TPR", "1-FPR"):
            yield same(SOURCE, place, printed, value, "from TPR and 1-FPR of 50 and 50")
        elif model == "SVM":
            yield _against_table_5(place, printed, part=int(name != "TPR"))
        else:
            yield without_data(SOURCE, place, printed, UNPUBLISHED)


def hits_in_table_5(part: int) -> set[int]:
    """Right answers of SVM that the NRI parts of Table 5 leave, one number if the columns agree."""
    return {round(hits(old)[part] + N * number(cells[part])) for old, cells in TABLE_5.items()}


def _against_table_5(place: str, printed: str, part: int) -> Number:
    (count,) = hits_in_table_5(part)
    remark = f"{hits('SVM')[part]} of 50 here; the NRI parts of Table 5 leave {count} in all four columns"
    return other(SOURCE, place, printed, count / N, CONTRADICTION, remark)


def rank_sum_p(auc: float) -> float:
    """Two-sided p of AUC = 1/2 for 50 and 50 without ties: the square of its z has one degree of freedom."""
    z = (auc - 0.5) / math.sqrt((2 * N + 1) / (12 * N * N))
    return math.erfc(abs(z) / math.sqrt(2))


def _table_4(model: str) -> Iterator[Number]:
    auc, se, p, *ends = TABLE_4[model]
    yield without_data(SOURCE, f"Table 4, {model}, AUC", auc, UNPUBLISHED)
    yield without_data(SOURCE, f"Table 4, {model}, SE", se, UNPUBLISHED)
    values = [rank_sum_p(number(auc) + error) for error in (0, -HALF, HALF)]
    yield _nearly(f"Table 4, {model}, p", p, values, "rank-sum test of the printed AUC, which is rounded")
    for side, name, end in zip((-1, 1), ("lower", "upper"), ends, strict=True):
        ends_of = [number(auc) + side * Z * number(se) + error for error in (0, -HALF * (1 + Z), HALF * (1 + Z))]
        yield _nearly(f"Table 4, {model}, {name} end", end, ends_of, "AUC -+ 1.96 SE, both rounded")


def _nearly(place: str, printed: str, values: Sequence[float], remark: str) -> Number:
    """Agrees, or differs because what it is made from was rounded: the first value, and the ends of what it may be."""
    if reaches(printed, values[0]):
        return same(SOURCE, place, printed, values[0], remark)
    half = float(last_place(printed)) / 2
    if not min(values) - half <= number(printed) <= max(values) + half:
        raise AssertionError(f"{place}: printed {printed}, which rounding does not explain: {values}")
    return other(SOURCE, place, printed, values[0], ROUNDING, remark)


def moved(model: str) -> float:
    """People of both classes who changed category, from the printed width of the interval of NRI."""
    events, nonevents, _, low, high, *_ = (number(cell) for cell in TABLE_5[model])
    variance = ((high - low) / 2 / Z) ** 2
    return N * (N * variance + events**2 + nonevents**2)


def _table_5_nri(model: str) -> Iterator[Number]:
    events, nonevents, nri, low, high, p, *_ = TABLE_5[model]
    for part, (name, printed) in enumerate((("collected", events), ("paid", nonevents))):
        value = (hits("SVM")[part] - hits(model)[part]) / N
        remark = "Table 3 has 40 and 39 hits of SVM, this table 41 and 38"
        yield other(SOURCE, f"Table 5, SVM vs {model}, NRI of the {name}", printed, value, CONTRADICTION, remark)
    total = sum((hits("SVM")[part] - hits(model)[part]) / N for part in (0, 1))
    yield same(SOURCE, f"Table 5, SVM vs {model}, NRI", nri, total, "the parts differ from Table 3, their sum does not")
    people = round(moved(model))
    squares = number(events) ** 2 + number(nonevents) ** 2
    se = math.sqrt((people / N - squares) / N)
    remark = f"{people} people moved, the whole number that fits the width"
    for side, name, printed in ((-1, "lower", low), (1, "upper", high)):
        value = number(nri) + side * Z * se
        yield same(SOURCE, f"Table 5, SVM vs {model}, {name} end of NRI", printed, value, remark)
    value = math.erfc(number(nri) / se / math.sqrt(2))
    twice = float(Decimal(repr(value)).quantize(Decimal("0.00001"), ROUND_HALF_UP))
    remark = f"perhaps rounded twice, from {twice:.5f}" if not reaches(p, value) else remark
    yield _nearly(f"Table 5, SVM vs {model}, p of NRI", p, [value, twice], remark)


def middle(model: str) -> float:
    """IDI as the middle of its printed interval, which has a digit more."""
    return (number(TABLE_5[model][7]) + number(TABLE_5[model][8])) / 2


def new_slope(model: str, relative: str) -> float:
    """The slope of SVM: IDI rel / (rel - 1), the same in every column."""
    rel = number(relative)
    return middle(model) * rel / (rel - 1)


def _table_5_idi(model: str) -> Iterator[Number]:
    *_, idi, low, high, p, relative = TABLE_5[model]
    yield same(SOURCE, f"Table 5, SVM vs {model}, IDI", idi, middle(model), "the middle of the printed interval")
    for name, printed in (("lower", low), ("upper", high)):
        yield without_data(SOURCE, f"Table 5, SVM vs {model}, {name} end of IDI", printed, UNPUBLISHED)
    width, error = number(high) - number(low), float(last_place(high))
    values = [
        math.erfc(abs(middle(model)) / (each / 2 / Z) / math.sqrt(2)) for each in (width, width - error, width + error)
    ]
    yield _nearly(f"Table 5, SVM vs {model}, p of IDI", p, values, "from the printed interval")
    slope = (new_slope("LogReg", TABLE_5["LogReg"][-1]) + new_slope("nB", TABLE_5["nB"][-1])) / 2
    value = slope / (slope - middle(model))
    place = f"Table 5, SVM vs {model}, relative IDI"
    if model in ("QDA", "LDA"):
        remark = f"QDA and LDA are exchanged in print: SVM's slope is {slope:.3f} in the other columns"
        yield other(SOURCE, place, relative, value, MISPRINT, remark)
    else:
        error = float(last_place(low)) / 2
        values = [slope / (slope - middle(model) - each) for each in (0, -error, error)]
        yield _nearly(place, relative, values, f"with SVM's slope of {slope:.3f}, from LogReg and nB")


def _text() -> Iterator[Number]:
    events, nonevents = TABLE_5["LDA"][:2]
    for name, printed, cell in (("paid", "28%", nonevents), ("collected", "20%", events)):
        yield same(SOURCE, f"Section 5, NRI of the {name}, SVM vs LDA", printed, number(cell), "as in Table 5")
    yield same(SOURCE, "Section 5, slope of SVM over LDA, in points", "19", 100 * middle("LDA"))
    slope = new_slope("nB", TABLE_5["nB"][-1])
    remark = "2.92 is QDA's: the two are exchanged in Table 5"
    value = slope / (slope - middle("LDA"))
    yield other(SOURCE, "Section 5, relative IDI, SVM vs LDA", "2,92", value, MISPRINT, remark)
