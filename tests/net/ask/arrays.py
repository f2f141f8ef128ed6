"""Questions about labels and scores of one or two models: values, intervals, tests, differences, thresholds."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

import rocsteady as rs

from .words import measure, options, verb

Table = dict[str, Any]
INTERVALS_OF_MEANS = ("brier_score",)


@verb("value")
def value(table: Table, of: str = "auc", score: str = "a", label: str = "y", **words: Any) -> Any:
    own = getattr(rs.measures, measure(of))
    return own(table[label], table[score], **options(table, words))


@verb("interval")
def interval(table: Table, of: str, score: str = "a", label: str = "y", **words: Any) -> Any:
    """An interval of a measure by a formula; ``auc`` and ``partial_auc`` have methods of their own."""
    y, s, how = table[label], table[score], options(table, words)
    if of in ("auc", "partial_auc"):
        return rs.auc_interval(y, s, **how)
    if of == "brier_score":
        return rs.calibration.brier_interval(y, s, **how)
    return rs.inference.measure_interval(measure(of), y, s, **how)


@verb("resampled interval")
def resampled(table: Table, of: str, score: str = "a", label: str = "y", **words: Any) -> Any:
    kind = {"studentized": "student", "corrected-log": "corrected log"}.get(
        words.get("method", ""), words.get("method")
    )
    how = options(table, words | {"method": kind})
    return rs.bootstrap_interval(measure(of), table[label], table[score], n_jobs=1, **how)


@verb("jackknife interval")
def jackknife(table: Table, of: str, score: str = "a", label: str = "y", **words: Any) -> Any:
    return rs.inference.jackknife_interval(measure(of), table[label], table[score], **options(table, words))


@verb("intervals at a threshold")
def rates(table: Table, score: str = "a", label: str = "y", **words: Any) -> Any:
    return rs.inference.measure_intervals(table[label], table[score], **options(table, words))


@verb("share")
def share(table: Table, successes: int, n: int, **words: Any) -> Any:
    return rs.proportion_interval(successes, n, **words)


@verb("test")
def against_a_number(
    table: Table, of: str = "auc", null: float | None = None, score: str = "a", label: str = "y", **words: Any
) -> Any:
    """One model against a number: the value of chance, or a goal."""
    y, s = table[label], table[score]
    if null is not None:
        side = {"greater": "above", "less": "below"}[words.pop("alternative", "greater")]
        return rs.inference.goal_test(measure(of), y, s, **{side: null}, **options(table, words))
    if of == "auc":
        return rs.inference.auc_null_test(y, s, **options(table, words))
    return rs.inference.measure_null_test(measure(of), y, s, **options(table, words))


@verb("difference")
def difference(
    table: Table,
    of: str = "auc",
    first: str = "a",
    second: str = "b",
    label: str = "y",
    unpaired: str | None = None,
    **words: Any,
) -> Any:
    """Two models on the same rows, or one (``unpaired``: a column) on two samples."""
    if unpaired is not None:
        return _of_samples(table, of, first, label, unpaired, words)
    y, one, other, how = table[label], table[first], table[second], options(table, words)
    match of:
        case "auc" | "partial_auc":
            return rs.compare_auc(y, one, other, **how)
        case "brier_score" if "method" not in words:
            return rs.calibration.compare_brier(y, one, other, **how)
        case "net_benefit":
            return rs.calibration.compare_net_benefit(y, one, other, **how)
        case "curves":
            return rs.compare_curves(y, one, other, **_permuted(how))
        case "crossing":
            return rs.curves.crossing_test(y, one, other, **how)
    return rs.compare_measure(measure(of), y, one, other, **how)


def _permuted(how: dict[str, Any]) -> dict[str, Any]:
    return {"n_permutations" if name == "n_resamples" else name: each for name, each in how.items()}


def _of_samples(table: Table, of: str, score: str, label: str, sample: str, words: dict[str, Any]) -> Any:
    names = sorted(set(table[sample]))
    one, other = ({name: each[table[sample] == which] for name, each in table.items()} for which in names[:2])
    how = options(one, words) | {"paired": False, "y_true_second": other[label]}
    for word, column in (("weight", "sample_weight_second"), ("cluster", "cluster_second")):
        if word in words:
            how[column] = other[words[word]]
    given = (one[label], one[score], other[score])
    match of:
        case "auc" | "partial_auc":
            return rs.compare_auc(*given, **how)
        case "curves":
            return rs.compare_curves(*given, **_permuted(how))
        case "crossing":
            return rs.curves.crossing_test(*given, **how)
    return rs.compare_measure(measure(of), *given, **how)


@verb("contrasts")
def contrasts(table: Table, scores: tuple[str, ...], weights: Any = None, label: str = "y", **words: Any) -> Any:
    held = {name: table[name] for name in scores}
    return rs.inference.auc_contrasts(table[label], held, weights, **options(table, words))


@verb("differences")
def differences(
    table: Table, scores: tuple[str, ...], of: Any = None, simultaneous: bool = False, label: str = "y", **words: Any
) -> Any:
    """Several models in pairs, or against a baseline."""
    held = {name: table[name] for name in scores}
    how = options(table, words) | ({"intervals": "simultaneous"} if simultaneous else {})
    if of is not None:
        how["measure" if isinstance(of, str) else "measures"] = (
            measure(of) if isinstance(of, str) else [measure(each) for each in of]
        )
    return rs.compare_models(table[label], held, **how)


@verb("differences of calls")
def calls(
    table: Table, scores: tuple[str, ...], label: str = "y", interval_method: str | None = None, **words: Any
) -> Any:
    """Tests that call yes or no, or scores at a threshold."""
    how = options(table, words) | ({"interval": interval_method} if interval_method else {})
    return rs.inference.compare_calls(table[label], {name: table[name] for name in scores}, **how)


@verb("difference of right and wrong")
def outcomes(table: Table, models: tuple[str, ...], interval_method: str | None = None, **words: Any) -> Any:
    how = options(table, words) | ({"interval": interval_method} if interval_method else {})
    if len(models) == 2:
        return rs.compare_outcomes(table[models[0]], table[models[1]], **how)
    return rs.compare_outcomes({name: table[name] for name in models}, **how)


@verb("adjusted p")
def adjusted(table: Table, p: tuple[float, ...], method: str = "holm") -> Any:
    return {"p_adjusted": rs.inference.adjust_pvalues(list(p), method)}


@verb("threshold")
def threshold(table: Table, rule: str, score: str = "a", label: str = "y", **words: Any) -> Any:
    """A threshold by a rule: what is best, what holds a rate, or what promises one on new rows."""
    y, s = table[label], table[score]
    held = re.fullmatch(r"(\w+) (<=|>=) ([\d.]+)", rule)
    if "guarantee" in words:
        assert held is not None
        side = "at_most" if held[2] == "<=" else "at_least"
        how = options(table, {name: each for name, each in words.items() if name != "guarantee"})
        return rs.threshold_guarantee(y, s, held[1], confidence=words["guarantee"], **{side: float(held[3])}, **how)
    if held is not None or rule == "equal-error":
        rate = {"equal_error": True} if held is None else {{"recall": "tpr"}.get(held[1], held[1]): float(held[3])}
        return rs.operating_point(y, s, **rate, **options(table, words))
    return rs.best_threshold(y, s, rule=rule.replace("closest-topleft", "closest_topleft"), **options(table, words))


@verb("interval of a threshold")
def threshold_interval(table: Table, rule: str, score: str = "a", label: str = "y", **words: Any) -> Any:
    given = {"options": words.pop("rule_options")} if "rule_options" in words else {}
    how = options(table, words) | given
    return rs.inference.threshold_interval(table[label], table[score], rule=rule, n_jobs=1, **how)


@verb("confusion")
def confusion(table: Table, score: str = "a", label: str = "y", **words: Any) -> Any:
    found = rs.confusion(table[label], table[score], **options(table, words))
    rates = (
        "recall",
        "specificity",
        "precision",
        "f1",
        "accuracy",
        "matthews_correlation",
        "cohen_kappa",
        "markedness",
    )
    return {name: getattr(found, name) for name in ("tp", "fp", "fn", "tn", "threshold", *rates)}


@verb("predictive values")
def predictive(table: Table, score: str = "a", label: str = "y", **words: Any) -> Any:
    return rs.inference.predictive_values(table[label], table[score], **options(table, words))


@verb("verification")
def verification(table: Table, score: str = "a", label: str = "y", **words: Any) -> Any:
    named = {name: table[words.pop(name)] for name in ("strata", "probability", "verified") if name in words}
    return rs.inference.partial_verification(table[label], table[score], **named, **options(table, words))


@verb("ties")
def ties(table: Table, score: str = "a", label: str = "y", **words: Any) -> Any:
    return rs.measures.tie_diagnostics(table[label], table[score], **options(table, words))


@verb("properties of a set")
def properties(table: Table, score: str = "a", label: str = "y", **words: Any) -> Any:
    return rs.set_properties(table[label], table[score], **options(table, words))


@verb("mean over pairs")
def pairs(table: Table, function: str, score: str = "a", label: str = "y", **words: Any) -> Any:
    """The mean of a function of the difference of a positive and a negative."""
    named = {
        "logistic": lambda d: 1 / (1 + np.exp(-3 * d)),
        "step": lambda d: (np.sign(d) + 1) / 2,
        "square": lambda d: d * d,
    }
    return rs.pairwise_mean(named[function], table[label], table[score], **options(table, words))


@verb("own measure")
def own_measure(table: Table, score: str = "a", label: str = "y", **words: Any) -> Any:
    """A function of labels and scores that was made a measure: its value and its interval."""

    def top_mean(y_true: Any, y_score: Any) -> float:
        return float(y_true[y_score >= sorted(y_score)[len(y_score) // 2]].mean())

    own = rs.measure(label="upper half", better="higher", bounds=(0, 1))(top_mean)
    try:
        y, s = table[label], table[score]
        return {"estimate": own(y, s), **rs.bootstrap_interval(own, y, s, n_jobs=1, **options(table, words)).to_dict()}
    finally:
        from rocsteady._src.measures.registry import DECLARED, REGISTRY

        for kept in (REGISTRY, DECLARED):
            kept.pop("top_mean", None)


@verb("facts of a measure")
def facts(table: Table, of: str) -> Any:
    sheet = rs.get_measure(measure(of)).sheet
    return {"answer": f"{sheet.family} {sheet.better} {sheet.bounds}"}


@verb("number of measures")
def number_of_measures(table: Table, family: str) -> Any:
    return {"n": len(rs.list_measures(family))}


@verb("relative error reduction")
def error_reduction(table: Table, first: float, second: float) -> Any:
    return rs.measures.relative_error_reduction(first, second)


@verb("scorer")
def scorer(table: Table, of: str, score: str = "a", label: str = "y", **words: Any) -> Any:
    """A scorer of scikit-learn on a model that returns a column."""

    class Column:
        classes_ = np.array([0, 1])

        def fit(self, *_: Any) -> Column:
            return self

        def predict_proba(self, x: Any) -> Any:
            return np.column_stack([1 - x[:, 0], x[:, 0]])

        def __sklearn_tags__(self) -> Any:
            from sklearn.base import BaseEstimator, ClassifierMixin

            return type("Tags", (ClassifierMixin, BaseEstimator), {})().__sklearn_tags__()

    return rs.scorer(measure(of), **words)(Column(), table[score][:, None], table[label])


@verb("ranked")
def ranked(table: Table, score: str = "a", label: str = "y", split: str | None = None, **words: Any) -> Any:
    """A ranked sample, or several that are merged, and what is read from it."""
    if split is None:
        found = rs.rank(table[label], table[score], **options(table, words))
    else:
        parts = [
            {name: each[table[split] == part] for name, each in table.items()} for part in sorted(set(table[split]))
        ]
        found = rs.merge(*(rs.rank(part[label], part[score], **options(part, words)) for part in parts))
    read = {
        "n_pos": found.n_pos,
        "n_neg": found.n_neg,
        "auc": rs.auc(found),
        "average_precision": rs.average_precision(found),
    }
    return read | {"interval": rs.auc_interval(found).to_dict()}


@verb("joined")
def joined(table: Table, scores: tuple[str, ...], unmatched: str = "raise", shift: int = 0, **words: Any) -> Any:
    """Tables of one model each, in other orders of rows, put together by id; ``shift`` moves the ids of the last."""
    parts = []
    for place, score in enumerate(scores):
        order = np.random.default_rng(place).permutation(len(table["id"]))
        part = {"id": table["id"][order], score: table[score][order]} | ({"y": table["y"][order]} if not place else {})
        parts.append(part | ({"id": part["id"] + shift} if place == len(scores) - 1 else {}))
    together = rs.join_by_id(*parts, id="id", unmatched=unmatched)
    return rs.evaluate(together, list(scores), label="y", measures=["auc", "brier_score"])
