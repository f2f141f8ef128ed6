"""Rows of one subject vary together: doors that take ``cluster=``, and what subjects do to tests and limits.

Everything rests on sums, over the rows of a subject, of what each row adds; subjects are the independent units.
"""

from __future__ import annotations

import functools
import inspect
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.units.subjects import by_units, ranked_and_rows
from rocsteady._src.inference.units.units import Units, unbiased
from rocsteady._src.inputs.weights import weight_type_of
from rocsteady._src.ranked import RankedScores, Rows, rank, read_models, sorted_distinct
from rocsteady._src.ranked.takes_ranked import takes_ranked

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocsteady._src.inputs.weights import WeightType
    from rocsteady._src.probabilities.calibration.logistic import LogisticFit
    from rocsteady._src.ranked.takes_ranked import TwoDoors

    Array = NDArray[Any]

Answer = TypeVar("Answer")
NO_SPREAD = 1e-20  # of a variance; rounding leaves about 1e-30


def clustered_doors(formula: Callable[..., Answer], *, values_of_groups: bool = False) -> TwoDoors[Answer]:
    """Two doors for ``formula(ranked, *, cluster=None, params)``, which gets the rows where subjects were given.

    Groups of sampling weights are refused, unless the formula has something to say without their rows.
    """
    plain = takes_ranked(formula)

    @functools.wraps(formula)
    def door(
        y_true: object,
        y_score: object = None,
        *,
        sample_weight: object = None,
        pos_label: Any = None,
        missing: Literal["raise", "drop"] = "raise",
        cluster: object = None,
        weight_type: WeightType | None = None,
        **params: Any,
    ) -> Answer:
        how: dict[str, Any] = {"sample_weight": sample_weight, "pos_label": pos_label, "missing": missing}
        weight_type_of(None, weight_type)
        how["weight_type"] = weight_type
        if values_of_groups and isinstance(y_true, RankedScores) and cluster is None:
            return formula(rank(y_true, y_score, **how), **params)
        if cluster is None:
            ranked, rows = ranked_and_rows(y_true, y_score, None, params.pop("label", None), **how)
            return formula(ranked, cluster=rows, **params)
        if "label" in params:
            raise ArgumentError(
                "cluster", Sentence("subjects need the rows in memory; a lazy table has none: leave {label=} out")
            )
        if isinstance(y_true, RankedScores):
            raise InputError("rows_needed", "groups do not know their rows: pass labels, scores, weights and clusters")
        rows = read_models(y_true, {"y_score": y_score}, cluster=cluster, **how)
        if rows.n_clusters == 1:
            raise InputError("one_subject", "cluster has 1 subject: how much subjects differ takes two of them or more")
        return formula(rows.ranked[0], cluster=rows, **params)

    door.__signature__ = _with_weight_type(inspect.signature(plain))  # type: ignore[attr-defined]
    return typed(door)


def _with_weight_type(signature: inspect.Signature) -> inspect.Signature:
    """The same arguments, and how to read weights after the weights."""
    given = list(signature.parameters.values())
    place = next(at for at, each in enumerate(given) if each.name == "sample_weight") + 1
    new = inspect.Parameter("weight_type", inspect.Parameter.KEYWORD_ONLY, default=None, annotation="WeightType | None")
    return signature.replace(parameters=[*given[:place], new, *given[place:]])


def by_units_of(rows: Rows | None) -> str:
    """What the name of a method says about its units."""
    return "" if rows is None else f", {by_units(rows)}"


def row_scores(rows: Rows) -> Array:
    """Probability of each row."""
    scores: Array = rows.ranked[0].doubles[rows.places[0]]
    return scores


def blocks_of_rows(rows: Rows, starts: Array) -> Array:
    """The block of neighbouring scores in which each row lies."""
    block: Array = starts.searchsorted(np.arange(rows.ranked[0].scores.size), side="right") - 1
    return block[rows.places[0]]


def rao_scott(statistic: float, df: float, of_subjects: Array, of_rows: Array) -> tuple[float, float]:
    """Statistic and degrees of freedom of a chi-square whose rows come in subjects, by Rao and Scott's second order.

    ``of_subjects`` and ``of_rows`` are the covariance of what the test adds up, when subjects and when rows are
    independent; their ratio has the design effects as eigenvalues. One row per subject changes nothing.
    """
    known = np.flatnonzero(np.diag(of_rows) > 0)
    if not known.size or not np.linalg.det(of_rows[np.ix_(known, known)] / np.diag(of_rows)[known]) > 0:
        return statistic, df
    effects = np.linalg.solve(of_rows[np.ix_(known, known)], of_subjects[np.ix_(known, known)])
    mean = float(np.trace(effects)) / known.size
    if not mean > NO_SPREAD:  # sums are 0 in every subject, hence over all
        return statistic, df
    unequal = max(float(np.trace(effects @ effects)) / (known.size * mean**2), 1.0)
    return statistic / (mean * unequal), df / unequal


def block_covariances(
    pulls: Array, weights: Array, blocks: Array, clusters: Array, shape: tuple[int, int]
) -> tuple[Array, Array]:
    """The same for one sum in each block; ``shape`` counts subjects and blocks."""
    sums = np.bincount(clusters * shape[1] + blocks, weights * pulls, shape[0] * shape[1]).reshape(shape)
    return sums.T @ sums, np.diag(np.bincount(blocks, weights * pulls**2, shape[1]))


def block_effects(rows: Rows, away: Array, blocks: Array, n_blocks: int) -> Array:
    """Design effect of the weighted mean in each block: 1 + correlation x (rows a subject has there - 1).

    ``away`` are deviations from the mean in units of their standard deviation, NaN where that is 0. Rows of a subject
    within a block have one correlation, not below 0, taken from all blocks: a block alone has too few to tell.
    """
    units = Units.of(rows)
    weights = units.held()
    own = weights if rows.ranked[0].counts_rows else weights**2  # frequencies are rows of their own
    cells, place = sorted_distinct(units.numbers * n_blocks + blocks)
    together = np.bincount(place, weights) ** 2 - np.bincount(place, own)
    told = np.isfinite(away)
    pulls = np.where(told, away, 0.0)
    products = np.bincount(place, weights * pulls) ** 2 - np.bincount(place, own * pulls**2)
    pairs = float(together[np.bincount(place, told) > 0].sum())
    correlation = min(max(float(products.sum()) / pairs, 0.0), 1.0) if pairs > 0 else 0.0
    alone = np.bincount(blocks, own, n_blocks)
    shared = np.bincount(cells % n_blocks, together, n_blocks)
    effects: Array = (alone + correlation * shared) / np.bincount(blocks, weights, n_blocks)
    return effects


def logit_terms(rows: Rows) -> Array:
    """What intercept and slope multiply in each row: 1 and the logit of the score."""
    scores = row_scores(rows)
    return np.stack([np.ones(scores.size), np.log(scores / (1 - scores))])


def sandwich(fit: LogisticFit, rows: Rows) -> LogisticFit:
    """The fit with the covariance that subjects give it, times n / (n - 1) of subjects; right for a wrong line too.

    As ``vcovCL`` of the R package sandwich has it.
    """
    terms = logit_terms(rows)
    slope = fit.estimates[1] if fit.estimates.size > 1 else 1.0
    with np.errstate(over="ignore"):
        fitted = 1 / (1 + np.exp(-fit.estimates[0] - slope * terms[1]))
    pulls = (rows.positive - fitted) * terms[: fit.estimates.size]
    by_subject, _ = Units.of(rows).sums_by_subject_and_row(pulls)
    return replace(fit, covariance=unbiased(rows.n_clusters) * fit.covariance @ by_subject @ fit.covariance)
