"""Rows are checked once and each model is sorted once, whatever is asked of an evaluation; parts need no sort."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import rocsteady as rs
from cases import each_case
from rocsteady._src.designs.classes import scores_by_class
from rocsteady._src.inputs import clean, tables
from rocsteady._src.ranked import (
    RankedScores,
    Rows,
    columns,
    grouping,
    keyed,
    ranking,
    read_models,
    read_rows,
    rows,
    scores,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MODELS = ["a", "b", "c"]
SORTS = (
    (ranking, "in_order"),
    (ranking, "count_few"),
    (grouping, "in_order"),
    (scores, "sort_few"),
    (scores, "count_few"),
    (scores, "group_weighted_rows"),
    (keyed.SortedKeys, "of"),
    (columns, "in_order"),
)
CHECKS = (
    (rows, "read_table"),
    (rows, "checked_labels"),
    (clean, "checked_labels"),
    (scores, "clean_rows"),
    (tables, "rows_to_keep"),
    (clean, "rows_to_keep"),
    (tables, "checked_weights"),
    (rows, "ordered_scores"),
    (scores_by_class, "rows_to_keep"),
    (scores_by_class, "checked_weights"),
    (scores_by_class, "ordered_scores"),
)


def drawn(n: int = 600, seed: int = 1) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    made = {name: np.clip(0.3 + 0.2 * y + spread * rng.standard_normal(n), 0.01, 0.99) for name, spread in
            zip(MODELS, (0.15, 0.25, 0.2), strict=True)}  # fmt: skip
    made["c"] = made["c"].round(1)
    by = np.array(["east", "mid", "west"])[rng.integers(0, 3, n)]
    weight = rng.integers(1, 9, n) / 4
    return {"y": y, **made, "weight": weight, "patient": np.arange(n) // 2, "site": by, "fold": np.arange(n) % 4}


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often functions were called that sort, or that check."""
    found: Counter[str] = Counter()

    def watch(owner: Any, name: str, kind: str) -> None:
        original: Callable[..., Any] = getattr(owner, name)

        def called(*args: Any, **options: Any) -> Any:
            answer = original(*args, **options)
            if answer is not None:  # few values that turn out to be many are sorted after all
                found[kind] += 1
                found[name] += 1
            return answer

        monkeypatch.setattr(owner, name, called)

    for owner, name in SORTS:
        watch(owner, name, "sorts")
    for owner, name in CHECKS:
        watch(owner, name, "checks")
    return found


OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "weights": {"weight": "weight"},
    "frequencies": {"weight": "count", "weight_type": "frequency"},
    "subjects": {"cluster": "patient"},
    "both": {"cluster": "patient", "weight": "weight"},
    "by": {"by": "site"},
    "by, weights": {"by": "site", "weight": "weight"},
    "by, subjects": {"by": "site", "cluster": "patient"},
    "fold": {"fold": "fold"},
    "fold, weights": {"fold": "fold", "weight": "weight"},
    "fold, frequencies": {"fold": "fold", "weight": "count", "weight_type": "frequency"},
    "fold, subjects": {"fold": "fold", "cluster": "patient"},
    "fold, repeats": {"fold": "fold", "repeat": "again", "id": "row"},
}


@pytest.mark.parametrize("case", OPTIONS)
@pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")
def test_evaluation_comparison_and_report_sort_each_model_once(
    case: str, counted: Counter[str], tmp_path: Path
) -> None:
    options, models = OPTIONS[case], ["a", "c"]  # of many values and of few
    table = drawn(120) | {"count": np.arange(120) % 3 + 1}
    table |= {"again": np.arange(120) // 60, "row": np.arange(120) % 60, "y": np.tile(table["y"][:60], 2)}
    found: Any = rs.evaluate(table, label="y", scores=models, measures=["auc"], **options)
    if "by" not in options:
        together = found.overall if "fold" in options else found
        if "repeat" not in options:  # whose comparison is that of the folds
            together.compare(cutoffs=[0.3, 0.5])
        together.with_intervals()
    found.report(tmp_path / "page.json")
    assert counted["sorts"] == len(models), counted
    assert counted["checked_labels"] == counted["read_table"] == counted["rows_to_keep"] == 1
    assert counted["clean_rows"] == 0
    assert counted["checked_weights"] == ("weight" in options)
    assert counted["ordered_scores"] == len(models)


def test_one_model_alone_takes_the_quickest_sort_and_many_rows_carry_theirs(counted: Counter[str]) -> None:
    table = drawn(3000)
    rs.evaluate(table, label="y", scores="a")
    assert counted["of"] == counted["sorts"] == 1
    rs.evaluate(table, label="y", scores=["a", "b"]).compare()
    assert counted["in_order"] == 2
    assert counted["sorts"] == 3


@pytest.mark.parametrize("case", ["plain", "weights", "frequencies", "subjects", "both"])
@pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")
def test_each_class_is_sorted_once_and_all_scores_together_once(
    case: str, counted: Counter[str], tmp_path: Path
) -> None:
    table = drawn(120) | {"count": np.arange(120) % 3 + 1, "kind": np.array(["x", "y", "z"])[np.arange(120) % 3]}
    options = OPTIONS[case]
    found: Any = rs.evaluate(table, label="kind", scores=MODELS, classes=["x", "y", "z"], **options)
    found.report(tmp_path / "page.json")
    assert counted["sorts"] == len(MODELS) + 1, counted  # the micro average pools all scores
    assert counted["read_table"] == counted["rows_to_keep"] == 1
    assert counted["checked_labels"] == counted["clean_rows"] == 0
    assert counted["checked_weights"] == ("weight" in options)
    assert counted["ordered_scores"] == len(MODELS)


@pytest.mark.parametrize("average", ["macro", "micro"])
@pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")
def test_two_models_of_several_classes_are_read_once_and_sorted_once(average: str, counted: Counter[str]) -> None:
    table = drawn(120)
    kind = np.arange(120) % 3
    first, second = (np.stack([table[name] * sign for name in MODELS], axis=1) for sign in (1, -1))
    rs.multiclass.compare_multiclass_auc(kind, first, second, average=average)
    assert counted["sorts"] == 2 * (1 if average == "micro" else len(MODELS)), counted
    assert counted["rows_to_keep"] == 1


def test_a_class_named_twice_is_refused() -> None:
    table = drawn(30) | {"kind": ["x", "y", "z"] * 10}
    with pytest.raises(rs.ArgumentError, match="classes names a class twice"):
        rs.evaluate(table, label="kind", scores=MODELS, classes=["x", "y", "y"])


@pytest.mark.parametrize("options", [{"fold": "fold"}, {"by": "site"}])
def test_parts_of_one_model_follow_from_its_one_sort(options: dict[str, Any], counted: Counter[str]) -> None:
    table = drawn(70_000)
    assert np.unique(table["a"]).size > 1 << 16  # more than are looked up
    rs.evaluate(table, label="y", scores="a", measures=["auc"], intervals=False, **options)
    assert counted["sorts"] == 1, counted


def test_few_values_are_counted_and_their_places_looked_up(counted: Counter[str]) -> None:
    table = drawn(20_000)
    read = read_rows(table, label="y", scores=["c", "b"])
    places = read.places_of("c")
    assert counted["count_few"] == 1
    assert counted["in_order"] == 0
    np.testing.assert_array_equal(read.ranked_of("c").scores[places], table["c"])


def same(one: RankedScores, other: RankedScores) -> bool:
    return one == other and one.pos.dtype == other.pos.dtype and one.origin == other.origin


@each_case("weight", [None, "weight", "whole"])
@each_case("n", [600, 3000, 40_000])
def test_groups_and_places_are_those_of_ranking_by_itself(n: int, weight: str | None) -> None:
    table = drawn(n) | {"whole": np.arange(n) % 4}
    read = read_rows(table, label="y", scores=MODELS, weight=weight)
    kept = slice(None) if weight is None else table[weight] != 0
    weights = None if weight is None else table[weight][kept]
    for name in MODELS:
        alone = RankedScores.from_arrays(table["y"][kept], table[name][kept], sample_weight=weights)
        assert same(read.ranked_of(name), alone)
        np.testing.assert_array_equal(alone.scores[read.places_of(name)], table[name][kept])


@each_case("weight", [None, "weight", "steps"])
@each_case("n", [90, 3000, 40_000])
@each_case("ranked_before", [True, False])
def test_parts_are_what_their_rows_are_by_themselves(n: int, weight: str | None, ranked_before: bool) -> None:
    table = drawn(n)
    table["steps"] = np.where(table["site"] == "east", 1.0, np.where(table["site"] == "mid", 2.0, 0.5))
    read = read_rows(table, label="y", scores=MODELS, weight=weight, id="patient", also=["site"])
    if ranked_before:
        read.rank()
    groups, group_of = np.unique(table["site"], return_inverse=True)
    for number, part in enumerate(read.split(group_of, groups.size)):
        rows_here = {name: values[group_of == number] for name, values in table.items()}
        alone = read_rows(rows_here, label="y", scores=MODELS, weight=weight, id="patient")
        assert (part.weights is None) == (alone.weights is None)
        np.testing.assert_array_equal(part.clusters, alone.clusters)
        assert part.n_repeated_ids == alone.n_repeated_ids
        for name in MODELS:
            assert same(part.ranked_of(name), alone.ranked_of(name))
            np.testing.assert_array_equal(part.places_of(name), alone.places_of(name))
        inside = read.where(group_of == number)
        assert same(inside.ranked_of("a"), alone.ranked_of("a"))


def test_float_weights_of_tied_rows_add_up_alike_in_any_order() -> None:
    rng = np.random.default_rng(5)
    score, y, weight = (
        rng.integers(0, 9, 4000) / 8,
        rng.random(4000) < 0.5,
        rng.random(4000) * 10.0 ** rng.integers(-9, 9, 4000),
    )
    first = read_models(y, {"a": score, "b": -score}, sample_weight=weight)
    order = rng.permutation(4000)
    again = read_models(y[order], {"a": score[order], "b": -score[order]}, sample_weight=weight[order])
    for one, other in zip(first.ranked, again.ranked, strict=True):
        assert one.pos.tobytes() == other.pos.tobytes()
        assert one.neg.tobytes() == other.neg.tobytes()


def test_models_and_units_are_chosen_without_reading_again(counted: Counter[str]) -> None:
    table = drawn()
    read = read_rows(table, label="y", scores=MODELS, id="patient")
    one = read.of_models("b")
    assert one.names == ("b",)
    assert one.ranked[0] is read.ranked_of("b")
    assert one.places[0] is read.places_of("b")
    assert read.n_clusters == 300
    loose = read.without_subjects()
    assert loose.clusters is None
    assert loose.by_row().n_clusters == loose.n_clusters == 600
    assert isinstance(loose, Rows)
    assert counted["checked_labels"] == counted["sorts"] == 1  # the models that nobody asked for wait


COLUMNS = [{"sample_weight": "weight"}, {"sample_weight": "ones"}, {"cluster": "patient"}, {}]


@pytest.mark.parametrize("ask", ["auc_interval", "bootstrap_interval", "brier_interval", "decision_curve"])
@pytest.mark.parametrize("options", COLUMNS)
@pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")
def test_intervals_read_their_columns_once(ask: str, options: dict[str, str], counted: Counter[str]) -> None:
    table = drawn(120) | {"ones": np.ones(120)}
    given: dict[str, Any] = {name: table[column] for name, column in options.items()}
    given |= {"measure": "brier_score", "n_resamples": 20, "random_state": 0} if ask == "bootstrap_interval" else {}
    function: Any = rs.inference.brier_interval if ask == "brier_interval" else getattr(rs, ask)
    measure = [given.pop("measure")] if "measure" in given else []
    function(*measure, table["y"], table["a"], **given)
    assert counted["rows_to_keep"] == counted["ordered_scores"] + counted["clean_rows"] == 1, counted
    assert counted["checked_labels"] == 1
    assert counted["sorts"] <= 1
