"""Several AUCs on the same rows: their covariance matrix, and linear contrasts of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, is_number, printable, some_values
from rocsteady._src.base.text import format_count
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.comparison.omnibus import hotelling
from rocsteady._src.inference.intervals.normal import check_level, p_value, quantile_of
from rocsteady._src.inference.units.components import Area
from rocsteady._src.inference.units.spread import areas_of
from rocsteady._src.inputs.given import read_given
from rocsteady._src.ranked import read_rows
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.contrasts import AucContrasts
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.inference.units.spread import Areas
    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.weights import WeightType

    Array = NDArray[np.float64]

FEW_OF_CLASS = 20
NONE = 1e-12


@typed
def auc_contrasts(
    y_true: object,
    y_scores: object,
    contrasts: Any = None,
    *,
    level: float = 0.95,
    null: float = 0.0,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> AucContrasts:
    """Covariance matrix of the AUCs of several models on the same rows, and linear contrasts of them with one test.

    DeLong's covariance; a contrast L has the estimate L AUC and the variance L S L'. Each is judged by itself with
    Student's t with the fewest of Satterthwaite's degrees of freedom of any pair of models, all together by Hotelling's
    F with the same degrees.

    Parameters
    ----------
    y_true : array-like
        Labels.
    y_scores : mapping, table or array
        Scores of two models or more: a mapping of names to columns, a DataFrame, or an array with a column for each
        model, which are then called "model 1" and so on, as in :func:`rocsteady.evaluate`.
    contrasts : mapping, text, list or matrix, optional
        Weights of the AUCs: ``{"new - mean of old": {"new": 1, "old": -0.5, "older": -0.5}}``. One model less another
        may be written ``"new - old"``, several of them as a list. A matrix has a line for each contrast and a column
        for each model. When absent, each model less the first.
    level : float
        Confidence level of each contrast by itself.
    null : float
        What contrasts are tested against.
    sample_weight, weight_type, cluster, pos_label, missing
        As in :func:`rocsteady.auc_interval`.

    Returns
    -------
    AucContrasts
        ``auc`` and ``covariance`` of the models; ``estimates``, ``low``, ``high``, ``pvalues`` of the contrasts and
        ``covariance_of_contrasts``; ``statistic``, ``pvalue`` of all together.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44:837-845.

    Examples
    --------
    >>> import rocsteady as rs
    >>> table = rs.examples.loans(200)
    >>> scores = {name: table[name] for name in ("boosted", "logistic", "scorecard")}
    >>> wanted = {"boosted - mean of others": {"boosted": 1, "logistic": -0.5, "scorecard": -0.5}}
    >>> found = rs.inference.auc_contrasts(table["defaulted"], scores, wanted)
    >>> found.names, found.covariance.shape
    (('boosted - mean of others',), (3, 3))
    """
    check_level(level)
    given = read_given(y_true, y_scores, None, pos_label=pos_label, weight=sample_weight, cluster=cluster)
    if len(given.scores) < 2:
        raise ArgumentError("y_scores", f"pass two models or more, got {format_count(len(given.scores))}")
    columns: dict[str, Any] = {"label": given.label, "scores": given.scores, "id": given.options["cluster"]}
    how: dict[str, Any] = {"weight_type": weight_type, "pos_label": pos_label, "missing": missing}
    models = read_rows(given.table, weight=given.options["weight"], **columns, **how).checked()
    areas = areas_of(models, Area(), weight_type)
    names, lines = _lines(contrasts, list(models.names))
    return _answer(areas, list(models.names), names, lines, level, null)


def _answer(
    areas: Areas, models: list[str], names: tuple[str, ...], lines: Array, level: float, null: float
) -> AucContrasts:
    values, spread = lines @ areas.values, lines @ areas.covariance @ lines.T
    free = _free(areas)
    se = np.sqrt(np.maximum(np.diag(spread), 0.0))
    reach = quantile_of(level, df=free) * se
    with np.errstate(divide="ignore", invalid="ignore"):
        statistics = np.where(se > 0, (values - null) / se, np.nan)
    pvalues = np.array([p_value(float(each), df=free) for each in statistics])
    statistic, pvalue, rank = _together(values - null, spread, free)
    facts: dict[str, Any] = facts_of(areas.models.ranked[0], areas.models.origin)
    few = min(areas.units) < FEW_OF_CLASS
    told = (Remark("few_for_contrasts", n=min(areas.units), enough=FEW_OF_CLASS),) if few else ()
    return AucContrasts(
        models=tuple(models),
        auc=areas.values,
        covariance=areas.covariance,
        names=names,
        weights=lines,
        estimates=values,
        covariance_of_contrasts=spread,
        low=values - reach,
        high=values + reach,
        pvalues=pvalues,
        statistic=statistic,
        pvalue=pvalue,
        rank=rank,
        df=free,
        level=level,
        null=null,
        warnings=(*told, Remark("models_alike")) if not (se > 0).all() else told,
        **facts,
    )


def _free(areas: Areas) -> float:
    """Degrees of freedom: the fewest of any pair of models (Satterthwaite), as the omnibus test takes them."""
    if not min(*areas.units, areas.subjects) > 1:
        raise InputError("too_few_rows", "a class with one row, or one subject, says nothing about how AUCs vary")
    pairs = [areas.contrast(i, j) for i, j in combinations(range(areas.values.size), 2)]
    return float(min((each.df for each in pairs if each.variance > 0), default=min(areas.units) - 1))


def _together(values: Array, spread: Array, free: float) -> tuple[float, float, int]:
    """F of all contrasts, its p, and how many of them do not follow from others."""
    sizes, vectors = np.linalg.eigh(spread)
    kept = sizes > NONE * max(float(sizes.max(initial=0)), 1e-300)
    if not kept.any():
        return math.nan, math.nan, 0
    turned = vectors.T @ values
    squared, rank = float((turned[kept] ** 2 / sizes[kept]).sum()), int(kept.sum())
    statistic, pvalue, _ = hotelling(squared, rank, free)
    return statistic, pvalue, rank


def _lines(contrasts: Any, models: list[str]) -> tuple[tuple[str, ...], Array]:
    """Names of the contrasts, and a line of weights for each."""
    if contrasts is None:
        contrasts = [f"{each} - {models[0]}" for each in models[1:]]
        named = {name: {each: 1.0, models[0]: -1.0} for name, each in zip(contrasts, models[1:], strict=True)}
        return _of_names(named, models)
    if isinstance(contrasts, str):
        return _of_names(_less(contrasts, models), models)
    if isinstance(contrasts, (list, tuple)) and contrasts and all(isinstance(each, str) for each in contrasts):
        found = [_less(each, models) for each in contrasts]
        return _of_names({name: line for each in found for name, line in each.items()}, models)
    if isinstance(contrasts, Mapping):
        return _of_names(contrasts, models)
    try:
        lines = np.atleast_2d(np.asarray(contrasts, np.float64))
    except (TypeError, ValueError) as error:
        told = f"contrasts hold what is no number, {printable(repr(contrasts), most=60)}"
        raise ArgumentError("contrasts", f"{told}; {_written(models)}") from error
    lines = _checked(lines, models)
    return tuple(f"contrast {number}" for number in range(1, len(lines) + 1)), lines


def _less(text: str, models: list[str]) -> dict[str, dict[str, float]]:
    """One model less another, written "a - b"; names may hold a dash themselves."""
    places = [place for place, letter in enumerate(text) if letter == "-"]
    pairs = [(text[:place].strip(), text[place + 1 :].strip()) for place in places]
    found = [(first, second) for first, second in pairs if {first, second} <= set(models) and first != second]
    if len(found) != 1:
        told = f"contrasts has {printable(repr(text), most=60)}, which is not one model less another"
        raise ArgumentError("contrasts", f"{told}; {_written(models)}")
    first, second = found[0]
    return {f"{first} - {second}": {first: 1.0, second: -1.0}}


def _written(models: list[str]) -> str:
    """How contrasts are written; the remedy of a refusal."""
    first, second = models[:2]
    line = {f"{first} - {second}": {first: 1, second: -1}}
    return f"the models are {some_values(models)}: write weights by name, {printable(repr(line), most=120)}"


def _of_names(contrasts: Mapping[Any, Any], models: list[str]) -> tuple[tuple[str, ...], Array]:
    """Contrasts with the weight of each model by its name."""
    wrong = [line for line in contrasts.values() if not _is_line(line)]
    if wrong:
        told = f"contrasts have {printable(repr(wrong[0]), most=60)} where the weights of models belong"
        raise ArgumentError("contrasts", f"{told}; {_written(models)}")
    unknown = sorted({str(name) for line in contrasts.values() for name in line} - set(models))
    if unknown or not contrasts:
        text = f"contrasts name {some_values(unknown)}" if unknown else "contrasts are empty"
        raise ArgumentError("contrasts", f"{text}; the models are {some_values(models)}")
    lines = np.array([[float(line.get(model, 0.0)) for model in models] for line in contrasts.values()])
    return tuple(map(str, contrasts)), _checked(lines, models)


def _is_line(line: object) -> bool:
    return isinstance(line, Mapping) and all(is_number(weight) for weight in line.values())


def _checked(lines: Array, models: list[str]) -> Array:
    if lines.ndim != 2 or lines.shape[1] != len(models) or not np.isfinite(lines).all() or not lines.any(1).all():
        weights = f"a finite weight for each of {format_count(len(models))} models, not all 0"
        raise ArgumentError("contrasts", f"contrasts have the shape {lines.shape}; each line has {weights}")
    return lines
