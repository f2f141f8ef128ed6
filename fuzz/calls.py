"""Every public function with a call that works, and the part that each of its arguments plays."""

from __future__ import annotations

import inspect
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import rocsteady as rs
from fuzz.values import FOLDS, GROUPS, LABELS, ROWS, SCORES
from rocsteady._names import public_modules

if TYPE_CHECKING:
    from collections.abc import Callable

OTHER = [((5 * row) % ROWS + 1) / (ROWS + 1) for row in range(ROWS)]
CLASSES = [row % 3 for row in range(ROWS)]
MATRIX = [[(row + k) % 3 / 3 + 0.01 * row / ROWS for k in range(3)] for row in range(ROWS)]
MATRIX = [[value / sum(line) for value in line] for line in MATRIX]

BY_NAME: dict[str, tuple[str, Any]] = {
    "y_true": ("labels", LABELS),
    "y": ("labels", LABELS),
    "y_score": ("scores", SCORES),
    "scores": ("scores", SCORES),
    "first": ("scores", SCORES),
    "second": ("scores", OTHER),
    "old": ("scores", SCORES),
    "new": ("scores", OTHER),
    "fold": ("keys", FOLDS),
    "delta": ("option", 0.01),
    "threshold": ("option", 0.5),
    "points": ("option", {"a": (0.1, 0.4), "b": (0.3, 0.7)}),
    "cutoffs": ("option", [0.3, 0.6]),
    "prevalence": ("option", 0.2),
    "measure": ("option", "auc"),
    "n_resamples": ("count", 12),
    "n_permutations": ("count", 12),
    "n_redraws": ("count", 2),
    "random_state": ("seed", 0),
}
LAZY_KEYS = ("cluster", "repeat", "id", "groups", "y_true_second")
NOT_CALLED = {
    "crossval_scores": "takes an estimator of scikit-learn",
    "crossval_evaluate_estimators": "fits estimators of scikit-learn",
    "load": "reads a file that Evaluation.save wrote",
    "load_sketches": "reads a file that Sketch.save wrote",
    "log_mlflow": "writes to a store",
    "openmetrics": "writes a file",
    "measure": "decorates a function",
    "merge": "takes ranked scores",
    "select_models": "trains models",
    "sweep": "counts for minutes where a grid is large",
    "simulate_binormal": "draws as many numbers as it is told",
}
COUNTS = (
    "n_resamples",
    "n_permutations",
    "n_redraws",
    "n_jobs",
    "n_points",
    "grid",
    "most_groups",
    "cells",
    "capacity",
)
STUDY = {
    "reader": [row // 6 % 2 for row in range(ROWS)],
    "modality": [row // 12 for row in range(ROWS)],
    "case": [row % 6 for row in range(ROWS)],
    "label": [row % 2 for row in range(ROWS)],
    "score": SCORES,
}
ANSWERS = Path(__file__).parent.parent / "tests" / "fixtures" / "answers"
MARKS = {"sums": "acc", "products": "acc", "written": "exact_match"}
SPECIAL: dict[str, dict[str, tuple[str, Any]]] = {
    "compare_calls": {"scores": ("models", {"a": SCORES, "b": OTHER}), "threshold": ("needed", 0.5)},
    "crossings": {"first": ("curve", "roc"), "second": ("curve", "roc")},
    "estimate_prevalence": {"unlabelled": ("scores", OTHER), "threshold": ("needed", 0.5)},
    "goal_test": {"measure": ("option", "recall"), "above": ("needed", 0.3)},
    "plan_width": {"value": ("needed", 0.8), "width": ("needed", 0.1), "prevalence": ("needed", 0.2)},
    "power_goal": {"value": ("needed", 0.8), "above": ("needed", 0.6), "n_pos": ("needed", 30), "ratio": ("needed", 2)},
    "power_outcomes": {"discordant": ("option", 0.2), "difference": ("needed", 0.1), "n": ("needed", 90)},
    "shift_prevalence": {"probabilities": ("scores", SCORES), "here": ("option", 0.2), "there": ("option", 0.1)},
    "validation_size": {"auc": ("option", 0.8)},
    "compare_outcomes": {"first": ("labels", LABELS), "second": ("labels", LABELS[::-1])},
    "compare_models": {"scores": ("models", {"a": SCORES, "b": OTHER})},
    "decision_curve": {"scores": ("models", {"a": SCORES, "b": OTHER})},
    "adjust_pvalues": {"pvalues": ("scores", SCORES)},
    "compare_learners": {"test_share": ("option", 0.2)},
    "corrected_test": {"differences": ("scores", SCORES), "n_train": ("option", 9), "n_test": ("option", 3)},
    "detectable_difference": {"se": ("option", 0.1)},
    "proportion_interval": {"successes": ("option", 3), "n": ("option", 10)},
    "relative_error_reduction": {"first_accuracy": ("option", 0.5), "second_accuracy": ("option", 0.7)},
    "power_auc": {"auc": ("needed", 0.8), "n_pos": ("needed", 30), "n_neg": ("needed", 30)},
    "power_auc_pilot": {"n_pos": ("needed", 30), "n_neg": ("needed", 30)},
    "operating_point": {"fpr": ("needed", 0.5)},
    "threshold_guarantee": {"rate": ("needed", "fpr"), "at_most": ("needed", 0.5)},
    "roc_from_points": {"fpr": ("scores", [0, 0.5, 1]), "tpr": ("scores", [0, 0.8, 1])},
    "dominates": {"first": ("curve", "roc"), "second": ("curve", "roc")},
    "thin_curve": {"curve": ("curve", "roc")},
    "get_measure": {"name": ("option", "auc")},
    "interval_auc": {"lower": ("scores", SCORES), "upper": ("scores", [score + 0.1 for score in SCORES])},
    "measure_interval": {"measure": ("option", "recall")},
    "pairwise_mean": {"f": ("option", np.tanh)},
    "sample_labellings": {"size": ("option", 5), "n": ("option", 6)},
    "parse_sets": {"source": ("option", "0.9p 0.8n 0.3p 0.1n")},
    "generate": {"sets": ("option", "0.9p 0.8n 0.3p 0.1n")},
    "count_errors": {"sets": ("option", "0.9p 0.8n 0.3p 0.1n")},
    "count_order_errors": {"sets": ("option", "0.9p 0.8n 0.3p 0.1n")},
    "scalars": {"result": ("needed", rs.proportion_interval(3, 10))},
    "read_lm_eval": {
        "models": ("needed", ANSWERS / "lm_eval" / "new"),
        "metric": ("needed", MARKS),
        "filter": ("needed", "strict-match"),
    },
    "optimism": {
        "estimator": ("needed", lambda rows, labels: Fitted()),
        "X": ("needed", [[score] for score in SCORES]),
    },
    "pool": {"results": ("needed", [rs.proportion_interval(3, 10)] * 2)},
    "read_inspect": {"models": ("needed", ANSWERS / "inspect" / "json")},
    "read_evaluate": {"models": ("needed", {"a": {"predictions": LABELS, "references": LABELS}})},
    "analyze": {"table": ("needed", STUDY)} | {name: ("needed", name) for name in STUDY},
    "monitor": {
        "table": ("needed", {"y": LABELS, "a": SCORES, "d": [1 + row // 4 for row in range(ROWS)]}),
        "score": ("needed", "a"),
        "label": ("needed", "y"),
        "day": ("needed", "d"),
        "reference": ("needed", 1),
    },
    "set_values": {"sets": ("option", "0.9p 0.8n 0.3p 0.1n")},
}


class Fitted:
    """What any classifier has, once it is fitted."""

    classes_ = np.array([0, 1])

    def decision_function(self, rows: Any) -> Any:
        """The first feature; one zero for what is no table, whose complaint would be the model's own."""
        table = np.asarray(rows)
        return table[:, 0] if table.ndim == 2 and table.shape[1] else np.zeros(1)


SPECIAL["evaluate_estimators"] = {
    "models": ("needed", {"a": Fitted()}),
    "X": ("needed", [[score] for score in SCORES]),
}
DAYS = [1.0 + (7 * row) % ROWS for row in range(ROWS)]
WATCHED: dict[str, tuple[str, Any]] = {"time": ("scores", DAYS), "event": ("labels", LABELS)}
WATCHED |= {"score": ("scores", SCORES), "risk": ("scores", SCORES)}
AT_ONE = {**WATCHED, "at": ("needed", ROWS / 2)}
AT_TWO = {**WATCHED, "at": ("needed", [ROWS / 4, ROWS / 2])}
SPECIAL |= {
    "concordance": WATCHED,
    "compare_concordance": WATCHED,
    "auc_at": AT_ONE,
    "brier_at": AT_ONE,
    "calibration_at": AT_ONE,
    "compare_auc_at": AT_ONE,
    "compare_brier_at": AT_ONE,
    "integrated_discrimination_at": AT_ONE,
    "net_reclassification_at": AT_ONE,
    "net_benefit_at": {**AT_ONE, "thresholds": ("needed", [0.2, 0.5])},
    "integrated_auc": AT_TWO,
    "integrated_brier": {**AT_TWO, "risk": ("matrix", [[score / 2, score] for score in SCORES])},
    "gate": {"baseline": ("scores", SCORES), "candidate": ("scores", OTHER), "margin": ("needed", 0.1)},
    "adjusted_roc": {"covariates": ("keys", FOLDS)},
    "auc_contrasts": {"y_scores": ("needed", {"a": SCORES, "b": OTHER})},
    "partial_verification": {"y_true": ("labels", [None if row % 5 == 4 else LABELS[row] for row in range(ROWS)])},
    "stability_index": {"reference": ("scores", OTHER)},
    "plan": {
        "pilot": ("needed", rs.readers.analyze(STUDY, **{name: name for name in STUDY})),
        "difference": ("needed", 0.1),
        "readers": ("needed", 4),
        "cases": ("needed", 40),
    },
    "compare_net_benefit_at": {**AT_ONE, "threshold": ("needed", 0.2)},
    "pool_curves": {"curves": ("needed", [rs.roc_band(LABELS, each, fpr=[0, 0.5, 1]) for each in (SCORES, OTHER)])},
    "compare_sketches": {
        "first": ("needed", rs.scale.Sketch().update(LABELS, SCORES)),
        "second": ("needed", rs.scale.Sketch().update(LABELS, OTHER)),
    },
}
GIVEN = ("scores", "labels", "keys", "count", "matrix", "models", "needed")
MULTICLASS = {"y_true": ("labels", CLASSES), "y_score": ("matrix", MATRIX), "y_pred": ("labels", CLASSES)}
TABLE = {
    "y": LABELS,
    "a": SCORES,
    "b": OTHER,
    "w": [1.0 + row for row in range(ROWS)],
    "g": FOLDS,
    "id": list(range(ROWS)),
}


class Argument(NamedTuple):
    """One argument: its part decides what is put in its place."""

    name: str
    part: str
    good: Any
    given: bool


class Call(NamedTuple):
    """A function with arguments that it takes."""

    name: str
    function: Callable[..., Any]
    arguments: tuple[Argument, ...]

    def run(self, **changed: Any) -> Any:
        """Call it with some arguments changed."""
        arguments = {each.name: each.good for each in self.arguments if each.given} | changed
        return self.function(**arguments)


@cache
def public_calls() -> tuple[Call, ...]:
    """All functions of the package and its public modules, but those of ``NOT_CALLED``."""
    found = [_on_table(), _on_study()]
    seen = set()
    for part in (rs, *(getattr(rs, module) for module in public_modules() if module != "examples")):
        for name in part.__all__:
            function = getattr(part, name)
            if name.startswith("__") or not callable(function) or inspect.isclass(function) or name in NOT_CALLED:
                continue
            if name in seen:
                continue
            seen.add(name)
            if name in ("evaluate", "rank_table", "sketch_table", "evaluate_sketches", "join_by_id"):
                found.append(_table_call(name, function))
            else:
                found.append(Call(name, function, tuple(_arguments(name, function))))
    return tuple(found)


def _arguments(name: str, function: Callable[..., Any]) -> list[Argument]:
    known = dict(SPECIAL.get(name, {}))
    if "multiclass" in name or name == "top_k_accuracy":
        known |= MULTICLASS | ({"first": ("matrix", MATRIX), "second": ("matrix", MATRIX[::-1])})
    made = []
    for each in inspect.signature(function).parameters.values():
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            continue
        made.append(_argument(each, known.get(each.name)))
    return made


def _argument(each: inspect.Parameter, known: tuple[str, Any] | None) -> Argument:
    if known is None and each.name in BY_NAME:
        known = BY_NAME[each.name]
    if known is not None:
        part, good = known
        good = rs.roc_curve(LABELS, SCORES) if part == "curve" else good
        needed = each.default is each.empty or part in GIVEN
        return Argument(each.name, "count" if each.name in COUNTS else part, good, needed or each.name == "threshold")
    if each.name in LAZY_KEYS:
        return Argument(each.name, "keys", GROUPS, given=False)
    if each.name == "sample_weight":
        return Argument(each.name, "weights", [1.0] * ROWS, given=False)
    part = "count" if each.name in COUNTS else "option"
    return Argument(each.name, part, each.default, given=False)


def _on_table() -> Call:
    """One evaluation with everything in it: hostile columns go through the table."""

    def evaluate(**columns: Any) -> Any:
        table = TABLE | columns
        return rs.evaluate(table, label="y", scores=["a", "b"], weight="w", measures=["auc", "brier_score"])

    parts = {"y": "labels", "a": "scores", "b": "scores", "w": "weights"}
    return Call(
        "evaluate_table", evaluate, tuple(Argument(k, part, TABLE[k], given=False) for k, part in parts.items())
    )


def _on_study() -> Call:
    """A reader study: hostile columns go through the table."""

    def analyze(**columns: Any) -> Any:
        return rs.readers.analyze(STUDY | columns, **{name: name for name in STUDY})

    parts = {"reader": "keys", "modality": "keys", "case": "keys", "label": "labels", "score": "scores"}
    return Call("analyze_table", analyze, tuple(Argument(k, part, STUDY[k], given=False) for k, part in parts.items()))


def _table_call(name: str, function: Callable[..., Any]) -> Call:
    good: dict[str, Any] = {"table": TABLE, "label": "y", "scores": ["a", "b"], "score": "a"}
    if name == "evaluate":
        good |= {"n_resamples": 12}
    if name == "evaluate_sketches":
        sketch = rs.scale.Sketch()
        sketch.update(LABELS, SCORES)
        good = {"sketches": {"a": sketch}}
    if name == "sketch_table":
        good["table"] = _frame()
    if name == "rank_table":
        good["table"] = _frame()
    if name == "join_by_id":
        return Call(
            name,
            lambda id="id", unmatched="raise", **columns: function(  # noqa: A006 - its own name
                TABLE | columns, TABLE, id=id, unmatched=unmatched
            ),
            (Argument("id", "option", "id", given=False), Argument("unmatched", "option", "raise", given=False)),
        )
    made = [
        Argument(each.name, "count" if each.name in COUNTS else "option", good.get(each.name), each.name in good)
        for each in inspect.signature(function).parameters.values()
    ]
    return Call(name, function, tuple(made))


def _frame() -> Any:
    import polars as pl

    return pl.LazyFrame(TABLE)
