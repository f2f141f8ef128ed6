"""What cross-validation refuses, and what its messages say."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import rocsteady as rs

Y = [1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0]
SCORES = [0.9, 0.2, 0.4, 0.5, 0.8, 0.3, 0.6, 0.7, 0.95, 0.1, 0.45, 0.35]
FOLD = [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]
ONE_CLASS = [1, 3, 1, 2, 1, 2, 1, 2, 1, 3, 1, 2]  # folds 2 and 3 hold negatives only


def refused(code: str, *words: str, **options: object) -> str:
    arguments = {"y_true": Y, "y_score": SCORES, "fold": FOLD} | options
    with pytest.raises(rs.RocsteadyError) as caught:
        rs.crossval_auc(**arguments)
    assert caught.value.code == code
    for word in words:
        assert word in str(caught.value), str(caught.value)
    return str(caught.value)


class TestFolds:
    def test_missing(self) -> None:
        refused(
            "missing_values", "fold: 2 missing, rows 3, 5", "missing='drop'", fold=[*FOLD[:3], None, 2, None, *FOLD[6:]]
        )
        refused("missing_values", "fold: 1 missing, row 0", fold=np.array([math.nan, *FOLD[1:]]))

    def test_missing_ones_may_be_dropped_and_are_counted(self) -> None:
        fold = np.array([math.nan, *FOLD[1:]])
        found = rs.crossval_auc(Y, SCORES, fold=fold, missing="drop")
        assert found.origin.n_dropped == 1
        assert found.estimate == rs.crossval_auc(Y[1:], SCORES[1:], fold=FOLD[1:]).estimate

    def test_a_single_one(self) -> None:
        refused("single_fold", "single value, 7", "12 rows", "rs.auc_interval", fold=[7] * 12)

    def test_absent_or_named_by_text(self) -> None:
        refused("fold", "fold is missing", fold=None)
        refused("fold", "got the text 'fold'", fold="fold")

    def test_mixed_types(self) -> None:
        text = refused("fold_mixed_types", "number and text", fold=["1", *FOLD[1:]])
        assert "whole numbers" in text

    def test_numbers_that_are_not_whole(self) -> None:
        refused(
            "fold_not_whole", "12 numbers", "rows 0, 1, 2, 3, 4 and 7 more", "is this a score?", fold=np.array(SCORES)
        )
        refused("fold_not_whole", fold=[math.inf, *FOLD[1:]])

    def test_whole_numbers_as_floats_are_the_whole_numbers(self) -> None:
        found = rs.crossval_evaluate(Y, SCORES, fold=np.array(FOLD, dtype=float))
        assert [each.fold for each in found.folds] == [1, 2, 3]

    def test_other_types(self) -> None:
        refused("fold_type", "tuple", fold=_objects([(1, 2)] * 6 + [(3, 4)] * 6))

    def test_lengths(self) -> None:
        refused("lengths_differ", "y_true has 12", "fold has 11", fold=FOLD[:-1])
        refused("lengths_differ", "cluster has 3", cluster=[1, 2, 3])

    def test_text_booleans_and_dates_name_folds(self) -> None:
        expected = rs.crossval_auc(Y, SCORES, fold=FOLD)
        days = np.array(["2026-01-01", "2026-01-02", "2026-01-03"], dtype="datetime64[D]")
        for names in (["a", "b", "c"], days):
            found = rs.crossval_auc(Y, SCORES, fold=np.array(names)[np.array(FOLD) - 1])
            assert (found.estimate, found.se) == pytest.approx((expected.estimate, expected.se), rel=1e-14)
        two = np.array(FOLD) > 1
        assert rs.crossval_evaluate(Y, SCORES, fold=two).folds[1].fold is True

    def test_pandas_and_polars_columns(self) -> None:
        pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
        expected = rs.crossval_auc(Y, SCORES, fold=FOLD).estimate
        names = np.array(["x", "y", "z"])[np.array(FOLD) - 1].tolist()
        frame = pandas.DataFrame({"y": Y, "s": SCORES, "f": names})
        assert rs.crossval_auc(frame["y"], frame["s"], fold=frame["f"].astype("category")).estimate == expected
        series = polars.Series("f", FOLD)
        assert rs.crossval_auc(polars.Series(Y), polars.Series(SCORES), fold=series).estimate == expected


def _objects(values: list[Any]) -> np.ndarray:
    made = np.empty(len(values), dtype=object)
    made[:] = values
    return made


class TestOneClass:
    def test_the_mean_is_undefined_and_says_why(self) -> None:
        found = rs.crossval_auc(Y, SCORES, fold=ONE_CLASS)
        assert math.isnan(found.estimate)
        assert math.isnan(found.low)
        assert found.estimate.reason == "single_class"
        (text,) = found.warnings
        assert "3 of 3 folds" in text
        assert "fold 2 (0 positive, 4 negative)" in text
        assert "undefined='drop'" in text

    def test_dropped_only_when_asked_for(self) -> None:
        fold = [1, 1, 1, 1, 2, 2, 2, 2, 3, 4, 3, 4]
        assert math.isnan(rs.crossval_auc(Y, SCORES, fold=fold).estimate)
        found = rs.crossval_auc(Y, SCORES, fold=fold, undefined="drop")
        expected = rs.crossval_auc(Y[:8], SCORES[:8], fold=fold[:8])
        assert (found.estimate, found.se) == pytest.approx((expected.estimate, expected.se), rel=1e-14)
        assert "left out of the mean, as asked for" in found.warnings[0]
        assert "fold 3 (2 positive, 0 negative)" in found.warnings[0]

    def test_evaluation_names_the_folds(self) -> None:
        fold = [1, 1, 1, 1, 2, 2, 2, 2, 3, 4, 3, 4]
        found = rs.crossval_evaluate(Y, SCORES, fold=fold)
        reasons = {each.fold: each.reason for each in found.folds}
        assert reasons[1] == ""
        assert "negatives only" in reasons[4]
        assert "stratify" in reasons[3]
        assert math.isnan(found.difference)
        assert "undefined" in found.explanation[0]
        assert "note: 2 of 4 folds" in str(found)

    def test_pooling_needs_no_class_in_each_fold(self) -> None:
        alone = rs.crossval_auc(Y, SCORES, fold=range(12), method="pooled")  # leave one out
        assert alone.estimate == rs.auc(Y, SCORES)

    def test_nothing_left(self) -> None:
        assert math.isnan(rs.crossval_auc(Y, SCORES, fold=range(12), undefined="drop").estimate)

    def test_comparison_and_curves_refuse(self) -> None:
        fold = [1, 1, 1, 1, 2, 2, 2, 2, 3, 4, 3, 4]
        for call in (
            lambda **o: rs.compare_crossval(Y, SCORES, SCORES[::-1], fold=fold, **o),
            lambda **o: rs.compare_crossval(Y, SCORES, SCORES[::-1], fold=fold, method="bayesian", **o),
            lambda **o: rs.averaged_roc(Y, SCORES, fold=fold, **o),
        ):
            with pytest.raises(rs.InputError, match="fold 3") as caught:
                call()
            assert caught.value.code == "single_class_fold"
            assert "as asked for" in call(undefined="drop").warnings[0]

    def test_one_class_in_all_rows(self) -> None:
        refused("single_class", "all folds", y_true=[1] * 12)


class TestRows:
    def test_a_row_in_two_folds(self) -> None:
        row = [0, 1, 2, 3, 0, 5, 6, 7, 8, 9, 10, 11]
        refused("row_twice", "1 rows are tested more than once", "first row 0", "fold 1, 2", "repeat=", id=row)

    def test_a_row_in_two_folds_of_one_repeat(self) -> None:
        twice = {"y_true": Y * 2, "y_score": SCORES * 2, "fold": FOLD * 2, "repeat": ["a"] * 12 + ["b"] * 12}
        row = [*range(12), *range(11), 0]
        refused("row_twice", "of repeat 'b'", id=row, **twice)
        assert rs.crossval_auc(**twice, id=[*range(12)] * 2).estimate == rs.crossval_auc(Y, SCORES, fold=FOLD).estimate

    def test_repeats_need_to_know_the_rows(self) -> None:
        twice = {"y_true": Y * 2, "y_score": SCORES * 2, "fold": FOLD * 2, "repeat": ["a"] * 12 + ["b"] * 12}
        refused("row_required", "id=", **twice)
        assert rs.crossval_auc(**twice, method="corrected-t").estimate > 0

    def test_labels_that_change_between_repeats(self) -> None:
        twice = {"y_true": Y + Y[::-1], "y_score": SCORES * 2, "fold": FOLD * 2, "repeat": ["a"] * 12 + ["b"] * 12}
        refused("row_labels_disagree", "12 rows", "first row 0", id=[*range(12)] * 2, **twice)

    def test_subjects_in_several_folds_are_announced(self) -> None:
        found = rs.crossval_auc(Y, SCORES, fold=FOLD, cluster=[*range(6), *range(6)])
        assert "6 subjects" in found.warnings[0]
        assert "GroupKFold" in found.warnings[0]
        assert not any("subjects" in text for text in rs.crossval_auc(Y, SCORES, fold=FOLD, cluster=FOLD).warnings)


class TestOptions:
    def test_wrong_words_and_levels(self) -> None:
        refused("method", "auto, wilson, influence, delong, logit, corrected-t, pooled", method="wald")
        refused("undefined", "nan, drop", undefined="skip")
        refused("level", level=95)
        refused("scores_absent", y_score=None)
        refused("weights_negative", sample_weight=[-1.0] + [1.0] * 11)
        refused("empty", y_true=[], y_score=[], fold=[])

    def test_labels_need_a_positive_one(self) -> None:
        words = ["sick" if each else "well" for each in Y]
        refused("positive_label_required", y_true=words)
        found = rs.crossval_auc(words, SCORES, fold=FOLD, pos_label="sick")
        assert found.estimate == rs.crossval_auc(Y, SCORES, fold=FOLD).estimate
        assert found.origin.pos_label == "sick"

    def test_learners(self) -> None:
        for code, arguments, options in (
            ("test_share", ([1, 2], [0, 1]), {"test_share": 1.0}),
            ("one_split", ([1], [0]), {"test_share": 0.2}),
            ("lengths_differ", ([1, 2], [0]), {"test_share": 0.2}),
            ("undefined_split", ([1, math.nan], [0, 1]), {"test_share": 0.2}),
            ("not_finite", ([1, math.inf], [0, 1]), {"test_share": 0.2}),
            ("value_type", (["a", "b"], [0, 1]), {"test_share": 0.2}),
            ("rope", ([1, 2], [0, 1]), {"test_share": 0.2, "method": "bayesian", "rope": -1}),
            ("alternative", ([1, 2], [0, 1]), {"test_share": 0.2, "method": "bayesian", "alternative": "less"}),
            ("method", ([1, 2], [0, 1]), {"test_share": 0.2, "method": "t"}),
            ("margin", ([1, 2], [0, 1]), {"test_share": 0.2, "alternative": "equivalence"}),
        ):
            with pytest.raises(rs.RocsteadyError) as caught:
                rs.compare_learners(*arguments, **options)
            assert caught.value.code == code

    def test_curves_and_counts(self) -> None:
        for code, call in (
            ("how", lambda: rs.averaged_roc(Y, SCORES, fold=FOLD, how="horizontal")),
            ("at", lambda: rs.averaged_roc(Y, SCORES, fold=FOLD, at=[1.5])),
            ("at", lambda: rs.averaged_roc(Y, SCORES, fold=FOLD, how="threshold", at=[math.nan])),
            ("threshold", lambda: rs.crossval_confusion(Y, SCORES, fold=FOLD, threshold="all")),
            ("threshold", lambda: rs.crossval_confusion(Y, SCORES, fold=FOLD, threshold={1: 0.5, 2: 0.5})),
            ("threshold", lambda: rs.crossval_confusion(Y, SCORES, fold=FOLD, threshold={1: 0, 2: 0, 3: 0, 4: 0})),
            ("threshold_required", lambda: rs.crossval_confusion(Y, np.array(SCORES) * 9, fold=FOLD)),
        ):
            with pytest.raises(rs.RocsteadyError) as caught:
                call()
            assert caught.value.code == code


@pytest.mark.parametrize(
    ("method", "given", "remedy"),
    [
        ("influence", {"rope": 0.02}, "margin="),
        ("nadeau-bengio", {"rope": 0.02}, "margin="),
        ("influence", {"test_share": 0.2}, "'nadeau-bengio' and 'bayesian'"),
    ],
)
def test_what_would_have_no_effect_is_refused(method: str, given: dict[str, float], remedy: str) -> None:
    y, fold = [1, 1, 0, 0] * 3, [1] * 4 + [2] * 4 + [3] * 4
    first, second = [4, 3, 2, 1, 4, 2, 3, 1, 3, 4, 1, 2], [4, 1, 3, 2, 2, 4, 3, 1, 4, 2, 3, 1]
    with pytest.raises(rs.ArgumentError, match=remedy) as caught:
        rs.compare_crossval(y, first, second, fold=fold, method=method, **given)
    assert caught.value.code == next(iter(given))


def test_a_rope_left_out_is_a_hundredth() -> None:
    y, fold = [1, 1, 0, 0] * 3, [1] * 4 + [2] * 4 + [3] * 4
    first, second = [4, 3, 2, 1, 4, 2, 3, 1, 3, 4, 1, 2], [4, 1, 3, 2, 2, 4, 3, 1, 4, 2, 3, 1]
    plain, said = (
        rs.compare_crossval(y, first, second, fold=fold, method="bayesian", **rope) for rope in ({}, {"rope": 0.01})
    )
    assert plain.to_dict() == said.to_dict()
