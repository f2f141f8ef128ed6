"""Values of measures set by set, and errors in the order of sets by their wrong pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, is_number
from rocsteady._src.base.text import format_count, format_digits, format_setting
from rocsteady._src.base.typed import typed
from rocsteady._src.extras.lab.batch import Batch
from rocsteady._src.extras.lab.measure_requests import read_measures
from rocsteady._src.extras.lab.sets import ScoreSets, as_sets
from rocsteady._src.results.lab_values import ROUNDING, DifferenceFunctions, OrderErrorCounts, OrderErrors, SetValues

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.extras.lab.measure_requests import Asked

    Array = NDArray[np.float64]

MOST_SETS = 100_000
MOST_SCORES_SHOWN = 12


MOST_POINTS = 1_000_000


@typed
def set_values(sets: Any, measures: Any = None) -> SetValues:
    r"""Values of measures on every set: a table of sets by measures.

    Parameters
    ----------
    sets : ScoreSets, list of (labels, scores), text or file
        As in :func:`rocsteady.lab.count_errors`; at most 100,000 sets.
    measures : list, str, callable or dict, optional
        As in :func:`rocsteady.lab.count_errors`.

    Returns
    -------
    SetValues

    Examples
    --------
    >>> import rocsteady as rs
    >>> print(rs.lab.set_values("(0.9p 0.8p 0.2n)\n(0.9p 0.8n 0.2p)", ["auc", "scored_auc", "mm7AUC"]))
    set             correct  wrong pairs     auc  scored_auc  mm7_auc
    0.9p 0.8p 0.2n      yes            0  1.0000      0.6500   0.9307
    0.9p 0.8n 0.2p       no            1  0.5000      0.0500   0.1436
    <BLANKLINE>
    2 sets, 1 of them correctly ranked; a wrong pair is one whose positive is not above its negative
    """
    found, asked = as_sets(sets), read_measures(measures)
    if found.n_sets > MOST_SETS:
        text = f"a table of {format_count(found.n_sets)} sets is too long to read; at most {format_count(MOST_SETS)}"
        raise ArgumentError("too_many_sets", f"{text}; count_errors takes any number")
    parts = [_judged(Batch(block), asked) for block in found.blocks()]
    values = np.concatenate([part[0] for part in parts], axis=1)
    names = [name for block in found.blocks() for name in _names(block)]
    signs = np.array([each.sign for each in asked])
    return SetValues(
        tuple(names),
        np.concatenate([part[2] for part in parts]),
        np.concatenate([part[1] for part in parts]),
        {each.name: signs[place] * values[place] for place, each in enumerate(asked)},
        tuple(_notes(found)),
    )


@typed
def count_order_errors(sets: Any, measures: Any = None, tolerance: float = ROUNDING) -> OrderErrorCounts:
    """Count how often a measure values a set below one with more wrong pairs.

    ``count_errors`` knows only right and wrong sets. Here every set has a place, by the number of its pairs whose
    positive is not above its negative, and a measure errs on a set when it values it below one that has more of them.
    ``excess`` weighs an error by how many more the worst such set has. Whether one large mistake is worse than two
    small ones is for the reader to say; AUC says no, and makes errors only where sizes of sets differ or scores tie.

    Parameters
    ----------
    sets, measures
        As in :func:`rocsteady.lab.count_errors`.
    tolerance : float
        A value counts as below only when it is so by more than this. The default, 1e-12, lies above all rounding, so
        that measures which are equal by algebra, such as ``prob_auc`` and ``mm12_auc``, have equal counts; 0 counts
        differences that rounding makes.

    Returns
    -------
    OrderErrorCounts

    Examples
    --------
    >>> import rocsteady as rs
    >>> sets = rs.lab.generate("1.0p 0.9p 0.8p 0.2n 0.1n 0.0n", range_steps=10, distribution=True)
    >>> [(row.measure, row.errors, row.excess) for row in rs.lab.count_order_errors(sets, ["auc", "scored_auc"])]
    [('auc', 80, 180), ('scored_auc', 516, 1429)]
    """
    if not (is_number(tolerance) and 0 <= tolerance < float("inf")):
        raise ArgumentError("tolerance", f"tolerance must be 0 or more, got {tolerance!r}")
    found, asked = as_sets(sets), read_measures(measures)
    most = max(block.size**2 // 4 for block in found.sources)
    best = np.full((len(asked), most + 1), -np.inf)
    for block in found.blocks():  # the best value of sets with so many wrong pairs
        values, wrong, _ = _judged(Batch(block), asked)
        for place, row in enumerate(values):
            np.maximum.at(best[place], wrong, np.where(np.isnan(row), -np.inf, row))
    at_least = np.maximum.accumulate(best[:, ::-1], axis=1)[:, ::-1]
    errors, excess, undefined = (np.zeros(len(asked), dtype=np.int64) for _ in range(3))
    reached = 0
    for block in found.blocks():
        values, wrong, _ = _judged(Batch(block), asked)
        reached = max(reached, int(wrong.max()))
        for place, row in enumerate(values):
            beyond = _worst_above(at_least[place], row + tolerance) - wrong
            errors[place] += int((beyond > 0).sum())
            excess[place] += int(beyond[beyond > 0].sum())
            undefined[place] += int(np.isnan(row).sum())
    rows = zip(asked, errors.tolist(), excess.tolist(), undefined.tolist(), strict=True)
    made = tuple(OrderErrors(each.name, wrong, far, found.n_sets, none) for each, wrong, far, none in rows)
    return OrderErrorCounts(made, found.n_sets, reached, tolerance, tuple(found.notes()))


def _worst_above(at_least: Array, values: Array) -> NDArray[np.int64]:
    """For each value, the most wrong pairs of a set valued above it; -1 where there is none, or no value."""
    # at_least falls with the number of wrong pairs: how many of its entries lie above a value?
    above = at_least.size - np.searchsorted(at_least[::-1], np.where(np.isnan(values), np.inf, values), side="right")
    return np.asarray(above - 1, dtype=np.int64)


def _judged(batch: Batch, asked: list[Asked]) -> tuple[Array, NDArray[np.int64], NDArray[np.bool_]]:
    """Signed values by measure, wrong pairs, and whether correctly ranked, of all sets of a batch."""
    share = batch.gap_mean("wrong", lambda d, _: (d <= 0).astype(np.float64), losing=True)
    wrong = np.rint(share * batch.n_pos * batch.n_neg).astype(np.int64).ravel()
    return np.array([each.values(batch) for each in asked]), wrong, batch.margin.ravel() > 0


def _names(block: Any) -> list[str]:
    """Sets as the thesis writes them, short ones in full."""
    if block.size > MOST_SCORES_SHOWN:
        return [f"{int(labels.sum())}p {int((~labels).sum())}n" for labels, _ in block.rows()]
    return [
        " ".join(
            f"{format_setting(float(score))}{'p' if label else 'n'}"
            for label, score in zip(labels, scores, strict=True)
        )
        for labels, scores in block.rows()
    ]


def _notes(sets: ScoreSets) -> list[str]:
    flat = sum(int((np.ptp(block.scores, axis=1) == 0).sum()) for block in sets.blocks())
    told = f"sets with equal scores only: {format_count(flat)}; mm1, mm4, mm6 and mm7 are 0 on them by definition"
    return [*sets.notes(), *([told] if flat else [])]


@typed
def difference_functions(
    *, q: float = 1 / 7, beta: float = 7.0, floor: float = 0.5, n: int = 401
) -> DifferenceFunctions:
    """What a pair adds to each variant of AUC, as a function of its difference d; scores in [0, 1], range 1.

    AUC is a step. mm6 and mm7 are no means over pairs and have none.

    Parameters
    ----------
    q, beta, floor : float
        Parameters of ``softened_auc``, ``soft_auc`` and ``mm4_auc``.
    n : int
        Points of the grid from -1 to 1.

    Returns
    -------
    DifferenceFunctions
        ``plot()`` draws them.

    Examples
    --------
    >>> import rocsteady as rs
    >>> found = rs.lab.difference_functions(n=5)
    >>> found.d.tolist(), found.values["auc"].tolist(), found.values["scored_auc"].tolist()
    ([-1.0, -0.5, 0.0, 0.5, 1.0], [0.0, 0.0, 0.5, 1.0, 1.0], [0.0, 0.0, 0.0, 0.5, 1.0])
    """
    if n < 2:
        raise ArgumentError("n", f"a grid has at least 2 points, got {n!r}")
    if n > MOST_POINTS:
        raise ArgumentError("n", f"a grid has at most {format_count(MOST_POINTS)} points, got {format_digits(n, 3)}")
    d = np.linspace(-1.0, 1.0, n)
    asked = {"softened_auc": {"q": q}, "soft_auc": {"beta": beta}, "mm4_auc": {"floor": floor}}
    names = ("auc", "prob_auc", "scored_auc", "softened_auc", "soft_auc", "mm4_auc")
    return DifferenceFunctions(d, {name: _at_differences(name, d, asked.get(name, {})) for name in names})


def _at_differences(name: str, d: Array, params: dict[str, Any]) -> Array:
    """A measure of sets of one positive and one negative each, whose range is taken as 1."""
    from rocsteady._src.measures.pairwise.kernels import Power, Ramp, Step

    if name == "soft_auc":
        return np.asarray(1 / (1 + np.exp(-params["beta"] * d)))
    if name == "softened_auc":
        return Step()(d) if params["q"] == 0 else Power(params["q"])(d)
    kernels: dict[str, Any] = {
        "auc": Step(),
        "prob_auc": lambda gap: (1 + gap) / 2,
        "scored_auc": Ramp(),
        "mm4_auc": lambda gap: np.where(gap > 0, np.maximum(gap, params.get("floor", 0.5)), 0.0),
    }
    return np.asarray(kernels[name](d))
