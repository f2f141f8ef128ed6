"""Days from a fall of the AUC to the alarm where a share of the labels never comes, with and without a deadline.

Rows are labelled at random, at once or never, after a reference whose labels have all come. With the deadline, days are
judged when they are that old and labelled rows stand for the others; the wait is a part of the delay. Without it open
rows keep the answer open. Lines without a fall count false alarms within a year, and answers that stay open.
Run: ``python -m benchmarks.watch_never_labelled [years]``; it writes benchmarks/results/watch_never_labelled.csv.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import norm

from rocsteady._src.designs.watch.day_counts import DayCounts, Plan, day_sums
from rocsteady._src.designs.watch.measures import WATCHED
from rocsteady._src.designs.watch.stream import How, watch_stream
from rocsteady._src.designs.watch.to_come import never_labelled
from rocsteady._src.evaluation.monitor.unsure import why_unsure

if TYPE_CHECKING:
    from rocsteady._src.designs.watch.day_counts import DaySums

TARGET = Path(__file__).parent / "results" / "watch_never_labelled.csv"
SEED, ALPHA, LEVEL, REFERENCE, BEFORE, AFTER, DEADLINE = 41, 0.05, 0.95, 40, 60, 65, 14
MEASURE, HOW, PLAN = WATCHED["auc"], How(ALPHA, LEVEL), Plan(None, probabilities=False, edges=())
N_POS, N_NEG = 50, 150
FALLS = ((0.86, 0.73), (0.86, 0.82))
SHARES = (0.0, 0.1, 0.4, 0.6)
YEAR = 365
HEADER = (
    *("auc_before", "auc_after", "never_labelled", "deadline", "years", "alarms_before", "alarms_after"),
    *("median_days_to_alarm", "nine_of_ten_days", "quiet_at_the_end", "cannot_tell_at_the_end"),
)


def day_of(rng: np.random.Generator, auc: float, never: float) -> DaySums:
    """One day; rows that are not labelled are open."""
    labels = np.arange(N_POS + N_NEG) < N_POS
    scores = rng.normal(size=labels.size) + np.sqrt(2) * norm.ppf(auc) * labels
    order = np.argsort(scores)
    labels, gone = labels[order], rng.random(labels.size) < never
    kinds = (np.asarray(part, dtype=np.float64) for part in (labels & ~gone, ~labels & ~gone, gone))
    return day_sums("", DayCounts(scores[order], *kinds), PLAN)


def looked(days: list[DaySums], *, deadline: bool) -> tuple[float, str]:
    """The day of the alarm, counted from the first that is watched, and the answer on the last day."""
    reference, watched = days[:REFERENCE], days[REFERENCE:]
    if deadline:
        watched = [never_labelled(day) for day in watched[: len(watched) - DEADLINE]]
    found = watch_stream(MEASURE, reference, watched, HOW)
    if found.alarm is not None:
        return found.alarm + (DEADLINE if deadline else 0), "alarm"
    return np.inf, "cannot tell" if why_unsure(MEASURE, found, None) else "quiet"


def line(fall: tuple[float, float], never: float, years: int, place: int, *, deadline: bool) -> list[object]:
    """One line of the table."""
    same = fall[0] == fall[1]
    length = (BEFORE, AFTER) if not same else (YEAR, 0)
    answers, alarms = list[str](), list[float]()
    for year in range(years):
        rng = np.random.default_rng([SEED, place, year])
        days = [day_of(rng, fall[0], 0.0) for _ in range(REFERENCE)]
        days += [day_of(rng, auc, never) for auc, n in zip(fall, length, strict=True) for _ in range(n)]
        day, answer = looked(days, deadline=deadline)
        alarms.append(day - length[0] + 1)
        answers.append(answer)
    after = np.array([each for each in alarms if each > 0])
    ends = np.quantile(after, (0.5, 0.9), method="higher") if not same and after.size else (np.inf, np.inf)
    told = [f"{each:.0f}" if np.isfinite(each) else "" for each in ends]
    seen = int(np.isfinite(after).sum())
    count = [answers.count(each) for each in ("quiet", "cannot tell")]
    return [*fall, never, DEADLINE if deadline else "", years, int((np.array(alarms) <= 0).sum()), seen, *told, *count]


def main() -> None:
    """Write the table."""
    years = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    TARGET.parent.mkdir(exist_ok=True)
    with TARGET.open("w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(HEADER)
        for fall in FALLS:
            for never in SHARES:
                for deadline in (True, False):
                    out.writerow(line(fall, never, years, 1, deadline=deadline))
                    file.flush()
        for never in SHARES[1:]:
            out.writerow(line((0.86, 0.86), never, 5 * years, 2, deadline=True))
            file.flush()


if __name__ == "__main__":
    main()
