"""Goals of one model, other measures of two samples, and average precision by influence: how often the gate errs there.

``python -m benchmarks.gate_goals [PART] [SAMPLES] [seed=61] [WORDS]``, of goals and two samples lines with all words.
The worlds and the truths are those of :mod:`benchmarks.gate_simulation`, and each table stands in docs/gate.md. Every
line of goals and of two samples has draws of its own, so that what chance does to one it does not do to its neighbours.
"""

from __future__ import annotations

import sys
import zlib
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtri

from benchmarks.gate_simulation import World, drawn_by_weight
from rocsteady._src.evaluation.gate.carried import Carried, by_rows
from rocsteady._src.evaluation.gate.differences import Resamples
from rocsteady._src.evaluation.gate.judge import Plan, judged
from rocsteady._src.evaluation.gate.terms import goal_terms, margin_terms, settled_thresholds
from rocsteady._src.inference.units.precision import precision_components
from rocsteady._src.ranked import read_models, read_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

FPR, PART = 0.1, "partial_auc(fpr_range=(0, 0.1))"
CUT = float(ndtri(1 - FPR))
PLAN = Plan(1, 0.95, 0.8, Resamples(100))  # one condition, as rs.gate asks it, of few resamples for time
_words: list[str] = []  # that lines must have
_seed = [61]


@cache
def truths(world: World) -> dict[str, tuple[str, Any, float | None]]:
    """Each measure: how the gate calls it, its values of both models, and its threshold."""
    tpr, at = world.at_fpr(FPR), CUT
    grid = (np.arange(20_000) + 0.5) / 20_000 * FPR
    part = np.mean([world.at_fpr(fpr) for fpr in grid], axis=0) * FPR
    precision = world.share * tpr / (world.share * tpr + (1 - world.share) * FPR)
    return {
        "AUC": ("auc", np.array(world.aucs), None),
        "AUC up to FPR 0.1": (PART, part, None),
        "recall at a threshold": ("recall", tpr, at),
        "precision at a threshold": ("precision", precision, at),
        "Brier score": ("brier_score", world.brier(), None),
        "TPR at FPR 0.1": ("tpr_at(fpr=0.1)", tpr, None),
        "average precision": ("average_precision", world.precision(), None),
    }


def _shares(found: list[str]) -> str:
    return " | ".join(f"{found.count(each) / len(found):.1%}" for each in ("pass", "fail"))


def _draws(line: str) -> np.random.Generator:
    """Of this line alone, by its words."""
    return np.random.default_rng([_seed[0], zlib.crc32(line.encode())])


def goals(samples: int) -> Iterator[str]:
    """The candidate alone, whose true value is the goal; rows drawn alike, or weighted by the inverse of a chance."""
    yield "| goal | rows | positive | least chance of a row | false pass | false fail |"
    yield "|--|--:|--:|--:|--:|--:|"
    for n, share, fewest in product((200, 1000), (0.3, 0.1), (1.0, 0.3, 0.05)):
        world = World(n, share, (0.85, 0.82), 0.7)
        for told, (measure, values, at) in truths(world).items():
            line = f"{told} | {n} | {share:.0%} | {fewest:.0%}"
            if not all(word in line for word in _words):
                continue
            rng, found = _draws(line), []
            sign = "<=" if measure == "brier_score" else ">="
            term = goal_terms(f"{measure} {sign} {float(values[1])!r}", thresholds=settled_thresholds(at))[0]
            for _ in range(samples):
                y, scores, weight = drawn_by_weight(world, rng, fewest)
                given = (world.risks(scores) if measure == "brier_score" else scores)[1]
                weighted = {"sample_weight": weight, "weight_type": "sampling"} if fewest < 1 else {}
                found.append(judged(term, [read_models(y, {"candidate": given}, **weighted)], PLAN).decision)
            yield f"| {line} | {_shares(found)} |"


def two_samples(samples: int) -> Iterator[str]:
    """Other measures of models on samples of their own, the loss at its margin."""
    yield "| measure | rows of each | positive | false pass | false fail |"
    yield "|--|--:|--:|--:|--:|"
    for n, share in ((200, 0.5), (500, 0.1), (2000, 0.1)):
        world = World(n, share, (0.88, 0.85), 0.0)
        for told, (measure, values, at) in truths(world).items():
            line = f"{told} | {n} | {share:.0%}"
            if told == "AUC" or not all(word in line for word in _words):
                continue  # the AUC has a table of its own
            rng, found = _draws(line), []
            term = margin_terms(measure, abs(float(np.diff(values)[0])), thresholds=settled_thresholds(at))[0]
            for _ in range(samples):
                (y, old), (other, new) = world.draw(rng), world.draw(rng)
                old, new = (world.risks(each) if measure == "brier_score" else each for each in (old, new))
                both = [read_models(other, {"candidate": new[1]}), read_models(y, {"baseline": old[0]})]
                found.append(judged(term, both, PLAN).decision)
            yield f"| {line} | {_shares(found)} |"


def precision(samples: int) -> Iterator[str]:
    """Average precision of the same rows by influence alone: the gate's bounds are never closer, so it errs no more."""
    yield "| rows | positive | AUC | false pass, at most | false fail, at most |"
    yield "|--:|--:|--:|--:|--:|"
    for n, share, auc in ((200, 0.5, 0.88), (500, 0.1, 0.88), (2000, 0.1, 0.88), (2000, 0.1, 0.75), (5000, 0.05, 0.88)):
        world, rng, found = World(n, share, (auc, auc - 0.03), 0.7), np.random.default_rng(47), []
        limit = float(np.diff(world.precision())[0])
        for _ in range(samples):
            y, scores = world.draw(rng)
            rows = read_rows({"y": y, "new": scores[1], "old": scores[0]}, label="y", scores=("new", "old"))
            parts = [precision_components(ranked) for ranked in rows.ranked]
            down, up = Carried.of(by_rows(rows, parts), rows, by_class=False).reach(0.9)
            gap = parts[0].theta - parts[1].theta
            found.append("pass" if gap - down > limit else "fail" if gap + up < limit else "")
        yield f"| {n} | {share:.0%} | {auc} | {_shares(found)} |"


TABLES = {"goals": goals, "two": two_samples, "precision": precision}


def main(wanted: list[str]) -> None:
    samples = next((int(each) for each in wanted if each.isdigit()), 1000)
    _seed[:] = [int(each.removeprefix("seed=")) for each in wanted if each.startswith("seed=")] or [61]
    named = [each for each in wanted if not each.isdigit() and not each.startswith("seed=")]
    _words[:] = [each for each in named if each not in TABLES]
    for name in [each for each in wanted if each in TABLES] or TABLES:
        print(f"\n{name}, {samples} samples", flush=True)
        for line in TABLES[name](samples):
            print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
