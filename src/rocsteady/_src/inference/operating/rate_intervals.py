"""Intervals of rates where another is held, and of the equal error rate, of ranked rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError
from rocsteady._src.base.sentences import Option, Sentence
from rocsteady._src.base.text import format_count, format_level, format_setting
from rocsteady._src.inference.intervals.beta import beta_quantile
from rocsteady._src.inference.operating.binomial_tails import LEAST_RATE, complement, rows_needed
from rocsteady._src.inference.operating.trade import Trade, crossing
from rocsteady._src.inference.operating.worth import worth_by_class
from rocsteady._src.inference.units.subjects import by_units
from rocsteady._src.measures.at_rate import step_at_fpr, step_at_precision, step_at_tpr, step_of
from rocsteady._src.results import Interval
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocsteady._src.inference.operating.trade import End, Kind
    from rocsteady._src.inference.operating.worth import People
    from rocsteady._src.measures.registry import FactSheet
    from rocsteady._src.ranked import RankedScores, Rows

    Worth = tuple[float, float]
    Ends = tuple[float, float]

METHODS = {"mid-p": "mid-p over order statistics", "exact": "exact tails over order statistics"}
PREVALENCES = 7
FEW_CALLED = 20


@dataclass(frozen=True, slots=True)
class Known:
    """Ranked rows, how many independent ones the negatives and the positives are worth, and how intervals are made."""

    ranked: RankedScores
    worth: Worth
    level: float
    kind: Kind = "mid-p"
    by: str = ""

    @property
    def negatives(self) -> Trade:
        """True positives where the false positive rate is held."""
        return Trade.of_negatives(self.ranked, self.worth)

    @property
    def positives(self) -> Trade:
        """True negatives where the false negative rate is held."""
        return Trade.of_positives(self.ranked, self.worth[::-1])

    @property
    def method(self) -> str:
        """What the intervals are called."""
        return METHODS[self.kind] + (f", {self.by}" if self.by else "")

    def tpr(self, fpr: float) -> Interval:
        """Of the true positive rate where the false positive rate is held."""
        step = step_at_fpr(self.ranked, fpr)
        estimate = float(self.ranked.walked[0][step] / self.ranked.n_pos)
        return self._made(estimate, self.negatives.ends(fpr, self.level, self.kind), self.unresolved(fpr=fpr))

    def fpr(self, tpr: float) -> Interval:
        """Of the false positive rate where the true positive rate is held."""
        step = step_at_tpr(self.ranked, tpr)
        estimate = float(self.ranked.walked[1][step] / self.ranked.n_neg)
        low, high = self.positives.ends(complement(tpr), self.level, self.kind)
        return self._made(estimate, (1 - high, 1 - low), self.unresolved(tpr=tpr))

    def equal_error(self, estimate: float) -> Interval:
        """Of the equal error rate: it is above e where, at a false positive rate of e, more than e are missed."""
        trade, tail = self.negatives, (1 - self.level) / 2
        near = trade.near(estimate)
        low = crossing(lambda rate: 1 - trade.confidence(rate, 1 - rate, "high", self.kind), tail, near)
        high = crossing(lambda rate: 1 - trade.confidence(rate, 1 - rate, "low", self.kind), 1 - tail, near)
        return self._made(estimate, (low, high))

    def precision(self, tpr: float, found: Interval | None = None) -> Interval:
        """Of the precision where the recall is held: odds of the classes, and the false positive rate, varied apart.

        Both are put together on the scale of logarithms, each end by the root of the sum of squares. ``found`` is the
        interval of the false positive rate, where it is known already.
        """
        step = step_at_tpr(self.ranked, tpr)
        tp, fp = (float(walked[step]) for walked in self.ranked.walked)
        estimate, found = tp / (tp + fp), self.fpr(tpr) if found is None else found
        centre = max(found.estimate, 0.5 / self.worth[0])
        shift, odds = self._prevalence_ends(), self.ranked.n_pos / self.ranked.n_neg
        ends = []
        for end, moved in ((found.high, shift[0]), (found.low, shift[1])):
            if end <= 0:
                ends.append(1.0)
                continue
            far = math.hypot(math.log(end / centre), moved)
            rate = centre * math.exp(math.copysign(far, math.log(end / centre) or end - centre))
            ends.append(odds * tpr / (odds * tpr + rate))
        return self._made(estimate, (min(ends), max(ends)), found.warnings)

    def recall(self, precision: float) -> Interval:
        """Of the recall where the precision is held, on the line where TPR / FPR has the ratio that gives it.

        Confidence is averaged over the odds of the classes, which the rows tell only so surely.
        """
        step = step_at_precision(self.ranked, precision)
        tp, fp = (walked[step] for walked in self.ranked.walked)
        tail = (1 - self.level) / 2
        near = self.negatives.near(float(tp / self.ranked.n_pos))
        low = crossing(lambda rate: self.recall_at_most(rate, precision, "low"), tail, near)
        high = crossing(lambda rate: self.recall_at_most(rate, precision, "high"), 1 - tail, near)
        few = (Remark("few_called_at_precision", rows=tp + fp),) if tp + fp < FEW_CALLED else ()
        return self._made(float(tp / self.ranked.n_pos), (low, high), few)

    def recall_at_most(self, rate: float, precision: float, end: End) -> float:
        """Confidence that the recall where the precision is held is at most this."""
        ratio = precision / complement(precision) if precision < 1 else math.inf
        slopes = [ratio * (1 - share) / share for share in self._prevalences()]
        trade = self.negatives
        found = [trade.confidence(min(rate / slope, 1.0), rate, end, self.kind) for slope in slopes]
        return sum(found) / len(found)

    def _prevalences(self) -> list[float]:
        return self.ranked.kept(("prevalences", self.worth), self._made_prevalences)

    def _made_prevalences(self) -> list[float]:
        places = [(place + 0.5) / PREVALENCES for place in range(PREVALENCES)]
        neg, pos = self.worth
        return [float(beta_quantile(pos + 0.5, neg + 0.5, place)) for place in places]  # type: ignore[arg-type]

    def _prevalence_ends(self) -> Ends:
        """How far the log-odds of the classes may lie below and above, at the level."""
        neg, pos = self.worth
        tail = (1 - self.level) / 2
        ends = [float(beta_quantile(pos + 0.5, neg + 0.5, place)) for place in (tail, 1 - tail)]  # type: ignore[arg-type]
        low, high = (math.log(share / (1 - share)) for share in ends)
        centre = math.log(pos / neg)
        return centre - low, high - centre

    def unresolved(self, *, fpr: float | None = None, tpr: float | None = None) -> tuple[Remark, ...]:
        """A remark where the class whose rate is held has too few rows to show it, even without an error."""
        rate, there = (fpr, self.worth[0]) if fpr is not None else (complement(tpr or 0.0), self.worth[1])
        whose = "negatives" if fpr is not None else "positives"
        needed = math.inf if rate < LEAST_RATE else rows_needed(rate, complement(self.level)) if rate < 1 else 0
        if there >= needed:
            return ()
        return (Remark("rate_unresolved", rate=rate, needed=needed, whose=whose, there=there, level=self.level),)

    def refuse_unresolved(self, *, fpr: float | None = None, tpr: float | None = None) -> None:
        """Refuse a rate that the rows cannot show, with the number of rows that it takes."""
        told = self.unresolved(fpr=fpr, tpr=tpr)
        if not told:
            return
        name, value = ("FPR", fpr) if fpr is not None else ("TPR", tpr)
        params = told[0].params
        if math.isinf(params["needed"]):
            raise InputError("rate_unresolved", f"{name} {format_setting(value)} is shown by no number of rows")
        independent = " independent" if self.by else ""
        text = f"{name} {format_setting(value)} needs at least {format_count(params['needed'])}{independent}"
        text = f"{text} {params['whose']} without an error to be shown at {format_level(self.level)}"
        there = self.ranked.n_neg if fpr is not None else self.ranked.n_pos
        worth = f", worth {format_count(round(params['there']))} independent ones" if self.by else ""
        side = f"fpr<={format_setting(value)}" if fpr is not None else f"tpr>={format_setting(value)}"
        refusal = Sentence(
            "{text}; there are {there}{worth}; a threshold for these rows alone is chosen by {rule}",
            text=text,
            there=format_count(there),
            worth=worth,
            rule=Option("rule", (side,)),
        )
        raise InputError("rate_unresolved", refusal)

    def _made(self, estimate: float, ends: Ends, remarks: tuple[Remark, ...] = ()) -> Interval:
        low, high = min(ends[0], estimate), max(ends[1], estimate)
        return Interval(estimate, low, high, self.level, self.method, warnings=remarks, **facts_of(self.ranked))


def _of_missed(found: Interval) -> Interval:
    return replace(found, estimate=1 - found.estimate, low=1 - found.high, high=1 - found.low)


# Which rate registered measures hold, and their intervals there.
RATES: dict[str, tuple[str, str, Callable[[Known, float], Interval]]] = {
    "tpr_at": ("fpr", "fpr", Known.tpr),
    "fnmr_at_fmr": ("fpr", "fmr", lambda known, rate: _of_missed(known.tpr(rate))),
    "fpr_at": ("tpr", "tpr", Known.fpr),
    "precision_at_recall": ("tpr", "recall", Known.precision),
    "recall_at_precision": ("precision", "precision", Known.recall),
}
MEASURES = (*RATES, "equal_error_rate")
ON_CURVE = ("sensitivity_at", "specificity_at")  # by resampling; where few rows are missed no shorter than by counts
FEW_MISSED = (10.0, 20.0)


def interval_of_rate(
    sheet: FactSheet, params: dict[str, Any], ranked: RankedScores, rows: Rows | None, level: float
) -> Interval:
    """Interval of a registered measure at a held rate, or of the equal error rate; it has a value."""
    held, name, of = RATES.get(sheet.name, ("equal", "", None))
    rate = float({**sheet.params, **params}[name]) if name else math.nan
    threshold = ranked.thresholds_at(np.array([step_of(ranked, held, rate)]))[0]
    known = known_at(ranked, rows, None, threshold, (level, "mid-p"))
    return known.equal_error(float(sheet.compute(ranked))) if of is None else of(known, rate)


def no_shorter(
    sheet: FactSheet, params: dict[str, Any], ranked: RankedScores, rows: Rows | None, made: Interval
) -> Interval:
    """An interval of a rate read from the curve; where few rows are on the wrong side, exact tails widen it.

    Resamples of rows that are nearly all right do not tell how many others there are; from 20 missed on they do.
    """
    if sheet.name not in ON_CURVE:
        return made
    whole = {**sheet.params, **params}
    of_tpr = sheet.name == "sensitivity_at"
    rate = (
        whole["fpr"] if whole.get("fpr") is not None else complement(whole["specificity" if of_tpr else "sensitivity"])
    )
    step = step_at_fpr(ranked, rate) if of_tpr else step_at_tpr(ranked, complement(rate))
    known = known_at(ranked, rows, None, ranked.thresholds_at(np.array([step]))[0], (made.level, "exact"))
    missed = known.worth[1 if of_tpr else 0] * min(made.estimate, 1 - made.estimate)
    need = min(max((FEW_MISSED[1] - missed) / (FEW_MISSED[1] - FEW_MISSED[0]), 0.0), 1.0)
    held = {"fpr": rate} if of_tpr else {"tpr": complement(rate)}
    if not need or not 0 < rate < 1 or known.unresolved(**held):
        return made
    low, high = (known.negatives if of_tpr else known.positives).ends(rate, made.level, "exact")
    wider = min(low, made.low), max(high, made.high)
    return replace(made, low=made.low + need * (wider[0] - made.low), high=made.high + need * (wider[1] - made.high))


def known_at(
    ranked: RankedScores, rows: Rows | None, people: People | None, threshold: Any, options: tuple[float, Kind]
) -> Known:
    """Ranked rows with what they are worth at a threshold; ``rows`` where they are not independent or weigh unlike."""
    if rows is None:
        return Known(ranked, (float(ranked.n_neg), float(ranked.n_pos)), *options)
    by = "by pairs of people" if people is not None else by_units(rows)
    return Known(ranked, worth_by_class(rows, threshold, people), *options, by=by)
