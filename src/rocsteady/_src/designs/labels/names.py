"""Names of the numbers about several labels: averages over them, and those of one label."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, some_values
from rocsteady._src.designs.classes.names import ClassMeasure
from rocsteady._src.measures.requests import parse_call

if TYPE_CHECKING:
    from collections.abc import Sequence

AVERAGED = {
    "macro_auc": ClassMeasure("macro_auc", "macro AUC", "area", base="macro_auc"),
    "micro_auc": ClassMeasure("micro_auc", "micro AUC", "area", base="micro_auc"),
    "macro_average_precision": ClassMeasure(
        "macro_average_precision", "macro average precision", "mean", base="macro_average_precision"
    ),
    "micro_average_precision": ClassMeasure(
        "micro_average_precision", "micro average precision", "mean", base="micro_average_precision"
    ),
}
OF_ONE = {"auc": "AUC", "average_precision": "average precision"}


def label_measure(name: Any, labels: Sequence[Any]) -> ClassMeasure:
    """A number by name: an average, or of one label, as ``auc(label='dog')``."""
    if isinstance(name, str) and name.strip() in AVERAGED:
        return AVERAGED[name.strip()]
    base, params = parse_call(name.strip()) if isinstance(name, str) else (name, {})
    if base not in OF_ONE or set(params) != {"label"}:
        known = f"{', '.join(AVERAGED)}, and of one label auc(label={labels[0]!r}) and average_precision(label=...)"
        raise ArgumentError("measures", f"{some_values([name])} is no measure of several labels; these are: {known}")
    label = params["label"]
    if label not in labels:
        raise ArgumentError("measures", f"there is no label {label!r}; the labels are {some_values(labels, most=20)}")
    kind = "area" if base == "auc" else "mean"
    told = f"{OF_ONE[base]} of label {label}"
    return ClassMeasure(f"{base}(label={label!r})", told, kind, base=base, params=(("label", label),))  # type: ignore[arg-type]


def asked_of_labels(measures: Any, labels: Sequence[Any]) -> tuple[str, ...]:
    """Names of the numbers that were asked for, each once; all averages without any."""
    if measures is None:
        return tuple(AVERAGED)
    several = [measures] if isinstance(measures, str) else measures
    if not isinstance(several, (list, tuple)) or not several:
        raise ArgumentError("measures", f"measures must be a list of names, such as ['macro_auc'], got {measures!r}")
    return tuple(dict.fromkeys(label_measure(name, labels).name for name in several))
