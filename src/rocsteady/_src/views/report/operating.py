"""Everything a threshold slider shows, computed beforehand: the page looks numbers up, it computes none."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.text import format_number, short_threshold
from rocsteady._src.inference.intervals.chosen_threshold import about_choice
from rocsteady._src.inference.intervals.every_measure import MOST_BOOTSTRAPPED, Chosen, intervals_of_measures
from rocsteady._src.inference.intervals.normal import quantile_of
from rocsteady._src.inference.intervals.proportions import proportion_bounds
from rocsteady._src.inference.units.subjects import subject_cells
from rocsteady._src.measures.best_threshold import chosen_by
from rocsteady._src.measures.confusion import confusion_at, confusion_at_steps, scores_below
from rocsteady._src.measures.costs import cost_rule
from rocsteady._src.measures.registry import get_measure
from rocsteady._src.measures.threshold_rules import read_rule
from rocsteady._src.views.report.every_threshold import MOST_HELD, every_threshold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.measures.rule import Rule
    from rocsteady._src.ranked import RankedScores, Rows
    from rocsteady._src.results import Interval

POSITIONS, ALL_POSITIONS = 201, 400
SHARES = {
    "tpr": ("tp", ("tp", "fn")),
    "fpr": ("fp", ("fp", "tn")),
    "precision": ("tp", ("tp", "fp")),
    "npv": ("tn", ("tn", "fn")),
}
MEASURES = {"tpr": "recall", "fpr": "false_positive_rate", "precision": "precision", "npv": "negative_predictive_value"}
RESAMPLES = 200  # of which only a mean is taken
FLATTERED = "flattered_by_choice"
COUNTED = "the intervals count that choice"
GIVEN = "The intervals are for a threshold given before looking at these rows. One picked here looks better than it is."


@dataclass(frozen=True, slots=True)
class Choice:
    """A rule that chooses a threshold on the rows, and its name in a sentence."""

    rule: Rule
    named: str

    def threshold(self, ranked: RankedScores) -> Any:
        """What it chooses."""
        return chosen_by(self.rule, ranked).threshold


def positions(ranked: RankedScores, first: Sequence[int]) -> NDArray[np.int64]:
    """Steps of the walk down the scores to stop at: all of few; else evenly along the ROC, both ends, and ``first``."""
    tp, fp = ranked.called_positive
    along = tp / ranked.n_pos + fp / ranked.n_neg
    if along.size <= ALL_POSITIONS:
        return np.arange(along.size)
    steps = np.searchsorted(along, np.linspace(0, 2, POSITIONS)).clip(0, along.size - 1)
    return np.unique(np.concatenate([steps, [0, along.size - 1, *first]]))


def step_at(ranked: RankedScores, threshold: float) -> int:
    """The step of the walk down the scores that flags the rows that a threshold does."""
    counts, (tp, fp) = confusion_at(ranked, threshold), ranked.called_positive
    return int(np.flatnonzero((tp == counts.tp) & (fp == counts.fp))[0])


def round_steps(ranked: RankedScores) -> list[int]:
    """Steps that flag what round thresholds do, 20 to 200 between the lowest score and the highest."""
    scores = ranked.doubles[np.isfinite(ranked.doubles)]
    if not scores.size or scores[0] == scores[-1]:
        return []
    decimals = -math.floor(math.log10(float(scores[-1] - scores[0]) / 20))
    first, last = (round(float(end), decimals) for end in (scores[0], scores[-1]))
    cuts = np.linspace(first, last, round((last - first) * 10.0**decimals) + 1).round(decimals)
    counts, (tp, fp) = confusion_at(ranked, cuts), ranked.called_positive
    found: list[int] = np.searchsorted(tp + fp, counts.tp + counts.fp).tolist()
    return found


def operating_points(
    ranked: RankedScores,
    *,
    cost_fp: float,
    cost_fn: float,
    level: float,
    prevalence: float | None = None,
    subjects: Rows | None = None,
    rule: Any = None,
    n_models: int = 1,
    opens: float | None = None,
) -> dict[str, Any]:
    """Columns by name, one entry per position of the slider, and ``start``, the position of least cost.

    ``z`` is the quantile of Wilson's intervals where these follow from the counts, None where subjects tell more.
    ``opens`` is a threshold that has a position of its own, of that name.
    ``every`` has the counts between positions, for one of ``n_models`` of a page; None where all are held.

    There, and where the ``rule`` of the evaluation leads, intervals count that the rows chose the threshold; ``chosen``
    says so. Elsewhere it is None, and intervals are those of a threshold that was given.
    """
    choices = [Choice(cost_rule(cost_fp=cost_fp, cost_fn=cost_fn, prevalence=prevalence), "least cost")]
    if rule is not None:
        asked = read_rule(rule)
        choices.append(Choice(asked, f"the rule {asked.name}"))
    cuts = ranked.thresholds
    first = [int(np.flatnonzero(cuts == choice.threshold(ranked))[0]) for choice in choices]
    shown = first[0] if opens is None else step_at(ranked, opens)
    known = [] if subjects is None else round_steps(ranked)  # whose intervals do not follow from counts
    steps = positions(ranked, [*first, shown, *ranked.hull_vertices.tolist(), *known])
    table = rates(ranked, steps, level, subjects)
    share = ranked.n_pos / ranked.n_rows_counted if prevalence is None else prevalence
    missed, alarmed = table["fn"] / ranked.n_pos, table["fp"] / ranked.n_neg
    table["cost"] = _rounded(share * missed * cost_fn + (1 - share) * alarmed * cost_fp)
    table["threshold"] = cuts[steps]
    table["_threshold"] = shortened(ranked, cuts[steps])
    table["drawn"] = _on_axis(ranked, table["threshold"])
    table["chosen"] = np.full(steps.size, None, dtype=object)
    places = [int(np.flatnonzero(steps == each)[0]) for each in first]
    for place, choice in dict(zip(places, choices, strict=True)).items():
        _count_choice(table, place, ranked, choice, level, subjects)
    z = float(quantile_of(level)) if subjects is None else None
    every = every_threshold(ranked, MOST_HELD // n_models) if steps.size <= ranked.scores.size else None
    at = {"start": places[0], "opens": int(np.flatnonzero(steps == shown)[0])}
    return {**table, **at, "distinct": int(ranked.scores.size), "z": z, "every": every}


def _count_choice(
    table: dict[str, Any], place: int, ranked: RankedScores, choice: Choice, level: float, subjects: Rows | None
) -> None:
    """Put intervals that count the choice in their place, and say so."""
    asked = [(get_measure(name).sheet, {"threshold": table["threshold"][place]}) for name in MEASURES.values()]
    found = intervals_of_measures(
        ranked,
        asked,
        level=level,
        seed=0,
        n_resamples=RESAMPLES if ranked.scores.size <= MOST_BOOTSTRAPPED else 0,
        rows=subjects,
        chosen=Chosen(choice.rule, frozenset(range(len(asked)))),
    )
    made = {name: interval for name, interval in zip(MEASURES, found, strict=True) if interval is not None}
    for name, interval in made.items():
        table[f"{name}_low"][place], table[f"{name}_high"][place] = _rounded([interval.low, interval.high])
    table["chosen"][place] = _on_choice(choice, made)


def _on_choice(choice: Choice, made: dict[str, Interval]) -> str:
    """What to know about intervals at a chosen threshold, in sentences; rates that are left out are named."""
    counted = all(interval.resampling for interval in made.values())
    said = f"{choice.named} chose this threshold on these rows" + (f"; {COUNTED}" if counted else "")
    remarks = [(name, remark) for name, interval in made.items() for remark in about_choice(interval)]
    plain = dict.fromkeys([said, *(remark for _, remark in remarks if remark.code != FLATTERED)])
    left_out = {MEASURES[name]: remark.params["optimism"] for name, remark in remarks if remark.code == FLATTERED}
    told = [*plain, *([_flattered(left_out)] if left_out else [])]
    return " ".join(f"{text[0].upper()}{text[1:]}." for text in told)


def _flattered(by: dict[str, float]) -> str:
    names = " and ".join(name.replace("_", " ") for name in by)
    many = ("interval", "leaves", "it") if len(by) == 1 else ("intervals", "leave", "them")
    told = " and ".join(format_number(each) for each in by.values())
    return f"the {many[0]} of {names} {many[1]} out the estimate: these rows, which chose, flatter {many[2]} by {told}"


def shortened(ranked: RankedScores, thresholds: NDArray[Any]) -> NDArray[Any]:
    """Thresholds with as few digits as call the same rows positive: what a page shows can be typed again."""
    if thresholds.dtype.kind != "f":
        return thresholds
    values, below = thresholds.tolist(), scores_below(ranked, thresholds).tolist()
    return np.array(list(map(short_threshold, values, below)), dtype=np.float64)


def rates(ranked: RankedScores, steps: Any, level: float, subjects: Rows | None = None) -> dict[str, Any]:
    """Counts and rates at some steps, shares with Wilson's intervals, of subjects where given; 0/0 is NaN."""
    told = None if subjects is None else [subject_cells(subjects, cut)[1] for cut in _cuts(subjects, steps)]
    counts = confusion_at_steps(ranked, steps)
    cells = {cell: np.asarray(getattr(counts, cell)) for cell in ("tp", "fp", "fn", "tn")}
    table: dict[str, Any] = dict(cells)
    for name, (part, whole) in SHARES.items():
        hits, total = cells[part], sum(cells[cell] for cell in whole)
        with np.errstate(invalid="ignore", divide="ignore"):
            table[name] = _rounded(hits / total)
            told_hits, told_total = (hits, total) if told is None else _worth(told, part, whole)
            low, high = proportion_bounds(told_hits, told_total, level, "wilson")
        table[f"{name}_low"], table[f"{name}_high"] = _rounded(low), _rounded(high)
    for name in ("accuracy", "f1", "matthews_correlation"):
        table[name] = _rounded(getattr(counts, name))
    return table


def _cuts(subjects: Rows, steps: Any) -> list[Any]:
    return list(subjects.ranked[0].thresholds[steps])


def _worth(told: list[Any], part: str, whole: tuple[str, ...]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Hits and rows of as many independent rows as the subjects are worth, one entry per step."""
    hits, total = np.nan_to_num(np.array([each.share((part,), whole) for each in told])).T
    return np.minimum(hits, total), total


def _on_axis(ranked: RankedScores, thresholds: Any) -> NDArray[np.float64]:
    """Where to draw a threshold; infinite ones, which are not drawn, within the finite scores."""
    scores = ranked.doubles
    finite = scores[np.isfinite(scores)]
    ends = (finite[0], finite[-1]) if finite.size else (0.0, 1.0)
    drawn: NDArray[np.float64] = np.clip(thresholds.astype(np.float64), *ends)
    return drawn


def _rounded(values: Any) -> NDArray[np.float64]:
    """Six digits are more than a page shows, and half the bytes."""
    return np.asarray(values, dtype=np.float64).round(6)
