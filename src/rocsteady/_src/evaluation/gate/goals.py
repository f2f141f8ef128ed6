"""The candidate by itself against a goal: its value with an interval at any level."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
from rocsteady._src.evaluation.gate.evidence import Evidence, OneModel
from rocsteady._src.evaluation.gate.shares import ON_THE_LINE, AtRate, ExactShare, has_exact_share
from rocsteady._src.evaluation.gate.terms import area_of
from rocsteady._src.evaluation.gate.unseen import (
    FEW_MOVED,
    WHATEVER,
    Whatever,
    changes_of,
    held_of,
    share_carrying,
)
from rocsteady._src.inference.comparison.models_by_measure import added_by_rows
from rocsteady._src.inference.units.precision import precision_components
from rocsteady._src.inference.units.row_formulas import ROW_FORMULAS
from rocsteady._src.measures.ranking import auc, average_precision, gini, partial_auc
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from rocsteady._src.evaluation.gate.evidence import Resamples
    from rocsteady._src.evaluation.gate.terms import Term
    from rocsteady._src.evaluation.gate.unseen import Changes
    from rocsteady._src.ranked import Rows

OF_AREAS = (auc.sheet, gini.sheet, partial_auc.sheet)
PRECISION = average_precision.sheet
OF_SOME_ROWS = (partial_auc.sheet, PRECISION)  # that rest on the rows with the highest scores
FEW = "at half the error, since few rows carry it"
PRECISE = "at half the error, since it looks surest where it is too high"


def value_of(rows: Rows, term: Term, level: float, resamples: Resamples) -> Evidence:
    """The candidate's value: exact for shares of rows that count, else by the default interval of the measure."""
    params = term.params("candidate")
    exact = has_exact_share(rows, term)
    found: Any = ExactShare(rows, term, params) if exact else OneModel(rows, term, params, resamples)
    if term.request.sheet in ON_THE_LINE:
        found = AtRate(found)
    carried = _carried(rows, term)
    doubts, asked = _doubts(rows, term, carried), 2 * level - 1
    for _ in doubts:
        asked = (1 + asked) / 2
    interval = found.interval(asked)
    if interval is None:
        return Evidence(found, "")
    how = interval.how
    if carried is not None and carried.rows > 0:
        found, how = Within(Widened(found, carried), term.limits), f"{how}, no closer than by influence"
    if (changes := _few_misranked(rows, term)) is not None:
        found, how = Within(Whatever(found, changes), term.limits), f"{how}, {WHATEVER}"
    for reason in doubts:
        found, how = Stricter(found), f"{how}, {reason}"
    return Evidence(found, how, (*interval.warnings, *_turned(term)))


def _few_misranked(rows: Any, term: Term) -> tuple[Changes, ...] | None:
    """What rows add to an AUC, where few of a class carry its variance, as of one near 1; None where many do."""
    if term.request.sheet not in OF_AREAS or not area_of(term).whole:
        return None
    rows = rows if rows.in_memory() is not None else rows.written_out()
    values = by_rows(rows, [area_of(term).components(rows.ranked[0])])
    held = held_of(rows)
    shares = [
        share_carrying(values[mask] - values[mask].mean(), None if held is None else held[mask])
        for mask in (rows.positive, ~rows.positive)
    ]
    if min(shares) >= FEW_MOVED:
        return None
    times = 2.0 if term.request.sheet is gini.sheet else 1.0
    return changes_of(times * (values - 0.5), rows, (times / 2, times / 2))


def _doubts(rows: Rows, term: Term, carried: Carried | None) -> list[str]:
    """Why bounds are taken at half the error: goals of such values were seen to pass too easily by formulas."""
    sampled = rows.reading == "sampling"
    few = sampled and term.request.sheet in OF_AREAS and carried is not None and carried.rows < FEW_CARRY
    doubts = {STRICTER: weights_unlike(rows), FEW: few}
    return [reason for reason, given in doubts.items() if given] or [PRECISE] * (term.request.sheet is PRECISION)


def _turned(term: Term) -> tuple[Remark, ...]:
    """A remark where the goal asks for worse values."""
    higher = term.request.sheet.higher_is_better
    if higher is None or higher == (term.side == "above"):
        return ()
    asks = "more" if term.side == "above" else "less"
    return (Remark("gate_goal_turned", better="higher" if higher else "lower", measure=term.measure, asks=asks),)


def _carried(rows: Any, term: Term) -> Carried | None:
    """What every row adds to the value, where bounds are to lie no closer than that allows; None for the others.

    Formulas alone were seen to pass too easily: those of means over rows where positives are few, of average precision,
    of partial areas, and of all areas where rows have sampling weights.
    """
    sheet = term.request.sheet
    if not (sheet.name in ROW_FORMULAS or sheet in OF_SOME_ROWS or (sheet in OF_AREAS and rows.reading == "sampling")):
        return None
    rows = rows if rows.in_memory() is not None else rows.written_out()
    if sheet.name in ROW_FORMULAS:
        return Carried.of(added_by_rows(rows, 0, term.request), rows, by_class=False)
    parts = precision_components if sheet is PRECISION else area_of(term).components
    times = 2.0 if sheet is gini.sheet else 1.0
    return Carried.of(times * by_rows(rows, [parts(rows.ranked[0])]), rows, by_class=sheet in OF_AREAS)
