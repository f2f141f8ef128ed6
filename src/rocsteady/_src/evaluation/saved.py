"""Evaluations as files: what other machines need for reports, intervals and comparisons, without the rows.

A JSON document with a version. It holds values, thresholds, the groups of equal scores of every model, and sums over
pairs of models from which the covariance of their areas follows exactly. Rows, names of subjects and other columns are
not in it.
"""

from __future__ import annotations

from dataclasses import fields
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.atomic import named_file
from rocsteady._src.base.checksums import checked, parsed_json
from rocsteady._src.base.errors import InputError, printable
from rocsteady._src.evaluation.evaluation import Evaluation
from rocsteady._src.evaluation.saved_checks import refuse_contradictions
from rocsteady._src.inference.comparison.two_areas import pair_of
from rocsteady._src.inference.intervals.bounded_area import BoundedValue, Contributions
from rocsteady._src.inference.units.components import Area
from rocsteady._src.inference.units.spread import areas_of
from rocsteady._src.measures.requests import parse_requests
from rocsteady._src.ranked import RankedScores
from rocsteady._src.ranked.placements import PlacementSums
from rocsteady._src.ranked.saved import SavedRows
from rocsteady._src.results import Interval, Origin
from rocsteady._src.results.inference import Resampling
from rocsteady._src.results.saved_files import RESULT, VERSION
from rocsteady._src.results.saved_values import from_json, to_json
from rocsteady._version import __version__

if TYPE_CHECKING:
    from os import PathLike

UNREADABLE = (KeyError, TypeError, ValueError, IndexError, AttributeError, ArithmeticError, RecursionError)
OF_INTERVALS = ("estimate", "low", "high", "level", "method", "se", "n_pos", "n_neg", "auto")


def load(path: str | PathLike[str]) -> Any:
    """Read a result that its ``save`` wrote, on this machine or another: an evaluation, a threshold, a comparison.

    Reports, curves, intervals and comparisons work as before, but for those that need the rows themselves: subjects,
    sampling weights, reclassification, measures of classes and of folds that were not asked for.

    Parameters
    ----------
    path : str or Path
        The file. Nothing in it is executed.

    Returns
    -------
    Result
        Of the class that was saved.

    Examples
    --------
    >>> import tempfile, pathlib, rocsteady as rs
    >>> result = rs.evaluate([1, 1, 0, 0], {"a": [0.9, 0.4, 0.5, 0.1], "b": [0.9, 0.8, 0.2, 0.1]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     again = rs.load(result.save(pathlib.Path(folder) / "result.json"))
    ...     choice = rs.load(rs.best_threshold([1, 0], [0.9, 0.1]).save(pathlib.Path(folder) / "choice.json"))
    >>> again["auc"], choice.predict([0.95, 0.5]).tolist()
    ({'a': 0.75, 'b': 1.0}, [1, 0])
    """
    source = named_file(path)
    if not source.exists():
        raise InputError("file_absent", f"there is no file {printable(source)}")
    try:
        data = source.read_bytes()
    except OSError as error:
        raise InputError("unreadable", f"{printable(source)} cannot be read: {printable(error)}") from error
    told = parsed_json(data, "unreadable", printable(source))
    if not isinstance(told, dict) or told.get("format") != RESULT:
        raise InputError("not_a_result", f"{printable(source)} is no evaluation, and no other result that save() wrote")
    if told.get("version") != VERSION:
        text = f"{printable(source)} has version {told.get('version')!r}, and this rocsteady ({__version__}) reads"
        raise InputError("other_version", f"{text} version {VERSION}; install the one that wrote it")
    told = checked(told, "damaged", printable(source))
    try:
        return from_json(told["result"])
    except UNREADABLE as error:
        raise InputError("damaged", f"{printable(source)} is damaged: {type(error).__name__} {error}") from error


def written_evaluation(result: Evaluation) -> dict[str, Any]:
    return {
        "origin": {each.name: to_json(getattr(result.origin, each.name)) for each in fields(Origin)},
        "columns": list(result.columns),
        "values": {model: to_json(row) for model, row in result.values.items()},
        "thresholds": to_json(result.thresholds),
        "threshold_rule": to_json(_rules(result.threshold_rule)),
        "label": result.rows.label,
        "cluster": result.cluster,
        "n_subjects": result.rows.n_subjects if result.cluster is not None else 0,
        "auc_method": result.auc_method,
        "groups": {model: _groups(groups, model) for model, groups in result.ranked.items()},
        "pairs": _pairs(result),
        "bounds": _bounds(result),
        "remarks": to_json(result.remarks),
        "intervals": {
            model: {column: _interval(each) for column, each in found.items()}
            for model, found in result.intervals.items()
        },
    }


def read_evaluation(told: dict[str, Any]) -> Evaluation:
    origin = Origin(**{name: from_json(value) for name, value in told["origin"].items()})
    ranked = {model: _ranked(groups, origin) for model, groups in told["groups"].items()}
    first = next(iter(ranked.values()))
    counted = told["n_subjects"], told["cluster"] is not None, told["label"]
    rows = SavedRows(ranked, _sums(told["pairs"], ranked), origin, *counted, bounds=_bounds_of(told["bounds"]))
    found = Evaluation(
        models=tuple(ranked),
        columns=tuple(told["columns"]),
        values={model: from_json(row) for model, row in told["values"].items()},
        thresholds=from_json(told["thresholds"]),
        origin=origin,
        n_pos=first.n_pos,
        n_neg=first.n_neg,
        remarks=tuple(from_json(told["remarks"])),
        ranked=ranked,
        rows=rows,
        intervals={
            model: {column: _interval_of(each, origin) for column, each in found.items()}
            for model, found in told["intervals"].items()
        },
        cluster=told["cluster"],
        auc_method=told["auc_method"],
        requests=_requests(told["columns"]),
        threshold_rule=from_json(told["threshold_rule"]),
    )
    return refuse_contradictions(found)


def _rules(rules: Any) -> Any:
    """Rules that chose thresholds, by name; functions of the user's own cannot be written down."""
    if isinstance(rules, dict):
        return {model: _rules(each) for model, each in rules.items()}
    if rules is None or isinstance(rules, str):
        return rules
    if not hasattr(rules, "sheet"):
        raise InputError("unsaved", "a rule that is a function cannot be saved; pass the threshold that it chose")
    return rules.sheet.name


def _requests(columns: list[str]) -> Any:
    """What was asked for; functions of the user's own are known by their values only."""
    try:
        return tuple(parse_requests(columns))
    except InputError:
        return ()


def _groups(groups: RankedScores, model: str) -> dict[str, Any]:
    if groups.scores.dtype.kind not in "fiu":
        kind = f"scores of {model!r} are {type(groups.scores[0]).__name__}s"
        raise InputError("scores_kind", f"{kind}, which a saved evaluation cannot hold; pass them as numbers")
    return {
        "dtype": groups.scores.dtype.str,
        "scores": to_json(groups.scores.tolist()),
        "weights": groups.pos.dtype.str,
        "pos": groups.pos.tolist(),
        "neg": groups.neg.tolist(),
    }


def _ranked(told: dict[str, Any], origin: Origin) -> RankedScores:
    scores = np.array(from_json(told["scores"]), dtype=_kind(told["dtype"]))
    pos, neg = (np.array(told[side], dtype=_kind(told["weights"])) for side in ("pos", "neg"))
    if not (scores.size == pos.size == neg.size and np.all(scores[1:] > scores[:-1]) and np.all(pos + neg > 0)):
        raise ValueError("groups are not in order")
    if pos.min(initial=0) < 0 or neg.min(initial=0) < 0:
        raise ValueError("groups of fewer rows than none")
    return RankedScores.trusted(scores, pos, neg, origin)


def _kind(name: str) -> np.dtype[Any]:
    kind = np.dtype(name)
    if kind.kind not in "fiu":
        raise ValueError(f"numbers of kind {name}")
    return kind


def _has_pairs(result: Evaluation) -> bool:
    whole = all(groups.counts_rows for groups in result.ranked.values())
    return len(result.models) > 1 and result.cluster is None and whole and bool(result.n_pos and result.n_neg)


def _bounds(result: Evaluation) -> Any:
    """What few misranked rows add to the difference of each pair of models; None where that is not known."""
    models = result.rows.paired(result.ranked) if _has_pairs(result) else None
    if models is None or (models.in_memory() is None and getattr(models, "bounds", None) is None):
        return None
    areas = areas_of(models, Area())
    pairs = combinations(range(len(result.models)), 2)
    found = ((i, j, pair_of(areas, (i, j)).bounds) for i, j in pairs)
    return [[i, j, _written_bound(*bounds)] for i, j, bounds in found if bounds is not None]


def _written_bound(bounded: BoundedValue, need: float) -> dict[str, Any]:
    classes = [[to_json(each.values.tolist()), to_json(each.rows.tolist())] for each in bounded.classes]
    return {"value": to_json(bounded.value), "need": to_json(need), "classes": classes}


def _bounds_of(told: Any) -> dict[tuple[int, int], tuple[BoundedValue, float]] | None:
    if told is None:
        return None
    return {(int(i), int(j)): _read_bound(bound) for i, j, bound in told}


def _read_bound(told: dict[str, Any]) -> tuple[BoundedValue, float]:
    sides = [[np.array(from_json(each), dtype=np.float64) for each in side] for side in told["classes"]]
    classes = tuple(Contributions(values, rows, -1.0, 1.0) for values, rows in sides)
    return BoundedValue(float(from_json(told["value"])), classes, total=0.0), float(from_json(told["need"]))


def _pairs(result: Evaluation) -> Any:
    """Sums over pairs of models; None where the rows themselves are needed."""
    if not _has_pairs(result):
        return None
    sums = result.rows.paired(result.ranked).placement_sums()
    return [[[i, j, str(total)] for (i, j), total in side.items()] for side in sums.products]


def _sums(told: Any, ranked: dict[str, RankedScores]) -> PlacementSums | None:
    if told is None:
        return None
    from rocsteady._src.ranked.placements import wins_twice

    first = next(iter(ranked.values()))
    of_pos, of_neg = ({(int(i), int(j)): int(total) for i, j, total in side} for side in told)
    wins = tuple(wins_twice(groups) for groups in ranked.values())
    return PlacementSums((int(first.n_pos), int(first.n_neg)), wins, (of_pos, of_neg))


def _interval(found: Interval) -> dict[str, Any]:
    told = {name: to_json(getattr(found, name)) for name in OF_INTERVALS} | {"warnings": to_json(found.warnings)}
    if found.resampling is not None:
        kept = [each.name for each in fields(Resampling) if each.name != "distribution"]
        told["resampling"] = {name: to_json(getattr(found.resampling, name)) for name in kept}
    return told


def _interval_of(told: dict[str, Any], origin: Origin) -> Interval:
    known = {name: from_json(told[name]) for name in OF_INTERVALS}
    resampled = {name: from_json(value) for name, value in told.get("resampling", {}).items()}
    resampling = Resampling(**resampled, distribution=np.empty(0)) if resampled else None
    return Interval(**known, origin=origin, warnings=tuple(from_json(told["warnings"])), resampling=resampling)
