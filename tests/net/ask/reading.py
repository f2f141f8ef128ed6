"""What the library returned, as one level of words: ``north/a/auc/low``, numbers as numbers, codes of remarks."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from rocsteady._src.results.remarks import Remark

# Fields of today's results that say nothing of the numbers, or say it in sentences.
LEFT_OUT = {
    *("version", "direction", "fingerprint", "fingerprints", "hypothesis", "convention", "verdict", "sentence"),
    *("explanation", "title", "warnings", "remarks", "notes", "notes_", "reason", "undefined", "resampling"),
    *("seed", "auto", "rule_words", "pos_label", "neg_label", "level", "promise", "weighted", "alternative"),
    *("versions", "checks", "n_resamples", "roc", "pr"),
}
# Levels of today's structures that are no coordinate.
STRUCTURE = {
    *("models", "measures", "intervals", "groups", "estimates", "pairs", "test", "origin", "overall", "values"),
    *("found", "conditions", "folds"),
}
# Text that is an answer, not a sentence.
ANSWERS = {
    *("method", "decision", "rule", "side", "solved_for", "population", "best", "model", "chosen", "among"),
    "answer",
}
INFINITIES = {"inf", "-inf"}
# Words that a result has and does not need: None says that there is no such thing, not that it is undefined.
OPTIONAL = {
    *("n_pos", "n_neg", "n_clusters", "origin", "baseline", "candidate", "omnibus", "repeat", "model", "null"),
    *("df", "rows_needed", "goal", "group", "segment", "reference", "fpr_low", "fpr_high", "thresholds", "more"),
    *("bracket", "calibration", "cutoffs", "margin", "asked", "degree", "knots", "test", "threshold_interval"),
    *("by", "optimism", "covariance", "alarm_day", "change_day", "label_timeout"),
}
# Methods that are named in text; what else the text says is no answer.
METHODS = re.compile(
    r"mcnemar-exact|mcnemar-mid-p|mcnemar-corrected|mcnemar|nadeau-bengio|corrected resampled t|delong-t|delong|wilson"
    r"|logit|log-odds|on logs|newcombe|hanley-mcneil|bootstrap|permutation|jackknife|clopper-pearson|jeffreys"
    r"|agresti-coull|wald|mover|delta|mid-p|exact|score|tango|bonett-price|welch|influence|percentile|basic|bca|student"
    r"|corrected|skewness|corp|bins|pointwise|ks|fixed-width|working-hotelling|binormal|normal|stratified|linear"
    r"|cochran|venkatraman|pooled|bayesian",
)
# What tells records of a list apart.
COORDINATES = (
    *("group", "segment", "model", "measure", "name", "label", "class", "fold", "repeat", "first", "second", "at"),
)
COUNTS = ("n_pos", "n_neg", "n_rows", "n_dropped")
WORDS = {
    "pvalue": "p",
    "pvalues": "p_each",
    "p_holm": "p_adjusted",
    "pvalue_holm": "p_adjusted",
    "pvalue_adjusted": "p_adjusted",
    "n_subjects": "n_clusters",
    "by_size": "size_effect",
    "by_scale": "scale_effect",
    "within_auc": "auc_within",
    "between_auc": "auc_between",
    "p_left": "less",
    "p_rope": "equivalent",
    "p_right": "greater",
    "score_pvalue": "score_p",
    "alarm_day": "alarm_date",
    "change_day": "change_date",
    "n_open": "n_pending",
    "open_low": "pending_low",
    "open_high": "pending_high",
    "so_far": "to_date",
    "so_far_low": "to_date_low",
    "so_far_high": "to_date_high",
    "index": "estimate",
    "auc_up": "high",
    "auc_low": "low",
}


def flat(found: Any) -> dict[str, Any]:
    """All numbers of an answer, by the words that lead to them."""
    plain = _plain(found)
    whole = plain if isinstance(plain, Mapping) else {"answer" if isinstance(plain, bool | str) else "estimate": plain}
    made: dict[str, Any] = {}
    for path, value in _leaves(whole, ()):
        name = "/".join(path)
        if name in made and not _same(made[name], value):
            raise ValueError(f"two numbers are called {name}")
        made[name] = value
    return {name: value for name, value in made.items() if not _told_above(name, value, made)}


def _told_above(name: str, value: Any, made: dict[str, Any]) -> bool:
    """Whether a count of rows is that of what it is a part of."""
    *path, word = name.split("/")
    above = ("/".join([*path[:depth], word]) for depth in range(len(path)))
    return word in COUNTS and any(each in made and _same(made[each], value) for each in above)


def _plain(value: Any) -> Any:
    """Numbers, text, lists and dicts; results by what they say of themselves."""
    if hasattr(value, "to_dict"):
        value = value.to_dict()
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {_key(name): _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(each) for each in value]
    if isinstance(value, float) and not isinstance(value, bool):
        return float(value) if math.isfinite(value) else None if math.isnan(value) else str(value)
    return value if value is None or isinstance(value, bool | int) else str(value)


def _key(name: Any) -> str:
    return " - ".join(map(str, name)) if isinstance(name, tuple) else str(name)


def _leaves(value: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(value, Mapping):
        for name, each in value.items():
            if name not in LEFT_OUT:
                yield from _leaves(each, path if _is_structure(name, each, value) else (*path, WORDS.get(name, name)))
    elif _is_list_of_records(value):
        for name, each in _named(value):
            yield from _leaves(each, (*path, *name))
    else:
        answer = _method(value) if path[-1] == "method" and isinstance(value, str) else value
        if _is_answer(answer, path[-1]):
            yield path, answer


def _named(records: list[Any]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Records by their coordinates, and by their place where others have the same."""
    names = [_coordinates(each, place) for place, each in enumerate(records)]
    for place, (name, each) in enumerate(zip(names, records, strict=True)):
        yield (*name, *([str(place)] if names.count(name) > 1 else [])), _without_coordinates(each)


def _method(text: str) -> str | None:
    """The methods that a text names."""
    return " ".join(METHODS.findall(text.lower())) or None


def _is_answer(value: Any, word: str) -> bool:
    """Whether a leaf is a number, or a word that answers, rather than a sentence or a list of names."""
    if value is None:
        return word not in OPTIONAL
    if isinstance(value, list):
        return any(not isinstance(each, str) or each in INFINITIES for each in value)
    return not isinstance(value, str) or word in ANSWERS or value in INFINITIES


def _is_structure(name: str, value: Any, beside: Mapping[str, Any]) -> bool:
    """Whether a level leads to named numbers that may stand beside those around it."""
    if isinstance(value, Mapping):
        return name in STRUCTURE and not (set(value) & set(beside)) - LEFT_OUT - set(COUNTS)
    return name in STRUCTURE and _is_list_of_records(value)


def _is_list_of_records(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(each, Mapping) for each in value)


def _coordinates(record: Any, place: int) -> tuple[str, ...]:
    told = [record[name] for name in COORDINATES if isinstance(record, Mapping) and _is_name(record.get(name))]
    return tuple(str(each) for each in told) or (str(place),)


def _without_coordinates(record: Any) -> Any:
    if not isinstance(record, Mapping):
        return record
    return {name: each for name, each in record.items() if name not in COORDINATES or not _is_name(each)}


def _is_name(value: Any) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _same(one: Any, other: Any) -> bool:
    return repr(one) == repr(other)


MOST_LOOKED_AT = 100


def codes_of(found: Any, depth: int = 0) -> Iterator[str]:
    """Codes of the remarks of a result and of the results in it."""
    if isinstance(found, Remark):
        yield found.code
    elif isinstance(found, Mapping | list | tuple) and len(found) <= MOST_LOOKED_AT and depth <= 6:
        for each in found.values() if isinstance(found, Mapping) else found:
            yield from codes_of(each, depth + 1)
    elif dataclasses.is_dataclass(found) and hasattr(found, "to_dict"):
        for field in dataclasses.fields(found):
            if not field.name.startswith("_") and field.name not in {"rows", "ranked", "origin", "jobs"}:
                yield from codes_of(getattr(found, field.name, None), depth + 1)
