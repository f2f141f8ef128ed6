"""Candidate minus baseline in any measure: an estimate with an interval at any level, by the surest way there is.

Areas go by DeLong's covariance, means over rows by their differences, shares of the same rows by exact intervals of the
rows that only one model has right. All else joins the intervals of both models by the root of the sum of squares, less
what they have in common (Zou and Donner 2008); that correlation comes from resamples of the rows, and is 0 for two
samples.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from rocsteady._src.evaluation.gate.carried import (
    FEW_CARRY,
    STRICTER,
    Carried,
    Stricter,
    Widened,
    Within,
    by_rows,
    weights_unlike,
)
from rocsteady._src.evaluation.gate.in_engine import AREAS
from rocsteady._src.evaluation.gate.shares import EXACT, ExactPair, ExactShare, call_by_rows, has_exact_share
from rocsteady._src.inference.comparison.hypotheses import NormalDifference
from rocsteady._src.inference.comparison.models_by_measure import added_by_rows, row_test
from rocsteady._src.inference.comparison.nested import nested_remarks
from rocsteady._src.inference.comparison.two_areas import (
    Asked,
    automatic_method,
    pair_of,
    pair_of_samples,
    remarks_on_areas,
)
from rocsteady._src.inference.intervals.every_measure import intervals_of_measures
from rocsteady._src.inference.paired.calls import right_calls
from rocsteady._src.inference.paired.counts import PairedCounts
from rocsteady._src.inference.paired.difference import joined_reach
from rocsteady._src.inference.paired.mcnemar import Asked as PairedAsked
from rocsteady._src.inference.resampling.draws import RowDraws
from rocsteady._src.inference.resampling.replicates import replicates_of
from rocsteady._src.inference.units.components import Area
from rocsteady._src.inference.units.precision import precision_components
from rocsteady._src.inference.units.row_formulas import ROW_FORMULAS
from rocsteady._src.inference.units.spread import areas_of
from rocsteady._src.inputs.weights import weight_type_of
from rocsteady._src.measures.ranking import auc, average_precision, gini, partial_auc
from rocsteady._src.measures.registry import WITHIN_CLASSES
from rocsteady._src.ranked import in_canonical_order
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.evaluation.gate.terms import Term
    from rocsteady._src.ranked import Rows
    from rocsteady._src.results import Interval

    Ends = tuple[float, float]

# Shares of the same rows: which rows, and whether the measure counts those that are right or wrong.
RIGHT = {
    "recall": ("positive", 1),
    "false_negative_rate": ("positive", -1),
    "specificity": ("negative", 1),
    "false_positive_rate": ("negative", -1),
    "accuracy": ("all", 1),
    "error_rate": ("all", -1),
}


ALTERNATIVE = "non-inferiority"  # by which "auto" chooses how two areas are compared with a margin
PART_RANGE: dict[str, Any] = {"fpr_range": (0.0, 0.1)}  # of a partial area, unless said otherwise


class WithEnds(Protocol):
    """An estimate with an interval at any level."""

    @property
    def estimate(self) -> float:
        """The value, or first minus second."""
        ...

    def ends(self, level: float) -> Ends:
        """Give the two-sided interval at this level."""
        ...


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the rows say about a condition; ``falls`` is the power of the number of rows that the width falls with."""

    of: WithEnds
    method: str
    remarks: tuple[Remark, ...] = ()
    falls: float = 0.5


@dataclass(frozen=True, slots=True)
class Resamples:
    """How many, and from which seed."""

    n: int = 2000
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Scaled:
    """Another difference times a factor: Gini's is twice that of the AUC, that of an error rate minus one times."""

    inner: WithEnds
    factor: float

    @property
    def estimate(self) -> float:
        """First minus second."""
        return self.factor * self.inner.estimate + 0.0

    def ends(self, level: float) -> Ends:
        """Give the interval of the difference."""
        low, high = (self.factor * end + 0.0 for end in self.inner.ends(level))
        return (low, high) if self.factor > 0 else (high, low)


@dataclass(frozen=True, slots=True)
class Unchanged:
    """Two AUCs of models that no row tells apart, of so many independent rows of either class.

    If shares p and q of the classes were ranked otherwise, the AUCs would differ by p + q at most, and none of the rows
    would show it with the probability (1 - p)^P (1 - q)^N. The ends are where that is as rare as the level says.

    Examples
    --------
    >>> low, high = Unchanged((300.0, 300.0)).ends(0.9)
    >>> round(low, 4), round(high, 4)
    (-0.01, 0.01)
    """

    sizes: tuple[float, float]
    estimate: float = 0.0

    def ends(self, level: float) -> Ends:
        """Give the interval of the difference."""
        from scipy.optimize import brentq

        rare = math.log((1 - level) / 2)
        if min(self.sizes) <= 0:
            return -1.0, 1.0
        inside = self._unseen(1.0) < rare
        reach = float(brentq(lambda moved: self._unseen(moved) - rare, 0.0, 1.0)) if inside else 1.0
        return -reach, reach

    def _unseen(self, moved: float) -> float:
        """Logarithm of the largest probability to see none, where both shares add up to ``moved``."""
        few, many = min(self.sizes), max(self.sizes)
        kept = min(max((2 - moved) * few / (few + many), 1 - moved), 1.0)  # of the class with fewer rows
        parts = ((few, kept), (many, min(2 - moved - kept, 1.0)))
        return sum(n * (math.log(share) if share > 0 else -math.inf) for n, share in parts)


@dataclass(frozen=True, slots=True)
class OneModel:
    """A measure of one model on its rows, with the default interval at any level."""

    rows: Rows
    term: Term
    params: dict[str, Any]
    resamples: Resamples
    made: dict[float, Interval | None] = field(default_factory=dict)

    @property
    def estimate(self) -> float:
        """The value."""
        return float(self.term.request.sheet.compute(self.rows.ranked[0], **self.params))

    def interval(self, level: float) -> Interval | None:
        """The interval, made once; None where the measure is undefined."""
        if level not in self.made:
            ranked = self.rows.ranked[0]
            kept = self.rows if self.rows.clusters is not None or not ranked.counts_rows else None
            how: dict[str, Any] = {"level": level, "seed": self.resamples.seed, "n_resamples": self.resamples.n}
            asked = [(self.term.request.sheet, self.params)]
            self.made[level] = intervals_of_measures(ranked, asked, rows=kept, **how)[0]
        return self.made[level]

    def ends(self, level: float) -> Ends:
        """Give the two-sided interval at this level."""
        found = self.interval(level)
        return (math.nan, math.nan) if found is None else (found.low, found.high)


@dataclass(frozen=True, slots=True)
class Joined:
    """The difference of two values, each with its own interval, which need not be symmetric; see the module."""

    first: WithEnds
    second: WithEnds
    correlation: float

    @property
    def estimate(self) -> float:
        """First minus second."""
        return self.first.estimate - self.second.estimate

    def ends(self, level: float) -> Ends:
        """Give the interval of the difference."""
        one, two = self.first.estimate, self.second.estimate
        (low1, high1), (low2, high2) = self.first.ends(level), self.second.ends(level)
        down = float(joined_reach(one - low1, high2 - two, self.correlation))
        up = float(joined_reach(high1 - one, two - low2, self.correlation))
        return self.estimate - down, self.estimate + up


def difference_of(samples: Sequence[Any], term: Term, level: float, resamples: Resamples) -> Evidence:
    """Candidate minus baseline: both models of one sample, the candidate first, or each on a sample of its own."""
    found, (least, most) = _difference(samples, term, level, resamples), term.request.sheet.bounds
    return replace(found, of=Within(found.of, (least - most, most - least)))


def _difference(samples: Sequence[Any], term: Term, level: float, resamples: Resamples) -> Evidence:
    sheet, paired = term.request.sheet, len(samples) == 1
    if samples[0].in_memory() is None:
        return _of_areas(samples, term, level) if sheet.name in AREAS else _of_shares(samples[0].called(term), term)
    if sheet in (auc.sheet, gini.sheet, partial_auc.sheet):
        return _of_areas(samples, term, level)
    counted = all(weight_type_of(each.weights, each.origin.weight_type) != "sampling" for each in samples)
    if paired and counted and sheet.name in RIGHT:
        return _of_shares(samples[0], term)
    if paired and sheet.name in ROW_FORMULAS:
        found = row_test(samples[0], term.request, level)
        if found.se:
            one, two = (added_by_rows(samples[0], model, term.request) for model in (0, 1))
            carried = Carried.of(one - two, samples[0], by_class=False)
            made = Widened(NormalDifference(found.estimate, found.se), carried)
            return Evidence(made, found.method, (*found.warnings, *_few(carried)))
    return _of_intervals(samples, term, level, resamples)


def area_of(term: Term) -> Area:
    """Which area a condition is about."""
    if term.request.sheet is not partial_auc.sheet:
        return Area()
    ranges = term.request.params if {"fpr_range", "tpr_range"} & term.request.params.keys() else PART_RANGE
    return Area(**(ranges | term.request.params))


def _of_areas(samples: Sequence[Any], term: Term, level: float) -> Evidence:
    """By DeLong's covariance, with the method that "auto" takes for a test with a margin."""
    sheet, kind, area = term.request.sheet, samples[0].origin.weight_type, area_of(term)
    found = [areas_of(sample, area, kind) for sample in samples]
    paired = len(samples) == 1
    pair = pair_of(found[0], (0, 1)) if paired else pair_of_samples(found)
    factor = 2.0 if sheet is gini.sheet else 1.0
    if not pair.told_apart and not area.standardize:
        fewest = (min(size[side] for size in pair.sizes) for side in (0, 1))
        alike = Unchanged((next(fewest), next(fewest)))
        remark = (Remark("gate_alike", reach=alike.ends(2 * level - 1)[1]),)
        return Evidence(Scaled(alike, factor), "exact, of rows that tell nothing apart", remark, falls=1.0)
    method, design = automatic_method(pair, area, ALTERNATIVE), "paired" if paired else "unpaired"
    remarks = remarks_on_areas(samples, pair, Asked(area, level=level, weight_type=kind), method, design)
    remarks += nested_remarks(samples[0], (0, 1)) if paired else ()
    made: WithEnds = pair.difference(method)
    if method == "score":  # where rows on the wrong side are few; a gate does not hope that classes spread alike
        made, method = pair.under_hypothesis(unlike=True), "score, whatever the classes' spread"
    if paired:
        carried = _carried(samples[0], area)
        made, remarks = Widened(made, carried), (*remarks, *_few(carried))
    elif sheet is partial_auc.sheet:  # formulas alone were seen to fail too easily
        parts = [Carried.of(by_rows(each, [area.components(each.ranked[0])]), each, by_class=True) for each in samples]
        made, method = Widened(made, parts[0].less(parts[1])), f"{method}, no closer than by influence"
    if any(map(weights_unlike, samples)):
        made, method = Stricter(made), f"{method} {STRICTER}"
    return Evidence(Scaled(made, factor), f"{method}, {design}", remarks)


def _carried(sample: Any, area: Area) -> Carried:
    rows = sample.in_memory()
    if rows is None:
        known: Carried = sample.carried
        return known
    return Carried.of(by_rows(rows, [area.components(ranked) for ranked in rows.ranked]), rows, by_class=True)


def _few(carried: Carried) -> tuple[Remark, ...]:
    return (Remark("gate_few_differ", rows=carried.rows),) if carried.rows < FEW_CARRY else ()


def _of_shares(rows: Rows, term: Term) -> Evidence:
    """By exact intervals of the rows that only one of the models has right."""
    which, sign = RIGHT[term.request.sheet.name]
    thresholds = dict(
        zip(rows.names, (term.params(each)["threshold"] for each in ("candidate", "baseline")), strict=True)
    )
    answers = right_calls(rows, thresholds, PairedAsked("tango"))
    kept = {"positive": rows.positive, "negative": ~rows.positive}.get(which)
    part = answers if kept is None else answers.where(kept)
    first, second = (part.right[name] for name in rows.names)
    counts = PairedCounts.of(first, second, part.weights, part.clusters)
    by = ", by cluster" if part.clusters is not None else ""
    return Evidence(Scaled(ExactPair(counts), sign), f"joined intervals ({EXACT}), paired{by}")


def _of_intervals(samples: Sequence[Rows], term: Term, level: float, resamples: Resamples) -> Evidence:
    """By the intervals of both models; for the same rows with the correlation that resamples show."""
    paired, samples = len(samples) == 1, [in_canonical_order(each) for each in samples]
    of_models = [samples[0].of_models(name) for name in samples[0].names] if paired else list(samples)
    params = [term.params("candidate"), term.params("baseline")]
    both: list[Any] = [OneModel(rows, term, own, resamples) for rows, own in zip(of_models, params, strict=True)]
    if not paired and all(has_exact_share(rows, term) for rows in samples):  # others were seen to decide too easily
        both = [ExactShare(rows, term, own) for rows, own in zip(samples, params, strict=True)]
    correlation, few = _common(samples[0], term, params, resamples) if paired else (0.0, ())
    made = [each.interval(2 * level - 1) for each in both]
    told = dict.fromkeys(remark for interval in made if interval is not None for remark in interval.warnings)
    how = " and ".join(dict.fromkeys(interval.method for interval in made if interval is not None))
    design = "paired" if paired else "unpaired"
    joined: WithEnds = Joined(both[0], both[1], correlation)
    carried = _influence(samples[0], term, params) if paired else None
    if carried is not None:
        joined, how = Widened(joined, carried), f"{how}, no closer than by influence"
    if not paired and term.request.sheet.name in ROW_FORMULAS:
        added = [Carried.of(added_by_rows(each, 0, term.request), each, by_class=False) for each in samples]
        joined, how = Widened(joined, added[0].less(added[1])), f"{how}, no closer than by influence"
    return Evidence(joined, f"joined intervals ({how}), {design}", (*told, *few))


def _influence(rows: Rows, term: Term, params: list[dict[str, Any]]) -> Carried | None:
    """What rows add to the difference of average precisions, or of measures of calls; resamples alone pass too easily.

    None where that is not known, or where no row tells the models apart.
    """
    if term.request.sheet is average_precision.sheet:
        parts = by_rows(rows, [precision_components(ranked) for ranked in rows.ranked])
    else:
        one, two = (call_by_rows(rows, model, term, own) for model, own in enumerate(params))
        if one is None or two is None:
            return None
        parts = one - two
    found = Carried.of(parts, rows, by_class=False)
    return found if found.rows > 0 or term.request.sheet is average_precision.sheet else None


def _common(
    rows: Rows, term: Term, params: list[dict[str, Any]], resamples: Resamples
) -> tuple[float, tuple[Remark, ...]]:
    """What both values have in common: their correlation in resamples, no closer to 1 than the rows can show.

    It is 0, which is safe, where none of these tells the models apart.
    """
    sheet = term.request.sheet
    kind = weight_type_of(rows.weights, rows.origin.weight_type)
    draws = RowDraws(rows, stratified=sheet.resampling == WITHIN_CLASSES, frequency=kind == "frequency")
    asked = [(sheet, own) for own in (params[:1] if params[0] == params[1] else params)]
    values = replicates_of(draws, asked, n_resamples=resamples.n, seed=resamples.seed)[:, [0, -1]]
    known = values[np.isfinite(values).all(axis=1)]
    if len(known) < 2 or (known[:, 0] == known[:, 1]).all() or not known.std(axis=0).all():
        return 0.0, ()
    carried = _carried(rows, Area())
    most = 1 - 1 / max(carried.rows, 1.0)
    return min(float(np.atleast_2d(np.corrcoef(known.T))[0, 1]), most), _few(carried)
