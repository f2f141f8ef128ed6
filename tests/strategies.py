"""Hypothesis strategies for labelled scores, made of what breaks ranking code.

Use them to test your own measure::

    from hypothesis import given
    from strategies import score_tables

    @given(score_tables())
    def test_my_measure(table):
        my_measure(table.y_true, table.y_score, sample_weight=table.sample_weight)

Every table has few rows and few distinct scores, so ties within and between the classes are common, and a failing
example is short enough to be checked by hand.
"""

from __future__ import annotations

import math
import sys
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Iterable

Classes = Literal["both", "any", "one"]


class ScoreTable(NamedTuple):
    """Labels 0 and 1, scores of any NumPy type, weights or None: the arguments of a measure, in order."""

    y_true: np.ndarray
    y_score: np.ndarray
    sample_weight: np.ndarray | None = None

    def take(self, rows: Any) -> ScoreTable:
        """The rows at these positions."""
        return ScoreTable(*(None if column is None else column[rows] for column in self))


class ScoreKind(NamedTuple):
    """Values to draw scores from, and the type of the column."""

    values: st.SearchStrategy[Any]
    dtype: Any = np.float64


def _neighbours_of(centre: float, reach: int = 5) -> list[float]:
    up, down = [centre], [centre]
    for _ in range(reach):
        up.append(math.nextafter(up[-1], math.inf))
        down.append(math.nextafter(down[-1], -math.inf))
    return sorted({*up, *down})


def _single_neighbours_of(centre: float, reach: int = 5) -> list[float]:
    start, spacing = np.float32(centre), np.spacing(np.float32(centre))
    return [float(start + step * spacing) for step in range(-reach, reach + 1)]


LARGEST, SMALLEST = sys.float_info.max, math.ulp(0.0)

SCORE_KINDS: dict[str, ScoreKind] = {
    "heavy ties": ScoreKind(st.sampled_from([0.25, 0.5, 0.75])),
    "near ties": ScoreKind(st.sampled_from(_neighbours_of(0.3))),
    "near ties in single precision": ScoreKind(st.sampled_from(_single_neighbours_of(0.3)), np.float32),
    "near ties at zero": ScoreKind(st.sampled_from(_neighbours_of(0.0))),
    "signed zeros": ScoreKind(st.sampled_from([-0.0, 0.0, -1.0, 1.0])),
    "denormals": ScoreKind(st.sampled_from([-3 * SMALLEST, -SMALLEST, 0.0, SMALLEST, 2 * SMALLEST, 1e-310])),
    "infinities": ScoreKind(st.sampled_from([-math.inf, -LARGEST, 0.0, 1.0, LARGEST, math.inf])),
    "huge": ScoreKind(st.sampled_from([-LARGEST, -1e308, 1e308, math.nextafter(1e308, math.inf), LARGEST])),
    "long integers": ScoreKind(
        st.sampled_from([-(2**63), -(2**53) - 1, 2**53, 2**53 + 1, 2**53 + 2, 2**63 - 1]), np.int64
    ),
    "unsigned integers": ScoreKind(st.sampled_from([0, 2**53 + 1, 2**63, 2**63 + 1, 2**64 - 1]), np.uint64),
    "small integers": ScoreKind(st.integers(-3, 3), np.int16),
    "half precision": ScoreKind(st.floats(0, 1, width=16), np.float16),
    "single precision": ScoreKind(st.floats(0, 1, width=32), np.float32),
    "plain": ScoreKind(st.floats(allow_nan=False, allow_infinity=False)),
    "probabilities": ScoreKind(st.floats(0, 1)),
    "eighths": ScoreKind(st.integers(0, 8).map(lambda eighths: eighths / 8)),
    "booleans": ScoreKind(st.booleans(), np.bool_),
}
"""Scores by kind. All are finite but "infinities"; "heavy ties", the precisions below double, "probabilities",
"eighths" and "booleans" lie in [0, 1]."""

ALL_SCORES = tuple(SCORE_KINDS)

WEIGHT_KINDS: dict[str, ScoreKind] = {
    "small integers": ScoreKind(st.integers(0, 4), np.int64),
    "floats": ScoreKind(st.one_of(st.just(0.0), st.floats(1 / 64, 64))),
    "huge ratios": ScoreKind(st.sampled_from([1.0, 0.1, 3.0, 1e8, 1e16, 7e15])),
}
"""Weights by kind; the huge ones differ by up to 1e17."""

COUNT_WEIGHTS = ("none", "small integers")
FLOAT_WEIGHTS = ("floats", "huge ratios")
ALL_WEIGHTS = (*COUNT_WEIGHTS, *FLOAT_WEIGHTS)


@st.composite
def score_tables(
    draw: st.DrawFn,
    *,
    scores: Iterable[str] = ALL_SCORES,
    weights: Iterable[str] = ALL_WEIGHTS,
    classes: Classes = "both",
    min_rows: int = 2,
    max_rows: int = 12,
) -> ScoreTable:
    """Tables of labels, scores and weights.

    Parameters
    ----------
    scores
        Names of ``SCORE_KINDS`` to choose from, one kind per table.
    weights
        Names of ``WEIGHT_KINDS`` to choose from, and "none".
    classes : {"both", "any", "one"}
        Both classes with a weight above zero each; anything; or a single class.
    min_rows, max_rows
        Number of rows, at least 2 for both classes; fewer are only drawn when weights are not.
    """
    size = draw(st.integers(min_rows, max_rows))
    y_true = draw(_labels(size, classes))
    y_score = draw(_column(SCORE_KINDS[draw(st.sampled_from(list(scores)))], size))
    kind = draw(st.sampled_from(list(weights)))
    if kind == "none" or not size:
        return ScoreTable(y_true, y_score)
    sample_weight = draw(_column(WEIGHT_KINDS[kind], size))
    first_of_each = [np.flatnonzero(y_true == label)[:1] for label in (0, 1)]
    sample_weight[np.concatenate(first_of_each)] += 1
    return ScoreTable(y_true, y_score, sample_weight)


@cache
def _labels(size: int, classes: Classes) -> st.SearchStrategy[np.ndarray]:
    if classes == "one":
        return st.integers(0, 1).map(lambda label: np.full(size, label))
    if classes == "any":
        return _whole_numbers(1, size)
    shifts = st.integers(0, size - 1)
    return st.builds(lambda values, shift: np.roll([1, 0, *values], shift), _whole_numbers(1, size - 2), shifts)


@cache
def _whole_numbers(largest: int, size: int) -> st.SearchStrategy[np.ndarray]:
    """Numbers from 0 on; strategies are made once, since hypothesis takes longer to make one than to draw from it."""
    return st.tuples(*[st.integers(0, largest)] * size).map(lambda values: np.array(values, dtype=np.int64))


@cache
def _column(kind: ScoreKind, size: int) -> st.SearchStrategy[np.ndarray]:
    """Values drawn afresh or again from those before, so that any kind has ties."""
    pool = st.lists(kind.values, min_size=1, max_size=6)
    return pool.flatmap(
        lambda values: _whole_numbers(len(values) - 1, size).map(
            lambda places: np.array([values[place] for place in places], dtype=kind.dtype)
        )
    )


def splits(size: int) -> st.SearchStrategy[np.ndarray]:
    """A part number from 0 to 3 for each of ``size`` rows; parts may be empty or hold one class."""
    return _whole_numbers(3, size)


@cache
def row_orders(size: int) -> st.SearchStrategy[np.ndarray]:
    """Permutations of ``size`` rows."""
    return st.permutations(range(size)).map(lambda order: np.array(order, dtype=np.int64))
