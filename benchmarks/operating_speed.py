"""Answers at a threshold from ten million ranked rows, in sorts of the same scores: at most two each."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

import rocsteady as rs
from benchmarks.ranking import TEN_MILLION, scores_and_labels
from benchmarks.stopwatch import Scoreboard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BAR, ROUNDS = 2.0, 4
Ranked = rs.RankedScores

ANSWERS: dict[str, Callable[[Ranked], object]] = {
    "operating_point(fpr=0.01)": lambda ranked: rs.operating_point(ranked, fpr=0.01),
    "operating_point(tpr=0.95)": lambda ranked: rs.operating_point(ranked, tpr=0.95),
    "operating_point(precision=0.6)": lambda ranked: rs.operating_point(ranked, precision=0.6),
    "operating_point(equal_error=True)": lambda ranked: rs.operating_point(ranked, equal_error=True),
    "equal_error_rate": rs.equal_error_rate,
    "tpr_at(fpr=0.01)": lambda ranked: rs.measures.tpr_at(ranked, fpr=0.01),
    "threshold_guarantee fpr": lambda ranked: rs.threshold_guarantee(ranked, "fpr", at_most=0.05),
    "threshold_guarantee recall": lambda ranked: rs.threshold_guarantee(ranked, "recall", at_least=0.9),
    "threshold_guarantee precision": lambda ranked: rs.threshold_guarantee(ranked, "precision", at_least=0.5),
    "predictive_values": lambda ranked: rs.predictive_values(ranked, threshold=0.5, prevalence=0.1),
    "prevalence_curve": lambda ranked: rs.inference.prevalence_curve(ranked, threshold=0.5),
    "goal_test of the AUC": lambda ranked: rs.inference.goal_test("auc", ranked, above=0.7),
    "cost_curve with intervals": lambda ranked: rs.curves.cost_curve(ranked, level=0.95),
    "brier_curve": rs.curves.brier_curve,
    "pr_gain_curve": rs.curves.pr_gain_curve,
    "det_curve": rs.curves.det_curve,
    "partial_pr_auc": lambda ranked: rs.measures.partial_pr_auc(ranked, recall_range=(0.2, 0.8)),
    "two_way_partial_auc": lambda ranked: rs.measures.two_way_partial_auc(ranked, max_fpr=0.3, min_tpr=0.6),
    "concordant_partial_auc": lambda ranked: rs.measures.concordant_partial_auc(ranked, fpr_range=(0, 0.2)),
}


def _seconds(task: Callable[[], object], clock: Callable[[], float]) -> float:
    start = clock()
    task()
    return clock() - start


def _after_ranking(answer: Callable[[Ranked], object], rows: tuple[Any, Any], clock: Callable[[], float]) -> float:
    """What an answer takes of rows that were just ranked, with nothing computed of them yet."""
    ranked = rs.rank(*rows)
    return _seconds(lambda: answer(ranked), clock)


def measured(n: int = TEN_MILLION, clock: Callable[[], float] = time.perf_counter) -> Iterator[tuple[str, float]]:
    """Sorts that each answer takes; the least of a few tries of both."""
    y, s = scores_and_labels(n, kind="probabilities")
    right = [(s > cut) == (y == 1) for cut in (0.5, 0.6)]
    small = rs.rank(y[:1000], s[:1000])
    for answer in ANSWERS.values():  # what is imported late
        answer(small)
    sort = min(_seconds(lambda: np.sort(s), clock) for _ in range(ROUNDS))
    for name, answer in ANSWERS.items():
        yield name, min(_after_ranking(answer, (y, s), clock) for _ in range(ROUNDS)) / sort
    yield "compare_outcomes", min(_seconds(lambda: rs.compare_outcomes(*right), clock) for _ in range(ROUNDS)) / sort


def main() -> list[str]:
    """Print all of them beside the bar."""
    print(f"\nAnswers at a threshold after ranking, n = {TEN_MILLION:,}, in sorts of the scores")
    board = Scoreboard()
    for name, sorts in measured():
        board.at_most(name, sorts, BAR)
    return board.missed
