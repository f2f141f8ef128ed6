"""What is settled without bounds, unchanged predictions and infinite losses; and what a pass may have missed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.evaluation.gate.evidence import RIGHT
from rocsteady._src.evaluation.gate.unseen import LOG_LOSS, unnoticed
from rocsteady._src.measures.registry import WITHIN_CLASSES
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.evaluation.gate.evidence import Evidence
    from rocsteady._src.evaluation.gate.terms import Term

UNCHANGED = "predictions unchanged"
INFINITE = "a row has probability 0 of what happened, so that the log loss is infinite"
SIDES = ("positive", "negative")


def is_unchanged(samples: Sequence[Any], term: Term, values: tuple[float, float]) -> str:
    """What the models have alike in every row, "score" or "rank"; "rank" only where the measure asks for no more."""
    if term.goal is not None or len(samples) > 1 or values[0] != values[1]:
        return ""
    rows = samples[0]
    if _same_scores(rows):
        return "score" if term.params("candidate") == term.params("baseline") else ""
    return "rank" if "monotone" in term.request.sheet.invariances and _same_order(rows) else ""


def _same_order(sample: Any) -> bool:
    rows = sample.in_memory()
    if rows is None:
        return bool(sample.same_order())
    one, two = rows.ranked
    return one.scores.size == two.scores.size and bool(np.array_equal(*rows.places))


def _same_scores(sample: Any) -> bool:
    rows = sample.in_memory()
    if rows is None:
        return bool(sample.same_scores())
    return _same_order(rows) and bool(np.array_equal(*(ranked.scores for ranked in rows.ranked)))


def infinite_loss(term: Term, values: tuple[float, float]) -> str:
    """Why the candidate cannot do, however many rows there are; else empty."""
    return INFINITE if term.request.sheet.name == LOG_LOSS and values[0] == math.inf else ""


def may_fail_unseen(samples: Sequence[Any], term: Term, level: float) -> tuple[float, str]:
    """The largest share of failing rows that the candidate's sample misses with the error of the level, and whose."""
    rows, sheet = samples[0], term.request.sheet
    units = _units(rows)
    if (which := RIGHT.get(sheet.name, ("", 0))[0]) in SIDES:
        side = SIDES.index(which)
    elif which or sheet.resampling != WITHIN_CLASSES:
        return unnoticed(units[2], 1 - level), _whose(rows, "")
    else:
        side = 0 if units[0] <= units[1] else 1
    return unnoticed(units[side], 1 - level), _whose(rows, SIDES[side])


def _whose(rows: Any, side: str) -> str:
    return f"{side} {'rows' if rows.clusters is None else 'subjects'}".strip()


def _units(rows: Any) -> tuple[float, float, float]:
    """Independent rows or subjects that are positive, negative, and all of them."""
    if rows.clusters is not None:
        sides = (np.unique(rows.clusters[mask]).size for mask in (rows.positive, ~rows.positive))
        return (*map(float, sides), float(rows.n_clusters))  # type: ignore[return-value]
    if rows.reading == "sampling":
        n_pos = float(rows.positive.sum())
        return n_pos, rows.n_rows - n_pos, float(rows.n_rows)
    n_pos, n_neg = map(float, rows.class_weights)
    return n_pos, n_neg, n_pos + n_neg


def unseen_remarks(evidence: Evidence, term: Term, share: float, whose: str) -> tuple[Remark, ...]:
    """Where a pass would not stand if rows failed that are too few to be among these."""
    low, high = term.limits
    most = high - low if evidence.most is None else evidence.most
    loss, sign = share * most, 1 if term.side == "above" else -1
    if not math.isfinite(loss) or sign * (evidence.of.estimate - term.limit) - loss > 0:
        return ()
    return (Remark("gate_unseen", share=share, whose=whose, measure=term.measure, loss=loss),)


def unchanged_remark(what: str, n_rows: int, share: float, whose: str) -> Remark:
    """What a pass of unchanged predictions rests on."""
    return Remark("gate_unchanged", what=what, rows=n_rows, share=share, whose=whose)
