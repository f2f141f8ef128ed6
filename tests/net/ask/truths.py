"""Questions about more than two classes, ordered classes, several labels, and censored times."""

from __future__ import annotations

from typing import Any

import rocsteady as rs

from .words import matrix, options, verb

Table = dict[str, Any]
CLASSES = ("cat", "dog", "emu")
AREAS = {
    "macro_auc": {"average": "macro"},
    "weighted_auc": {"average": "weighted"},
    "micro_auc": {"average": "micro"},
    "hand_till_auc": {"average": "macro", "scheme": "hand-till"},
    "macro_ovo_auc": {"average": "macro", "scheme": "ovo"},
    "weighted_ovo_auc": {"average": "weighted", "scheme": "ovo"},
    "auc": {"average": None},
}


def _scores(table: Table, model: str, names: tuple[str, ...] = CLASSES) -> Any:
    return matrix(table, [f"{model}_{name}" for name in names])


def _averaged(words: dict[str, Any]) -> dict[str, Any]:
    """Words of averages over classes as today's calls spell them."""
    made: dict[str, Any] = {"classes_averaged": list(words["average_over"])} if "average_over" in words else {}
    made |= {"absent": "skip"} if words.get("undefined") == "drop" else {}
    return {name: each for name, each in words.items() if name not in ("average_over", "undefined")} | made


@verb("value of classes")
def value(table: Table, of: str, model: str = "a", **words: Any) -> Any:
    how = options(table, _averaged(words))
    if of in AREAS:
        return rs.multiclass_auc(table["y"], _scores(table, model), labels=list(CLASSES), **AREAS[of], **how)
    kind = of.removesuffix("_calibration_error").replace("_", "-")
    return rs.multiclass.multiclass_calibration_error(
        table["y"], _scores(table, model), kind=kind, labels=list(CLASSES), **how
    )


@verb("interval of classes")
def interval(table: Table, of: str, model: str = "a", **words: Any) -> Any:
    how, given = options(table, _averaged(words)), (table["y"], _scores(table, model))
    if of == "top_k_accuracy":
        return rs.multiclass.top_k_accuracy(*given, labels=list(CLASSES), **how)
    found = rs.multiclass.multiclass_auc_interval(*given, labels=list(CLASSES), **AREAS[of], **how)
    return found if not isinstance(found, dict) else {str(name): each.to_dict() for name, each in found.items()}


@verb("difference of classes")
def difference(table: Table, of: str, **words: Any) -> Any:
    given: Any = (table["y"], _scores(table, "a"), _scores(table, "b"))
    how: dict[str, Any] = AREAS[of] | options(table, _averaged(words))
    return rs.multiclass.compare_multiclass_auc(*given, labels=list(CLASSES), **how)


@verb("evaluation of classes")
def evaluation(table: Table, model: str = "a", measures: tuple[str, ...] | None = None, **words: Any) -> Any:
    how = options(table, _averaged(words)) | ({"measures": list(measures)} if measures else {})
    found = rs.evaluate_multiclass(table["y"], _scores(table, model), labels=list(CLASSES), **how)
    told = found.to_dict()
    return {name: each for name, each in told.items() if name not in ("roc", "pr")}


@verb("curves of classes")
def curves(table: Table, of: str, model: str = "a", **words: Any) -> Any:
    return rs.multiclass.multiclass_curves(
        table["y"], _scores(table, model), kind=of, labels=list(CLASSES), **options(table, words)
    )


@verb("confusion of classes")
def confusion(table: Table, predicted: str = "called_a", **words: Any) -> Any:
    how = {
        name: "pred" if name == "normalize" and each == "predicted" else each
        for name, each in options(table, words).items()
    }
    return rs.multiclass.multiclass_confusion(table["y"], table[predicted], labels=list(CLASSES), **how)


@verb("measures of predicted classes")
def measures_of(
    table: Table, predicted: str = "called_a", measures: tuple[str, ...] | None = None, **words: Any
) -> Any:
    how = options(table, _averaged(words)) | ({"measures": list(measures)} if measures else {})
    return rs.multiclass.multiclass_measures(table["y"], table[predicted], labels=list(CLASSES), **how)


@verb("ordered classes")
def ordered(table: Table, score: str = "s", order: tuple[str, ...] = ("low", "mid", "high"), **words: Any) -> Any:
    return rs.multiclass.ordinal_auc(table["y"], table[score], order=list(order), **options(table, words))


OF_TIME = {
    "concordance": (rs.times.concordance, rs.times.compare_concordance),
    "auc_at": (rs.times.auc_at, rs.times.compare_auc_at),
    "brier_at": (rs.times.brier_at, rs.times.compare_brier_at),
    "net_benefit_at": (rs.times.net_benefit_at, rs.times.compare_net_benefit_at),
    "integrated_auc": (rs.times.integrated_auc, None),
    "integrated_brier": (rs.times.integrated_brier, None),
    "calibration_at": (rs.times.calibration_at, None),
}


def _timed(table: Table, words: dict[str, Any]) -> tuple[tuple[Any, Any], dict[str, Any]]:
    """Time and event, and options; the concordance calls its variant a method."""
    given = table[words.pop("time", "time")], table[words.pop("event", "event")]
    how = options(table, words)
    if "ipcw" in how:
        how["ipcw"] = table[how["ipcw"]] if isinstance(how["ipcw"], str) else matrix(table, how["ipcw"])
    return given, {name: list(each) if isinstance(each, tuple) else each for name, each in how.items()}


def _columns(table: Table, named: Any) -> Any:
    return table[named] if isinstance(named, str) else matrix(table, named)


def _variant(of: str, words: dict[str, Any]) -> None:
    if "variant" in words:
        words["method" if of == "concordance" else "kind"] = words.pop("variant")


@verb("measure of times")
def of_times(table: Table, of: str, score: Any = "a_score", **words: Any) -> Any:
    _variant(of, words)
    if of == "calibration_at" and "n_bins" in words:
        words["n_groups"] = words.pop("n_bins")
    given, how = _timed(table, words)
    return OF_TIME[of][0](*given, _columns(table, score), **how)


@verb("difference of times")
def difference_of_times(table: Table, of: str, first: Any = "a_score", second: Any = "b_score", **words: Any) -> Any:
    _variant(of, words)
    given, how = _timed(table, words)
    own: Any = OF_TIME[of][1]
    return own(*given, _columns(table, first), _columns(table, second), **how)


@verb("reclassification of times")
def reclassified(table: Table, of: str, old: str = "b_2", new: str = "a_2", **words: Any) -> Any:
    given, how = _timed(table, words)
    own: Any = {"nri": rs.times.net_reclassification_at, "idi": rs.times.integrated_discrimination_at}[of]
    return own(*given, table[old], table[new], **how)
