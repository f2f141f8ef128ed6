"""Printed numbers of the paper on granular ROC curves."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

import rocsteady as rs
from reproductions.printed import ARTEFACT, CONTRADICTION, ROUNDING, Number, cut_off, other, reaches, same, without_data

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = "paper"
LABELS = [int(letter == "p") for letter in "ppnpppnnppnnpnnnpnpn"]
A = [0.9, 0.8, 0.7, 0.6, 0.55, 0.54, 0.53, 0.52, 0.51, 0.505, 0.495, 0.4, 0.38, 0.35, 0.34, 0.33, 0.32, 0.31, 0.2, 0.1]
B = [0.9, 0.8, 0.7, 0.6, 0.57, 0.55, 0.53, 0.51, 0.48, 0.45, 0.4, 0.38, 0.36, 0.34, 0.32, 0.3, 0.25, 0.15, 0.12, 0.1]
TABLE_3 = (("A", A, "0.69", "0.645", "0.735"), ("B", B, "0.69", "0.674", "0.691"))
SECTION_4_1 = {"AUC": "0.7628", "upAUC": "0.7938", "lowAUC": "0.7441", "lambda": "0.9374"}
TABLE_4 = (
    ("Monk2", "0", "6", "169"),
    ("sonar", "60", "0", "208"),
    ("Breast-W", "9", "0", "699"),
    ("Abalone", "7", "1", "731"),
    ("Vehicle", "18", "0", "846"),
    ("Vowel", "10", "3", "990"),
    ("satimage", "33", "0", "6435"),
)
PICKED_BY = ("AUC", "sAUC", "lambdaAUC", "rhoAUC")
TABLE_5 = {
    "Monk2": ("0.5635", "0.5637", "0.5674", "0.5674"),
    "sonar": ("0.8905", "0.8905", "0.8971", "0.8927"),
    "Breast-W": ("0.9613", "0.9625", "0.9659", "0.9658"),
    "Abalone": ("0.8572", "0.8572", "0.8572", "0.8572"),
    "Vehicle": ("0.8860", "0.9126", "0.9229", "0.9279"),
    "Vowel": ("0.9466", "0.9466", "0.9466", "0.9478"),
    "satimage": ("0.9051", "0.9051", "0.8998", "0.9075"),
}
FIGURE_4 = ("4", "4", "1", "2")
SPEARMAN = (("0.5154", "0.0207"), ("0.5211", "0.0189"), ("0.5214", "0.0186"), ("0.6470", "0.0021"))
HOW: dict[str, Any] = {"delta": 0.02, "definition": "dong2013"}
ONE_SPLIT = "one random split, which is not published"
DRAWS = 20


def numbers() -> Iterator[Number]:
    """All of them, section by section."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the definition warns of its faults
        yield from _table_3()
        yield from _section_4_1()
    yield from _section_4_2()


def _table_3() -> Iterator[Number]:
    for name, scores, auc, low, up in TABLE_3:
        yield same(SOURCE, f"Table 3, {name}, AUC", auc, rs.auc(LABELS, scores))
        for end, printed, measure in (("lowAUC", low, rs.low_auc), ("upAUC", up, rs.up_auc)):
            literal, exact = (measure(LABELS, scores, **HOW, float_ties=ties) for ties in ("ieee", "exact"))
            yield _end(f"Table 3, {name}, {end}", printed, literal, exact)


def _end(place: str, printed: str, literal: float, exact: float) -> Number:
    if reaches(printed, exact):
        return same(SOURCE, place, printed, exact)
    remark = f'only with float_ties="ieee"; {exact:.4f} where 0.55 - 0.53 is 0.02'
    if reaches(printed, literal):
        return other(SOURCE, place, printed, literal, ARTEFACT, remark)
    if not cut_off(printed, literal):
        raise AssertionError(f"{place}: printed {printed}, obtained {literal!r}")
    return other(SOURCE, place, printed, literal, ROUNDING, f"cut off, not rounded; {remark}")


def gaps() -> tuple[float, float]:
    """How far upAUC lies above and lowAUC below AUC in the paper's experiment, mean over seeded draws."""
    rng = np.random.default_rng(20130100)
    y = np.repeat([1, 0], 2000)
    found = []
    for _ in range(DRAWS):
        s = np.concatenate([rng.normal(0.65, 0.2, 2000), rng.normal(0.45, 0.2, 2000)])
        ranked = rs.rank(y, s)
        found.append((rs.up_auc(ranked, **HOW) - rs.auc(ranked), rs.auc(ranked) - rs.low_auc(ranked, **HOW)))
    above, below = np.mean(found, axis=0)
    return float(above), float(below)


def _section_4_1() -> Iterator[Number]:
    values = {name: float(text) for name, text in SECTION_4_1.items()}
    for name in ("AUC", "upAUC", "lowAUC"):
        yield without_data(SOURCE, f"Section 4.1, {name}", SECTION_4_1[name], "one random draw, which is not published")
    ratio = values["lowAUC"] / values["upAUC"]
    yield same(SOURCE, "Section 4.1, lambda", SECTION_4_1["lambda"], ratio, "lowAUC / upAUC as printed")
    above, below = gaps()
    remark = f"mean of {DRAWS} draws by the paper's own algorithm; AUC is of another draw than upAUC and lowAUC"
    for place, printed, value in (
        ("upAUC - AUC", f"{values['upAUC'] - values['AUC']:.4f}", above),
        ("AUC - lowAUC", f"{values['AUC'] - values['lowAUC']:.4f}", below),
    ):
        yield other(SOURCE, f"Section 4.1, {place}", printed, round(value, 4), CONTRADICTION, remark)


def p_of_spearman(r: float, models: int) -> float:
    """Two-sided p of a rank correlation, by Student's t."""
    from scipy.special import stdtr

    return float(2 * stdtr(models - 2, -abs(r) * math.sqrt((models - 2) / (1 - r * r))))


def _section_4_2() -> Iterator[Number]:
    for name, *cells in TABLE_4:
        for column, printed in zip(("continuous", "discrete", "rows"), cells, strict=True):
            wrong = name == "satimage" and column == "continuous"
            remark = "the set has 36; the file is not shipped" if wrong else "the files are not shipped"
            yield without_data(SOURCE, f"Table 4, {name}, {column}", printed, remark)
    for name, row in TABLE_5.items():
        for measure, printed in zip(PICKED_BY, row, strict=True):
            yield without_data(SOURCE, f"Table 5, {name}, {measure}", printed, ONE_SPLIT)
    for measure, printed in zip(PICKED_BY, FIGURE_4, strict=True):
        yield without_data(SOURCE, f"Figure 4, models better than the pick of {measure}", printed, ONE_SPLIT)
    for measure, (r, p) in zip(PICKED_BY, SPEARMAN, strict=True):
        yield without_data(SOURCE, f"Section 4.2.3, Spearman of {measure}", r, ONE_SPLIT)
        many, few = (p_of_spearman(float(r), models) for models in (100, 20))
        remark = f"the text says 100 models; 20, as in Figure 4, give {few:.4f}"
        yield other(SOURCE, f"Section 4.2.3, p of {measure}", p, many, CONTRADICTION, remark)
