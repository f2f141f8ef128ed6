"""What is typed first and is not quite right: it works, or is answered with the word or the line to type."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest

import rocsteady
from cases import each_case
from rocsteady._src.base.foreign_names import OF_CLASSES
from rocsteady._src.designs.folds.repeats import repeats_in_order

rs: Any = rocsteady  # most calls here are such as types refuse
RNG = np.random.default_rng(7)
Y = RNG.integers(0, 2, 120)
S, T = Y + RNG.normal(size=120), Y + 2 * RNG.normal(size=120)
SITE, FOLD = np.arange(120) % 2, np.arange(120) % 4
RESULT = rs.evaluate(Y, {"a": S, "b": T})


class TestPictures:
    FILES = (
        lambda: RESULT.plot("roc.png"),
        lambda: RESULT.plot(path="roc.png"),
        lambda: RESULT.plot.pr(Path("roc.png")),
        lambda: rs.roc_curve(Y, S).plot("roc.png"),
        lambda: rs.roc_curve(Y, S).plot(save_path="roc.png"),
        lambda: rs.best_threshold(Y, S).plot(filename="roc.png"),
        lambda: rs.evaluate(Y, S, by=SITE).plot("roc.png"),
    )

    @each_case("call", FILES)
    def test_a_file_is_written_by_the_display(self, call: Any) -> None:
        with pytest.raises(TypeError, match=r"a picture is written by result.plot\(\).savefig\('roc.png'\)"):
            call()

    def test_that_line_works(self, tmp_path: Path) -> None:
        RESULT.plot().savefig(tmp_path / "roc.png")
        assert (tmp_path / "roc.png").stat().st_size > 1000
        rs.roc_curve(Y, S).plot(ax=plt.subplots(figsize=(8, 6))[1]).ax_.set(title="Mine")
        plt.close("all")

    def test_what_belongs_to_axes_says_so_and_lines_take_their_own(self) -> None:
        with pytest.raises(TypeError, match=r"result.plot\(\).ax_.set\(title=...\)"):
            RESULT.plot(title="Mine")
        with pytest.raises(TypeError, match="figsize"):
            rs.roc_curve(Y, S).plot(figsize=(3, 3))
        assert rs.roc_curve(Y, S).plot(color="red").line_.get_color() == "red"
        plt.close("all")


class TestMethods:
    CALLS: tuple[Any, ...] = (
        (lambda: RESULT.compare(metric="auc"), "did you mean measure= or measures=?"),
        (lambda: RESULT.decide(fn=2), "did you mean cost_fn=?"),
        (lambda: RESULT.with_intervals(confidence=0.9), "did you mean level=0.9?"),
        (lambda: RESULT.to_frame(backends="pandas"), "did you mean backend=?"),
        (lambda: rs.evaluate(Y, S, by=SITE).gaps(metric="recall"), "did you mean measure=?"),
        (lambda: rs.best_threshold(Y, S).predict(S, negative=0), "it has: neg_label, scores"),
    )

    @each_case(("call", "words"), CALLS)
    def test_an_unknown_option_names_the_one_that_is_meant(self, call: Any, words: str) -> None:
        with pytest.raises(rs.ArgumentError) as told:
            call()
        assert str(told.value).endswith(words)

    KEYS: tuple[Any, ...] = (
        (lambda: rs.evaluate(Y, {"a": S}, by=SITE, intervals=False), "0, 1; of all rows result.overall['a']"),
        (lambda: rs.evaluate(Y, {"b": S}, fold=FOLD, intervals=False), "it has: 'b'"),
        (lambda: rs.evaluate(FOLD, {"b": np.eye(4)[FOLD]}), "it has: 'b'"),
    )

    @each_case(("make", "words"), KEYS)
    def test_a_name_that_is_not_there_says_which_are(self, make: Any, words: str) -> None:
        with pytest.raises(KeyError) as told:
            make()["a"]
        assert str(told.value).endswith(words)
        assert isinstance(told.value, rs.ArgumentError)

    def test_an_error_inside_stays_what_it_is(self) -> None:
        with pytest.raises(TypeError, match="can only concatenate"):
            rs.results.Result.to_markdown(_Broken())


class _Broken(rocsteady.results.Result):
    def _reading(self) -> Any:
        return "a" + 1


class TestNearLines:
    """Lines that are nearly right name the line that is."""

    CLASSES = np.arange(120) % 3
    P = np.eye(3)[CLASSES]
    CALLS: tuple[Any, ...] = (
        (lambda: rs.auc_interval(Y, {"a": S, "b": T}), "judge all with rs.evaluate(y, models)"),
        (lambda: rs.best_threshold(Y, {"a": S}), "such as models['a'], or judge all with rs.evaluate(y, models)"),
        (lambda: rs.evaluate(Y, S, alpha=0.1), "did you mean level=0.9?"),
        (lambda: rs.evaluate(Y, S, intervals=0.9), "intervals must be True or False, got 0.9"),
        (lambda: rs.evaluate(Y, S, group_by=SITE), "did you mean by=?"),
        (lambda: rs.evaluate(Y, S, measures="precision@10"), "in brackets, such as 'precision_at_k(k=10)'"),
        (lambda: rs.evaluate(Y, S, measures="f1@0.3"), "in brackets, such as 'f1(threshold=0.3)'"),
        (lambda: rs.evaluate(TestNearLines.CLASSES, TestNearLines.P).plot("roc"), "result.plot(), without 'roc'"),
        (rs.evaluate, "evaluate() lacks table: rs.evaluate(y, scores)"),
        (lambda: rs.auc_interval(Y, S, conf_level=90), "did you mean level=0.9?"),
        (lambda: rs.auc(Y, S, ci=True), "with its interval: rs.auc_interval(y, s)"),
        (lambda: rs.f1(Y, S, ci=True), "with its interval: rs.evaluate(y, s, measures=['f1'], intervals=True)"),
        (lambda: rs.precision_at_k(Y, S, 10), "such as k=10"),
        (lambda: rs.confusion(Y, S, 0.5), "such as threshold=0.5"),
        (lambda: rs.best_threshold(Y, S, precision=0.9), "hold a rate with rule='precision' and value=0.9"),
        (lambda: rs.evaluate(TestNearLines.CLASSES, TestNearLines.P, measures=["auc"]), "macro_auc or weighted_auc?"),
        (lambda: rs.evaluate(Y, S, threshold=[0.3, 0.5]), "at several: rs.confusion(y, s, threshold=[...])"),
        (lambda: rs.evaluate(np.column_stack([S, T]), Y), "use rs.evaluate_estimators(model, X, y)"),
        (
            lambda: rs.evaluate({"estimator": [], "indices": {}}, S, Y),
            "rs.crossval_evaluate_estimators(returned, X, y)",
        ),
        (lambda: rs.crossval_evaluate_estimators(None, S, Y, groups=SITE), "pass cv=StratifiedGroupKFold(5)"),
    )
    ATTRIBUTES: tuple[Any, ...] = (
        (lambda: RESULT.a, "it is result['a']"),
        (lambda: RESULT.best_model, "did you mean .compare()?"),
        (lambda: rs.evaluate(TestNearLines.CLASSES, TestNearLines.P).accuracy, "it is result['accuracy']"),
        (lambda: rs.evaluate(TestNearLines.CLASSES, TestNearLines.P).compare, "{'a': p, 'b': q}).compare()"),
        (lambda: rs.roc_curve(Y, S).ci, "of the area rs.auc_interval(y, s), of the curve rs.roc_band(y, s)"),
        (lambda: RESULT.head, "did you mean .to_frame()?"),
        (lambda: RESULT.compare().pvalue, "did you mean .pairs[0].test.pvalue or .to_frame()?"),
        (lambda: rs.confusion(Y, S, threshold=1).ravel, "the four counts are c.tn, c.fp, c.fn, c.tp"),
        (
            lambda: rs.confusion_matrix,
            "of more than two classes: rs.multiclass.multiclass_confusion(labels, p.argmax(axis=1))",
        ),
    )

    @each_case(("call", "words"), CALLS)
    def test_a_call_is_answered(self, call: Any, words: str) -> None:
        with pytest.raises(rs.errors.RocsteadyError) as told:
            call()
        assert str(told.value).endswith(words)

    @each_case(("call", "words"), ATTRIBUTES)
    def test_an_attribute_is_answered(self, call: Any, words: str) -> None:
        with pytest.raises(AttributeError) as told:
            call()
        assert str(told.value).endswith(words)

    def test_lines_of_classes_work(self) -> None:
        given = {"rs": rs, "labels": self.CLASSES, "p": self.P}
        for line in OF_CLASSES.values():
            assert eval(line, dict(given)) is not None  # noqa: S307 - our own lines
        plt.close("all")

    def test_models_are_gone_through_and_all_measures_asked_for(self) -> None:
        assert (len(RESULT), list(RESULT), "a" in RESULT) == (2, ["a", "b"], True)
        found = rs.evaluate(Y, 1 / (1 + np.exp(-S)), measures="all")
        assert set(found.columns) == {sheet.name for sheet in rs.list_measures()}

    def test_kinds_of_pictures_in_any_case(self) -> None:
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
        for key, words in (
            (0, r"by name, not by place: result\['a'\]"),
            (-1, r"by place: result\['b'\]"),
            (("a", "auc"), r"one after the other: result\['a'\]\['auc'\]"),
            (slice(1), "models go by name|one by one, by name"),
            (["a", "z"], "it has: 'a', 'b'"),
        ):
            with pytest.raises(KeyError, match=words):
                RESULT[key]
        with pytest.raises(KeyError, match=r"there is no 7 in this result; it has: 0, 1"):
            rs.evaluate(Y, S, by=SITE)[7]

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
        with pytest.raises(AttributeError, match=r"rs.examples.loans\(\)"):
            rs.load_loans()


@each_case(
    ("call", "words"),
    [
        (lambda: RESULT.compare(alternative="less"), "rs.compare_auc(y, s, t, alternative='less')"),
        (lambda: RESULT.compare(alternative="two-sided"), "in both directions: leave it out"),
        (
            lambda: RESULT.compare(alternative="non-inferiority", margin=0.1),
            "rs.compare_auc(y, s, t, alternative='non-inferiority', margin=0.1)",
        ),
        (lambda: rs.evaluate(Y, S, threshold="best"), "'best' by what? Name it: 'youden'"),
        (lambda: rs.confusion(Y, S, threshold="Optimal"), "'Optimal' by what? Name it: 'youden'"),
        (lambda: rs.confusion(Y, S), "pass threshold=, a number or a rule such as 'youden' or 'f1'"),
        (lambda: rs.f1(Y, S, threshold="youden"), "rs.best_threshold chooses one by a rule"),
        (lambda: rs.scorer("auc", "f1"), "rs.scorer(['auc', 'f1'])"),
        (lambda: rs.scorer([]), "name at least one measure"),
    ],
)
def test_what_is_asked_in_other_words_is_answered(call: Any, words: str) -> None:
    with pytest.raises(rs.errors.ArgumentError) as told:
        call()
    assert words in str(told.value)


PROBABILITIES = 1 / (1 + np.exp(-S))
TABLE = {"y": Y, "old": 1 / (1 + np.exp(-T)), "new": PROBABILITIES, "site": SITE}
SHARES = rs.evaluate(TABLE, label="y", scores=["old", "new"])
HERE = {"rs": rs, "y": Y, "s": PROBABILITIES, "t": TABLE["old"], "result": SHARES, "model": "new", "table": TABLE}


def lines() -> list[str]:
    """Lines of Python that results and pictures answer with."""
    from rocsteady._src.base.foreign_names import OF_METHODS
    from rocsteady._src.results.other_names import KINDS_ELSEWHERE, NOT_HERE

    told = [*KINDS_ELSEWHERE.values(), *OF_METHODS.values()]
    told += [NOT_HERE[name][kind] for name, kind in (("calibration", "Evaluation"), ("gate", "Evaluation"))]
    told += [NOT_HERE["youden"]["RocCurve"], NOT_HERE["interval"]["Confusion"], NOT_HERE["partial_auc"]["RocCurve"]]
    return list(dict.fromkeys(told))


@each_case("told", lines())
@pytest.mark.filterwarnings("ignore")
def test_lines_that_are_answered_with_work(told: str) -> None:
    line = told[told.index("rs.") :] if "rs." in told else told[told.index("result.") :] if "result." in told else ""
    line = line.partition(" is the number")[0].partition(", and the nearest")[0]
    if line:
        assert eval(line, dict(HERE)) is not None  # noqa: S307 - our own lines
    plt.close("all")


@each_case(
    ("call", "words"),
    [
        (lambda: SHARES.plot(kind="lift"), "nearest picture plot('gains')"),
        (lambda: SHARES.plot(ax=np.array([1, 2])), "such as axes[0]"),
        (lambda: rs.auc(np.column_stack([Y, Y]), np.column_stack([S, S])), "use rs.evaluate(y, P)"),
        (lambda: rs.auc(TABLE, truth="y", estimate="new"), "did you mean label= and y_score=?"),
        (lambda: rs.best_threshold(TABLE, label="y", score="new"), "columns of scores (y_score=)"),
        (lambda: rs.best_threshold(Y, S, rule="precision", min=0.9), "it has: value"),
        (lambda: rs.best_threshold(Y, S, rule="precission"), "did you mean precision?"),
        (lambda: rs.confusion(Y, S, threshold="0.3"), "pass the number itself, 0.3"),
        (lambda: rs.evaluate(TABLE, label="y", scores=["nwe", "sitte"]), "did you mean 'site'?"),
        (lambda: rs.evaluate({"a": S, "b": T}, Y), "labels come first, then scores"),
        (lambda: rs.evaluate({"fit_time": S, "score_time": S}), "rs.crossval_evaluate_estimators(returned, X, y)"),
        (lambda: rs.brier_score(Y, 100 * PROBABILITIES), "if they are percentages, divide by 100"),
        (lambda: rs.auc(Y, S.astype(str)), "such as by .astype(float)"),
        (lambda: rs.measures.recall_at_precision(Y, S, 0.9), "such as precision=0.9"),
        (lambda: rs.operating_point(Y, S, fpr=0.001), "chosen by rule='fpr<=0.001'"),
        (lambda: rs.compare_measure(["auc", "gini"], Y, S, T), "measures=['auc', 'gini'])"),
        (lambda: rs.power_auc(auc1=0.8, auc2=0.85), "did you mean auc= and second_auc=?"),
        (RESULT.save, "result.save('result.json')"),
        (lambda: RESULT.decide(min_precision=0.5), "rule='precision>=0.5'"),
        (lambda: rs.evaluate(Y, S, by=SITE).gaps(), "or measure='auc', which needs none"),
    ],
)
def test_what_a_newcomer_tried_is_answered(call: Any, words: str) -> None:
    with pytest.raises(rs.errors.RocsteadyError) as told:
        call()
    assert words in str(told.value)


def test_what_a_newcomer_tried_works() -> None:
    import pandas as pd

    pairs = rs.evaluate(Y, [("a", S), ("b", T)])
    assert pairs["auc"] == RESULT["auc"]
    assert rs.evaluate(pd.DataFrame({"y": Y}), pd.DataFrame({"a": S, "b": T}))["auc"] == RESULT["auc"]
    assert {name: each["auc"] for name, each in dict(RESULT).items()} == RESULT["auc"]
    found = rs.evaluate(Y, PROBABILITIES, measures=["sensitivity", "specificity"])
    assert found["recall"] == rs.recall(Y, PROBABILITIES, threshold=0.5)
    drawn = RESULT.plot("pr", ax=plt.subplots()[1])
    assert drawn.ax_.get_xlabel() == "Recall"
    plt.close("all")


def test_a_test_in_one_direction_says_so_in_its_first_words() -> None:
    assert repr(rs.compare_auc(Y, S, T, alternative="greater")).startswith("TestResult(first is above second: p")
    held = rs.compare_auc(Y, S, T, alternative="non-inferiority", margin=0.02)
    assert repr(held).startswith("TestResult(first is not below second by 0.02 or more: p")
    with pytest.raises(rs.errors.InputError, match="look swapped: label='y', scores='new'"):
        rs.evaluate(TABLE, label="new", scores="y")


def test_mcnemar_is_the_exact_test_of_the_calls() -> None:
    from scipy.stats import binomtest

    line = rocsteady._src.base.foreign_names.STATSMODELS["mcnemar"]
    right = [(HERE[name] >= 0.5) == Y for name in "st"]
    only = [int((right[0] & ~right[1]).sum()), int((right[1] & ~right[0]).sum())]
    assert eval(line, dict(HERE)).pvalue == pytest.approx(binomtest(only[0], sum(only)).pvalue)  # noqa: S307 - our own


def test_tests_and_intervals_are_read_by_place_as_they_unpack() -> None:
    y, s, t = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1], [0.9, 0.2, 0.7, 0.6, 0.3, 0.1]
    test, interval = rs.compare_auc(y, s, t), rs.auc_interval(y, s)
    assert (test[0], test[1], test[-1]) == (test.statistic, test.pvalue, test.pvalue)
    assert interval[:] == (interval.low, interval.high)
    with pytest.raises(IndexError):
        test[2]
