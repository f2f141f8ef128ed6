"""Names of the numbers about all classes, which ``measures=`` takes, and what is known of each."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from rocsteady._src.base.errors import ArgumentError, some_values
from rocsteady._src.base.text import format_setting
from rocsteady._src.measures.requests import parse_call

if TYPE_CHECKING:
    from collections.abc import Iterable

Kind = Literal["area", "mean", "cells"]

AREAS = {
    "macro_auc": ("macro", "ovr"),
    "weighted_auc": ("weighted", "ovr"),
    "hand_till_auc": ("macro", "hand-till"),
    "micro_auc": ("micro", "ovr"),
}
AREA_OF = {"macro": "macro_auc", "weighted": "weighted_auc", "hand-till": "hand_till_auc", "micro": "micro_auc"}
DEFAULT = ("macro_auc", "hand_till_auc", "accuracy", "macro_f1", "log_loss", "brier_score")
UNIT, SIGNED, OPEN = (0.0, 1.0), (-1.0, 1.0), (0.0, math.inf)
SCALES = {UNIT: "wald on log-odds", SIGNED: "wald on log-odds", OPEN: "wald on logs", (0.0, 2.0): "wald on log-odds"}


@dataclass(frozen=True, slots=True)
class ClassMeasure:
    """What is known of a measure: ``name`` as it was asked for, ``base`` without parameters, whether more is better."""

    name: str
    label: str
    kind: Kind
    bounds: tuple[float, float] = UNIT
    higher: bool = True
    probabilities: bool = False
    base: str = ""
    params: tuple[tuple[str, Any], ...] = ()

    @property
    def scale(self) -> str:
        """How intervals are made."""
        return SCALES[self.bounds]

    def param(self, name: str, otherwise: Any) -> Any:
        """A parameter that was asked for."""
        return dict(self.params).get(name, otherwise)


def _score(name: str, label: str, bounds: tuple[float, float]) -> ClassMeasure:
    return ClassMeasure(name, label, "mean", bounds, higher=False, probabilities=True)


def _averaged(ratio: str, words: str) -> list[ClassMeasure]:
    return [ClassMeasure(f"{kind}_{ratio}", f"{kind} {words}", "cells") for kind in ("macro", "weighted", "micro")]


KNOWN = {
    each.name: each
    for each in (
        ClassMeasure("macro_auc", "macro one-vs-rest AUC", "area"),
        ClassMeasure("weighted_auc", "weighted one-vs-rest AUC", "area"),
        ClassMeasure("hand_till_auc", "Hand-Till AUC", "area"),
        ClassMeasure("micro_auc", "micro one-vs-rest AUC", "area"),
        ClassMeasure("accuracy", "accuracy", "mean"),
        ClassMeasure("top_k_accuracy", "top-k accuracy", "mean"),
        ClassMeasure("balanced_accuracy", "balanced accuracy", "cells"),
        *_averaged("precision", "precision"),
        *_averaged("recall", "recall"),
        *_averaged("f1", "F1"),
        *_averaged("f_beta", "F-beta"),
        ClassMeasure("kappa", "kappa", "cells", SIGNED),
        ClassMeasure("kappa_linear", "linear kappa", "cells", SIGNED),
        ClassMeasure("kappa_quadratic", "quadratic kappa", "cells", SIGNED),
        ClassMeasure("matthews_correlation", "Matthews correlation", "cells", SIGNED),
        _score("log_loss", "log loss", OPEN),
        _score("brier_score", "Brier score", (0.0, 2.0)),
        _score("half_brier_score", "half Brier score", UNIT),
        _score("ranked_probability_score", "ranked probability score", UNIT),
    )
}
PARAMS = {"top_k_accuracy": "k", **{f"{kind}_f_beta": "beta" for kind in ("macro", "weighted", "micro")}}


def class_measure(name: Any) -> ClassMeasure:
    """A measure of all classes by name, or with its parameter, as ``macro_f_beta(beta=2)``."""
    if name in KNOWN:
        return _with_base(KNOWN[name])
    if not isinstance(name, str):
        raise ArgumentError("measures", f"measures of more than two classes are asked for by name, got {name!r}")
    base, params = parse_call(name.strip())
    if base not in KNOWN:
        plain = base.removesuffix("_score").replace("roc_auc", "auc")
        near = [known for known in KNOWN if known.endswith(f"_{plain}")]
        meant = f"; did you mean {' or '.join(near[:2])}?" if near else f"; these are: {', '.join(KNOWN)}"
        text = f"{some_values([name])} is no measure of more than two classes{meant}"
        raise ArgumentError("measures", text)
    odd = [param for param in params if param != PARAMS.get(base)]
    if odd:
        known = PARAMS.get(base, "none")
        raise ArgumentError("measure_params", f"{base} has no parameter {', '.join(odd)}; it has: {known}")
    _check_param(base, params)
    found = KNOWN[base]
    told = ", ".join(f"{key} {format_setting(value)}" for key, value in params.items())
    return ClassMeasure(
        name.strip(),
        f"{found.label} ({told})",
        found.kind,
        found.bounds,
        found.higher,
        found.probabilities,
        base,
        tuple(params.items()),
    )


def _with_base(measure: ClassMeasure) -> ClassMeasure:
    facts = measure.kind, measure.bounds, measure.higher, measure.probabilities, measure.name
    return ClassMeasure(measure.name, measure.label, *facts)


def _check_param(base: str, params: dict[str, Any]) -> None:
    for key, value in params.items():
        number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
        if not number or value <= 0 or (key == "k" and value != int(value)):
            what = "a whole number above 0" if key == "k" else "a number above 0"
            raise ArgumentError("measure_params", f"{key} of {base} must be {what}, got {value!r}")


def asked_measures(measures: Any) -> tuple[str, ...]:
    """Names of the measures that were asked for, each once; the usual ones without any."""
    if measures is None:
        return DEFAULT
    several: Iterable[Any] = [measures] if isinstance(measures, str) else measures
    if not isinstance(several, (list, tuple)):
        raise ArgumentError("measures", f"measures must be a list of names, such as ['macro_auc'], got {measures!r}")
    if not several:
        raise ArgumentError("measures", "measures is empty: name at least one, or leave it out")
    return tuple(dict.fromkeys(class_measure(name).name for name in several))


def are_of_classes(measures: Any) -> bool:
    """Whether these are names of numbers about all classes."""
    try:
        return bool(asked_measures(measures))
    except ArgumentError:
        return False
