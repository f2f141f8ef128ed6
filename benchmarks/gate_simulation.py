"""How often the gate passes, fails and cannot tell, where the truth is known: ``python -m benchmarks.gate_simulation``.

Scores of both models are normal in each class, with a known correlation, so that every measure is known. At its limit a
condition just does not hold, and a pass is false; a hair above it holds, and a fail is false: both rates are counted
there. ``PART SAMPLES`` choose one table of docs/gate.md, or none for all of them; ``seed=12`` draws other samples;
further words, such as ``"2000 | 10%"``, choose the lines that have all of them.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import expit, ndtr, ndtri

import rocsteady as rs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FEW_RESAMPLES = 200  # of measures without a formula, for time
MIDDLE, WIDE = 0.9, 5.0  # of scores at random
FEWER = 4  # so much fewer samples of models that are equally good, of which only an idea is wanted
GRID = np.linspace(-12, 12, 200_001)


@dataclass(frozen=True, slots=True)
class World:
    """Normal scores of two models on ``n`` rows; positives spread ``spread`` times as much as negatives."""

    n: int
    share: float
    aucs: tuple[float, float]  # of the baseline and of the candidate
    correlation: float = 0.5
    spread: float = 1.0
    decimals: int | None = None

    @property
    def means(self) -> Any:
        return np.sqrt(1 + self.spread**2) * ndtri(np.array(self.aucs))

    def draw(self, rng: np.random.Generator, n: int | None = None) -> tuple[Any, Any]:
        """Labels, and the scores of the baseline and the candidate below each other."""
        rows = n or self.n
        n_pos = max(round(rows * self.share), 1)
        own, other = rng.standard_normal((2, rows))
        scores = np.stack([own, self.correlation * own + np.sqrt(1 - self.correlation**2) * other])
        scores[:, :n_pos] = self.spread * scores[:, :n_pos] + self.means[:, None]
        y = np.zeros(rows, dtype=np.int64)
        y[:n_pos] = 1
        return y, scores if self.decimals is None else np.round(scores, self.decimals)

    def at_fpr(self, fpr: float) -> Any:
        return ndtr((self.means - ndtri(1 - fpr)) / self.spread)

    def precision(self) -> Any:
        """Average precision of both models, by quadrature."""
        found = []
        for mean in self.means:
            tpr, fpr = ndtr((mean - GRID) / self.spread), ndtr(-GRID)
            called = self.share * tpr + (1 - self.share) * fpr
            precise = np.divide(self.share * tpr, called, out=np.ones_like(called), where=called > 0)
            found.append(float((-np.diff(tpr) * (precise[1:] + precise[:-1]) / 2).sum()))
        return np.array(found)

    def risks(self, scores: Any) -> Any:
        """True probabilities that the scores of each model stand for; of equal spread."""
        odds = np.log(self.share / (1 - self.share))
        return expit(odds + self.means[:, None] * (scores - self.means[:, None] / 2))

    def brier(self) -> Any:
        """Brier scores of these probabilities, by quadrature."""
        risks = self.risks(np.stack([GRID, GRID]))
        step = GRID[1] - GRID[0]
        at = np.exp(-(GRID**2) / 2) / np.sqrt(2 * np.pi) * step
        found = []
        for mean, risk in zip(self.means, risks, strict=True):
            moved = np.exp(-((GRID - mean) ** 2) / 2) / np.sqrt(2 * np.pi) * step
            found.append(self.share * float(moved @ (1 - risk) ** 2) + (1 - self.share) * float(at @ risk**2))
        return np.array(found)


Ask = dict[str, Any]
_words: list[str] = []  # that lines must have
_seed = [11]


def _asked_for(told: str) -> bool:
    return all(word in told for word in _words)


def counted(world: World, ask: Callable[[Any, Any], Ask], samples: int) -> tuple[float, float, float]:
    """Shares of pass, fail and cannot tell."""
    rng, found = np.random.default_rng(_seed[0]), []
    for _ in range(samples):
        y, scores = world.draw(rng)
        call = ask(y, scores)
        models = call.pop("scores", scores)
        found.append(rs.gate(y, models[0], models[1], **call).decision)
    return tuple(found.count(each) / samples for each in ("pass", "fail", "cannot tell"))  # type: ignore[return-value]


def _line(told: str, at_limit: tuple[float, ...], alike: tuple[float, ...] | None) -> str:
    if alike is None:
        return f"| {told} | {at_limit[0]:.1%} | {at_limit[1]:.1%} | |"
    return f"| {told} | {at_limit[0]:.1%} | {at_limit[1]:.1%} | {alike[0]:.0%} / {alike[1]:.1%} / {alike[2]:.0%} |"


def _with_margin(margin: float) -> Callable[[Any, Any], Ask]:
    return lambda *_: {"margin": margin}


HEAD = "false pass | false fail | as good: pass / fail / cannot tell |"


def paired(samples: int) -> Iterator[str]:
    """One condition on the AUC of the same rows."""
    yield f"| rows | positive | AUC | correlation | margin | {HEAD}"
    yield "|--:|--:|--:|--:|--:|--:|--:|--:|"
    shapes = ((0.5, 0.7), (0.5, 0.85), (0.1, 0.85), (0.1, 0.95))
    for n, (share, auc), correlation, margin in product((100, 400, 2000), shapes, (0.3, 0.9), (0.01, 0.05)):
        told = f"{n} | {share:.0%} | {auc} | {correlation} | {margin}"
        if not _asked_for(told):
            continue
        world, ask = World(n, share, (auc, auc - margin), correlation), _with_margin(margin)
        good = counted(replace(world, aucs=(auc, auc)), ask, max(samples // FEWER, 1))
        yield _line(told, counted(world, ask, samples), good)


def unlike(samples: int) -> Iterator[str]:
    """Classes that spread unlike, tied scores, and AUCs close to 1."""
    yield f"| rows | positive | AUC | positives spread | ties | {HEAD}"
    yield "|--:|--:|--:|--:|--|--:|--:|--:|"
    for n, share in ((100, 0.5), (300, 0.1), (1000, 0.1)):
        for auc in (0.85, 0.97):
            for spread, decimals in ((2.0, None), (0.5, None), (1.0, 0)):
                world = World(n, share, (auc, auc - 0.02), 0.6, spread, decimals)
                margin = float(-np.diff(_areas(world))[0])
                limit = counted(world, _with_margin(margin), samples)
                told = f"{n} | {share:.0%} | {auc} | {spread} | {'whole numbers' if decimals == 0 else ''}"
                yield _line(told, limit, None)


def _areas(world: World) -> Any:
    """AUCs of both models; of rounded scores by sums over whole numbers."""
    if world.decimals is None:
        return np.array(world.aucs)
    edges = np.arange(-40, 41)
    found = []
    for mean in world.means:
        pos = ndtr((edges + 0.5 - mean) / world.spread) - ndtr((edges - 0.5 - mean) / world.spread)
        neg = ndtr(edges + 0.5) - ndtr(edges - 0.5)
        below = np.concatenate([[0.0], np.cumsum(neg)[:-1]])
        found.append(float(pos @ (below + neg / 2)))
    return np.array(found)


def two_samples(samples: int) -> Iterator[str]:
    """The models on samples of their own."""
    yield f"| rows of each | positive | AUC | margin | {HEAD}"
    yield "|--:|--:|--:|--:|--:|--:|--:|"
    for n, share in ((100, 0.5), (300, 0.1), (1000, 0.1), (3000, 0.5)):
        for auc in (0.7, 0.95):
            world, rng = World(n, share, (auc, auc - 0.05), 0.0), np.random.default_rng(5)

            def ask(y: Any, scores: Any, world: World = world, rng: Any = rng) -> Ask:
                second, other = world.draw(rng)
                return {"margin": 0.05, "paired": False, "y_true_second": second, "scores": (scores[0], other[1])}

            alike = replace(world, aucs=(auc, auc))

            def same(y: Any, scores: Any, world: World = alike, rng: Any = rng) -> Ask:
                return ask(y, scores, world, rng)

            yield _line(
                f"{n} | {share:.0%} | {auc} | 0.05", counted(world, ask, samples), counted(alike, same, samples)
            )


def others(samples: int) -> Iterator[str]:
    """Other measures of the same rows, at their limits."""
    yield f"| measure | rows | positive | {HEAD}"
    yield "|--|--:|--:|--:|--:|--:|"
    for n, share in ((200, 0.5), (500, 0.1), (2000, 0.1)):
        world = World(n, share, (0.88, 0.85), 0.7)
        shares, rare = world.at_fpr(0.1), world.at_fpr(0.01)
        cases: dict[str, tuple[Any, float]] = {
            "recall at a threshold": ("recall", float(shares[0] - shares[1])),
            "Brier score": ("brier_score", float(np.diff(world.brier())[0])),
            "TPR at FPR 0.1": ("tpr_at(fpr=0.1)", float(shares[0] - shares[1])),
            "sensitivity at FPR 0.1": ("sensitivity_at(fpr=0.1)", float(shares[0] - shares[1])),
            "sensitivity at FPR 0.01": ("sensitivity_at(fpr=0.01)", float(rare[0] - rare[1])),
            "average precision": ("average_precision", float(-np.diff(world.precision())[0])),
        }
        for told, (measure, margin) in cases.items():
            if not _asked_for(f"{told} | {n} | {share:.0%}"):
                continue

            def ask(y: Any, scores: Any, measure: Any = measure, margin: float = margin, world: World = world) -> Ask:
                call: Ask = {"measure": measure, "margin": margin, "n_resamples": FEW_RESAMPLES}
                if measure == "recall":
                    call["threshold"] = float(ndtri(0.9))
                if measure == "brier_score":
                    call["scores"] = world.risks(scores)
                return call

            limit = counted(world, ask, samples)
            yield _line(f"{told} | {n} | {share:.0%}", limit, None)


def _with_subjects(world: World, rng: np.random.Generator, each: int, common: float, *, mixed: bool) -> tuple[Any, Any]:
    """Rows of subjects, whose scores share a part of ``common``; a subject has rows of one class, or of both."""
    subjects = world.n // each
    of_subject = np.repeat(np.arange(subjects), each)
    n_pos = round(subjects * world.share)
    y = rng.random(world.n) < world.share if mixed else of_subject < n_pos
    noise = rng.standard_normal((2, subjects))[:, of_subject] * np.sqrt(common)
    noise += np.sqrt(1 - common) * rng.standard_normal((2, world.n))
    noise[1] = world.correlation * noise[0] + np.sqrt(1 - world.correlation**2) * noise[1]
    scores = np.where(y, world.spread * noise + world.means[:, None], noise)
    return y.astype(np.int64), (scores, of_subject)


def clusters(samples: int) -> Iterator[str]:
    """Five rows of each subject, scores of which have much in common."""
    yield "| measure | subjects | classes of a subject | in common | false pass | false fail |"
    yield "|--|--:|--|--:|--:|--:|"
    for n, mixed, common in product((150, 500, 2000), (False, True), (0.3, 0.8)):
        world = World(n, 0.3, (0.85, 0.82), 0.7)
        recall = float(-np.diff(world.at_fpr(0.1))[0])
        for told, call in {
            "AUC": {"margin": 0.03},
            "recall at a threshold": {"measure": "recall", "margin": recall, "threshold": float(ndtri(0.9))},
        }.items():
            line = f"{told} | {n // 5} | {'both' if mixed else 'one'} | {common:.0%}"
            if not _asked_for(line):
                continue
            rng, found = np.random.default_rng(31), []
            for _ in range(samples):
                y, (scores, subject) = _with_subjects(world, rng, 5, common, mixed=mixed)
                found.append(rs.gate(y, *scores, cluster=subject, **call).decision)
            shares = " | ".join(f"{found.count(each) / samples:.1%}" for each in ("pass", "fail"))
            yield f"| {line} | {shares} |"


def drawn_by_weight(world: World, rng: np.random.Generator, fewest: float) -> tuple[Any, Any, Any]:
    """A sample of ``n`` rows in which low scores of the baseline are rare: each row with the inverse of its chance."""
    kept: list[tuple[Any, Any, Any]] = []
    while sum(len(y) for y, _, _ in kept) < world.n:
        y = (rng.random(4 * world.n) < world.share).astype(np.int64)
        own, other = rng.standard_normal((2, len(y)))
        scores = np.stack([own, world.correlation * own + np.sqrt(1 - world.correlation**2) * other])
        scores = np.where(y, world.spread * scores + world.means[:, None], scores)
        chance = fewest + (1 - fewest) * ndtr(scores[0] - 1)
        drawn = rng.random(len(y)) < chance
        kept.append((y[drawn], scores[:, drawn], 1 / chance[drawn]))
    y, scores, weight = (np.concatenate(each, axis=-1) for each in zip(*kept, strict=True))
    return y[: world.n], scores[:, : world.n], weight[: world.n]


def weights(samples: int) -> Iterator[str]:
    """Rows that were drawn with unlike chances, weighted by their inverse; the truth is that of the population."""
    yield "| measure | rows | positive | least chance of a row | false pass | false fail |"
    yield "|--|--:|--:|--:|--:|--:|"
    for n, share, fewest in product((200, 1000, 4000), (0.3, 0.1), (0.3, 0.05)):
        world = World(n, share, (0.85, 0.82), 0.7)
        recall = float(-np.diff(world.at_fpr(0.1))[0])
        for told, call in {
            "AUC": {"margin": 0.03},
            "recall at a threshold": {"measure": "recall", "margin": recall, "threshold": float(ndtri(0.9))},
            "Brier score": {"measure": "brier_score", "margin": float(np.diff(world.brier())[0])},
        }.items():
            if not _asked_for(f"{told} | {n} | {share:.0%} | {fewest:.0%}"):
                continue
            if told.startswith("recall") and (n > 1000 or fewest > 0.1):
                continue  # resampled, for time
            rng, found = np.random.default_rng(37), []
            how: Ask = {"weight_type": "sampling", "n_resamples": FEW_RESAMPLES, **call}
            for _ in range(samples):
                y, scores, weight = drawn_by_weight(world, rng, fewest)
                given = world.risks(scores) if told.startswith("Brier") else scores
                found.append(rs.gate(y, *given, sample_weight=weight, **how).decision)
            shares = " | ".join(f"{found.count(each) / samples:.1%}" for each in ("pass", "fail"))
            yield f"| {told} | {n} | {share:.0%} | {fewest:.0%} | {shares} |"


def several(samples: int) -> Iterator[str]:
    """Several conditions at once: one at its limit and the others far from theirs, or all at their limits."""
    yield "| rows | conditions | false pass, one at its limit | false pass, all | false fail, all at their limits |"
    yield "|--:|--|--:|--:|--:|"
    for n in (300, 1000, 3000):
        world = World(n, 0.3, (0.85, 0.82), 0.6)
        shares = world.at_fpr(0.1)
        recall = float(shares[0] - shares[1])
        auc_goal = f"auc >= {world.aucs[1]}"

        def all_of(*_: Any, recall: float = recall, auc_goal: str = auc_goal) -> Ask:
            call: Ask = {"measure": ["auc", "recall", "specificity"], "margin": [0.03, recall, 0.0]}
            return call | {
                "threshold": {"baseline": float(ndtri(0.9)), "candidate": float(ndtri(0.9))},
                "goals": auc_goal,
            }

        def one_of(*_: Any, auc_goal: str = auc_goal) -> Ask:
            call: Ask = {"measure": ["auc", "recall", "specificity"], "margin": [0.03, 0.3, 0.3]}
            return call | {"threshold": float(ndtri(0.9)), "goals": "auc >= 0.6"}

        one, every = counted(world, one_of, samples), counted(world, all_of, samples)
        yield f"| {n} | AUC, recall, specificity, AUC goal | {one[0]:.1%} | {every[0]:.1%} | {every[1]:.1%} |"

        def groups(y: Any, *_: Any) -> Ask:
            return {"margin": 0.03, "by": np.arange(len(y)) % 4}

        found = counted(world, groups, samples)
        yield f"| {n} | AUC, of all rows and in four groups | | {found[0]:.1%} | {found[1]:.1%} |"


def moved(samples: int) -> Iterator[str]:
    """A candidate that is the baseline but for a few rows, which are scored at random."""
    yield "| rows | rows that differ | AUC lost, the margin | false pass | false fail |"
    yield "|--:|--:|--:|--:|--:|"
    for n, share in ((100, 0.05), (300, 0.01), (300, 0.03), (1000, 0.01), (3000, 0.01)):
        rng, found = np.random.default_rng(23), []
        world = World(n, 0.5, (0.9, 0.9))
        wide = ndtr((world.means[0] - MIDDLE) / np.hypot(1, WIDE)) + ndtr(MIDDLE / np.hypot(1, WIDE))
        margin = float(share * (1 - share) * (1.8 - wide) + share**2 * 0.4)
        for _ in range(samples):
            y, scores = world.draw(rng)
            old, changed = scores[0], rng.random(n) < share
            new = np.where(changed, MIDDLE + WIDE * rng.standard_normal(n), old)
            found.append(rs.gate(y, old, new, margin=margin).decision)
        told = " | ".join(f"{found.count(each) / samples:.1%}" for each in ("pass", "fail"))
        yield f"| {n} | {share:.0%} | {margin:.4f} | {told} |"


PARTS = {"paired": paired, "unlike": unlike, "two": two_samples, "others": others, "several": several}
PARTS |= {"moved": moved, "clusters": clusters, "weights": weights}


def main(wanted: list[str]) -> None:
    parts = [name for name in wanted if name in PARTS] or list(PARTS)
    samples = next((int(each) for each in wanted if each.isdigit()), 2000)
    _seed[:] = [int(each.removeprefix("seed=")) for each in wanted if each.startswith("seed=")] or [11]
    _words[:] = [each for each in wanted if each not in PARTS and not each.isdigit() and not each.startswith("seed=")]
    for name in parts:
        print(f"\n{name}, {samples} samples", flush=True)
        for line in PARTS[name](samples):
            print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
