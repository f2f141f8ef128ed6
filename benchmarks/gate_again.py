"""Lines of docs/gate.md that lay above 5% by more than a standard error, and two beside them, with many more samples.

``python -m benchmarks.gate_again [SAMPLES] [seed=101] [resamples=100] [WORDS]``: lines with all words. Every sample of
a line has a seed of its own, so that it is drawn again where it is judged and none is kept. The gate decides nothing
against its estimate, so that samples are judged from the outermost estimates inwards, until a tenth of all in a row
decide nothing.
"""

from __future__ import annotations

import sys
import zlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtri

from benchmarks.gate_goals import PLAN, truths
from benchmarks.gate_simulation import World, _areas, _with_subjects, drawn_by_weight
from rocsteady._src.evaluation.gate.differences import Resamples
from rocsteady._src.evaluation.gate.judge import judged
from rocsteady._src.evaluation.gate.terms import goal_terms, margin_terms, settled_thresholds
from rocsteady._src.ranked import read_models

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rocsteady._src.evaluation.gate.judge import Plan
    from rocsteady._src.evaluation.gate.terms import Term

IDLE = 0.1  # of all samples, in a row, that decide nothing
CUT = float(ndtri(0.9))
SHARES = {"recall": "recall at a threshold", "precision": "precision at a threshold", "brier_score": "Brier score"}
PART = "AUC up to FPR 0.1"


@dataclass(frozen=True, slots=True)
class Line:
    """Where it stands, how its samples are drawn, and the condition that is just not met."""

    told: str
    draw: Callable[[np.random.Generator], list[Any]]
    term: Term

    def drawn(self, seed: int, place: int) -> list[Any]:
        """One of its samples."""
        return self.draw(np.random.default_rng([seed, zlib.crc32(self.told.encode()), place]))


def paired(told: str, world: World, measure: str = "auc", at: float | None = None) -> Line:
    """Both models on the same rows."""

    def draw(rng: np.random.Generator) -> list[Any]:
        y, scores = world.draw(rng)
        old, new = world.risks(scores) if measure == "brier_score" else scores
        return [read_models(y, {"candidate": new, "baseline": old})]

    return Line(told, draw, _margin(world, measure, at))


def two(told: str, world: World, measure: str = "auc") -> Line:
    """Each model on a sample of its own."""

    def draw(rng: np.random.Generator) -> list[Any]:
        (y, old), (other, new) = world.draw(rng), world.draw(rng)
        return [read_models(other, {"candidate": new[1]}), read_models(y, {"baseline": old[0]})]

    return Line(told, draw, _margin(world, measure, None))


def subjects(told: str, world: World, common: float, *, mixed: bool) -> Line:
    """Recall of both models on the same rows, five of each subject."""

    def draw(rng: np.random.Generator) -> list[Any]:
        y, (scores, subject) = _with_subjects(world, rng, 5, common, mixed=mixed)
        return [read_models(y, {"candidate": scores[1], "baseline": scores[0]}, cluster=subject)]

    return Line(told, draw, _margin(world, "recall", CUT))


def weighted(told: str, world: World, measure: str, fewest: float) -> Line:
    """Both models on the same rows, which were drawn with unlike chances."""

    def draw(rng: np.random.Generator) -> list[Any]:
        y, scores, weight = drawn_by_weight(world, rng, fewest)
        old, new = world.risks(scores) if measure == "brier_score" else scores
        return [read_models(y, {"candidate": new, "baseline": old}, sample_weight=weight, weight_type="sampling")]

    return Line(told, draw, _margin(world, measure, None))


def goal(told: str, world: World, measure: str, fewest: float) -> Line:
    """The candidate alone, on rows that were drawn with unlike chances."""
    at = None if measure in ("auc", "brier_score") else CUT
    value = float(_values(world, measure)[1])
    term = goal_terms(f"{measure} {'<=' if at is None and measure != 'auc' else '>='} {value!r}", thresholds=_at(at))[0]

    def draw(rng: np.random.Generator) -> list[Any]:
        y, scores, weight = drawn_by_weight(world, rng, fewest)
        given = (world.risks(scores) if measure == "brier_score" else scores)[1]
        return [read_models(y, {"candidate": given}, sample_weight=weight, weight_type="sampling")]

    return Line(told, draw, term)


def _at(at: float | None) -> dict[str, float] | None:
    return settled_thresholds(at)


def _values(world: World, measure: str) -> Any:
    if measure == "auc":
        return _areas(world)
    named = {each[0]: each[1] for each in truths(world).values()}
    return named[measure]


def _margin(world: World, measure: str, at: float | None) -> Term:
    loss = abs(float(np.diff(_values(world, measure))[0]))
    return margin_terms(measure, loss, thresholds=_at(at))[0]


def lines() -> Iterator[Line]:
    """All lines that lay so high, in the order of the page."""
    for share, auc, correlation, margin in (
        (0.5, 0.7, 0.3, 0.01),
        (0.5, 0.7, 0.3, 0.05),
        (0.5, 0.85, 0.9, 0.01),
        (0.1, 0.85, 0.3, 0.01),
    ):
        told = f"AUC | 2000 rows, {share:.0%} positive, AUC {auc}, correlation {correlation}, margin {margin}"
        yield paired(told, World(2000, share, (auc, auc - margin), correlation))
    told = "AUC | 1000 rows, 10% positive, AUC 0.85, positives spread 0.5"
    yield paired(told, World(1000, 0.1, (0.85, 0.83), 0.6, 0.5))
    for n, auc in ((100, 0.7), (3000, 0.7), (3000, 0.95)):
        told = f"AUC | two samples of {n} rows, 50% positive, AUC {auc}, margin 0.05"
        yield two(told, World(n, 0.5, (auc, auc - 0.05), 0.0))
    base = World(2000, 0.3, (0.85, 0.82), 0.7)
    yield subjects("recall | 400 subjects, both classes, 80% in common", base, 0.8, mixed=True)
    yield from _of_weights()
    world = World(500, 0.1, (0.88, 0.85), 0.7)
    large = replace(world, n=2000)
    yield paired("Brier score | 500 rows, 10% positive", world, "brier_score")
    yield paired("precision | 2000 rows, 10% positive", large, "precision", CUT)
    yield paired("precision | 500 rows, 10% positive", world, "precision", CUT)
    yield paired("precision | 200 rows, 50% positive", replace(world, n=200, share=0.5), "precision", CUT)
    part = truths(world)[PART][0]
    yield two(f"{PART} | two samples of 500 rows, 10% positive", replace(world, correlation=0.0), part)
    yield from _of_goals()


def _of_weights() -> Iterator[Line]:
    base = World(1000, 0.3, (0.85, 0.82), 0.7)
    for measure, share, fewest in (("auc", 0.3, 0.3), ("auc", 0.1, 0.3), ("brier_score", 0.1, 0.05)):
        told = f"{_called(measure)} | 1000 rows, {share:.0%} positive, least chance {fewest:.0%}"
        yield weighted(told, replace(base, share=share), measure, fewest)


def _of_goals() -> Iterator[Line]:
    for measure, n, share in (
        ("recall", 200, 0.3),
        ("precision", 200, 0.1),
        ("auc", 1000, 0.3),
        ("recall", 1000, 0.3),
        ("precision", 1000, 0.3),
        ("recall", 1000, 0.1),
        ("brier_score", 1000, 0.1),
    ):
        told = f"goal of {_called(measure)} | {n} rows, {share:.0%} positive, least chance 30%"
        yield goal(told, World(n, share, (0.85, 0.82), 0.7), measure, 0.3)


def _called(measure: str) -> str:
    return SHARES.get(measure, "AUC").removesuffix(" at a threshold")


def counted(line: Line, samples: int, seed: int, plan: Plan) -> tuple[float, float]:
    """Shares of pass and of fail."""
    term, sheet, sign = line.term, line.term.request.sheet, 1 if line.term.side == "above" else -1
    params = [term.params(model) for model in ("candidate", "baseline")]
    out = np.empty(samples)
    for place in range(samples):
        models = [ranked for rows in line.drawn(seed, place) for ranked in rows.ranked]
        values = [sheet.compute(each, **own) for each, own in zip(models, params, strict=False)]
        out[place] = sign * (values[0] - (values[1] if len(values) > 1 else 0.0))
    inwards, found = np.argsort(np.nan_to_num(out, nan=float(np.nanmedian(out)))), []
    for told, order in (("pass", inwards[::-1]), ("fail", inwards)):
        count = since = 0
        for place in order:
            shown = judged(term, line.drawn(seed, int(place)), plan).decision == told
            count, since = (count + 1, 0) if shown else (count, since + 1)
            if since > IDLE * samples:
                break
        found.append(count / samples)
    return found[0], found[1]


def main(wanted: list[str]) -> None:
    samples = next((int(each) for each in wanted if each.isdigit()), 5400)
    named = dict(each.split("=") for each in wanted if "=" in each)
    words = [each for each in wanted if not each.isdigit() and "=" not in each]
    seed, plan = int(named.get("seed", 101)), replace(PLAN, resamples=Resamples(int(named.get("resamples", 100))))
    print("| measure | rows | false pass | false fail | samples |\n|--|--|--:|--:|--:|", flush=True)
    for line in lines():
        if all(word in line.told for word in words):
            passed, failed = counted(line, samples, seed, plan)
            print(f"| {line.told} | {passed:.1%} | {failed:.1%} | {samples:,} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
