"""How often the gate passes a candidate that fails on a few rows: ``python -m benchmarks.gate_failing [PART ...]``.

The candidate is the baseline but for a share of rows, which get the lowest score, and the margin is the true loss: a
pass is false. ``noise`` has candidates that are as good as the baseline, with small noise of their own, and counts how
often they pass; ``goals`` has models of which a share of positives lies at the bottom, and goals at the true value.
Each part writes ``benchmarks/results/gate_PART.csv``.
"""

from __future__ import annotations

import csv
import sys
import zlib
from collections import Counter
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import expit, ndtr, ndtri

from rocsteady._src.evaluation.gate.differences import Resamples
from rocsteady._src.evaluation.gate.judge import Plan, judged
from rocsteady._src.evaluation.gate.terms import goal_terms, margin_terms
from rocsteady._src.ranked import read_models

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocsteady._src.evaluation.gate.terms import Term

RESULTS = Path(__file__).parent / "results"
SIZES, SHARES = (200, 500, 1000, 5000), (0.05, 0.1, 0.5)
FAILING = (0.002, 0.005, 0.01, 0.02, 0.03)
MODELS = ("candidate", "baseline")
FPR, MEAN = 0.1, float(np.sqrt(2) * ndtri(0.85))
PLAN = Plan(1, 0.95, 0.8, Resamples(60))
GRID = np.linspace(-9, 12, 40_001)
AGAIN = 5
TOLD = ("gate_unchanged", "gate_unseen", "gate_alike")  # that say what a pass may have missed
HEAD = ["measure", "rows", "positive", "setting", "samples", "passed", "passed_without_remark", "remarks"]


@dataclass(frozen=True, slots=True)
class World:
    """Normal scores of ``n`` rows; probabilities no closer to 0 and 1 than ``lowest``."""

    n: int
    share: float
    lowest: float = 1e-3
    mean: float = MEAN

    def draw(self, rng: np.random.Generator) -> tuple[Any, Any]:
        n_pos = max(round(self.n * self.share), 1)
        y = np.arange(self.n) < n_pos
        return y, rng.standard_normal(self.n) + self.mean * y

    def risks(self, scores: Any) -> Any:
        odds = np.log(self.share / (1 - self.share)) + self.mean * (scores - self.mean / 2)
        return np.clip(expit(odds), self.lowest, 1 - self.lowest)

    def densities(self) -> tuple[Any, Any]:
        step = (GRID[1] - GRID[0]) / np.sqrt(2 * np.pi)
        return step * np.exp(-((GRID - self.mean) ** 2) / 2), step * np.exp(-(GRID**2) / 2)

    def losses(self) -> tuple[float, float]:
        """Mean log loss of a positive and of a negative."""
        up, down = self.densities()
        risks = self.risks(GRID)
        return -float(up @ np.log(risks)), -float(down @ np.log1p(-risks))

    def loss(self, measure: str, failing: float) -> float:
        """What the candidate truly loses."""
        if measure == "log_loss":
            up, down = self.losses()
            of_pos, of_neg = -np.log(self.lowest) - up, -np.log1p(-self.lowest) - down
            return float(failing * (self.share * of_pos + (1 - self.share) * of_neg))
        if measure == "sensitivity_at":
            old, new = ndtri(1 - FPR), ndtri(1 - FPR / (1 - failing))
            return float(ndtr(self.mean - old) - (1 - failing) * ndtr(self.mean - new))
        area, kept = ndtr(self.mean / np.sqrt(2)), 1 - failing
        lost = float(area - (kept**2 * area + kept * failing + failing**2 / 2))
        return 2 * lost if measure == "gini" else lost


def called(measure: str) -> str:
    return f"sensitivity_at(fpr={FPR})" if measure == "sensitivity_at" else measure


def pair(world: World, measure: str, rng: np.random.Generator, failing: float, noise: float) -> Any:
    """Both models on the same rows."""
    y, old = world.draw(rng)
    new = old + noise * rng.standard_normal(world.n)
    failed = rng.random(world.n) < failing
    if measure == "log_loss":
        old, new = world.risks(old), np.where(failed, world.lowest, world.risks(new))
    else:
        new = np.where(failed, min(old.min(), new.min()) - 1, new)
    return read_models(y, {"candidate": new, "baseline": old})


def beyond(term: Term, rows: Any) -> bool:
    """Whether the estimate is on the side of the limit that passes; no bound passes what its estimate does not."""
    sheet, sign = term.request.sheet, 1 if term.side == "above" else -1
    values = [sheet.compute(each, **term.params(model)) for each, model in zip(rows.ranked, MODELS, strict=False)]
    return bool(sign * (values[0] - (values[1] if len(values) > 1 else 0.0) - term.limit) > 0)


def line(told: list[Any], term: Term, samples: int, draw: Any, again: int = AGAIN) -> list[Any]:
    """How often it passed, and with which remarks; above 5% so many samples are joined by four times as many."""
    passed, silent, codes, place = 0, 0, Counter[str](), 0
    while place < samples or (place < again * samples and silent > 0.05 * samples):
        rows = draw(np.random.default_rng([7, zlib.crc32(repr(told).encode()), place]))
        place += 1
        if not beyond(term, rows):
            continue
        found = judged(term, [rows], PLAN)
        if found.decision == "pass":
            mine = [remark.code for remark in found.warnings if remark.code in TOLD]
            passed, silent = passed + 1, silent + (not mine)
            codes.update(mine)
    remarks = " ".join(f"{code}:{count}" for code, count in sorted(codes.items()))
    return [*told, place, round(passed / place, 4), round(silent / place, 4), remarks]


MEASURES = ["auc", "gini", "sensitivity_at", "log_loss"]


def failing(samples: int, noise: float = 0.0) -> Iterator[list[Any]]:
    """The candidate fails on a share of rows; the margin is what it loses."""
    for measure, n, share, failed in product(MEASURES, SIZES, SHARES, FAILING):
        world = World(n, share)
        (term,) = margin_terms(called(measure), world.loss(measure, failed))
        yield line(
            [measure, n, share, failed],
            term,
            samples,
            lambda rng, w=world, m=measure, f=failed: pair(w, m, rng, f, noise),
        )


def failing_noisy(samples: int) -> Iterator[list[Any]]:
    """The same with a little noise in all other rows."""
    return failing(samples, 0.02)


def noise(samples: int) -> Iterator[list[Any]]:
    """Candidates as good as the baseline, with noise of their own; margins that people ask for."""
    for measure, n, share, margin in product(MEASURES, SIZES, SHARES, (0.01, 0.05)):
        world = World(n, share)
        (term,) = margin_terms(called(measure), margin)
        yield line(
            [measure, n, share, margin], term, samples, lambda rng, w=world, m=measure: pair(w, m, rng, 0.0, 0.1), 1
        )


def mixed(samples: int) -> Iterator[list[Any]]:
    """Goals at the true value, where a share of positives lies at the bottom."""
    for measure, n, share, low in product(MEASURES, SIZES, SHARES, FAILING):
        world = World(n, share, 1e-3, 3.5)
        at = ndtr(world.mean / np.sqrt(2))
        up, down = world.losses()
        truth = {
            "auc": (1 - low) * at,
            "gini": 2 * (1 - low) * at - 1,
            "sensitivity_at": (1 - low) * ndtr(world.mean - ndtri(1 - FPR)),
            "log_loss": share * ((1 - low) * up - low * np.log(world.lowest)) + (1 - share) * down,
        }[measure]
        (term,) = goal_terms(f"{called(measure)} {'<=' if measure == 'log_loss' else '>='} {float(truth)!r}")

        def draw(rng: np.random.Generator, world: World = world, measure: str = measure, low: float = low) -> Any:
            y, scores = world.draw(rng)
            failed = (rng.random(world.n) < low) & y
            given = world.risks(scores) if measure == "log_loss" else scores
            return read_models(
                y, {"candidate": np.where(failed, min(given.min(), world.lowest) - (measure != "log_loss"), given)}
            )

        yield line([measure, n, share, low], term, samples, draw)


PARTS = {"failing": failing, "noisy": failing_noisy, "noise": noise, "goals": mixed}


def main(wanted: list[str]) -> None:
    samples = next((int(each) for each in wanted if each.isdigit()), 400)
    only = [each.removeprefix("only=") for each in wanted if each.startswith("only=")]
    where = next((Path(each.removeprefix("to=")) for each in wanted if each.startswith("to=")), RESULTS)
    MEASURES[:] = only or MEASURES
    for name in [each for each in wanted if each in PARTS] or PARTS:
        with (where / f"gate_{name}.csv").open("w", newline="") as file:
            out = csv.writer(file, lineterminator="\n")
            out.writerow(HEAD)
            for found in PARTS[name](samples):
                out.writerow(found)
                file.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
