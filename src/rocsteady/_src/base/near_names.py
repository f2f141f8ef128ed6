"""What is meant by a name that is not there: one table of synonyms, or names spelled much alike, for errors alone."""

from __future__ import annotations

from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from rocsteady._src.base.errors import ArgumentError, printable, some_values

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

Part = TypeVar("Part")

# What people type, and what it may be here: an option, a function, or an attribute of a result.
SYNONYMS: dict[str, tuple[str, ...]] = {
    "alpha": ("level",),
    "auroc": ("auc",),
    "b": ("n_resamples",),
    "bootstrap": ("n_resamples", "bootstrap_interval"),
    "ci": ("intervals", "level", "with_intervals", "low", "auc_interval"),
    "classification_report": ("evaluate",),
    "conf_level": ("level",),
    "confidence": ("level", "auc_interval"),
    "confusion_matrix": ("confusion",),
    "criterion": ("rule", "measure"),
    "cutoff": ("threshold", "best_threshold"),
    "delong": ("compare_auc",),
    "delong_test": ("compare_auc",),
    "dropna": ("missing",),
    "fn": ("cost_fn",),
    "folds": ("cv", "fold"),
    "fp": ("cost_fp",),
    "group_by": ("by",),
    "groups": ("by", "cluster"),
    "idi": ("integrated_discrimination",),
    "json": ("format",),
    "lift_curve": ("gains_curve",),
    "max_fpr": ("fpr_range",),
    "mcnemar": ("compare_outcomes",),
    "metric": ("measure", "measures", "rule"),
    "n_bootstraps": ("n_resamples",),
    "net_benefit": ("decision_curve",),
    "nri": ("net_reclassification",),
    "p_value": ("pvalue", "compare"),
    "positive": ("pos_label",),
    "precision_recall_curve": ("pr_curve",),
    "psi": ("stability_index",),
    "reliability_diagram": ("calibration_curve",),
    "roc": ("roc_curve",),
    "roc_auc": ("auc",),
    "roc_auc_score": ("auc",),
    "roc_test": ("compare_auc",),
    "sample_size": ("power_auc",),
    "save": ("savefig", "report"),
    "score": ("scores", "y_score", "candidate"),
    "scoring": ("measures", "measure", "scorer"),
    "seed": ("random_state",),
    "summary": ("to_frame", "to_markdown"),
    "target": ("label", "y_true"),
    "to_csv": ("to_frame",),
    "weights": ("sample_weight", "weight"),
    "winner": ("verdict", "compare"),
    "y_pred": ("scores", "y_score"),
    "youden_index": ("best_threshold",),
}


class CallError(ArgumentError, TypeError):
    """A call with arguments that the function does not have; Python's own answer would be a TypeError."""


class AbsentKeyError(ArgumentError, KeyError):
    """A name that a result does not have; Python's own answer would be a KeyError."""

    def __str__(self) -> str:
        return str(self.args[0])


def near_names(name: str, known: Iterable[str], *, most: int = 3) -> list[str]:
    """Known names that are synonyms of one, or look like it; case does not matter.

    Examples
    --------
    >>> near_names("mathews", ["matthews", "merge", "measure"]), near_names("seed", ["random_state", "need"])
    (['matthews'], ['random_state'])
    """
    folded = {each.casefold(): each for each in known}
    synonyms = [folded[each] for each in SYNONYMS.get(name.casefold(), ()) if each in folded]
    return synonyms or [folded[each] for each in get_close_matches(name.casefold(), folded, n=most)]


def did_you_mean(name: str, known: Iterable[str], written: str = "{}") -> str:
    """The end of a sentence about a name that is not there; empty where nothing is like it.

    Examples
    --------
    >>> did_you_mean("alpha", ["level"], "{}="), did_you_mean("xyz", ["level"])
    ('; did you mean level=?', '')
    """
    near = [written.format(each) for each in near_names(name, known, most=2)]
    return f"; did you mean {' or '.join(near)}?" if near else ""


def meant_columns(absent: Iterable[Any], known: Iterable[Any]) -> str:
    """What columns may be meant by names that there are none of, to end a sentence with.

    Examples
    --------
    >>> meant_columns(["defualt", "x"], ["default", "score"])
    "; did you mean 'default'?"
    """
    named = [each for each in known if isinstance(each, str)]
    near = [found[0] for name in absent if isinstance(name, str) and (found := near_names(name, named, most=1))]
    return f"; did you mean {' and '.join(map(repr, near))}?" if near else ""


@lru_cache(maxsize=1000)  # other libraries ask every result for the same names that it does not have
def no_attribute(kind: type, name: str) -> str:
    """The message for an attribute that a result does not have."""
    known = [each for each in dir(kind) if not each.startswith("_") and each != name]
    return f"{kind.__name__!r} object has no attribute {name!r}{did_you_mean(name, known, '.{}')}"


def part_of(parts: Mapping[Any, Part], name: Any) -> Part:
    """The part of a result of this name; another name is refused with those that it has."""
    try:
        return parts[name]
    except (KeyError, TypeError):
        known = some_values(list(parts), most=20)
        text = f"there is no {printable(repr(name), most=60)} in this result; it has: {known}"
        raise AbsentKeyError("name", text) from None


def refuse_unknown(function: str, given: Iterable[str], known: Collection[str]) -> None:
    """Refuse options that a function does not have, with the name that is meant."""
    for name in given:
        if name not in known:
            told = did_you_mean(name, known, "{}=") or f"; it has: {', '.join(sorted(known))}"
            raise CallError("unknown_option", f"{function}() has no option {name!r}{told}")


def refuse_more_arguments(function: str, args: Sequence[Any], names: Sequence[str]) -> None:
    """Refuse arguments by position beyond those that have one; fitted models are told where they go."""
    if holds_models(args[0]):
        text = f"{function}() takes labels and scores; for models use rs.evaluate_estimators(models, X, y)"
        raise CallError("models_given", f"{text}, for scikit-learn's scoring= rs.scorer('auc')")
    taken = ", ".join(names) or "nothing"
    raise CallError("too_many_arguments", f"{function}() takes {taken} by position; pass the others by name")


def holds_models(value: Any) -> bool:
    """Whether this is a fitted model, or several: what predicts, and is no column."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else (value,)
    return any(hasattr(each, "predict") for each in list(parts)[:3])
