"""Goals of one model, other measures of the same rows and of two samples: how often the gate errs there.

``python -m benchmarks.gate_goals [PART] [SAMPLES] [seed=61] [resamples=100] [WORDS]``: lines with all words.
The worlds and the truths are those of :mod:`benchmarks.gate_simulation`, and each table stands in docs/gate.md. Every
line of goals and of two samples has draws of its own, so that what chance does to one it does not do to its neighbours;
with the word ``shared`` goals of the same rows share them, which takes half the time.
"""

from __future__ import annotations

import sys
import zlib
from dataclasses import replace
from functools import cache, lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtri
from scipy.stats import beta, binom

from benchmarks.gate_shares import exactly_of_pairs
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
RATES = (0.1, 0.01)
CUT = float(ndtri(1 - FPR))
PLAN = Plan(1, 0.95, 0.8, Resamples(100))  # one condition, as rs.gate asks it, of few resamples for time
_words: list[str] = []  # that lines must have
_seed = [61]
_plan = [PLAN]
_shared: list[str] = []  # where measures of the same rows share their draws, for time


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


def _decided(term: Any, drawn: list[list[Any]]) -> str:
    """Shares of pass and of fail; from outermost values inwards, until a twentieth of all in a row decide nothing."""
    sheet, sign = term.request.sheet, 1 if term.side == "above" else -1
    params = [term.params(model) for model in ("candidate", "baseline")]
    models = [[ranked for rows in sample for ranked in rows.ranked] for sample in drawn]
    values = [[sheet.compute(each, **own) for each, own in zip(both, params, strict=False)] for both in models]
    out = [sign * (each[0] - (each[1] if len(each) > 1 else 0.0)) for each in values]
    inwards, found = np.argsort(np.nan_to_num(out, nan=float(np.nanmedian(out)))), []
    for told, order in (("pass", inwards[::-1]), ("fail", inwards)):
        count = since = 0
        for place in order:
            count, since = (
                (count + 1, 0) if judged(term, drawn[place], _plan[0]).decision == told else (count, since + 1)
            )
            if since > len(drawn) / 20:
                break
        found.append(f"{count / len(drawn):.1%}")
    return " | ".join(found)


def _draws(line: str) -> np.random.Generator:
    """Of this line alone, by its words."""
    return np.random.default_rng([_seed[0], zlib.crc32(line.encode())])


def exactly(world: World, told: str) -> str:
    """How often a goal of a share passes and fails falsely, summed over all counts: exact bounds, nothing drawn."""
    tpr = float(world.at_fpr(FPR)[1])
    called = world.share * tpr + (1 - world.share) * FPR
    chance, share = (world.share, tpr) if told.startswith("recall") else (called, world.share * tpr / called)
    shown = np.zeros(2)
    for m in range(1, world.n + 1):
        often = float(binom.pmf(m, world.n, chance))
        if often > 1e-12:
            k = np.arange(m + 1)
            low, high = beta.ppf(0.05, k, m - k + 1), beta.ppf(0.95, k + 1, m - k)  # NaN, which shows nothing, at ends
            shown += often * np.array([binom.pmf(k, m, share) @ (low > share), binom.pmf(k, m, share) @ (high < share)])
    return " | ".join(f"{each:.1%}" for each in shown)


def goals(samples: int) -> Iterator[str]:
    """The candidate alone, whose true value is the goal; rows drawn alike, or weighted by the inverse of a chance."""
    yield "| goal | rows | positive | least chance of a row | false pass | false fail | samples |"
    yield "|--|--:|--:|--:|--:|--:|--:|"
    for n, share, fewest in product((200, 1000), (0.3, 0.1), (1.0, 0.3, 0.05)):
        world = World(n, share, (0.85, 0.82), 0.7)
        for told, (measure, values, at) in truths(world).items():
            line = f"{told} | {n} | {share:.0%} | {fewest:.0%}"
            if not all(word in line for word in _words):
                continue
            if fewest == 1 and at is not None:
                yield f"| {line} | {exactly(world, told)} | exact |"
                continue
            sign = "<=" if measure == "brier_score" else ">="
            term = goal_terms(f"{measure} {sign} {float(values[1])!r}", thresholds=settled_thresholds(at))[0]
            key = f"{n} | {share:.0%} | {fewest:.0%}" if _shared else line
            drawn = candidates(world, fewest, samples, key, risks=measure == "brier_score")
            yield f"| {line} | {_decided(term, drawn)} | {samples:,} |"


@lru_cache(maxsize=1)
def _drawn(world: World, fewest: float, samples: int, key: str) -> list[Any]:
    rng = _draws(key)
    return [drawn_by_weight(world, rng, fewest) for _ in range(samples)]


@lru_cache(maxsize=2)
def candidates(world: World, fewest: float, samples: int, key: str, *, risks: bool) -> list[list[Any]]:
    """The candidate's rows of every sample, with weights unless all rows had one chance."""
    found = []
    for y, scores, weight in _drawn(world, fewest, samples, key):
        weighted: dict[str, Any] = {"sample_weight": weight, "weight_type": "sampling"} if fewest < 1 else {}
        found.append([read_models(y, {"candidate": (world.risks(scores) if risks else scores)[1]}, **weighted)])
    return found


def exactly_of_two(world: World) -> str:
    """How often recalls of two samples err at their margin, summed over all counts of joined exact intervals."""
    total, (old, new) = round(world.n * world.share), world.at_fpr(FPR)
    k = np.arange(total + 1)
    p, low, high = k / total, np.zeros(total + 1), np.ones(total + 1)
    low[1:], high[:-1] = beta.ppf(0.05, k[1:], total - k[1:] + 1), beta.ppf(0.95, k[:-1] + 1, total - k[:-1])
    below, above, gap = p - low, high - p, p[:, None] - p
    chances = np.outer(binom.pmf(k, total, new), binom.pmf(k, total, old))
    least, most = gap - np.hypot(below[:, None], above), gap + np.hypot(above[:, None], below)
    return " | ".join(f"{float(chances[shown].sum()):.1%}" for shown in (least > new - old, most < new - old))


def two_samples(samples: int) -> Iterator[str]:
    """Other measures of models on samples of their own, the loss at its margin."""
    yield "| measure | rows of each | positive | false pass | false fail | samples |"
    yield "|--|--:|--:|--:|--:|--:|"
    for n, share in ((200, 0.5), (500, 0.1), (2000, 0.1)):
        world = World(n, share, (0.88, 0.85), 0.0)
        for told, (measure, values, at) in truths(world).items():
            line = f"{told} | {n} | {share:.0%}"
            if told == "AUC" or not all(word in line for word in _words):
                continue  # the AUC has a table of its own
            if measure == "recall":
                yield f"| {line} | {exactly_of_two(world)} | exact |"
                continue
            rng, drawn = _draws(line), []
            term = margin_terms(measure, abs(float(np.diff(values)[0])), thresholds=settled_thresholds(at))[0]
            for _ in range(samples):
                (y, old), (other, new) = world.draw(rng), world.draw(rng)
                old, new = (world.risks(each) if measure == "brier_score" else each for each in (old, new))
                drawn.append([read_models(other, {"candidate": new[1]}), read_models(y, {"baseline": old[0]})])
            yield f"| {line} | {_decided(term, drawn)} | {samples:,} |"


def same_rows(samples: int) -> Iterator[str]:
    """Other measures of both models on the same rows, the loss at its margin."""
    yield "| measure | rows | positive | false pass | false fail | samples |"
    yield "|--|--:|--:|--:|--:|--:|"
    for n, share in ((200, 0.5), (500, 0.1), (2000, 0.1)):
        world = World(n, share, (0.88, 0.85), 0.7)
        found = truths(world)
        rates = {f"sensitivity at FPR {fpr}": (f"sensitivity_at(fpr={fpr})", world.at_fpr(fpr), None) for fpr in RATES}
        for told, (measure, values, at) in {**found, **rates}.items():
            line = f"{told} | {n} | {share:.0%}"
            if told == "AUC" or not all(word in line for word in _words):
                continue  # the AUC has a table of its own
            if measure == "recall":
                yield f"| {line} | {exactly_of_pairs(world, FPR)} | exact |"
                continue
            rng, drawn = _draws(line), []
            term = margin_terms(measure, abs(float(np.diff(values)[0])), thresholds=settled_thresholds(at))[0]
            for _ in range(samples):
                y, scores = world.draw(rng)
                old, new = world.risks(scores) if measure == "brier_score" else scores
                drawn.append([read_models(y, {"candidate": new, "baseline": old})])
            yield f"| {line} | {_decided(term, drawn)} | {samples:,} |"


def precision(samples: int) -> Iterator[str]:
    """Average precision of the same rows by influence alone: the gate's bounds are never closer, so it errs no more."""
    yield "| rows | positive | AUC | false pass, at most | false fail, at most |"
    yield "|--:|--:|--:|--:|--:|"
    seed = 47 if _seed == [61] else _seed[0]
    for n, share, auc in ((200, 0.5, 0.88), (500, 0.1, 0.88), (2000, 0.1, 0.88), (2000, 0.1, 0.75), (5000, 0.05, 0.88)):
        world, rng, found = World(n, share, (auc, auc - 0.03), 0.7), np.random.default_rng(seed), []
        limit = float(np.diff(world.precision())[0])
        for _ in range(samples):
            y, scores = world.draw(rng)
            rows = read_rows({"y": y, "new": scores[1], "old": scores[0]}, label="y", scores=("new", "old"))
            parts = [precision_components(ranked) for ranked in rows.ranked]
            down, up = Carried.of(by_rows(rows, parts), rows, by_class=False).reach(0.9)
            gap = parts[0].theta - parts[1].theta
            found.append("pass" if gap - down > limit else "fail" if gap + up < limit else "")
        yield f"| {n} | {share:.0%} | {auc} | {_shares(found)} |"


TABLES = {"goals": goals, "same": same_rows, "two": two_samples, "precision": precision}


def main(wanted: list[str]) -> None:
    samples = next((int(each) for each in wanted if each.isdigit()), 1000)
    _seed[:] = [int(each.removeprefix("seed=")) for each in wanted if each.startswith("seed=")] or [61]
    few = [int(each.removeprefix("resamples=")) for each in wanted if each.startswith("resamples=")]
    _plan[:] = [replace(PLAN, resamples=Resamples(n)) for n in few] or [PLAN]
    _shared[:] = [each for each in wanted if each == "shared"]
    named = [each for each in wanted if not each.isdigit() and "=" not in each and each != "shared"]
    _words[:] = [each for each in named if each not in TABLES]
    for name in [each for each in wanted if each in TABLES] or TABLES:
        print(f"\n{name}, {samples} samples", flush=True)
        for line in TABLES[name](samples):
            print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
