"""Binormal designs with known truths, and tables: what all coverage measurements share."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from rocsteady._src.ranked import RankedScores, Rows
from rocsteady.results import Origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from rocsteady.results import Interval

    Array = NDArray[Any]

SEED = 20
LEVEL, Z = 0.95, 1.959963984540054
LOW_COVERAGE, LARGE_SIZE = 0.92, 0.07
SIZES = (20, 50, 200, 1000)
PREVALENCES = (0.05, 0.2, 0.5)
AUCS = (0.5, 0.7, 0.9, 0.97)
CELLS = np.arange(-60, 61)


@dataclass(frozen=True)
class Effort:
    """How many samples per setting: for formulas, for resampling, and resamples of each."""

    analytic: int = 4000
    resampled: int = 1000
    resamples: int = 400


@dataclass(frozen=True)
class Setting:
    """Positives N(d, 1), negatives N(0, 1), class sizes fixed; tied scores are rounded to about seven values."""

    n_pos: int
    n_neg: int
    auc: float
    tied: bool = False

    @property
    def n(self) -> int:
        return self.n_pos + self.n_neg

    @property
    def prevalence(self) -> float:
        return self.n_pos / self.n

    @property
    def gap(self) -> float:
        return math.sqrt(2) * float(ndtri(self.auc))

    @property
    def step(self) -> float:
        return (6 + self.gap) / 7

    @cached_property
    def y(self) -> Array:
        return np.repeat([1, 0], [self.n_pos, self.n_neg])

    @cached_property
    def shares(self) -> tuple[Array, Array]:
        """Probability of each rounded value, in the positives and in the negatives."""
        edges = (np.append(CELLS, CELLS[-1] + 1) - 0.5) * self.step
        return np.diff(ndtr(edges - self.gap)), np.diff(ndtr(edges))

    @cached_property
    def true_auc(self) -> float:
        return self.auc_with(0.0)

    def auc_with(self, lead: float) -> float:
        """AUC of scores whose classes lie ``lead`` further apart, rounded to the same steps."""
        if not self.tied:
            return float(ndtr((self.gap + lead) / math.sqrt(2)))
        edges = (np.append(CELLS, CELLS[-1] + 1) - 0.5) * self.step
        pos, neg = np.diff(ndtr(edges - self.gap - lead)), self.shares[1]
        return float(pos @ (neg.cumsum() - neg / 2))

    def lead_of(self, auc: float) -> float:
        """The distance that gives this AUC."""
        return float(brentq(lambda lead: self.auc_with(lead) - auc, -10, 10, xtol=1e-14))

    def true_partial(self, stop: float) -> float:
        """Area over FPR in [0, stop]; of the polygon through the corners where scores are tied."""
        if not self.tied:
            return float(quad(lambda t: ndtr(self.gap + ndtri(t)), 0, stop, epsabs=1e-12)[0])
        tpr, fpr = (np.append(0, share[::-1].cumsum()) for share in self.shares)
        corners = np.append(fpr[fpr < stop], stop)
        return float(np.trapezoid(np.interp(corners, fpr, tpr), corners))

    @cached_property
    def true_average_precision(self) -> float:
        """Mean precision at the scores of the positives, at the design's prevalence, in the population."""

        def precision(tpr: Any, fpr: Any) -> Any:
            return self.n_pos * tpr / (self.n_pos * tpr + self.n_neg * fpr)

        if self.tied:
            pos, neg = (share[::-1] for share in self.shares)
            kept = pos > 0
            return float(pos[kept] @ precision(pos.cumsum()[kept], neg.cumsum()[kept]))

        def slope(s: float) -> float:
            density = math.exp(-((s - self.gap) ** 2) / 2) / math.sqrt(2 * math.pi)
            return density * float(precision(ndtr(self.gap - s), ndtr(-s)))

        return float(quad(slope, self.gap - 9, self.gap + 9, epsabs=1e-10)[0])

    def rounded(self, scores: Array) -> Array:
        return np.rint(scores / self.step) if self.tied else scores

    def samples(self, rng: np.random.Generator, repeats: int) -> Iterator[Array]:
        """Scores of ``repeats`` samples, positives first."""
        for _ in range(repeats):
            yield self.rounded(rng.standard_normal(self.n) + self.gap * self.y)

    def models(
        self, rng: np.random.Generator, repeats: int, n_models: int = 2, lead: float = 0.0, alike: float = 0.5
    ) -> Iterator[Array]:
        """Scores with correlation ``alike`` on the same rows; the first model has ``lead`` more between the classes."""
        gaps = np.array([self.gap + lead] + [self.gap] * (n_models - 1))[:, None] * self.y
        for _ in range(repeats):
            shared, own = rng.standard_normal(self.n), rng.standard_normal((n_models, self.n))
            yield self.rounded(math.sqrt(alike) * shared + math.sqrt(1 - alike) * own + gaps)


def grid(aucs: Iterable[float], ties: Iterable[bool] = (False, True)) -> Iterator[Setting]:
    """All sizes and prevalences with at least two positives expected."""
    aucs, ties = tuple(aucs), tuple(ties)
    for n in SIZES:
        for n_pos in (round(n * share) for share in PREVALENCES if n * share >= 2):
            yield from (Setting(n_pos, n - n_pos, area, tied) for tied in ties for area in aucs)


def ends_of_range(aucs: Iterable[float], ties: Iterable[bool] = (False, True)) -> Iterator[Setting]:
    """For what is slow: the grid without the prevalences between the smallest and one half."""
    for setting in grid(aucs, ties):
        sizes = [round(setting.n * share) for share in PREVALENCES if setting.n * share >= 2]
        if setting.n_pos in (sizes[0], sizes[-1]):
            yield setting


def stream(*key: object) -> np.random.Generator:
    """Random numbers of a table and a setting, whatever else is run."""
    return np.random.default_rng([SEED, crc32(repr(key).encode())])


def rank_scores(scores: Array, n_pos: int) -> RankedScores:
    return _placed(scores, n_pos)[0]


def _placed(scores: Array, n_pos: int) -> tuple[RankedScores, Array]:
    distinct, places = np.unique(scores, return_inverse=True)
    pos, neg = (np.bincount(part, minlength=distinct.size) for part in (places[:n_pos], places[n_pos:]))
    return RankedScores.trusted(distinct, pos, neg, Origin(1, scores.size)), places


def model_rows(scores: Array, n_pos: int) -> Rows:
    """What ``read_models`` makes of clean columns, positives first, without its checks."""
    placed = {f"model {i}": _placed(line, n_pos) for i, line in enumerate(scores)}
    return Rows.trusted(np.arange(scores.shape[1]) < n_pos, placed)


def holds(interval: Interval | tuple[float, float], truth: float) -> bool:
    """An undefined interval holds nothing."""
    low, high = interval if isinstance(interval, tuple) else (interval.low, interval.high)
    return low <= truth <= high


def coverage(share: float) -> str:
    return _marked(share, bad=share < LOW_COVERAGE)


def size(share: float) -> str:
    return _marked(share, bad=share > LARGE_SIZE)


def _marked(share: float, *, bad: bool) -> str:
    if math.isnan(share):
        return ""
    return f"**{share:.1%}**" if bad else f"{share:.1%}"


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    head = list(head)
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def pivot(found: Mapping[tuple[Any, ...], float], lead: Iterable[str], show: Any) -> str:
    """Lines by the key without its last part, columns by the last part."""
    columns = list(dict.fromkeys(key[-1] for key in found))
    lines = dict.fromkeys(key[:-1] for key in found)
    rows = [[*line, *(show(found.get((*line, column), math.nan)) for column in columns)] for line in lines]
    return table([*lead, *(f"{column}" for column in columns)], rows)


def warned_cell(warned: list[float]) -> str:
    """Share of results with a warning, over the settings of one kind."""
    return f"{np.mean(warned):.0%} of {len(warned)} settings" if warned else "no setting"


def column_of(setting: Setting) -> str:
    return f"AUC {setting.auc:g}" + (", tied" if setting.tied else "")
