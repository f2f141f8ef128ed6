"""What users of other libraries type first: each name works, or answers with a line that works."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB

import rocsteady as rs
from rocsteady._src.base.foreign_names import LIBRARIES, line_instead

mpl.use("Agg")
ROOT = Path(__file__).parent.parent
LINES = [(library, name, line) for library, lines in LIBRARIES.items() for name, line in lines.items()]


def variables() -> dict[str, Any]:
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 120)
    s, t = (1 / (1 + np.exp(-(spread * (2 * y - 1) + rng.normal(size=120)))) for spread in (1.0, 0.6))
    labels = rng.integers(0, 3, 120)
    features = np.column_stack([s, t])
    seen = rng.integers(0, 2, 50)
    return {
        "rs": rs,
        "y": y,
        "s": s,
        "t": t,
        "labels": labels,
        "p": rng.dirichlet(np.ones(3), 120),
        "df": pd.DataFrame({"y": y, "a": s, "b": t}),
        "X": features,
        "clf": GaussianNB().fit(rng.random((50, 2)), seen),
    }


GIVEN = variables()


@pytest.mark.parametrize(("name", "line"), [(name, line) for _, name, line in LINES], ids=[n for _, n, _ in LINES])
@pytest.mark.filterwarnings("ignore")
def test_the_line_to_type_instead_works(name: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert eval(line, dict(GIVEN)) is not None  # noqa: S307 - our own lines
    plt.close("all")


@pytest.mark.parametrize("name", [name for _, name, _ in LINES])
def test_a_name_of_another_library_answers_with_a_line(name: str) -> None:
    with pytest.raises(AttributeError) as told:
        getattr(rs, name)
    assert str(told.value).endswith(line_instead(name))


def test_there_are_fifty() -> None:
    assert len(LINES) >= 50
    assert {"scikit-learn", "pROC", "skore", "yardstick", "MLstatkit"} <= set(LIBRARIES)


MODEL = GIVEN["clf"]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda y, s, x: rs.evaluate(MODEL, x, y), "rs.evaluate_estimators"),
        (lambda y, s, x: rs.evaluate({"a": MODEL}, x, y), "rs.evaluate_estimators"),
        (lambda y, s, x: rs.evaluate(MODEL, x), "rs.evaluate_estimators"),
        (lambda y, s, x: rs.evaluate(y, MODEL), "rs.evaluate_estimators"),
        (lambda y, s, x: rs.auc(MODEL, x, y), "rs.scorer"),
        (lambda y, s, x: rs.evaluate(y, s, ci=True), "did you mean intervals=True"),
        (lambda y, s, x: rs.evaluate(y, s, scoring=["auc"]), "did you mean measures=?"),
        (lambda y, s, x: rs.evaluate(y, s, dropna=True), "did you mean missing='drop'"),
        (lambda y, s, x: rs.evaluate(y, s, intervalls=True), "did you mean intervals=?"),
        (lambda y, s, x: rs.auc(y, s, weights=s), "did you mean sample_weight=?"),
        (lambda y, s, x: rs.partial_auc(y, s, max_fpr=0.2), "did you mean fpr_range="),
        (lambda y, s, x: rs.auc_interval(y, s, alpha=0.05), "did you mean level=0.95"),
        (lambda y, s, x: rs.best_threshold(y, s, "youden"), "pass the others by name"),
        (lambda y, s, x: rs.power_auc(0.8, 0.85), "takes nothing by position"),
        (lambda y, s, x: rs.crossval_evaluate_estimators(MODEL, x, y, scoring="auc"), "did you mean measures=?"),
        (lambda y, s, x: rs.auc(y, np.ones((y.size, 3))), "rs.multiclass_auc"),
    ],
)
def test_arguments_of_other_libraries_are_answered(call: Any, words: str) -> None:
    with pytest.raises(rs.RocsteadyError) as told:
        call(GIVEN["y"], GIVEN["s"], GIVEN["X"])
    assert words in str(told.value)


SKLEARN_NAMES = """roc_auc_score roc_curve average_precision_score brier_score_loss log_loss f1_score accuracy_score
    precision_score recall_score matthews_corrcoef balanced_accuracy_score cohen_kappa_score det_curve
    calibration_curve fbeta_score"""


@pytest.mark.parametrize("name", SKLEARN_NAMES.split())
def test_names_of_scikit_learn_that_work_as_they_are(name: str) -> None:
    assert callable(getattr(rs, name))


def test_curves_unpack_as_scikit_learn_s() -> None:
    from sklearn import metrics

    y, s = GIVEN["y"], GIVEN["s"]
    for ours, theirs in zip(rs.roc_curve(y, s), metrics.roc_curve(y, s, drop_intermediate=False), strict=True):
        assert ours == pytest.approx(theirs)
    for ours, theirs in zip(rs.curves.det_curve(y, s), metrics.det_curve(y, s), strict=True):
        assert set(theirs.round(12)) <= set(np.asarray(ours).round(12))
    precision, recall, thresholds = rs.pr_curve(y, s)
    theirs = metrics.precision_recall_curve(y, s)
    assert {*zip(theirs[0][:-1].round(12), theirs[1][:-1].round(12), strict=True)} <= {
        *zip(precision.round(12), recall.round(12), strict=True)
    }
    assert thresholds.size == precision.size


def test_the_page_is_as_it_was_made() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "make_first_lines.py"))["page"]()
    assert (ROOT / "docs" / "first_lines.md").read_text(encoding="utf-8") == made
