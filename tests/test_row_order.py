"""A seed means the same numbers whatever the order of rows, of models and the names of clusters."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import rocsteady as rs
from rocsteady._src.inference.comparison.simultaneous import each_level

if TYPE_CHECKING:
    from collections.abc import Callable

RNG = np.random.default_rng(5)
N = 60
COLUMNS: dict[str, Any] = {
    "y": RNG.permutation(np.repeat([0, 1], [35, 25])),
    "weight": RNG.uniform(0.3, 3, N),
    "times": RNG.integers(1, 4, N),
    "person": RNG.integers(0, 20, N),
    "site": RNG.integers(0, 3, N),
    "y2": RNG.permutation(np.repeat([0, 1], [32, 28])),
    "weight2": RNG.uniform(0.3, 3, N),
    "person2": RNG.integers(0, 22, N),
}
COLUMNS["fold"] = COLUMNS["person"] % 3
COLUMNS |= {name: np.round(1 / (1 + np.exp(-RNG.normal(size=N) - COLUMNS["y"] + 0.5)), 2) for name in ("a", "b", "c")}
COLUMNS["d"] = np.round(RNG.normal(size=N) + COLUMNS["y2"], 1)
WAYS: dict[str, Any] = {
    "rows": lambda _: {},
    "weights": lambda t: {"sample_weight": t["weight"], "weight_type": "sampling"},
    "frequencies": lambda t: {"sample_weight": t["times"], "weight_type": "frequency"},
    "clusters": lambda t: {"cluster": t["person"]},
    "weights and clusters": lambda t: {"sample_weight": t["weight"], "weight_type": "sampling", "cluster": t["person"]},
}
SECOND = {"sample_weight": "weight2", "cluster": "person2"}


def shuffled(seed: int) -> dict[str, Any]:
    """All columns in another order, persons under other names; a second sample in an order of its own."""
    rng = np.random.default_rng(seed)
    order, other = rng.permutation(N), rng.permutation(N)
    made = {name: column[other if name[-1] == "2" or name == "d" else order] for name, column in COLUMNS.items()}
    for name in ("person", "person2"):
        made[name] = rng.permutation(100)[made[name]]
    return made


def plain(result: Any) -> Any:
    """All numbers of a result, as text that has every bit."""
    if isinstance(result, dict):
        return {name: plain(each) for name, each in result.items()}
    if isinstance(result, (list, tuple)):
        return [plain(each) for each in result]
    if isinstance(result, (float, np.floating)):
        return "nan" if math.isnan(result) else float(result).hex()
    if isinstance(result, np.ndarray):
        return plain(result.tolist())
    return repr(result)


def drawn(result: Any) -> Any:
    """What resampling made of a result."""
    values = getattr(getattr(result, "resampling", None), "distribution", None)
    return plain([result if isinstance(result, dict) else result.to_dict(), values])


def resampled_part(found: dict[str, Any]) -> dict[str, Any]:
    """The intervals of an evaluation that were resampled: sums of formulas round as their terms come."""
    intervals = found["models"][0]["intervals"]
    kept: dict[str, Any] = {name: each for name, each in intervals.items() if "bootstrap" in each["method"]}
    assert kept
    return kept


def chosen_part(found: dict[str, Any]) -> dict[str, Any]:
    """What resamples make of a decision."""
    kept: dict[str, Any] = {name: found[name] for name in ("model", "threshold", "threshold_interval")}
    return {**kept, "expected": found["excess"]["expected"]}


def unpaired(t: dict[str, Any], how: dict[str, Any]) -> dict[str, Any]:
    """Options of two samples."""
    second = {f"{name}_second": t[column] for name, column in SECOND.items() if name in how}
    if how.get("weight_type") == "frequency":
        second["sample_weight_second"] = t["times"][np.argsort(t["person2"], kind="stable")] * 0 + 2
    return {"paired": False, "y_true_second": t["y2"], **how, **second}


SEEDED: dict[str, Callable[[dict[str, Any], dict[str, Any]], Any]] = {
    "bootstrap of one model": lambda t, how: rs.bootstrap_interval(
        "average_precision", t["y"], t["a"], n_resamples=60, random_state=1, **how
    ),
    "bca": lambda t, how: rs.bootstrap_interval(
        "auc", t["y"], t["a"], n_resamples=60, random_state=1, method="bca", **how
    ),
    "measures of a model": lambda t, how: resampled_part(
        rs.evaluate(
            t["y"], {"a": t["a"]}, measures=["average_precision", "ks_statistic"], intervals=True, **how
        ).to_dict()
    ),
    "chosen threshold": lambda t, how: rs.inference.threshold_interval(
        t["y"], t["a"], n_resamples=60, random_state=1, **how
    ),
    "paired bootstrap": lambda t, how: rs.compare_measure(
        "average_precision", t["y"], t["a"], t["b"], n_resamples=60, random_state=1, method="bootstrap", **how
    ),
    "paired permutation": lambda t, how: rs.compare_measure(
        "auc", t["y"], t["a"], t["b"], n_resamples=60, random_state=1, method="permutation", **how
    ),
    "unpaired bootstrap": lambda t, how: rs.compare_measure(
        "auc", t["y"], t["a"], t["d"], n_resamples=60, random_state=1, method="bootstrap", **unpaired(t, how)
    ),
    "unpaired permutation": lambda t, how: rs.compare_measure(
        "auc", t["y"], t["a"], t["d"], n_resamples=60, random_state=1, method="permutation", **unpaired(t, how)
    ),
    "band": lambda t, how: rs.roc_band(t["y"], t["a"], method="bootstrap", n_resamples=40, random_state=1, **how),
    "decision curve": lambda t, how: rs.decision_curve(
        t["y"], {"a": t["a"], "b": t["b"]}, intervals="bootstrap", n_resamples=40, random_state=1, **how
    ),
    "idi": lambda t, how: rs.calibration.integrated_discrimination(
        t["y"], t["a"], t["b"], method="bootstrap", n_resamples=40, random_state=1, **how
    ),
    "nri": lambda t, how: rs.calibration.net_reclassification(
        t["y"], t["a"], t["b"], method="bootstrap", n_resamples=40, random_state=1, **how
    ),
    "decide": lambda t, how: chosen_part(
        rs.evaluate(t["y"], {"a": t["a"], "b": t["b"]}, **how).decide(cost_fn=3).to_dict()
    ),
    "gate": lambda t, how: rs.gate(t["y"], t["a"], t["b"], measure="average_precision", margin=0.2, **how),
}
OTHERS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "curves": lambda t: rs.curves.compare_curves(t["y"], t["a"], t["b"], n_permutations=50, random_state=1),
    "curves by cluster": lambda t: rs.curves.compare_curves(
        t["y"], t["a"], t["b"], n_permutations=50, random_state=1, cluster=t["person"]
    ),
    "curves of two samples": lambda t: rs.curves.compare_curves(
        t["y"], t["a"], t["d"], n_permutations=50, random_state=1, paired=False, y_true_second=t["y2"]
    ),
    "crossing": lambda t: rs.curves.crossing_test(t["y"], t["a"], t["b"], n_resamples=50, random_state=1),
    "labels exchanged": lambda t: rs.inference.measure_null_test("auc", t["y"], t["a"], n_resamples=50),
    "adjusted by strata": lambda t: rs.inference.adjusted_roc(
        t["y"], t["a"], t["site"], method="stratified", n_resamples=40, random_state=1
    ),
}


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("name", SEEDED)
def test_a_seed_gives_the_same_bits_in_every_order_of_rows(name: str, how: str) -> None:
    found = [drawn(SEEDED[name](t, WAYS[how](t))) for t in (COLUMNS, shuffled(1), shuffled(2))]
    assert found[1] == found[0]
    assert found[2] == found[0]


@pytest.mark.parametrize("name", OTHERS)
def test_other_seeded_results_do_not_depend_on_the_order_of_rows(name: str) -> None:
    found = [drawn(OTHERS[name](t)) for t in (COLUMNS, shuffled(1))]
    assert found[1] == found[0]


TWINS = {"y": [1, 1, 1, 0, 0, 0], "a": [6, 5, 2, 4, 3, 1], "b": [5, 2, 6, 1, 4, 3]}  # each has the same groups


@pytest.mark.parametrize("method", ["bootstrap", "permutation"])
@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("table", [COLUMNS, TWINS])
def test_exchanged_models_have_the_same_draws(table: dict[str, Any], paired: bool, method: Any) -> None:
    how: dict[str, Any] = {"method": method, "n_resamples": 60, "random_state": 1, "paired": paired}
    one, two = (rs.compare_measure("average_precision", table["y"], table[i], table[j], **how) for i, j in ("ab", "ba"))
    assert one.pvalue == two.pvalue
    assert one.resampling is not None
    assert two.resampling is not None
    if paired or table is COLUMNS:  # of two samples with the same groups there is no first
        assert np.array_equal(one.resampling.distribution, -two.resampling.distribution, equal_nan=True)
    if method == "bootstrap" and (paired or table is COLUMNS):
        assert (one.low, one.high) == pytest.approx((-two.high, -two.low), abs=1e-12)


def test_exchanged_models_have_the_same_permuted_curves() -> None:
    for paired in (True, False):
        how: dict[str, Any] = {"n_permutations": 60, "random_state": 1, "paired": paired}
        found = [rs.curves.compare_curves(COLUMNS["y"], COLUMNS[i], COLUMNS[j], **how) for i, j in ("ab", "ba")]
        assert found[0].pvalue == found[1].pvalue


def test_joint_intervals_do_not_depend_on_the_order_of_models() -> None:
    root = np.random.default_rng(8).normal(size=(4, 4))
    covariance, pairs = root @ root.T, [(i, j) for i in range(4) for j in range(i)]
    levels = []
    for order in ([0, 1, 2, 3], [3, 1, 0, 2]):
        place = np.argsort(order)
        levels.append(each_level(covariance[np.ix_(order, order)], [(place[i], place[j]) for i, j in pairs], 0.95))
    assert levels[0] == pytest.approx(levels[1], abs=1e-12)


@pytest.mark.parametrize("n_jobs", [1, 2, 3])
def test_threads_change_nothing(n_jobs: int) -> None:
    how: dict[str, Any] = {"n_resamples": 220, "random_state": 1, "cluster": COLUMNS["person"]}
    y, a, b = (COLUMNS[name] for name in ("y", "a", "b"))
    for result in (
        lambda **jobs: rs.compare_measure("auc", y, a, b, method="bootstrap", **how, **jobs),
        lambda **jobs: rs.bootstrap_interval("average_precision", y, a, **how, **jobs),
        lambda **jobs: rs.decision_curve(y, a, intervals="bootstrap", **how, **jobs),
        lambda **jobs: rs.inference.threshold_interval(y, a, **how, **jobs)["threshold"],
    ):
        assert drawn(result(n_jobs=n_jobs)) == drawn(result())
