"""Questions to a whole table: several models, by groups, over folds and repeats, with weights and clusters."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import rocsteady as rs

from .words import matrix, measure, measures, options, verb

Table = dict[str, Any]
DESIGN = (
    "weight",
    "weight_type",
    "cluster",
    "by",
    "fold",
    "repeat",
    "missing",
    "threshold",
    "level",
    "undefined",
    "pos_label",
)
OF_TIMES = ("time", "at", "censored", "ipcw")


def evaluated(table: Any, words: dict[str, Any]) -> Any:
    """An evaluation, by the words of its design, which are taken out of ``words``."""
    how: dict[str, Any] = {name: words.pop(name) for name in (*DESIGN, *OF_TIMES) if name in words}
    how |= {today: words.pop(name) for name, today in (("row", "id"), ("classes", "classes")) if name in words}
    for name, today in (("resamples", "n_resamples"), ("seed", "random_state"), ("auc_method", "auc_method")):
        how |= {today: words.pop(name)} if name in words else {}
    if "average_over" in words:
        how["classes_averaged"] = words.pop("average_over")
    if how.pop("undefined", None) == "drop":
        how["absent"] = "skip"
    if "measures" in words:
        how["measures"] = measures(words.pop("measures"))
    if "intervals" in words:
        how["intervals"] = words.pop("intervals")
    scores = words.pop("predicted", None) or words.pop("scores", ("a", "b"))
    label: Any = words.pop("label", "y")
    label = list(label) if isinstance(label, tuple) else label
    return rs.evaluate(table, _lists(scores), label=label, **{name: _lists(each) for name, each in how.items()})


def _lists(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _lists(each) for name, each in value.items()}
    return list(value) if isinstance(value, tuple) else value


def of_area(table: Any, words: dict[str, Any]) -> Any:
    """An evaluation by the AUC alone, unless other measures are named: for verbs that measure by themselves."""
    if not {"classes", "predicted"} & set(words) and "time" not in words and not isinstance(words.get("label"), tuple):
        words.setdefault("measures", ("auc",))
    return evaluated(table, words)


@verb("evaluation")
def evaluation(table: Table, **words: Any) -> Any:
    found = evaluated(table, words)
    assert not words, words
    return found


@verb("frame")
def frame(table: Table, **words: Any) -> Any:
    """The evaluation as a table of rows: which rows and numbers it shows."""
    rows = evaluated(table, words).to_frame().to_dict("list")
    return {str(name): list(values) for name, values in rows.items()}


@verb("comparison")
def comparison(table: Table, baseline: str | None = None, of: Any = None, **words: Any) -> Any:
    """Models of an evaluation against each other, in every part of its design; ``draws`` of resampled ones."""
    asked: dict[str, Any] = {
        name: words.pop(name)
        for name in ("alternative", "margin", "cutoffs", "method", "simultaneous")
        if name in words
    }
    asked |= {"n_resamples": words.pop("draws")} if "draws" in words else {}
    if asked.pop("simultaneous", False):
        asked["intervals"] = "simultaneous"
    if of is not None:
        asked["measures" if isinstance(of, tuple) else "measure"] = (
            list(measures(of)) if isinstance(of, tuple) else measure(of)
        )
    if baseline is not None:
        asked["baseline"] = baseline
    found = of_area(table, words)
    assert not words, words
    return found.compare(**{name: _lists(each) for name, each in asked.items()})


@verb("gaps")
def gaps(table: Table, of: str, reference: str | None = None, **words: Any) -> Any:
    return of_area(table, words).gaps(measure(of), **({"reference": reference} if reference else {}))


@verb("parts")
def parts(table: Table, **words: Any) -> Any:
    """What an evaluation by groups or folds says of its parts together: tests of equality, and what all rows mix."""
    found = evaluated(table, words)
    names = ("tests", "interactions", "differences", "within", "folded", "comparisons")
    return {name: each for name in names if (each := getattr(found, name, None)) is not None and not callable(each)}


@verb("decision")
def decision(table: Table, costs: dict[str, float] | None = None, **words: Any) -> Any:
    asked = {name: words.pop(name) for name in ("prevalence", "baseline", "cost_fp", "cost_fn") if name in words}
    return of_area(table, words).decide(**asked, **({"costs": costs} if costs else {}))


@verb("mean over folds")
def crossval(table: Table, of: str = "auc", score: str = "a", label: str = "y", **words: Any) -> Any:
    """Interval of the mean of the AUC over folds, or all that is known of folds of one model."""
    own = {"auc": rs.crossval_auc, "pooling": rs.crossval.crossval_evaluate}[of]
    return own(table[label], table[score], **options(table, words))


@verb("difference over folds")
def difference(table: Table, first: str = "a", second: str = "b", label: str = "y", **words: Any) -> Any:
    how = options(table, _today(words))
    return rs.crossval.compare_crossval(table[label], table[first], table[second], **how)


@verb("difference of learners")
def learners(table: Table, first: tuple[float, ...], second: tuple[float, ...], **words: Any) -> Any:
    """Values of two learners on the same parts of the data."""
    return rs.crossval.compare_learners(list(first), list(second), **_today(words))


def _today(words: dict[str, Any]) -> dict[str, Any]:
    return {"test_share" if name == "test_fraction" else name: each for name, each in words.items()}


@verb("confusion over folds")
def confusion(table: Table, score: str = "a", label: str = "y", **words: Any) -> Any:
    return rs.crossval.crossval_confusion(table[label], table[score], **options(table, words))


@verb("averaged curve")
def averaged(
    table: Table,
    average: str,
    points: tuple[float, ...] | None = None,
    score: str = "a",
    label: str = "y",
    **words: Any,
) -> Any:
    how = options(table, words) | ({"at": list(points)} if points else {})
    return rs.crossval.averaged_roc(table[label], table[score], how=average, **how)


@verb("saved and read")
def saved(table: Table, then: str | None = None, **words: Any) -> Any:
    """What an evaluation answers after it was written to a file and read from it."""
    found = of_area(table, words)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "saved.json"
        found.save(path)
        read = rs.load(path)
    return read.compare() if then == "comparison" else read


@verb("intervals made later")
def later(table: Table, **words: Any) -> Any:
    how = {name: words.pop(name) for name in ("again_level", "again_method") if name in words}
    made = {"level": how.get("again_level", 0.95), "auc_method": how.get("again_method", "auto")}
    return evaluated(table, words).with_intervals(**made, n_resamples=words.pop("resamples", 60), random_state=1)


@verb("fitted models")
def fitted(table: Table, cv: int | None = None, groups: str | None = None, **words: Any) -> Any:
    """Estimators of scikit-learn: scored on these rows, or by cross-validation, which may keep groups together."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold
    from sklearn.naive_bayes import GaussianNB

    x, y = matrix(table, ("x1", "x2", "x3")), table["y"]
    made = {"logistic": LogisticRegression(), "bayes": GaussianNB()}
    words |= {"response": words.pop("response_method")} if "response_method" in words else {}
    if cv is None:
        return rs.evaluate_estimators({name: each.fit(x, y) for name, each in made.items()}, x, y, **_plain(words))
    kind = StratifiedKFold if groups is None else StratifiedGroupKFold
    how = {"cv": kind(cv, shuffle=True, random_state=0), "n_jobs": 1}
    how |= {"groups": table[groups]} if groups else {}
    if words.pop("scores_alone", False):
        found = rs.crossval.crossval_scores(made["logistic"], x, y, **how)
        return {"y_score": found.y_score, "fold": found.fold, "test_fraction": found.test_share}
    return rs.crossval_evaluate_estimators(made, x, y, **how, **_plain(words))


def _plain(words: dict[str, Any]) -> dict[str, Any]:
    return {name: _lists(each) for name, each in words.items()}
