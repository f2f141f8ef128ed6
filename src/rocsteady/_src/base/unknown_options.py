"""Arguments that a function does not have: what it is called here, as far as that can be told."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.foreign_names import OF_SEVERAL, option_elsewhere
from rocsteady._src.base.text import format_count, format_setting

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

OTHER_WORDS: dict[str, tuple[str, ...]] = {
    "alpha": ("level=0.95",),
    "auc1": ("auc=",),
    "auc2": ("second_auc=",),
    "estimate": ("y_score=", "scores="),
    "fn_cost": ("cost_fn=",),
    "fp_cost": ("cost_fp=",),
    "boot_n": ("n_resamples=",),
    "bootstrap": ("n_resamples=",),
    "ci": ("intervals=True", "level=0.95"),
    "confidence": ("level=0.95",),
    "confidence_level": ("level=0.95",),
    "conf_level": ("level=0.95",),
    "criterion": ("rule=", "measure="),
    "data": ("table", "y_true"),
    "direction": ("pos_label=",),
    "dropna": ("missing='drop'",),
    "fn": ("cost_fn=",),
    "folds": ("cv=", "fold="),
    "fp": ("cost_fp=",),
    "group": ("by=", "cluster="),
    "group_by": ("by=",),
    "groupby": ("by=",),
    "groups": ("by=", "cluster="),
    "k": ("cv=", "n_bins="),
    "max_fpr": ("fpr_range=(0, 0.1)",),
    "measure": ("measures=", "rule="),
    "method": ("rule=", "auc_method="),
    "metric": ("measure=", "measures=", "rule="),
    "metrics": ("measures=", "measure="),
    "n_boot": ("n_resamples=",),
    "n_bootstrap": ("n_resamples=",),
    "n_bootstraps": ("n_resamples=",),
    "n_bootstrap_samples": ("n_resamples=",),
    "n_iterations": ("n_resamples=",),
    "na_rm": ("missing='drop'",),
    "nan_policy": ("missing='drop'",),
    "overwrite": ("force=True",),
    "partial_auc": ("fpr_range=(0, 0.1)",),
    "positive": ("pos_label=",),
    "positive_class": ("pos_label=",),
    "predictor": ("scores=", "y_score="),
    "response": ("label=", "y_true="),
    "score": ("scores=", "y_score="),
    "scoring": ("measures=", "measure="),
    "seed": ("random_state=",),
    "strata": ("by=",),
    "subgroup": ("by=",),
    "subgroups": ("by=",),
    "subject": ("cluster=",),
    "target": ("label=", "y_true="),
    "test": ("method=",),
    "truth": ("label=", "y_true="),
    "weights": ("sample_weight=", "weight="),
    "weight": ("sample_weight=",),
    "X_test": ("X",),
    "y": ("label=", "y_true="),
    "y_pred": ("scores=", "y_score="),
    "y_prob": ("scores=", "y_score="),
    "y_score": ("scores=",),
    "y_test": ("y",),
    "y_true": ("table",),
}


NUMBERS = (
    "threshold",
    "k",
    "beta",
    "fpr",
    "tpr",
    "precision",
    "recall",
    "delta",
    "value",
    "resolution",
    "auc",
    "level",
)  # what a number by position may be
ROWS_BY_NAME = ("y_true", "y_score")  # as most functions have them, where a table may stand
OF_INTERVALS = ("alpha", "bootstrap", "ci", "conf_int", "conf_level", "confidence", "confidence_interval", "intervals")
OF_MEASURES = ("threshold", "beta", "fpr_range")


class CallError(ArgumentError, TypeError):
    """A call with arguments that the function does not have; Python's own answer would be a TypeError."""


def refuse_unknown(function: str, given: Mapping[str, Any], known: Collection[str]) -> None:
    """Refuse options that a function does not have, with the name that is meant."""
    _refuse_several(function, [name for name in given if name not in known], known)
    for name in given:
        if name not in known:
            told = option_elsewhere(function, name, given) or _scores_by_name(function, given, known)
            told = told or _interval_elsewhere(function, name, known) or _meant(name, known, given[name])
            raise CallError("unknown_option", f"{function}() has no option {name!r}{told}")


def _refuse_several(function: str, names: Sequence[str], known: Collection[str]) -> None:
    """Two options or more that all have other names here are answered together."""
    here = [next((word for word in OTHER_WORDS.get(name, ()) if word.partition("=")[0] in known), "") for name in names]
    if len(names) > 1 and all(here) and not set(names) <= set(ROWS_BY_NAME):
        meant = " and ".join(dict.fromkeys(here))
        raise CallError("unknown_option", f"{function}() has no options {', '.join(names)}; did you mean {meant}?")


def _scores_by_name(function: str, given: Mapping[str, Any], known: Collection[str]) -> str:
    """The line for scores that were given as options, each by the name of its model."""
    names = [name for name in given if name not in known]
    if function not in ("evaluate", "compare_models") or not all(_holds_rows(given[name]) for name in names):
        return ""
    if any(name in OTHER_WORDS for name in names):
        return ""
    models = ", ".join(f"{name!r}: {name}" for name in names)
    return f"; models go by name in one mapping: rs.{function}(y, {{{models}}})"


def _holds_rows(value: Any) -> bool:
    return hasattr(value, "__len__") and not isinstance(value, (str, bytes, dict))


def _interval_elsewhere(function: str, name: str, known: Collection[str]) -> str:
    """The line for an interval that was asked of a function which gives a value."""
    if name not in OF_INTERVALS or "level" in known or not {"y_true", "y_score"} <= set(known):
        return ""
    if function == "auc":
        return "; with its interval: rs.auc_interval(y, s)"
    return f"; with its interval: rs.evaluate(y, s, measures=[{function!r}], intervals=True)"


def _at_level(name: str, word: str, value: Any) -> str:
    """The level that is meant, where a number was given for it."""
    if not word.startswith("level=") or isinstance(value, bool) or not isinstance(value, (int, float)):
        return word
    share = value / 100 if value > 1 else value
    return f"level={format_setting(1 - share if name == 'alpha' else share)}"


def _meant(name: str, known: Collection[str], value: Any = None) -> str:
    if name in ROWS_BY_NAME and {"table", "scores"} <= set(known):
        return "; labels and scores go without names: rs.evaluate(y, scores)"
    if name not in known and name in OF_MEASURES and "params" in known:
        return f"; options of the measure go together: params={{{name!r}: ...}}"
    here = [_at_level(name, word, value) for word in OTHER_WORDS.get(name, ()) if word.partition("=")[0] in known]
    near = [f"{each}=" for each in get_close_matches(name, known, n=2)]
    found = here or near
    return f"; did you mean {' or '.join(found)}?" if found else f"; it has: {', '.join(sorted(known))}"


def refuse_more_arguments(
    function: str, args: Sequence[Any], names: Sequence[str], by_name: Sequence[str] = (), others: Sequence[str] = ()
) -> None:
    """Refuse arguments by position beyond those that have one; fitted models are told where they go.

    ``by_name`` are the words among the ``others``, of which a text beyond the last place may be one.
    """
    if isinstance(args[0], dict) and "estimator" in args[0]:
        text = f"{function}() takes labels and scores; what cross_validate returned goes to"
        raise CallError("models_given", f"{text} rs.crossval_evaluate_estimators(returned, X, y)")
    if holds_models(args[0]):
        text = f"{function}() takes labels and scores; for models use rs.evaluate_estimators(models, X, y)"
        raise CallError("models_given", f"{text}, for scikit-learn's scoring= rs.scorer('auc')")
    taken = ", ".join(names) or "nothing"
    text = f"{function}() takes {taken} by position, and {format_count(len(args))} arguments were given"
    raise CallError("too_many_arguments", f"{text}; {_line_by_name(function, args, names, by_name, others)}")


def _line_by_name(
    function: str, args: Sequence[Any], names: Sequence[str], by_name: Sequence[str], numbers: Sequence[str]
) -> str:
    """The line for arguments that were given by position: names of columns, two models, a threshold."""
    more = args[len(names)]
    if function == "scorer":
        return f"several measures go in a list: rs.scorer([{', '.join(map(repr, args))}])"
    if names and names[0] in ("table", "y_true") and len(args) > 1 and isinstance(args[1], str):
        return f"columns of a table go by name: {_called('table', label=args[1], scores=more)}"
    if function in ("evaluate", "compare_models") and _holds_rows(more):
        return f"models go by name in one mapping: rs.{function}(y, {{'a': s, 'b': t}})"
    number = next((name for name in numbers if name in NUMBERS), "")
    if isinstance(more, (int, float)):
        return f"pass the others by name{number and f', such as {_named(number, more)}'}"
    meant = f", such as {_named(by_name[0], more)}" if by_name and isinstance(more, str) else ""
    return f"pass the others by name{meant}"


def _called(*args: str, **named: Any) -> str:
    return f"rs.evaluate({', '.join([*args, *(_named(name, value) for name, value in named.items())])})"


def _named(name: str, value: Any) -> str:
    return f"{name}={value!r}"


def refuse_missing(
    function: str, args: Sequence[Any], given: Collection[str], needed: Sequence[str], by_name: Collection[str] = ()
) -> None:
    """Refuse a call that lacks arguments, with the line to type.

    ``needed`` are those without a default, in order, of which some are given ``by_name`` only.
    """
    lacking = [name for name in needed[len(args) :] if name not in given]
    if not lacking:
        return
    line = ", ".join(f"{name}=..." if name in by_name else name for name in needed)
    line = "y, scores" if needed[0] == "table" else line
    text = f"{function}() lacks {' and '.join(lacking)}: rs.{function}({line})"
    if function in OF_SEVERAL and len(args) == len(needed) - 1 and not _is_column(args[-1]):
        text += f"; for several models in one argument use {OF_SEVERAL[function]}"
    raise CallError("missing_argument", text)


def refuse_measure_later(function: str, first: Any, needed: Sequence[str]) -> None:
    """Refuse labels where the measure belongs."""
    if isinstance(first, (list, tuple)) and first and all(isinstance(each, str) for each in first):
        line = f"rs.compare_models(y, {{'a': s, 'b': t}}, measures={list(first)!r})"
        raise CallError("several_measures", f"{function}() takes one measure; of several: {line}")
    if hasattr(first, "__len__") and not isinstance(first, str) and not callable(first):
        line = f"rs.{function}('auc', {', '.join(['y', 's', 't'][: max(2, len(needed) - 1)])})"
        raise CallError("measure_first", f"{function}() takes the measure first: {line}")


def holds_models(value: Any) -> bool:
    """Whether this is a fitted model, or several: what predicts, and is no column."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else (value,)
    return any(hasattr(each, "predict") for each in list(parts)[:3])


def _is_column(value: Any) -> bool:
    """Whether this is one column of numbers, as far as its shape tells."""
    if isinstance(value, dict) or getattr(value, "ndim", 1) != 1:
        return False
    return not (isinstance(value, (list, tuple)) and value and hasattr(value[0], "__len__"))
