"""Candidate minus baseline in any measure: an estimate with an interval at any level, by the surest way there is.

Areas go by DeLong's covariance, means over rows by their differences, shares of the same rows by exact intervals of the
rows that only one model has right. All else joins the intervals of both models by the root of the sum of squares, less
what they have in common (Zou and Donner 2008); that correlation comes from resamples of the rows, and is 0 for two
samples.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

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
from rocsteady._src.evaluation.gate.evidence import (
    RIGHT,
    Evidence,
    Joined,
    OneModel,
    Resamples,
    Scaled,
    Unchanged,
    Wider,
)
from rocsteady._src.evaluation.gate.in_engine import AREAS
from rocsteady._src.evaluation.gate.shares import (
    EXACT,
    ON_THE_LINE,
    AtRate,
    ExactPair,
    ExactShare,
    call_by_rows,
    furthest_call,
    has_exact_share,
)
from rocsteady._src.evaluation.gate.terms import area_of
from rocsteady._src.evaluation.gate.unseen import (
    FEW_MOVED,
    LOG_LOSS,
    WHATEVER,
    Whatever,
    changes_of,
    held_of,
    largest_loss,
    most_changed,
    moved_share,
    placement_changes,
    share_carrying,
)
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
from rocsteady._src.inference.intervals.areas import BOUNDED
from rocsteady._src.inference.paired.calls import right_calls
from rocsteady._src.inference.paired.counts import PairedCounts
from rocsteady._src.inference.paired.mcnemar import Asked as PairedAsked
from rocsteady._src.inference.resampling.draws import RowDraws
from rocsteady._src.inference.resampling.replicates import replicates_of
from rocsteady._src.inference.units.components import Area
from rocsteady._src.inference.units.precision import furthest_precision, precision_components
from rocsteady._src.inference.units.row_formulas import ROW_FORMULAS
from rocsteady._src.inference.units.spread import areas_of
from rocsteady._src.inputs.weights import weight_type_of
from rocsteady._src.measures.ranking import auc, average_precision, gini, partial_auc, pr_auc
from rocsteady._src.measures.registry import WITHIN_CLASSES
from rocsteady._src.ranked import in_canonical_order
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.evaluation.gate.evidence import WithEnds
    from rocsteady._src.evaluation.gate.terms import Term
    from rocsteady._src.evaluation.gate.unseen import Changes
    from rocsteady._src.ranked import Rows
    from rocsteady._src.results import TestResult

NOISE = 1e-12  # of sums over rows
ALTERNATIVE = "non-inferiority"  # by which "auto" chooses how two areas are compared with a margin


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
            return _of_means(samples[0], term, found)
    return _of_intervals(samples, term, level, resamples)


def _of_means(rows: Rows, term: Term, found: TestResult) -> Evidence:
    """By the differences of rows."""
    added = [added_by_rows(rows, model, term.request) for model in (0, 1)]
    change = added[0] - added[1]
    carried = Carried.of(change, rows, by_class=False)
    made: WithEnds = Widened(NormalDifference(found.estimate, found.se or 0.0), carried)
    remarks, method, most = (*found.warnings, *_few(carried)), found.method, most_changed(rows, term)
    if term.request.sheet.name == LOG_LOSS:
        remarks = (*remarks, largest_loss(rows, most))
    if max(share_carrying(change, held_of(rows)), moved_share(rows)) >= FEW_MOVED:
        return Evidence(made, method, remarks, most=most)
    made = Whatever(made, changes_of(change, rows, (most,)))
    return Evidence(made, f"{method}, {WHATEVER}", remarks, most=most, se=carried.se)


def _of_areas(samples: Sequence[Any], term: Term, level: float) -> Evidence:
    """By DeLong's covariance, with the method that "auto" takes for a test with a margin."""
    sheet, kind, area = term.request.sheet, samples[0].origin.weight_type, area_of(term)
    found = [areas_of(sample, area, kind) for sample in samples]
    paired = len(samples) == 1
    pair = pair_of(found[0], (0, 1)) if paired else pair_of_samples(found)
    factor = 2.0 if sheet is gini.sheet else 1.0
    carried = _carried(samples[0], area) if paired and pair.told_apart else Carried(0.0, 0.0, 0.0)
    nothing = not pair.told_apart or (paired and pair.estimate == 0 and not carried.rows)  # as of two perfect models
    if nothing and not area.standardize:
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
        made, remarks = Widened(made, carried), (*remarks, *_few(carried))
        if (changes := _changes(samples[0], area)) is not None:
            made, method = Whatever(made, changes), f"{method}, {WHATEVER}"
    elif sheet is partial_auc.sheet:  # formulas alone were seen to fail too easily
        parts = [Carried.of(by_rows(each, [area.components(each.ranked[0])]), each, by_class=True) for each in samples]
        made, method = Widened(made, parts[0].less(parts[1])), f"{method}, no closer than by influence"
    if any(map(weights_unlike, samples)):
        made, method = Stricter(made), f"{method} {STRICTER}"
    falls = 0.5 if pair.se > 0 else 1.0  # of perfect models, about whose errors nothing is known but how rare they are
    made = Scaled(made, factor)
    if not paired and (joined := _of_bounded(samples, term, level)) is not None:
        made, method = Wider(made, joined), f"{method}, no closer than joined intervals ({BOUNDED})"
    part = factor * carried.se if WHATEVER in method else None
    return Evidence(made, f"{method}, {design}", remarks, falls=falls, se=part)


def _of_bounded(samples: Sequence[Any], term: Term, level: float) -> Joined | None:
    """Areas of two samples by their own intervals, where few rows of one are misranked: formulas pass too easily."""
    if not area_of(term).whole:
        return None
    models = zip(samples, ("candidate", "baseline"), strict=True)
    both = [OneModel(rows, term, term.params(model), Resamples()) for rows, model in models]
    made = [each.interval(2 * level - 1) for each in both]
    few = any(interval is not None and interval.method == BOUNDED for interval in made)
    return Joined(both[0], both[1], 0.0) if few else None


def _carried(sample: Any, area: Area) -> Carried:
    rows = sample.in_memory()
    if rows is None:
        known: Carried = sample.carried
        return known
    return Carried.of(by_rows(rows, [area.components(ranked) for ranked in rows.ranked]), rows, by_class=True)


def _changes(sample: Any, area: Area) -> tuple[Changes, ...] | None:
    """What rows change where few of them carry it, of each class; None where many do."""
    rows = sample.in_memory()
    if rows is None:
        return None if sample.moved >= FEW_MOVED else sample.changes()
    if moved_share(rows) >= FEW_MOVED:
        return None
    parts = [area.components(ranked) for ranked in rows.ranked]
    values = by_rows(rows, parts)
    if area.whole:
        return placement_changes(values, rows)
    most = [
        max(float(np.ptp(part)) for part in side) for side in ([p.of_pos for p in parts], [p.of_neg for p in parts])
    ]
    return changes_of(values, rows, tuple(max(each, area.width) for each in most))


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
    elif not paired and term.request.sheet in ON_THE_LINE:
        both = [AtRate(each) for each in both]
    correlation, few = _common(samples[0], term, params, resamples) if paired else (0.0, ())
    made = [each.interval(2 * level - 1) for each in both]
    told = dict.fromkeys(remark for interval in made if interval is not None for remark in interval.warnings)
    how = " and ".join(dict.fromkeys(interval.method for interval in made if interval is not None))
    design = "paired" if paired else "unpaired"
    joined: WithEnds = Joined(both[0], both[1], correlation)
    se: float | None = None
    falls = 0.5
    if paired and (found := _influence(samples[0], term, params)) is not None:
        joined, how = found.around(joined, how)
        se = None if found.changes is None else found.carried.se
        falls = 0.5 if found.carried.rows > 0 else 1.0
    if not paired and term.request.sheet.name in ROW_FORMULAS:
        added = [Carried.of(added_by_rows(each, 0, term.request), each, by_class=False) for each in samples]
        joined, how = Widened(joined, added[0].less(added[1])), f"{how}, no closer than by influence"
    return Evidence(joined, f"joined intervals ({how}), {design}", (*told, *few), falls=falls, se=se)


@dataclass(frozen=True, slots=True)
class Influence:
    """What rows add to a difference that is no mean, to first order; ``changes`` where few of them carry it."""

    carried: Carried
    changes: tuple[Changes, ...] | None

    @classmethod
    def of(cls, rows: Rows, one: Any, two: Any, furthest: float) -> Influence:
        """What they add to the one model's value and to the other's; ``furthest`` is what a row could, seen or not."""
        change, most = one - two, max(float(np.ptp(one)), float(np.ptp(two)))
        if float(np.ptp(change)) <= NOISE * max(furthest, most):  # no row adds to the difference
            few = changes_of(np.zeros_like(change), rows, (max(most, furthest),))
            return cls(Carried(0.0, 0.0, 0.0), few)
        few_moved = most > 0 and moved_share(rows) < FEW_MOVED
        return cls(Carried.of(change, rows, by_class=False), changes_of(change, rows, (most,)) if few_moved else None)

    def around(self, joined: WithEnds, how: str) -> tuple[WithEnds, str]:
        """Bounds no closer than these rows allow."""
        made: WithEnds = joined
        if self.carried.rows > 0:
            made, how = Widened(joined, self.carried), f"{how}, no closer than by influence"
        return (made, how) if self.changes is None else (Whatever(made, self.changes), f"{how}, {WHATEVER}")


def _influence(rows: Rows, term: Term, params: list[dict[str, Any]]) -> Influence | None:
    """What rows add to the difference of average precisions, or of measures of calls; resamples alone pass too easily.

    None where that is not known.
    """
    if term.request.sheet in (average_precision.sheet, pr_auc.sheet):
        one, two = (by_rows(rows.of_models(name), [precision_components(rows.ranked_of(name))]) for name in rows.names)
        return Influence.of(rows, one, two, furthest_precision(rows.ranked[0]))
    called = [call_by_rows(rows, model, term, own) for model, own in enumerate(params)]
    if called[0] is None or called[1] is None:
        return None
    furthest = max(furthest_call(rows, model, term, own) for model, own in enumerate(params))
    return Influence.of(rows, called[0], called[1], furthest)


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
