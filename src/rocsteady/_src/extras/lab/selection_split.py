"""One split of the experiment: divide the rows, train a model per bootstrap sample, judge them all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, RocsteadyError, printable
from rocsteady._src.base.text import format_count
from rocsteady._src.extras.lab.selection_batch import areas, judge
from rocsteady._src.extras.lab.selection_classifiers import fresh_copy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.extras.lab.selection_classifiers import Candidate
    from rocsteady._src.extras.lab.selection_data import FeatureRows
    from rocsteady._src.measures.requests import Request

    Indices = NDArray[np.int64]

PARTS = ("train", "validation", "test")
LARGEST_SEED = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Plan:
    """All that a split needs besides its number."""

    rows: FeatureRows
    candidates: tuple[Candidate, ...]
    requests: tuple[Request, ...]
    sizes: tuple[float, float, float]
    n_bootstraps: int
    seed: int

    def counts(self) -> dict[str, tuple[int, int]]:
        """Positives and negatives of the three parts; refuse too few rows."""
        of_class = [_counts(int(np.count_nonzero(self.rows.positive == side)), self.sizes) for side in (True, False)]
        counts = {part: (of_class[0][place], of_class[1][place]) for place, part in enumerate(PARTS)}
        short = [part for part, pair in counts.items() if min(pair) < (2 if part == "train" else 1)]
        if short:
            n_pos = int(np.count_nonzero(self.rows.positive))
            of_part = " and ".join(map(str, counts[short[0]]))
            raise InputError(
                "too_few_rows",
                f"{n_pos} positive and {self.rows.positive.size - n_pos} negative rows cannot be divided into shares "
                f"of {self.sizes}: the {short[0]} part would hold {of_part}; 2 of each class are needed to train, "
                "1 of each to validate and to test",
            )
        return counts


@dataclass(frozen=True, slots=True, eq=False)
class SplitResult:
    """Values of every measure on validation (measures, models), and the models' test AUC."""

    split: int
    validation: NDArray[np.float64]
    test_auc: NDArray[np.float64]


def check_sizes(sizes: Any) -> tuple[float, float, float]:
    """Shares of train, validation and test."""
    found = tuple(float(size) for size in sizes)
    if len(found) != 3 or min(found) <= 0 or abs(sum(found) - 1) > 1e-9:
        raise ArgumentError(
            "sizes", f"sizes are the shares of train, validation and test, adding up to 1; got {sizes!r}"
        )
    return found[0], found[1], found[2]


def _counts(n: int, sizes: tuple[float, float, float]) -> tuple[int, int, int]:
    """FeatureRows of one class in each part; the rounding goes to train."""
    validation, test = (int(np.floor(n * size + 0.5)) for size in sizes[1:])
    return n - validation - test, validation, test


def divide(positive: NDArray[np.bool_], sizes: tuple[float, float, float], rng: np.random.Generator) -> list[Indices]:
    """FeatureRows of train, validation and test, drawn within each class."""
    parts: list[list[Indices]] = [[], [], []]
    for side in (True, False):
        rows = rng.permutation(np.flatnonzero(positive == side))
        ends = np.cumsum(_counts(rows.size, sizes))
        for place, piece in enumerate(np.split(rows, ends[:2])):
            parts[place].append(piece)
    return [np.concatenate(pieces) for pieces in parts]


def bootstrap_sample(positive: NDArray[np.bool_], train: Indices, rng: np.random.Generator) -> Indices:
    """As many rows as in train, drawn with replacement; drawn anew in the rare case that a class is absent."""
    while True:
        rows = train[rng.integers(0, train.size, train.size)]
        found = np.count_nonzero(positive[rows])
        if 0 < found < rows.size:
            return rows


def run_split(plan: Plan, split: int) -> SplitResult:
    """Train and judge the models of one split; the same whatever runs beside it."""
    rng = np.random.default_rng(np.random.SeedSequence(plan.seed, spawn_key=(split,)))
    positive = plan.rows.positive
    train, validation, test = divide(positive, plan.sizes, rng)
    judged = np.concatenate([validation, test])
    features, labels = plan.rows.take(judged), positive.astype(np.int64)
    scores = np.empty((plan.n_bootstraps * len(plan.candidates), judged.size))
    models = [fresh_copy(candidate) for candidate in plan.candidates]
    for sample in range(plan.n_bootstraps):
        rows = bootstrap_sample(positive, train, rng)
        known, answers = plan.rows.take(rows), labels[rows]
        for place, candidate in enumerate(plan.candidates):
            model = _trained(candidate, models[place], known, answers, int(rng.integers(LARGEST_SEED)))
            scores[sample * len(plan.candidates) + place] = _scores(candidate, model, features)
    values = judge(plan.requests, positive[validation], scores[:, : validation.size])
    return SplitResult(split, values, areas(positive[test], scores[:, validation.size :]))


def _trained(candidate: Candidate, model: Any, features: Any, labels: Any, seed: int) -> Any:
    """Train anew; fit forgets what was learnt before, except with a warm start."""
    if candidate.keeps_learning:
        model = fresh_copy(candidate)
    if candidate.seeds:
        model.set_params(**dict.fromkeys(candidate.seeds, seed))
    try:
        return model.fit(features, labels)
    except RocsteadyError:
        raise
    except (ValueError, TypeError, np.linalg.LinAlgError) as error:
        told = printable(error, most=300)
        raise InputError("classifier_failed", f"classifier {candidate.name!r} cannot be trained: {told}") from error


def _scores(candidate: Candidate, model: Any, features: Any) -> NDArray[np.float64]:
    found = np.asarray(getattr(model, candidate.response)(features), dtype=np.float64)
    found = found[:, 1] if found.ndim == 2 else found
    if not np.isfinite(found).all():
        count = int(np.count_nonzero(~np.isfinite(found)))
        text = (
            f"classifier {candidate.name!r} gave {format_count(count)} scores that are "
            "NaN or infinite; its features may need scaling"
        )
        raise InputError("scores_not_finite", text)
    return found
