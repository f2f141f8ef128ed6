"""Averages over chosen classes, and over those that have rows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from sklearn import metrics as sk

import rocsteady as rs
from cases import each_case
from command import rocsteady
from rocsteady._src.designs.classes.averaged import averaging
from rocsteady._src.designs.classes.estimates import JudgedClasses
from rocsteady._src.designs.classes.scores_by_class import part_of_rows, read_classes

if TYPE_CHECKING:
    from pathlib import Path

N, CLASSES = 90, ["ant", "bee", "cat", "dog"]
RNG = np.random.default_rng(3)
CODES = RNG.choice(4, N, p=[0.4, 0.3, 0.2, 0.1])
Y = np.array(CLASSES)[CODES]
ODDS = np.exp(RNG.normal(size=(N, 4)) + 1.2 * np.eye(4)[CODES]).round(1) + 0.1
P = ODDS / ODDS.sum(axis=1, keepdims=True)
CALLED = np.array(CLASSES)[P.argmax(axis=1)]
WEIGHTS = RNG.integers(1, 4, N)
SOME = ["dog", "ant"]
PLACES = [3, 0]


@each_case("average", ["macro", "weighted", "micro"])
@each_case("weights", [None, WEIGHTS])
def test_areas_of_chosen_classes_are_those_of_their_columns(average: Any, weights: Any) -> None:
    own = np.eye(4)[CODES][:, PLACES]
    known = sk.roc_auc_score(own, P[:, PLACES], average=average, sample_weight=weights)
    found = rs.multiclass_auc(Y, P, average=average, sample_weight=weights, classes_averaged=SOME)
    assert found == pytest.approx(known, abs=1e-14)
    assert rs.evaluate(Y, P, weight=weights, classes_averaged=SOME).averages[average].estimate == pytest.approx(found)


@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_pairs_of_chosen_classes_are_those_of_their_rows(average: Any) -> None:
    kept = np.isin(CODES, PLACES)
    known = rs.multiclass_auc(Y[kept], P[kept][:, [0, 3]], average=average, scheme="ovo")
    assert rs.multiclass_auc(Y, P, average=average, scheme="ovo", classes_averaged=SOME) == pytest.approx(known)


@each_case("average", ["macro", "weighted", "micro"])
@each_case("weights", [None, WEIGHTS])
def test_measures_of_chosen_classes_are_those_of_scikit_learn(average: Any, weights: Any) -> None:
    found = rs.multiclass.multiclass_measures(
        Y,
        CALLED,
        measures=["precision", "recall", "f1", "f_beta(beta=2)"],
        sample_weight=weights,
        classes_averaged=SOME,
    )
    for beta, name in ((1, "f1"), (2, "f_beta(beta=2)")):
        known = sk.precision_recall_fscore_support(
            Y, CALLED, labels=SOME, average=average, beta=beta, sample_weight=weights
        )
        values = [found.averages[average][each] for each in ("precision", "recall", name)]
        assert values == pytest.approx(known[:3], abs=1e-14)
    each = sk.fbeta_score(Y, CALLED, beta=2, average=None, labels=CLASSES, sample_weight=weights)
    assert found.per_class["f_beta(beta=2)"] == pytest.approx(each, abs=1e-14)
    assert "averages are over 'dog', 'ant' of 4 classes" in str(found)


def test_an_evaluation_says_f_beta_of_each_class_where_its_average_was_asked_for() -> None:
    found = rs.evaluate(Y, P, measures=["macro_f_beta(beta=2)", "micro_f_beta(beta=0.5)"])
    each = sk.fbeta_score(Y, CALLED, beta=2, average=None, labels=CLASSES)
    assert found.measures.per_class["f_beta(beta=2)"] == pytest.approx(each, abs=1e-14)
    assert found.values["macro_f_beta(beta=2)"].estimate == pytest.approx(each.mean())
    assert found.to_frame()["f_beta(beta=2)"].tolist() == pytest.approx(each)
    known = sk.fbeta_score(Y, CALLED, beta=0.5, average="micro")
    assert found.values["micro_f_beta(beta=0.5)"].estimate == pytest.approx(known)


@each_case(("average", "scheme"), [("macro", "ovr"), ("weighted", "ovr"), ("weighted", "ovo")])
@each_case("name", ["macro_f1", "weighted_f1", "weighted_precision", "micro_f1", "micro_precision"])
def test_what_rows_add_is_the_change_when_a_row_counts_more(average: Any, scheme: Any, name: str) -> None:
    """The influence is the derivative by the weight of a row: compared to a small change of that weight."""
    rows = averaging(read_classes(Y, P, labels=CLASSES), SOME, "undefined")
    added, step = JudgedClasses(rows).estimate(name).pulls(), 1e-6
    from rocsteady._src.designs.classes.areas import average_of
    from rocsteady._src.designs.classes.estimates import ClassEstimate
    from rocsteady._src.designs.classes.influence import influence_on

    area = ClassEstimate(influence_on(rows, average_of(rows, average, scheme)), rows)
    for place in (0, 5, 17):
        heavier = np.ones(N)
        heavier[place] += step
        more = averaging(read_classes(Y, P, labels=CLASSES, sample_weight=heavier), SOME, "undefined")
        change = JudgedClasses(more).estimate(name).value - JudgedClasses(rows).estimate(name).value
        assert change / step == pytest.approx(added[place], abs=1e-5)
        moved = influence_on(more, average_of(more, average, scheme)).theta - area.value
        assert moved / step == pytest.approx(area.pulls()[place], abs=1e-5)


def test_one_chosen_class_has_the_interval_of_its_area() -> None:
    alone = rs.auc_interval(CODES == 2, P[:, 2])
    for average in ("macro", "weighted"):
        found = rs.multiclass.multiclass_auc_interval(Y, P, average=average, classes_averaged=["cat"])
        assert found.estimate == pytest.approx(alone.estimate, abs=1e-14)
        assert (found.low, found.high) == pytest.approx((alone.low, alone.high), abs=1e-3)  # other factors n / (n - 1)
        assert found.method == alone.method


def test_all_classes_chosen_change_nothing_but_the_remark() -> None:
    every, plain = rs.evaluate(Y, P, classes_averaged=CLASSES), rs.evaluate(Y, P)
    for name, found in plain.averages.items():
        assert (every.averages[name].low, every.averages[name].high) == pytest.approx((found.low, found.high))
    for name, value in plain.values.items():
        assert every.values[name].low == pytest.approx(value.low)
    assert len(every.warnings) == len(plain.warnings) + 1


MEASURES = ["macro_auc", "weighted_auc", "hand_till_auc", "micro_auc", "balanced_accuracy", "macro_f1", "micro_recall"]


def test_absent_classes_are_skipped_when_asked_for_and_named() -> None:
    here = CODES != 3
    with_column, scores = read_classes(Y[here], P[here], labels=CLASSES), P[here]
    plain = rs.evaluate(Y[here], scores, classes=CLASSES, measures=MEASURES)
    assert math.isnan(plain.averages["macro"].estimate)
    assert any("absent='skip'" in text for text in plain.warnings)
    found = rs.evaluate(Y[here], scores, classes=CLASSES, measures=MEASURES, absent="skip")
    chosen = rs.evaluate(Y[here], scores, classes=CLASSES, measures=MEASURES, classes_averaged=CLASSES[:3])
    for name in MEASURES:
        one, two = found.values[name], chosen.values[name]
        assert (one.estimate, one.low, one.high) == pytest.approx((two.estimate, two.low, two.high))
        assert not math.isnan(one.low)
    assert [remark.code for remark in found.warnings] == ["absent_skipped"]
    assert "no row is of class 'dog': averages are over the other 3, as asked for" in str(found)
    assert found.roc.macro is not None
    assert found.roc.macro.area == pytest.approx(found.averages["macro"].estimate)
    assert math.isnan(found.class_auc["dog"].estimate)
    own = np.eye(4)[CODES[here]][:, :3]
    assert found.averages["macro"].estimate == pytest.approx(sk.roc_auc_score(own, scores[:, :3], average="macro"))
    with pytest.warns(rs.RocsteadyWarning, match="'dog'"):
        value = rs.multiclass_auc(Y[here], scores, labels=CLASSES, absent="skip")
    assert value == pytest.approx(found.averages["macro"].estimate)
    three = rs.multiclass_auc(Y[here], scores[:, :3])  # the column of no class plays no part
    assert value == pytest.approx(three)
    assert with_column.n_classes == 4


def test_measures_skip_absent_classes_as_scikit_learn_does_with_the_labels_there_are() -> None:
    here = CODES != 3
    found = rs.multiclass.multiclass_measures(Y[here], CALLED[here], absent="skip")
    known = sk.recall_score(Y[here], CALLED[here], labels=CLASSES[:3], average="macro")
    assert found.averages["macro"]["recall"] == pytest.approx(known)
    assert found.balanced_accuracy.estimate == pytest.approx(known)
    assert "absent_skipped" in [remark.code for remark in found.warnings]


def test_folds_and_groups_average_over_the_classes_they_have() -> None:
    fold = np.where(CODES == 3, 0, np.arange(N) % 3)
    plain = rs.evaluate(Y, P, fold=fold, measures=["macro_auc"])
    assert math.isnan(plain["model"]["macro_auc"].estimate)
    found = rs.evaluate(Y, P, fold=fold, measures=["macro_auc"], absent="skip")
    known = []
    for each in range(3):
        present = np.unique(CODES[fold == each])
        own = np.eye(4)[CODES[fold == each]][:, present]
        known.append(sk.roc_auc_score(own, P[fold == each][:, present], average="macro"))
    assert found["model"]["macro_auc"].estimate == pytest.approx(np.mean(known))
    assert "fold 1: no row is of class 'dog': averages there are over the others, as asked for" in str(found)
    groups = rs.evaluate(Y, {"a": P, "b": P + 0.0}, by=fold, measures=["macro_auc"], absent="skip")
    assert [groups[each].value("a", "macro_auc").estimate for each in range(3)] == pytest.approx(known)
    assert groups.tests["a"].pvalue == pytest.approx(groups.tests["b"].pvalue)


def test_what_cannot_be_averaged_is_undefined_or_refused() -> None:
    one_class = part_of_rows(read_classes(Y, P, labels=CLASSES), np.flatnonzero(CODES == 0))
    judged = JudgedClasses(averaging(one_class, None, "skip"))
    assert judged.estimate("macro_auc").reason == "single_class"
    assert judged.estimate("micro_auc").reason == "single_class"
    nobody = JudgedClasses(averaging(one_class, ["dog"], "skip"))
    for name in MEASURES:
        assert nobody.estimate(name).reason == "class_absent", name
        assert math.isnan(nobody.interval(name, 0.95).low)
    no_pair = JudgedClasses(averaging(read_classes(Y, P), ["dog"], "skip")).estimate("hand_till_auc")
    assert no_pair.reason == "single_class"
    with pytest.raises(rs.ArgumentError, match=r"classes_averaged names 'eel', and the classes are 'ant', 'bee'"):
        rs.multiclass_auc(Y, P, classes_averaged=["ant", "eel"])
    with pytest.raises(rs.ArgumentError, match="names a class twice"):
        rs.multiclass_auc(Y, P, classes_averaged=["ant", "ant"])
    with pytest.raises(rs.ArgumentError, match="absent must be"):
        rs.multiclass_auc(Y, P, absent="drop")
    with pytest.raises(rs.ArgumentError, match="classes_averaged is about averages over more than two classes"):
        rs.evaluate(CODES == 0, P[:, 0], classes_averaged=[0])
    with pytest.raises(rs.ArgumentError, match="is no threshold measure"):
        rs.multiclass.multiclass_measures(Y, CALLED, measures=["auc"])
    with pytest.raises(rs.ArgumentError, match="beta"):
        rs.multiclass.multiclass_measures(Y, CALLED, measures=["f_beta(beta=-1)"])


def test_two_models_are_compared_over_chosen_classes() -> None:
    other = np.roll(P, 1, axis=1) * 0.2 + P * 0.8
    both = rs.evaluate(Y, {"a": P, "b": other}, classes_averaged=SOME)
    known = rs.multiclass.compare_multiclass_auc(Y, P, other, classes_averaged=SOME)
    (pair,) = both.compare("macro_auc").pairs
    assert (pair.test.estimate, pair.test.pvalue) == pytest.approx((known.estimate, known.pvalue))
    one, two = (rs.multiclass_auc(Y, each, classes_averaged=SOME) for each in (P, other))
    assert known.estimate == pytest.approx(one - two)


def test_the_command_line_averages_likewise(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    here = CODES != 3
    lines = [
        ",".join(["y", *CLASSES]),
        *(",".join([y, *map(repr, p)]) for y, p in zip(Y[here], P[here].tolist(), strict=True)),
    ]
    file.write_text("\n".join(lines))
    call = ["evaluate", str(file), "--label", "y", *(part for name in CLASSES for part in ("--score", name))]
    call += ["--classes", ",".join(CLASSES), "--measure", "macro_f_beta(beta=2)"]
    assert "average over the others with --absent skip" in rocsteady(*call).stdout
    told = rocsteady(*call, "--absent", "skip", "--classes-averaged", "dog,ant")
    known = rs.evaluate(Y[here], P[here], classes=CLASSES, absent="skip", classes_averaged=["dog", "ant"])
    assert f"AUC, macro average: {known.averages['macro']}" in told.stdout
    assert "f_beta(beta=2)" in told.stdout
    assert "no row is of class 'dog': averages are over the other 1, as asked for" in told.stdout
    assert rocsteady(*call, "--measure", "auc").returncode == 2
    binary = rocsteady(*call[:6], "--absent", "skip")
    assert "--absent does nothing without --classes; leave it out" in binary.stderr
