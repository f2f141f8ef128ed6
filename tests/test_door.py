"""What a newcomer types: names, options and calls that miss by a little are answered with the line to type."""

from __future__ import annotations

import io
import pickle
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB

import rocsteady
from rocsteady._src.base.unknown_options import CallError
from rocsteady._src.results.other_names import OF_RANKED

mpl.use("Agg")
rs: Any = rocsteady  # many calls here do not fit its types, on purpose
RNG = np.random.default_rng(1)
Y = RNG.integers(0, 2, 120)
S, T = (1 / (1 + np.exp(-(spread * (2 * Y - 1) + RNG.normal(size=120)))) for spread in (1.0, 0.6))


class TestNames:
    @pytest.mark.parametrize(
        ("line", "words"),
        [
            ("from rocsteady import Delong_test", "from 'rocsteady'; MLstatkit's Delong_test is here: rs.compare_auc("),
            ("from rocsteady import auc, confusion_matrix", "is here: rs.confusion(y, s, threshold=0.5)"),
            ("from rocsteady import aucc", "did you mean rs.auc or"),
            ("from rocsteady.measures import roc_curve", "did you mean rs.roc_curve"),
            ("from rocsteady.curves import confusion_matrix", "is here: rs.confusion("),
        ],
    )
    def test_an_import_of_a_name_that_is_not_there_says_which_is(self, line: str, words: str) -> None:
        with pytest.raises(ImportError) as told:
            exec(line, {})  # noqa: S102 - our own lines
        assert words in str(told.value)

    @pytest.mark.parametrize("module", ["calibration", "crossval", "curves", "inference", "measures", "multiclass"])
    def test_public_modules_answer_too(self, module: str) -> None:
        held = getattr(rs, module)
        with pytest.raises(AttributeError, match=r"is here: rs\.roc_curve\(y, s\)"):
            held.roc  # noqa: B018 - asking is the point
        assert not hasattr(held, "nothing_like_it")

    def test_real_modules_and_private_names_are_as_python_has_them(self) -> None:
        scope: dict[str, Any] = {}
        exec("from rocsteady import _names, errors, auc, mcc", scope)  # noqa: S102 - our own line
        assert scope["auc"] is rs.auc
        with pytest.raises(ImportError, match=r"cannot import name '_nothing' from 'rocsteady'$"):
            exec("from rocsteady import _nothing", {})  # noqa: S102 - our own line
        assert getattr(rs, "nothing_like_it", None) is None


class TestCalls:
    @pytest.mark.parametrize(
        ("call", "words"),
        [
            (lambda: rs.compare_auc(Y, {"a": S, "b": T}), "use rs.compare_models(y, models)"),
            (lambda: rs.compare_auc(Y, [S, T]), "use rs.compare_models(y, models)"),
            (lambda: rs.compare_auc(Y, S), "lacks second: rs.compare_auc(y_true, first, second)"),
            (lambda: rs.compare_brier(Y, {"a": S, "b": T}), "measure='brier_score'"),
            (lambda: rs.compare_measure("auc", Y, np.column_stack([S, T])), "measure='average_precision'"),
            (lambda: rs.bootstrap_interval(Y, S, "auc"), "takes the measure first: rs.bootstrap_interval('auc', y, s)"),
            (lambda: rs.bootstrap_interval(Y, S), "takes the measure first"),
            (lambda: rs.inference.jackknife_interval(list(Y), S), "takes the measure first"),
            (lambda: rs.compare_measure(Y, S, T, "auc"), "rs.compare_measure('auc', y, s, t)"),
            (lambda: rs.reclassification(Y, S, T), "lacks cutoffs: rs.reclassification(y_true, old, new, cutoffs=...)"),
            (rs.auc, "lacks y_true and y_score: rs.auc(y_true, y_score)"),
            (lambda: rs.best_threshold(Y, S, "youden"), "by name, such as rule='youden'"),
            (lambda: rs.compare_auc(Y, S, T, "delong"), "by name, such as method='delong'"),
            (lambda: rs.crossval_auc(Y, S, S, label="y"), "no option 'label'"),
        ],
    )
    def test_what_does_not_fit_is_answered_with_the_line(self, call: Any, words: str) -> None:
        with pytest.raises(CallError) as told:
            call()
        assert words in str(told.value)
        assert isinstance(told.value, TypeError)

    @pytest.mark.parametrize("word", ["method", "criterion", "measure"])
    def test_a_rule_by_another_word(self, word: str) -> None:
        with pytest.raises(rs.errors.ArgumentError, match=r"name the rule itself with rule='youden'"):
            rs.best_threshold(Y, S, **{word: "youden"})

    def test_a_measure_by_name_or_function_still_comes_first(self) -> None:
        ends = [rs.bootstrap_interval(each, Y, S, n_resamples=50, random_state=1).low for each in ("auc", rs.auc)]
        assert ends[0] == ends[1]


class TestChoices:
    CHOICE = rs.best_threshold(Y, S)

    def test_a_choice_is_a_number_where_one_is_wanted(self) -> None:
        assert float(self.CHOICE) == self.CHOICE.threshold
        expected = self.CHOICE.predict(S) == 1
        for called in (S >= self.CHOICE, self.CHOICE <= S, pd.Series(S) >= self.CHOICE):
            assert np.array_equal(called, expected)
        assert np.array_equal(S < self.CHOICE, ~expected)
        assert np.array_equal(self.CHOICE > S, ~expected)
        assert (self.CHOICE <= 1.5, self.CHOICE > 1.5, self.CHOICE < 1.5, self.CHOICE >= 1.5) == (1, 0, 1, 0)

    def test_whole_numbers_beyond_floats_stay_exact(self) -> None:
        high = 2**53 + 1
        choice = rs.best_threshold([0, 1], [high - 1, high])
        assert (np.array([high - 1, high]) >= choice).tolist() == [False, True]
        assert choice == rs.best_threshold([0, 1], [high - 1, high])


class TestDisplays:
    @pytest.mark.parametrize(
        "draw", [lambda: rs.roc_curve(Y, S).plot(), lambda: rs.evaluate(Y, {"a": S, "b": T}).plot()]
    )
    def test_a_display_is_saved(self, draw: Any, tmp_path: Path) -> None:
        display = draw()
        for name, start in (("a.png", b"\x89PNG"), ("b.svg", b"<?xml"), ("c", b"\x89PNG")):
            written = display.savefig(tmp_path / name)
            assert written.read_bytes().startswith(start)
        assert display.savefig(str(tmp_path / "a.png"), dpi=20).stat().st_size < (tmp_path / "c.png").stat().st_size
        assert sorted(each.name for each in tmp_path.iterdir()) == ["a.png", "b.svg", "c.png"]
        buffer = io.BytesIO()
        assert display.savefig(buffer, format="png") is None
        assert buffer.getvalue()
        plt.close("all")

    @pytest.mark.parametrize(
        ("name", "words"),
        [
            ("figure", ".figure_?"),
            ("save", ".savefig(path)?"),
            ("ax", ".ax_?"),
            ("fig", ".figure_?"),
            ("show", ".figure_"),
        ],
    )
    def test_other_names_are_answered(self, name: str, words: str) -> None:
        for display in (rs.roc_curve(Y, S).plot(), rs.evaluate(Y, {"a": S, "b": T}).plot()):
            with pytest.raises(AttributeError) as told:
                getattr(display, name)
            assert words in str(told.value)
        plt.close("all")

    def test_a_display_is_pickled_and_copied(self) -> None:
        """Attributes that protocols ask for are plainly not there."""
        display = rs.roc_curve(Y, S).plot()
        assert not hasattr(display, "__deepcopy__")
        assert pickle.loads(pickle.dumps(display)).result.area == display.result.area  # noqa: S301 - our own bytes
        plt.close("all")


@pytest.mark.parametrize("name", OF_RANKED)
def test_an_evaluation_says_how_to_ask_of_each_model(name: str) -> None:
    result, model = rs.evaluate(Y, {"a": S}), "a"
    with pytest.raises(AttributeError) as told:
        getattr(result, name)
    line = str(told.value).split("; of each model use ")[1]
    assert eval(line, {"rs": rs, "result": result, "model": model}) is not None  # noqa: S307 - our own line


class TestScorers:
    X, LABELS = load_iris(return_X_y=True)
    MODEL = LogisticRegression(C=0.01).fit(X[::2], LABELS[::2])

    @pytest.mark.parametrize(
        ("ours", "theirs"),
        [
            ("macro_auc", "roc_auc_ovr"),
            ("multiclass_auc", "roc_auc_ovr"),
            ("roc_auc_ovo", "roc_auc_ovo"),
            ("weighted_auc", "roc_auc_ovr_weighted"),
            ("macro_f1", "f1_macro"),
            ("recall_weighted", "recall_weighted"),
            ("log_loss", "neg_log_loss"),
            ("accuracy", "accuracy"),
            ("balanced_accuracy", "balanced_accuracy"),
        ],
    )
    def test_more_than_two_classes_as_scikit_learn_scores_them(self, ours: str, theirs: str) -> None:
        rows, labels = self.X[1::2], self.LABELS[1::2]
        expected = get_scorer(theirs)(self.MODEL, rows, labels)
        assert rs.scorer(ours)(self.MODEL, rows, labels) == pytest.approx(expected, rel=1e-12)

    def test_in_searches_and_folds(self) -> None:
        scoring = pickle.loads(pickle.dumps(rs.scorer("hand_till_auc")))  # noqa: S301 - our own bytes
        assert cross_val_score(GaussianNB(), self.X, self.LABELS, scoring=scoring, cv=3).min() > 0.9
        search = GridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 1e3]}, scoring=rs.scorer("log_loss"), cv=3)
        assert search.fit(self.X, self.LABELS).best_params_ == {"var_smoothing": 1e-9}
        weights = np.arange(1.0, 76.0)
        weighted = rs.scorer("accuracy")(self.MODEL, self.X[::2], self.LABELS[::2], sample_weight=weights)
        assert weighted == pytest.approx(
            np.average(self.MODEL.predict(self.X[::2]) == self.LABELS[::2], weights=weights)
        )

    def test_names_of_both_judge_two_classes_as_before(self) -> None:
        two = self.LABELS < 2
        model = LogisticRegression().fit(self.X[two][::2], self.LABELS[two][::2])
        for name, theirs in (
            ("log_loss", "neg_log_loss"),
            ("brier_score", "neg_brier_score"),
            ("accuracy", "accuracy"),
        ):
            expected = get_scorer(theirs)(model, self.X[two], self.LABELS[two])
            assert rs.scorer(name)(model, self.X[two], self.LABELS[two]) == pytest.approx(expected, rel=1e-12)
        assert rs.scorer("accuracy", threshold=0.9)(model, self.X[two], self.LABELS[two]) <= 1

    def test_a_class_that_is_absent_leaves_no_average(self) -> None:
        two = self.LABELS < 2
        with pytest.warns(rs.errors.UndefinedWarning, match="macro_auc is undefined"):
            assert np.isnan(rs.scorer("macro_auc")(self.MODEL, self.X[two], self.LABELS[two]))

    def test_what_is_refused(self) -> None:
        with pytest.raises(rs.errors.ArgumentError, match="has no pos_label"):
            rs.scorer("macro_auc", pos_label=1)
        with pytest.raises(rs.errors.ArgumentError, match="no parameter beta"):
            rs.scorer("macro_f1", beta=2)
        with pytest.raises(rs.errors.InputError, match=r"rs\.scorer\('macro_auc'\) in a search"):
            rs.scorer("auc")(self.MODEL, self.X, self.LABELS)


class TestTables:
    TABLE = pd.DataFrame({"y": Y, "a": S, "b": T})

    def test_columns_are_renamed_by_a_mapping(self) -> None:
        named = {"first": "a", "b": "b"}
        for table in (self.TABLE, dict(self.TABLE)):
            result = rs.evaluate(table, label="y", scores=named)
            assert result.models == ("first", "b")
            assert result["first"]["auc"] == rs.auc(Y, S)
        assert rs.compare_models(self.TABLE, label="y", scores=named).models == ("first", "b")

    def test_lazy_tables_and_files_too(self, tmp_path: Path) -> None:
        pl = pytest.importorskip("polars")
        self.TABLE.to_csv(tmp_path / "d.csv", index=False)
        for table in (pl.DataFrame(dict(self.TABLE)).lazy(), tmp_path / "d.csv"):
            result = rs.evaluate(table, label="y", scores={"first": "a"})
            assert (result.models, result["auc"]) == (("first",), rs.auc(Y, S))

    def test_what_cannot_be_renamed(self) -> None:
        with pytest.raises(rs.errors.ArgumentError, match="the name 'b', which another column"):
            rs.evaluate(self.TABLE, label="y", scores={"b": "a"})
        with pytest.raises(rs.errors.InputError, match="there is no column 'zz'; the table has 'y', 'a', 'b'"):
            rs.evaluate(self.TABLE, label="y", scores={"first": "zz", "b": "b"})


class TestReading:
    CLASSES = np.arange(120) % 3

    @pytest.mark.parametrize(
        ("make", "words"),
        [
            (lambda: rs.calibration.calibration_summary(Y, S), "CalibrationSummary(slope "),
            (lambda: rs.reclassification(Y, S, T, cutoffs=[0.3]), "Reclassification(2 categories; events: "),
            (
                lambda: rs.multiclass.multiclass_confusion([0, 1, 2, 2], [0, 1, 2, 1]),
                "3 classes; 3 of 4 rows called right",
            ),
            (lambda: rs.multiclass.multiclass_measures([0, 1, 2, 2], [0, 1, 2, 1]), "3 classes; accuracy 0.7500 ["),
            (lambda: rs.crossval.crossval_evaluate(Y, S, fold=np.arange(120) % 3), "AUC: mean of 3 folds 0."),
            (
                lambda: rs.multiclass.multiclass_curves([0, 1, 2, 2], np.eye(4)[:, :3]),
                "roc curves of 3 classes; macro area",
            ),
        ],
    )
    def test_a_result_in_one_line_says_what_matters(self, make: Any, words: str) -> None:
        assert words in repr(make())

    def test_an_infinite_loss_says_why(self) -> None:
        told = "note: score: log_loss is infinite: a score of 0 or 1 was given to what did not happen"
        assert str(rs.evaluate([0, 1, 1], [0.2, 0.0, 0.9], measures=["log_loss", "auc"])).endswith(told)
        with_ends = str(rs.evaluate([0, 1, 1, 0], [0.2, 0.0, 0.9, 0.1], measures=["log_loss"], intervals=True))
        assert with_ends.count("a score of 0 or 1 was given") == 1


class TestCalledLabels:
    """Predicted labels in place of scores, where the positive one is not the higher."""

    CALLED = np.where(RNG.random(120) < 0.8, Y, 1 - Y)

    @pytest.mark.parametrize("names", [(0, 1), (-1, 1), (3, 5), ("ill", "well"), (False, True)])
    def test_a_scorer_knows_that_they_are_labels(self, names: tuple[Any, Any]) -> None:
        labels = np.array(names)[Y]
        model = GaussianNB().fit(S[:, None], labels)
        for place in (0, 1):
            expected = (model.predict(S[:, None]) == names[place])[labels == names[place]].mean()
            found = rs.scorer("recall", pos_label=names[place])(model, S[:, None], labels)
            assert found == pytest.approx(expected, rel=1e-12)

    @pytest.mark.parametrize("lower", [0, -1])
    def test_a_measure_refuses_a_call_of_the_other(self, lower: int) -> None:
        labels, called = (np.where(each == 1, 1, lower) for each in (Y, self.CALLED))
        with pytest.raises(rs.errors.ArgumentError, match=f"pass y_pred == {lower} in their place"):
            rs.recall(labels, called, pos_label=lower)
        right = (called == lower)[labels == lower].mean()
        assert rs.recall(labels, called == lower, pos_label=lower) == pytest.approx(right)
        assert rs.recall(labels, (called == lower).astype(float), pos_label=lower) == pytest.approx(right)
        assert rs.recall(labels, called, pos_label=lower, threshold=1) == pytest.approx(1 - right)
        assert rs.recall(labels, called, pos_label=1) == pytest.approx((called == 1)[labels == 1].mean())
