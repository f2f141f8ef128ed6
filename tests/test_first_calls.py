"""What is typed first, and works: choices, displays, scorers, tables, predicted classes, repeats given as folds."""

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
from scipy.stats import ttest_1samp
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import cohen_kappa_score, f1_score, get_scorer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB

import rocsteady
from cases import each_case
from rocsteady._src.designs.folds.repeats import repeats_in_order
from test_equivalents import GIVEN

mpl.use("Agg")
rs: Any = rocsteady  # some calls here are such as types refuse
RNG = np.random.default_rng(7)
Y = RNG.integers(0, 2, 120)
S, T = Y + RNG.normal(size=120), Y + 2 * RNG.normal(size=120)
P, Q = 1 / (1 + np.exp(-S)), 1 / (1 + np.exp(-T))
SITE, FOLD = np.arange(120) % 2, np.arange(120) % 4
RESULT = rs.evaluate(Y, {"a": S, "b": T})


class TestChoices:
    CHOICE = rs.best_threshold(Y, P)

    def test_a_choice_is_a_number_where_one_is_wanted(self) -> None:
        assert float(self.CHOICE) == self.CHOICE.threshold
        expected = self.CHOICE.predict(P) == 1
        for called in (P >= self.CHOICE, self.CHOICE <= P, pd.Series(P) >= self.CHOICE):
            assert np.array_equal(called, expected)
        assert np.array_equal(P < self.CHOICE, ~expected)
        assert np.array_equal(self.CHOICE > P, ~expected)
        assert (self.CHOICE <= 1.5, self.CHOICE > 1.5, self.CHOICE < 1.5, self.CHOICE >= 1.5) == (1, 0, 1, 0)

    def test_whole_numbers_beyond_floats_stay_exact(self) -> None:
        high = 2**53 + 1
        choice = rs.best_threshold([0, 1], [high - 1, high])
        assert (np.array([high - 1, high]) >= choice).tolist() == [False, True]
        assert choice == rs.best_threshold([0, 1], [high - 1, high])


class TestDisplays:
    @pytest.mark.parametrize(
        "draw", [lambda: rs.roc_curve(Y, P).plot(), lambda: rs.evaluate(Y, {"a": P, "b": Q}).plot()]
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

    def test_a_display_is_pickled_and_copied(self) -> None:
        """Attributes that protocols ask for are plainly not there."""
        display = rs.roc_curve(Y, P).plot()
        assert not hasattr(display, "__deepcopy__")
        assert pickle.loads(pickle.dumps(display)).result.area == display.result.area  # noqa: S301 - our own bytes
        plt.close("all")


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
    TABLE = pd.DataFrame({"y": Y, "a": P, "b": Q})

    def test_columns_are_renamed_by_a_mapping(self) -> None:
        named = {"first": "a", "b": "b"}
        for table in (self.TABLE, dict(self.TABLE)):
            result = rs.evaluate(table, label="y", scores=named)
            assert result.models == ("first", "b")
            assert result["first"]["auc"] == rs.auc(Y, P)
        assert rs.compare_models(self.TABLE, label="y", scores=named).models == ("first", "b")

    def test_lazy_tables_and_files_too(self, tmp_path: Path) -> None:
        pl = pytest.importorskip("polars")
        self.TABLE.to_csv(tmp_path / "d.csv", index=False)
        for table in (pl.DataFrame(dict(self.TABLE)).lazy(), tmp_path / "d.csv"):
            result = rs.evaluate(table, label="y", scores={"first": "a"})
            assert (result.models, result["auc"]) == (("first",), rs.auc(Y, P))

    def test_what_cannot_be_renamed(self) -> None:
        with pytest.raises(rs.errors.ArgumentError, match="the name 'b', which another column"):
            rs.evaluate(self.TABLE, label="y", scores={"b": "a"})
        with pytest.raises(rs.errors.InputError, match="there is no column 'zz'; the table has 'y', 'a', 'b'"):
            rs.evaluate(self.TABLE, label="y", scores={"first": "zz", "b": "b"})


def test_an_infinite_loss_says_why() -> None:
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
        model = GaussianNB().fit(P[:, None], labels)
        for place in (0, 1):
            expected = (model.predict(P[:, None]) == names[place])[labels == names[place]].mean()
            found = rs.scorer("recall", pos_label=names[place])(model, P[:, None], labels)
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


def test_models_are_gone_through_and_all_measures_asked_for() -> None:
    assert (len(RESULT), list(RESULT), "a" in RESULT) == (2, ["a", "b"], True)
    found = rs.evaluate(Y, 1 / (1 + np.exp(-S)), measures="all")
    assert set(found.columns) == {sheet.name for sheet in rs.list_measures()}


def test_kinds_of_pictures_in_any_case() -> None:
    assert len(RESULT.plot("ROC")) == len(RESULT.plot(kind="precision-recall")) == 2
    with pytest.raises(rs.ArgumentError, match="there is no picture 'all'"):
        RESULT.plot("all")
    plt.close("all")


class TestThresholdOfGroups:
    @pytest.mark.parametrize("threshold", [0.8, "youden", {"a": 0.8, "b": "f1"}])
    def test_it_is_kept_for_gaps_whatever_is_shown(self, threshold: Any) -> None:
        scores = {"a": S, "b": T}
        shown = rs.evaluate(Y, scores, by=SITE, threshold=threshold, measures=["auc"], intervals=False)
        expected = rs.evaluate(Y, scores, by=SITE, threshold=threshold, measures=["recall"], intervals=False).gaps()
        assert shown.gaps().to_dict() == expected.to_dict()

    def test_groups_that_are_alike_have_no_two_ends(self) -> None:
        assert ", between" not in str(rs.evaluate(Y, S, by=SITE, threshold=-99, intervals=False).gaps())


class TestRepeatsAsFolds:
    """Repeats of a cross-validation, given as folds alone."""

    AGAIN = np.concatenate([S + 0.1 * RNG.normal(size=120) for _ in range(3)])
    FOLDS = np.concatenate([RNG.permutation(FOLD) for _ in range(3)])
    P = np.column_stack([AGAIN, -AGAIN, AGAIN**2])
    CLASSES = np.tile(RNG.integers(0, 3, 120), 3)

    CALLS: tuple[Any, ...] = (
        (lambda self: rs.evaluate(np.tile(Y, 3), self.AGAIN, fold=self.FOLDS), "id="),
        (lambda self: rs.evaluate(self.CLASSES, self.P, fold=self.FOLDS), "id="),
        (lambda self: rs.crossval.crossval_auc(np.tile(Y, 3), self.AGAIN, fold=self.FOLDS), "row="),
    )

    @each_case(("call", "row"), CALLS)
    def test_they_are_not_merged(self, call: Any, row: str) -> None:
        words = (
            rf"same 120 labels stand here 3 times .* with repeat= and {row}, of arrays np.repeat\(np.arange\(3\), 120"
        )
        with pytest.raises(rs.ArgumentError, match=words):
            call(self)

    def test_the_line_to_type_works(self) -> None:
        how = {"repeat": np.repeat(np.arange(3), 120), "id": np.tile(np.arange(120), 3)}
        assert rs.evaluate(np.tile(Y, 3), self.AGAIN, fold=self.FOLDS, **how).models["score"].n_repeats == 3

    def test_independent_rows_pass(self) -> None:
        assert repeats_in_order(np.tile(Y, 3), self.FOLDS, RNG.normal(size=360)) == 1
        assert repeats_in_order(np.tile([0, 1], 60), np.arange(120) % 5, np.tile([0.2, 0.7], 60)) == 1
        assert repeats_in_order(Y, FOLD, S) == 1
        whole_in_one_fold = np.repeat(np.arange(3), 120)
        assert repeats_in_order(np.tile(Y, 3), whole_in_one_fold, self.AGAIN) == 1

    def test_folds_that_come_again_are_remarked_on(self) -> None:
        orders = [np.argsort(fold, kind="stable") for fold in self.FOLDS.reshape(3, 120)]
        y, fold = np.concatenate([Y[order] for order in orders]), np.tile(np.repeat(np.arange(4), 30), 3)
        scores = np.concatenate([part[order] for part, order in zip(self.AGAIN.reshape(3, 120), orders, strict=True)])
        assert "folds come again 3 times" in str(rs.evaluate(y, scores, fold=fold))
        assert "folds come again" not in str(rs.evaluate(y, scores, fold=np.arange(360) % 4))
        assert "folds come again" not in str(rs.evaluate(y[:120], scores[:120], fold=fold[:120]))


class TestParts:
    def test_models_go_by_name(self) -> None:
        both = RESULT[["a", "b"]]
        assert (both.models, both["auc"], RESULT[["b"]].models) == (RESULT.models, RESULT["auc"], ("b",))
        assert both.compare().pairs[0].test.pvalue == RESULT.compare().pairs[0].test.pvalue

    def test_example_rows_are_looked_at_first(self) -> None:
        table = rs.examples.loans(n=30)
        lines = repr(table).splitlines()
        assert lines[0].split() == list(table)
        assert lines[1].split() == [str(column[0]) for column in table.values()]
        assert (len(lines), "30 rows, of which 5 are shown" in lines[-1]) == (7, True)
        assert table.head(2) == {name: column[:2] for name, column in table.items()}
        with pytest.raises(AttributeError, match=r"pd.DataFrame\(table\).describe\(\)"):
            table.describe()
        with pytest.raises(KeyError, match="the columns are loan, defaulted"):
            table["paid"]


def test_what_a_newcomer_tried_works() -> None:
    pairs = rs.evaluate(Y, [("a", S), ("b", T)])
    assert pairs["auc"] == RESULT["auc"]
    assert rs.evaluate(pd.DataFrame({"y": Y}), pd.DataFrame({"a": S, "b": T}))["auc"] == RESULT["auc"]
    assert {name: each["auc"] for name, each in dict(RESULT).items()} == RESULT["auc"]
    found = rs.evaluate(Y, P, measures=["sensitivity", "specificity"])
    assert found["recall"] == rs.recall(Y, P, threshold=0.5)
    drawn = RESULT.plot("pr", ax=plt.subplots()[1])
    assert drawn.ax_.get_xlabel() == "Recall"
    plt.close("all")


def test_a_test_in_one_direction_says_so_in_its_first_words() -> None:
    assert repr(rs.compare_auc(Y, S, T, alternative="greater")).startswith("TestResult(first is above second: p")
    held = rs.compare_auc(Y, S, T, alternative="non-inferiority", margin=0.02)
    assert repr(held).startswith("TestResult(first is not below second by 0.02 or more: p")
    with pytest.raises(rs.errors.InputError, match="look swapped: label='y', scores='new'"):
        rs.evaluate({"y": Y, "new": P}, label="new", scores="y")


def test_tests_and_intervals_are_read_by_place_as_they_unpack() -> None:
    y, s, t = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1], [0.9, 0.2, 0.7, 0.6, 0.3, 0.1]
    test, interval = rs.compare_auc(y, s, t), rs.auc_interval(y, s)
    assert (test[0], test[1], test[-1]) == (test.statistic, test.pvalue, test.pvalue)
    assert interval[:] == (interval.low, interval.high)
    with pytest.raises(IndexError):
        test[2]


def test_the_first_arrays_of_a_curve() -> None:
    curve = rs.roc_curve(GIVEN["y"], GIVEN["s"])
    fpr, tpr = curve[:2]
    assert fpr is curve.fpr
    assert tpr is curve.tpr
    assert curve[-1] is curve.thresholds
    assert np.asarray(curve).shape == (3, len(curve))


def test_predicted_classes_have_measures_of_called_classes() -> None:
    labels, called = GIVEN["labels"], GIVEN["p"].argmax(axis=1)
    expected = rs.multiclass.multiclass_measures(labels, called)
    for given in (rs.evaluate(labels, called), rs.evaluate(labels, called.astype(float))):
        assert given.to_dict() == expected.to_dict()
    words = np.array(["ant", "bee", "cat"])
    assert rs.evaluate(words[labels], words[called]).kappa == expected.kappa
    table = {"truth": words[labels], "said": words[called], "w": np.arange(120) % 3 + 1}
    weighted = rs.evaluate(table, label="truth", scores="said", weight="w", measures=["recall"], level=0.9)
    asked = {"measures": ["recall"], "sample_weight": table["w"], "level": 0.9}
    assert weighted.to_dict() == rs.multiclass.multiclass_measures(words[labels], words[called], **asked).to_dict()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda labels, called: rs.evaluate(labels, called, threshold=0.5),
            "threshold has no meaning with predicted",
        ),
        (
            lambda labels, called: rs.evaluate(labels, {"a": called, "b": called}, measures=["macro_auc"]),
            "macro_auc is about scores, and these models were given as predicted classes",
        ),
        (lambda labels, called: rs.evaluate(labels, {"a": called, "b": called}, measures=["acuracy"]), "did you mean"),
        (lambda labels, called: rs.evaluate(labels, called / 7), "say which one is positive"),
        (lambda labels, called: rs.evaluate(labels, called + 0.5), "takes predicted classes"),
        (rs.f1, r"judge all classes: rs.evaluate\(y, predicted\) takes predicted classes"),
    ],
)
def test_what_predicted_classes_do_not_have(call: Any, words: str) -> None:
    with pytest.raises(rs.errors.RocsteadyError, match=words):
        call(GIVEN["labels"], GIVEN["p"].argmax(axis=1))


def test_predicted_classes_of_several_models_stand_side_by_side() -> None:
    labels, first = GIVEN["labels"], GIVEN["p"].argmax(axis=1)
    second = np.where(np.arange(labels.size) % 3 == 0, labels, first)
    both: Any = rs.evaluate(labels, {"a": first, "b": second})
    for name, called in {"a": first, "b": second}.items():
        assert both[name].to_dict() == rs.evaluate(labels, called).to_dict()
        assert both.value(name, "macro_f1").estimate == pytest.approx(f1_score(labels, called, average="macro"))
        assert both.value(name, "kappa").estimate == pytest.approx(cohen_kappa_score(labels, called))
    right = (first == labels).astype(float) - (second == labels)
    pair = both.compare().pairs[0].test
    assert pair.estimate == pytest.approx(right.mean())
    assert pair.statistic == pytest.approx(ttest_1samp(right, 0).statistic)
    assert pair.pvalue == pytest.approx(ttest_1samp(right, 0).pvalue)
    words = np.array(["ant", "bee", "cat"])
    texts = {"a": words[first], "b": [None, *words[second[1:]]]}
    assert rs.evaluate(words[labels], texts, missing="drop", measures=["macro_recall"]).origin.n_dropped == 1
    assert "predicted classes, not scores" in str(both)


def test_two_of_several_models_are_compared() -> None:
    y, s, t = GIVEN["y"], GIVEN["s"], GIVEN["t"]
    three, folds = {"a": s, "b": t, "c": s + t}, np.arange(120) % 4
    result = rs.evaluate(y, three)
    two = result.compare("b", "a")
    assert two.models == ("b", "a")
    assert two.pairs[0].test.pvalue == rs.evaluate(y, {"b": t, "a": s}).compare().pairs[0].test.pvalue
    assert len(result.compare("a").pairs) == 2
    assert [pair.first for pair in rs.evaluate(y, three, fold=folds).compare("b", "a").pairs] == ["b"]
    grouped = rs.evaluate(y, three, by=folds % 2).compare("a", "c")
    assert {pair.second for each in grouped.groups.values() for pair in each.pairs} == {"c"}
    for wrong, words in ((("a", "x"), "no model 'x'"), (("a", "a"), "once")):
        with pytest.raises(rs.errors.ArgumentError, match=words):
            result.compare(*wrong)
    with pytest.raises(rs.errors.ArgumentError, match=r"compare\(measure='average_precision'\)"):
        result.compare("average_precision")


def test_kinds_of_pictures_by_name() -> None:
    result = rs.evaluate(GIVEN["y"], {"a": GIVEN["s"]})
    for name, kind in (("roc", "roc"), ("precision_recall", "pr"), ("calibration", "calibration")):
        drawn, asked = getattr(result.plot, name)(), result.plot(kind=kind)
        assert drawn.ax_.get_xlabel() == asked.ax_.get_xlabel()
    assert "gains" in dir(result.plot)
    assert "Draw curves" in (result.plot.__doc__ or "")
    with pytest.raises(AttributeError, match="kinds: roc, pr"):
        result.plot.violin()
    plt.close("all")


SKLEARN_NAMES = "roc_curve log_loss det_curve calibration_curve"


@each_case("name", SKLEARN_NAMES.split())
def test_names_of_scikit_learn_that_work_as_they_are(name: str) -> None:
    assert callable(getattr(rs, name))


def test_predicted_classes_are_averaged_over_those_that_are_asked_for() -> None:
    labels, called = GIVEN["labels"], GIVEN["p"].argmax(axis=1)
    for asked in ({"classes_averaged": [0, 2]}, {"absent": "skip"}):
        expected = rs.multiclass.multiclass_measures(labels, called, **asked)
        assert rs.evaluate(labels, called, **asked).to_dict() == expected.to_dict()
        with pytest.raises(rs.errors.ArgumentError, match="more than two classes, and there are two"):
            rs.evaluate(GIVEN["y"], GIVEN["s"], **asked)


def test_fitted_models_of_several_labels() -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.multioutput import MultiOutputClassifier

    features, labels = GIVEN["X"], GIVEN["indicators"]
    one, many = (
        kind(LogisticRegression()).fit(features, labels) for kind in (OneVsRestClassifier, MultiOutputClassifier)
    )
    columns = np.column_stack([each[:, 1] for each in many.predict_proba(features)])
    found, expected = rs.evaluate_estimators(many, features, labels), rs.evaluate(labels, columns)
    assert found.averages["micro"].low == expected.averages["micro"].low
    assert found.averages["macro"].estimate == expected.averages["macro"].estimate
    assert "fitted on some of these rows" in str(found)
    both = rs.evaluate_estimators({"one": one, "many": many}, features, labels)
    assert str(both).count(f"{expected.averages['macro'].estimate:.4f} [") >= 2
    with pytest.raises(rs.errors.ArgumentError, match="it is not fitted"):
        rs.evaluate_estimators(MultiOutputClassifier(LogisticRegression()), features, labels)
    same = MultiOutputClassifier(GaussianNB()).fit(features, labels * [1, 1, 0])
    with pytest.raises(rs.errors.InputError, match="knows the classes 0 of label 2"):
        rs.evaluate_estimators(same, features, labels)


def test_what_is_said_of_several_models_is_said_once() -> None:
    y, s = GIVEN["y"], GIVEN["s"]
    three = {"a": s, "b": s > 0.5, "c": s > 0.4}
    with pytest.warns(rs.errors.RocsteadyWarning, match="2 distinct scores"):
        text = str(rs.evaluate(y, three, measures=["auc", "ks_statistic"], intervals=True, n_resamples=20))
    assert text.count("2 distinct scores") == 1
    assert "note: b, c: 2 distinct scores" in text
    assert text.count("20 resamples of") == 1
    folds = rs.evaluate(y, {"a": s, "b": GIVEN["t"]}, fold=np.arange(120) % 3)
    assert str(folds).count("this may be chance") == 1
    assert "  auc" not in str(folds)  # which the first table has


def test_an_infinite_log_loss_of_classes_says_so() -> None:
    labels, p = GIVEN["labels"], GIVEN["p"].copy()
    p[0] = np.roll(np.eye(3)[labels[0]], 1)
    assert "the value is infinite" in str(rs.evaluate(labels, p))
    assert "the value is infinite" in str(rs.evaluate(labels, p, fold=np.arange(120) % 3))
