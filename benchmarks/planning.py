"""Studies as planned, simulated: widths and power reached, and the size of tests against a goal.

``python -m benchmarks.planning size|power|width SAMPLES`` prints a table of docs/planning.md.
"""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import expit, ndtri

from rocsteady._src.inference.comparison.goal import goal_remarks
from rocsteady._src.inference.intervals.automatic import whole_area
from rocsteady._src.inference.intervals.normal import p_value
from rocsteady.calibration import calibration_summary
from rocsteady.power import plan_width, power_goal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from rocsteady._src.inference.intervals.automatic import Evidence

    Array = NDArray[np.float64]

ALPHA = 0.05
SIZES = ((20, 20), (20, 80), (50, 50), (50, 450), (200, 200))
GOALS = (0.6, 0.7, 0.8, 0.9, 0.95)
SPREADS = (0.5, 1.0, 2.0)


def evidence(auc: float, spread: float, n_pos: int, n_neg: int, rng: np.random.Generator) -> Evidence:
    """An AUC seen in binormal scores; negatives have this spread, positives 1."""
    gap = math.sqrt(1 + spread**2) * float(ndtri(auc))
    return seen(gap + rng.standard_normal(n_pos), spread * rng.standard_normal(n_neg))


def seen(pos: Array, neg: Array) -> Evidence:
    """AUC and DeLong's variance of scores without ties, which a test compares with the library's."""
    above = np.sort(neg).searchsorted(pos) / neg.size
    below = 1 - np.sort(pos).searchsorted(neg) / pos.size
    variance = above.var(ddof=1) / pos.size + below.var(ddof=1) / neg.size
    return whole_area(float(above.mean()), float(variance), (float(pos.size), float(neg.size)))


def rejects(
    truth: float, goal: float, side: str, spread: float, sizes: tuple[int, int], samples: int, seed: Any
) -> tuple[float, float]:
    """How often the test against the goal succeeds, and how often it does without a remark."""
    rng, found, plain = np.random.default_rng(seed), 0, 0
    words = {"alternative": "greater" if side == "above" else "less", "level": 1 - ALPHA, "null": goal}
    for _ in range(samples):
        known = evidence(truth, spread, *sizes, rng)
        statistic, df = known.statistic(goal)
        pvalue = p_value(statistic, words["alternative"], df=df)
        found += pvalue <= ALPHA
        plain += pvalue <= ALPHA and not goal_remarks(known, pvalue, words)
    return found / samples, plain / samples


def table_of_size(samples: int) -> Iterator[str]:
    """Share of false successes where the AUC is the goal; negatives spread half as wide, alike, twice as wide."""
    yield (
        "| positives | negatives | goal | "
        + " | ".join(f"{side}, spread {s:g}" for side in ("above", "below") for s in SPREADS)
        + " |"
    )
    yield "|--:" * (3 + 2 * len(SPREADS)) + "|"
    for at, sizes in enumerate(SIZES):
        for goal in GOALS:
            cells = [
                rejects(goal, goal, side, spread, sizes, samples, [at, round(100 * goal), number])
                for number, (side, spread) in enumerate((side, s) for side in ("above", "below") for s in SPREADS)
            ]
            yield f"| {sizes[0]} | {sizes[1]} | {goal} | " + " | ".join(map(_told, cells)) + " |"


def _told(cell: tuple[float, float]) -> str:
    """How often a test was false; in brackets how often without a remark, where that is another number."""
    found, plain = cell
    return f"{found:.1%}" if found == plain else f"{found:.1%} ({plain:.1%})"


def table_of_power(samples: int) -> Iterator[str]:
    """Power asked for and reached."""
    yield "| goal | AUC | negatives per positive | power asked for | positives | reached |"
    yield "|--:" * 6 + "|"
    for goal, truth in ((0.7, 0.8), (0.8, 0.85), (0.8, 0.9), (0.9, 0.97)):
        for ratio in (1.0, 4.0):
            for power in (0.8, 0.9):
                plan = power_goal("auc", truth, above=goal, power=power, ratio=ratio)
                sizes = int(plan.n_pos or 0), round(plan.n_neg or 0)
                reached, _ = rejects(truth, goal, "above", 1.0, sizes, samples, [1, round(100 * truth), round(ratio)])
                yield f"| {goal} | {truth} | {ratio:g} | {power:.0%} | {sizes[0]} | {reached:.1%} |"


def table_of_width(samples: int) -> Iterator[str]:
    """Widths asked for and the mean width reached, class sizes drawn."""
    yield "| what | prevalence | width asked for | rows | mean width |"
    yield "|--|--:|--:|--:|--:|"
    for auc, prevalence, width in (
        (0.7, 0.5, 0.1),
        (0.8, 0.1, 0.1),
        (0.8, 0.3, 0.2),
        (0.9, 0.2, 0.1),
        (0.95, 0.5, 0.1),
    ):
        plan = plan_width("auc", auc, width=width, prevalence=prevalence)
        reached = np.mean([_width_of_auc(auc, prevalence, plan.n, seed) for seed in range(samples)])
        yield f"| AUC {auc} | {prevalence} | {width} | {plan.n} | {reached:.4f} |"
    for auc, prevalence, width in ((0.7, 0.3, 0.4), (0.8, 0.1, 0.4), (0.8, 0.3, 0.6), (0.9, 0.3, 0.3)):
        plan = plan_width("calibration_slope", auc=auc, width=width, prevalence=prevalence)
        reached = np.mean([_width_of_slope(auc, prevalence, plan.n, seed) for seed in range(samples)])
        yield f"| slope of risks with AUC {auc} | {prevalence} | {width} | {plan.n} | {reached:.4f} |"


def _width_of_auc(auc: float, prevalence: float, rows: int, seed: int) -> float:
    rng = np.random.default_rng(seed)
    n_pos = min(max(2, int(rng.binomial(rows, prevalence))), rows - 2)
    low, high = evidence(auc, 1.0, n_pos, rows - n_pos, rng).ends(0.95)
    return high - low


def _width_of_slope(auc: float, prevalence: float, rows: int, seed: int) -> float:
    rng, gap = np.random.default_rng(seed), math.sqrt(2) * float(ndtri(auc))
    y = rng.random(rows) < prevalence
    log_odds = math.log(prevalence / (1 - prevalence)) + gap * rng.standard_normal(rows) + gap**2 * (y - 0.5)
    slope = calibration_summary(y, expit(log_odds)).slope
    return slope.high - slope.low


TABLES: dict[str, Callable[[int], Iterator[str]]] = {
    "size": table_of_size,
    "power": table_of_power,
    "width": table_of_width,
}


if __name__ == "__main__":
    wanted, number = sys.argv[1], int(sys.argv[2])
    for line in TABLES[wanted](number):
        print(line, flush=True)
