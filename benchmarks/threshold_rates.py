"""Rates at a threshold that a rule chose on the same rows: ``python -m benchmarks.threshold_rates`` writes the table.

The intervals are those of ``threshold_interval``; the truth is the rate of new rows at the threshold that was chosen,
computed, not drawn. Rows are those of ``chosen_rules``. Samples without an interval are left out.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np

import rocsteady as rs
from benchmarks.chosen_rules import draw, on_new_rows
from rocsteady._src.inference.intervals.chosen_threshold import intervals_when_chosen
from rocsteady._src.inference.intervals.thresholds import RATES, draws_for
from rocsteady._src.measures.best_threshold import chosen_by
from rocsteady._src.measures.registry import get_measure
from rocsteady._src.measures.threshold_rules import read_rule

PATH = Path(__file__).with_name("results") / "threshold_rates.csv"
SAMPLES, MORE = 1000, 3000  # more of them where a thousand left open whether the level is held
RESAMPLES = 100  # only the mean is needed
CLOSE = (("recall(value=0.9)", 200, 0.2), ("f1", 1000, 0.1))
HEAD = ("rule", "rows", "positive", "rate", "samples", "coverage", "width", "remark", "remarked")
SETTINGS = (
    ("recall(value=0.9)", 100, 0.1),
    ("recall(value=0.9)", 200, 0.2),
    ("recall(value=0.9)", 200, 0.5),
    ("recall(value=0.9)", 1000, 0.1),
    ("recall(value=0.9)", 1000, 0.5),
    ("precision(value=0.6)", 200, 0.2),
    ("specificity(value=0.9)", 200, 0.2),
    ("youden", 200, 0.2),
    ("youden", 1000, 0.1),
    ("f1", 200, 0.2),
    ("f1", 1000, 0.1),
    ("cost(fn=5)", 200, 0.2),
)


def sample(rule: Any, n: int, share: float, seed: int) -> list[list[float]]:
    """Whether the interval of each rate holds it, its width, and whether it carries the remark; NaN without one."""
    y, s = draw(np.random.default_rng([seed, n, int(100 * share)]), n, share)
    ranked = rs.rank(y, s)
    asked: list[Any] = [(get_measure(name).sheet, {}) for name in RATES.values()]
    how: dict[str, Any] = {"level": 0.95, "seed": seed, "n_resamples": RESAMPLES}
    try:
        found = intervals_when_chosen(draws_for(ranked, None, rule), asked, rule, **how)
    except rs.errors.RocsteadyError:  # no threshold that the rule allows
        return [[np.nan] * 3] * len(RATES)
    truths = on_new_rows(float(chosen_by(rule, ranked).threshold), share)
    truths["false_positive_rate"] = 1 - truths["specificity"]
    held = []
    for name, each in zip(RATES.values(), found, strict=True):
        known = not np.isnan([each.low, each.high, truths[name]]).any()
        told = any(remark.code == "short_when_chosen" for remark in each.warnings)
        inside = float(each.low <= truths[name] <= each.high) if known else np.nan
        held.append([inside, each.high - each.low, float(told)])
    return held


def main() -> None:
    with PATH.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEAD)
        for rule, n, share in SETTINGS:
            read, samples = read_rule(rule, None), MORE if (rule, n, share) in CLOSE else SAMPLES
            found = np.array([sample(read, n, share, seed) for seed in range(samples)])
            for place, rate in enumerate(RATES):
                known = found[~np.isnan(found[:, place, 0]), place]
                held, width, told = known.mean(axis=0)
                remark = "short_when_chosen" if told > 0.5 else ""
                line = [rule, n, share, rate, len(known), f"{held:.4f}", f"{width:.4f}", remark, f"{told:.3f}"]
                writer.writerow(line)
                print(*line, flush=True)


if __name__ == "__main__":
    main()
