"""Every measure and curve of a sketch: the bracket holds the exact value, and is the tightest where that is claimed."""

from __future__ import annotations

import itertools
import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rocsteady as rs
from cases import each_case
from rocsteady._src.measures.requests import parse_requests
from rocsteady._src.results.remarks import Remark
from rocsteady._src.results.scale import Bracket
from rocsteady._src.scale.brackets import FOLLOW_THE_ORDER, OWN_BOUNDS
from rocsteady._src.scale.evaluate_sketches import evaluate_sketches
from rocsteady._src.scale.sketch import Sketch
from strategies import ALL_SCORES, ScoreTable, score_tables

if TYPE_CHECKING:
    from pathlib import Path

MAY_BE_UNDEFINED = Remark("may_be_undefined")
COUNTABLE = tuple(kind for kind in ALL_SCORES if kind != "unsigned integers")
THRESHOLD = [sheet.name for sheet in rs.list_measures("threshold")]
RANKING = [sheet.name for sheet in rs.list_measures("ranking")]
VARIANTS = [
    "partial_auc(fpr_range=(0.2, 0.7))",
    "partial_auc(tpr_range=(0.3, 1.0))",
    "partial_auc(standardize=True)",
    "precision_at_k(k=2)",
    "recall_at_k(k=1.5)",
    "lift(fraction=0.4)",
    "h_measure(severity_ratio='prevalence')",
    "sensitivity_at(specificity=0.5)",
    "specificity_at(sensitivity=0.7)",
    "tpr_at(fpr=0.4)",
    "fpr_at(tpr=0.5)",
    "precision_at_recall(recall=0.5)",
    "recall_at_precision(precision=0.6)",
]
SETTINGS: list[dict[str, Any]] = [{"bits": 4}, {"bits": 5, "range": (0, 1)}, {"bits": 4, "range": (-2, 2)}]
settings_of = st.sampled_from(SETTINGS)
tables = score_tables(scores=COUNTABLE, weights=("none", "small integers"))


def counted(table: ScoreTable, **settings: Any) -> Sketch:
    return Sketch(capacity=0, **settings).update(*table[:2], sample_weight=table.sample_weight)


def ranked_of(table: ScoreTable) -> rs.RankedScores:
    return rs.rank(table.y_true, table.y_score, sample_weight=table.sample_weight)


def value_of(table: ScoreTable, name: str, **params: Any) -> float:
    (request,) = parse_requests([name])[:1]
    return request.sheet.compute(ranked_of(table), **request.params, **params)


def holds(found: Bracket, exact: float) -> bool:
    return math.isnan(exact) or found.low <= exact <= found.high


def test_all_ranking_measures_are_bracketed() -> None:
    assert set(RANKING) == FOLLOW_THE_ORDER | set(OWN_BOUNDS)


@given(tables, settings_of)
def test_brackets_hold_the_exact_value(table: ScoreTable, settings: dict[str, Any]) -> None:
    sketch = counted(table, **settings)
    for name in (*RANKING, *VARIANTS):
        found, exact = sketch.measure(name), value_of(table, name)
        assert math.isnan(found.low) == math.isnan(exact), name
        assert holds(found, exact), name
        assert found.low <= found.estimate <= found.high or math.isnan(exact), name


@given(st.data(), tables, settings_of)
def test_threshold_brackets_hold_inside_a_cell_too(
    data: st.DataObject, table: ScoreTable, settings: dict[str, Any]
) -> None:
    threshold = data.draw(st.sampled_from([*table.y_score.tolist(), 0.5, 0.3]))
    sketch = counted(table, **settings)
    for name in THRESHOLD:
        found, exact = sketch.measure(name, threshold=threshold), value_of(table, name, threshold=threshold)
        assert holds(found, exact), name
        if math.isnan(exact):
            assert math.isnan(found.low) or MAY_BE_UNDEFINED in found.warnings, name
        elif found.exact:
            assert found.low == exact, name


@pytest.mark.parametrize("p", range(4))
@pytest.mark.parametrize("n", range(4))
@pytest.mark.parametrize("around", [(0, 0, 0, 0), (2, 1, 1, 2), (0, 0, 1, 2), (2, 1, 0, 0), (0, 1, 1, 0)])
def test_threshold_brackets_are_those_of_all_that_may_be_called(p: int, n: int, around: tuple[int, ...]) -> None:
    """Any of p positives and n negatives in the cell of the threshold may lie above it, beside those around it."""
    above_pos, above_neg, below_pos, below_neg = around
    counts = [above_pos, above_neg, p, n, below_pos, below_neg]
    if not sum(counts):
        return
    y, s = np.repeat([1, 0, 1, 0, 1, 0], counts), np.repeat([0.9, 0.9, 0.52, 0.52, 0.1, 0.1], counts)
    sketch = Sketch(bits=4, range=(0, 1), capacity=0).update(y, s)
    for name in THRESHOLD:
        formula = rs.get_measure(name).sheet.formula
        called = itertools.product(range(p + 1), range(n + 1))
        cells = [(above_pos + i, above_neg + j, below_pos + p - i, below_neg + n - j) for i, j in called]
        values = [formula(rs.Confusion(*each)) for each in cells]
        defined = [value for value in values if not math.isnan(value)]
        found = sketch.measure(name, threshold=0.55)
        assert math.isnan(found.low) == (not defined), name
        if defined:
            assert (found.low, found.high) == pytest.approx((min(defined), max(defined)), rel=1e-11, abs=1e-11), name
            assert found.low <= min(defined) <= max(defined) <= found.high
            assert (MAY_BE_UNDEFINED in found.warnings) == (len(defined) < len(values)), name
            assert found.exact == (len(set(values)) == 1), name


def test_what_may_be_undefined_says_so() -> None:
    nobody_perhaps = Sketch(bits=4, range=(0, 1), capacity=0).update([1, 0], [0.51, 0.52])
    found = nobody_perhaps.measure("precision", threshold=0.55)
    assert (found.low, found.high, found.warnings) == (0.0, 1.0, (MAY_BE_UNDEFINED,))
    right_or_nobody = Sketch(bits=4, range=(0, 1), capacity=0).update([1, 1, 0], [0.51, 0.53, 0.2])
    found = right_or_nobody.measure("precision", threshold=0.52)
    assert (found.low, found.high, found.exact, found.warnings) == (1.0, 1.0, False, (MAY_BE_UNDEFINED,))


def test_a_digit_lost_in_the_last_place() -> None:
    rng = np.random.default_rng(8)
    lost = 0
    for _ in range(60):
        s = np.sort(rng.random(40))
        y = np.repeat(rng.random(8) < 0.5, 5).astype(int)
        s = (s + np.repeat(np.arange(8), 5)) / 8
        sketch = Sketch(bits=6, range=(0, 1), capacity=0).update(y, s)
        for name in ("pr_auc", "average_precision", "partial_auc", "lift"):
            found, exact = sketch.measure(name), rs.get_measure(name)(y, s)
            assert found.low <= exact <= found.high, name
            lost += found.estimate != exact and found.high - found.low < 1e-11
    assert lost > 0


def test_at_the_edge_of_a_bucket_threshold_measures_are_exact() -> None:
    rng = np.random.default_rng(3)
    y, s = rng.random(500) < 0.4, rng.random(500)
    sketch = Sketch(bits=5, range=(0, 1), capacity=0).update(y, s)
    for name in ("recall", "precision", "f1", "matthews_correlation"):
        found = sketch.measure(name, threshold=0.25)
        assert found.exact
        assert found.estimate == rs.get_measure(name)(y, s, threshold=0.25)
        inside = sketch.measure(name, threshold=0.26)
        assert not inside.exact
        assert inside.low < rs.get_measure(name)(y, s, threshold=0.26) < inside.high


def all_values(name: str, cells: list[tuple[int, int]], **params: Any) -> list[float]:
    """The measure over all weak orders of the rows of each cell: which rows are tied, and in which order."""
    choices = [sorted(set(weak_orders(p, n))) for p, n in cells]
    values = []
    for orders in itertools.product(*choices):
        groups = [group for order in orders for group in order]
        pos, neg = (np.array(column) for column in zip(*groups, strict=True))
        ranked = rs.RankedScores.from_counts(np.arange(len(groups)), pos, neg)
        values.append(rs.get_measure(name).sheet.compute(ranked, **params))
    return values


def weak_orders(p: int, n: int) -> Any:
    if p == n == 0:
        yield ()
        return
    for first in itertools.product(range(p + 1), range(n + 1)):
        if first != (0, 0):
            for rest in weak_orders(p - first[0], n - first[1]):
                yield (first, *rest)


@pytest.mark.parametrize("name", sorted(FOLLOW_THE_ORDER | set(OWN_BOUNDS)))
def test_bounds_are_reached_by_some_order_of_the_rows(name: str) -> None:
    cells = [(1, 2), (0, 1), (2, 1)]
    y = np.concatenate([np.repeat([1, 0], pair) for pair in cells])
    s = np.repeat(np.arange(len(cells)) + 0.5, [p + n for p, n in cells])
    sketch = Sketch(bits=4, range=(0, 16), capacity=0).update(y, s)
    params = {"k": 2} if name.endswith("_k") else {}
    found, values = sketch.measure(name, **params), all_values(name, cells, **params)
    assert found.high == pytest.approx(max(values), abs=1e-11)
    least = min(values)
    if name == "average_precision":  # the sum is bounded by an integral, a little below
        assert least - 0.02 < found.low <= least
    else:
        assert found.low == pytest.approx(least, abs=1e-11)


@given(tables, settings_of)
def test_the_roc_curve_lies_between_both_curves(table: ScoreTable, settings: dict[str, Any]) -> None:
    found, exact = counted(table, **settings).roc_curve(), rs.roc_curve(ranked_of(table))
    for x, y in zip(exact.fpr, exact.tpr, strict=True):
        assert lowest(found.low, x) <= y + 1e-12
        assert y <= highest(found.up, x) + 1e-12
    assert found.low_auc <= exact.area <= found.up_auc


def lowest(curve: Any, x: float) -> float:
    """The lower end of the curve at x."""
    place = int(np.searchsorted(curve.fpr, x, side="left"))
    return float(curve.tpr[place]) if curve.fpr[place] == x else float(np.interp(x, curve.fpr, curve.tpr))


def highest(curve: Any, x: float) -> float:
    return float(np.interp(x, curve.fpr, curve.tpr))


@given(tables, settings_of)
def test_points_of_the_precision_recall_curve_lie_between_the_limits(
    table: ScoreTable, settings: dict[str, Any]
) -> None:
    sketch = counted(table, **settings)
    found, exact = sketch.pr_curve(), rs.pr_curve(ranked_of(table))
    for recall, precision in zip(exact.recall[1:], exact.precision[1:], strict=True):
        if recall > 0:
            step = int(np.searchsorted(found.recall, recall - 1e-12))
            assert found.low[step] - 1e-12 <= precision <= found.high[step] + 1e-12
    assert holds(found.area, exact.area)


def test_measures_of_score_values_need_an_exact_sketch() -> None:
    y, s = [1, 0, 1], [0.9, 0.2, 0.4]
    assert Sketch().update(y, s).measure("brier_score").estimate == rs.brier_score(y, s)
    with pytest.raises(rs.ArgumentError, match="uses more than the order") as error:
        Sketch(capacity=0).update(y, s).measure("brier_score")
    assert error.value.code == "measure_not_bracketed"
    with pytest.raises(rs.ArgumentError, match="threshold="):
        Sketch(capacity=0).update(y, s).measure("recall")


def test_rare_positives_lose_no_digits_in_average_precision() -> None:
    weights = np.array([3, 2 * 10**9, 2, 10**9])
    y, s = [1, 0, 1, 0], [0.9, 0.9, 0.1, 0.1]
    found = Sketch(bits=4, range=(0, 1), capacity=0).update(y, s, sample_weight=weights).measure("average_precision")
    above, passed, low = 0, 0, 0.0
    for p, n in ((3, 2 * 10**9), (2, 10**9)):
        low += math.fsum((above + i) / (above + i + passed + n) for i in range(1, p + 1))
        above, passed = above + p, passed + n
    assert found.low == pytest.approx(low / 5, abs=2e-12)


@given(st.integers(1, 60), st.integers(0, 50), st.integers(0, 50))
def test_the_least_average_precision_is_a_tight_bound(p: int, above: int, passed: int) -> None:
    assume(above + passed)
    from rocsteady._src.scale.brackets import _least_sum

    sums = math.fsum((above + i) / (above + i + passed) for i in range(1, p + 1))
    bound = float(_least_sum(np.array([float(p)]), np.array([float(above)]), np.array([float(passed)]))[0])
    assert sums - 0.2 <= bound <= sums + 1e-12


def two_models() -> rs.results.BracketedEvaluation:
    rng = np.random.default_rng(4)
    y = rng.random(3000) < 0.3
    sketches = {
        "plain": Sketch(capacity=100).update(y, rng.normal(size=3000) + y),
        "<b>|sure": Sketch(capacity=10_000).update(y, rng.normal(size=3000) + 3 * y),
    }
    return evaluate_sketches(sketches)


def test_an_evaluation_carries_the_brackets_everywhere() -> None:
    found = two_models()
    assert not found.exact
    assert found.brackets["<b>|sure"]["auc"].exact
    assert found.to_dict()["models"]["plain"]["auc"]["exact"] is False
    frame = found.to_frame("pandas")
    assert list(frame.columns) == ["model", "measure", "estimate", "low", "high", "exact"]
    assert (frame["low"] <= frame["high"]).all()
    assert "exact=False" in str(found)
    assert "for certain" in str(found)
    assert str(found.brackets["plain"]["auc"]).endswith("(exact=False, sketch bracket)")


@pytest.mark.parametrize("ending", ["md", "html", "json"])
def test_a_report_says_what_is_not_exact(tmp_path: Path, ending: str) -> None:
    found = two_models()
    target = found.report(tmp_path / f"report.{ending}")
    text = target.read_text()
    assert "exact=False" in text
    assert f"{found.brackets['plain']['auc'].low:.6g}"[:6] in text
    if ending == "json":
        assert json.loads(text)["models"]["plain"]["auc"]["high"] == found.brackets["plain"]["auc"].high
    else:
        assert "<b>" not in text
        assert "on these rows it has the greatest AUC, for certain" in text
    with pytest.raises(rs.RocsteadyError):
        found.report(target)
    with pytest.raises(rs.ArgumentError, match=r"\.md, \.html or \.json"):
        found.report(tmp_path / "report.txt")


def test_pictures_show_both_limits() -> None:
    import matplotlib.pyplot as plt

    found = two_models()
    displays = found.plot()
    assert [display.result for display in displays] == list(found.curves.values())
    low, up = (line.get_ydata() for line in displays[0].lines_)
    assert (low <= up + 1e-12).all()
    sketch = Sketch(capacity=0, bits=4).update([1, 0, 1, 0], [0.4, 0.3, 0.2, 0.1])
    ax = sketch.pr_curve().plot(plt.subplots()[1], name="a$b").ax_
    assert "exact=False" in ax.get_legend().get_texts()[0].get_text()
    assert sketch.auc().plot().ax_ is not None
    plt.close("all")


def test_undefined_measures_have_a_reason() -> None:
    found = Sketch(capacity=0, bits=4).update([0, 0], [0.4, 0.3]).measure("average_precision")
    assert math.isnan(found.estimate)
    assert found.warnings == ("there are no positives",)
    with pytest.raises(rs.ArgumentError, match="no sketches"):
        evaluate_sketches({})


@each_case(
    "ask",
    [
        rs.equal_error_rate,
        lambda each: rs.confusion(each, threshold=0.3),
        lambda each: rs.predictive_values(each, threshold=0.3, prevalence=0.05),
        lambda each: rs.inference.prevalence_curve(each, threshold=0.3, prevalences=[0.1, 0.5]),
        lambda each: rs.inference.goal_test("auc", each, above=0.8),
        rs.curves.brier_curve,
        lambda each: rs.measures.two_way_partial_auc(each, max_fpr=0.3, min_tpr=0.6),
    ],
)
def test_a_sketch_that_knows_every_score_stands_for_its_rows(ask: Any) -> None:
    loans = rs.examples.loans(300)
    y, s = loans["defaulted"], loans["boosted"]
    sketch = Sketch().update(y, s)
    assert str(ask(sketch)) == str(ask(rs.rank(y, s)))


def test_of_a_sketch_that_does_not_a_bracket_is_told_or_refused() -> None:
    loans = rs.examples.loans(300)
    coarse = Sketch(capacity=16, bits=6).update(loans["defaulted"], loans["boosted"])
    assert not coarse.exact
    assert "sketch bracket" in rs.predictive_values(coarse, threshold=0.3, prevalence=0.05).ppv.method
    with pytest.raises(rs.ArgumentError, match="not exact holds counts of cells"):
        rs.equal_error_rate(coarse)
    with pytest.raises(rs.ArgumentError, match="has no option 'recall'"):
        rs.operating_point(coarse, recall=0.9)  # type: ignore[call-arg]
