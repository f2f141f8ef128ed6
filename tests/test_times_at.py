"""What is asked of a time: areas, Brier scores, calibration, net benefit and reclassification of censored rows."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import rocsteady as rs
import times_oracle as oracle
from cases import each_case
from rocsteady._src.designs.times.censoring import censoring_of
from rocsteady._src.designs.times.concordance import concordance_of
from rocsteady._src.designs.times.rows_by_time import read_times

FIXTURES = Path(__file__).parent / "fixtures"
R = json.loads((FIXTURES / "r_times.json").read_text())
SKSURV = json.loads((FIXTURES / "sksurv_times.json").read_text())
TORCHSURV = json.loads((FIXTURES / "torchsurv_times.json").read_text())
LIFELINES = json.loads((FIXTURES / "lifelines_times.json").read_text())
PBC = json.loads((FIXTURES / "r_pbc.json").read_text())
N, AT, GRID = 24, 6.0, [3.0, 6.0, 9.0]


def risks(rows: dict[str, Any]) -> Any:
    return 1 / (1 + np.exp(-rows["first"]))


def others(rows: dict[str, Any]) -> Any:
    return 1 / (1 + np.exp(-rows["second"]))


def near(rows: dict[str, Any]) -> Any:
    """The events that are nearest to the time, as many as the number of events to the power 0.8."""
    later = [((rows["time"] > t) | ((rows["time"] == t) & (rows["event"] == 0))).any() for t in rows["time"]]
    counted = (rows["event"] == 1) & np.array(later)
    apart = np.abs(rows["time"] - AT)
    wanted = int(np.ceil(counted.sum() ** 0.8))
    return counted & (apart <= sorted(apart[counted])[wanted - 1])


def pick(result: Any, *path: str) -> Any:
    for name in path:
        result = result[int(name)] if name.isdigit() else getattr(result, name)
    return result


def difference(value: Callable[[Any, Any], float]) -> Callable[[Any, Any], float]:
    def of(rows: dict[str, Any], w: Any) -> float:
        return value(rows | {"first": rows["first"]}, w) - value(rows | {"first": rows["second"]}, w)

    return of


def nri(rows: dict[str, Any], w: Any) -> float:
    moved = np.sign(risks(rows) - others(rows))
    cases, controls = oracle.means_of_classes(rows["time"], rows["event"], moved, AT, w)
    return cases - controls


def idi(rows: dict[str, Any], w: Any) -> float:
    cases, controls = oracle.means_of_classes(rows["time"], rows["event"], risks(rows) - others(rows), AT, w)
    return cases - controls


def grid_of(risk: Any) -> Any:
    return np.array([1 - (1 - risk) ** (t / AT) for t in GRID]).T


def integrated_brier(rows: dict[str, Any], w: Any) -> float:
    table = grid_of(risks(rows))
    scores = [oracle.brier(rows["time"], rows["event"], table[:, k], t, w) for k, t in enumerate(GRID)]
    return float(np.trapezoid(scores, GRID) / (GRID[-1] - GRID[0]))


def given(rows: dict[str, Any], *columns: Any) -> Any:
    return (rows["time"], rows["event"], *columns)


slow: Any = oracle  # its functions, by place and not by name
# name: what the package says, where the number is in it, and the definition
ASKED: dict[str, tuple[Callable[..., Any], tuple[str, ...], Callable[[Any, Any], float]]] = {
    "auc": (
        lambda r, **how: rs.times.auc_at(*given(r, r["first"]), at=AT, **how),
        (),
        lambda r, w: slow.auc_at(*given(r, r["first"]), AT, w),
    ),
    "auc of several": (
        lambda r, **how: rs.times.auc_at(*given(r, r["first"]), at=GRID, **how),
        ("intervals", "2"),
        lambda r, w: slow.auc_at(*given(r, r["first"]), GRID[2], w),
    ),
    "integrated auc": (
        lambda r, **how: rs.times.integrated_auc(*given(r, r["first"]), at=GRID, **how),
        (),
        lambda r, w: slow.integrated_auc(*given(r, r["first"]), GRID, w),
    ),
    "difference of auc": (
        lambda r, **how: rs.times.compare_auc_at(*given(r, r["first"], r["second"]), at=AT, **how),
        (),
        difference(lambda r, w: slow.auc_at(*given(r, r["first"]), AT, w)),
    ),
    "brier": (
        lambda r, **how: rs.times.brier_at(*given(r, risks(r)), at=AT, **how),
        (),
        lambda r, w: slow.brier(*given(r, risks(r)), AT, w),
    ),
    "scaled brier": (
        lambda r, **how: rs.times.brier_at(*given(r, risks(r)), at=AT, scaled=True, **how),
        (),
        lambda r, w: slow.scaled_brier(*given(r, risks(r)), AT, w),
    ),
    "integrated brier": (
        lambda r, **how: rs.times.integrated_brier(*given(r, grid_of(risks(r))), at=GRID, **how),
        (),
        integrated_brier,
    ),
    "difference of brier": (
        lambda r, **how: rs.times.compare_brier_at(*given(r, risks(r), others(r)), at=AT, **how),
        (),
        lambda r, w: slow.brier(*given(r, risks(r)), AT, w) - slow.brier(*given(r, others(r)), AT, w),
    ),
    "observed": (
        lambda r, **how: rs.times.calibration_at(*given(r, risks(r)), at=AT, n_groups=3, **how),
        ("observed",),
        lambda r, w: slow.incidence(*given(r), AT, w),
    ),
    "observed over expected": (
        lambda r, **how: rs.times.calibration_at(*given(r, risks(r)), at=AT, n_groups=3, **how),
        ("ratio",),
        lambda r, w: slow.incidence(*given(r), AT, w) / float((w * risks(r)).sum() / w.sum()),
    ),
    "net benefit": (
        lambda r, **how: rs.times.net_benefit_at(*given(r, risks(r)), at=AT, thresholds=[0.3, 0.5], **how),
        ("model", "1"),
        lambda r, w: slow.net_benefit(*given(r, risks(r)), AT, 0.5, w),
    ),
    "treating all": (
        lambda r, **how: rs.times.net_benefit_at(*given(r, risks(r)), at=AT, thresholds=0.3, **how),
        ("treat_all", "0"),
        lambda r, w: slow.net_benefit(*given(r, np.ones(N)), AT, 0.3, w),
    ),
    "nri": (
        lambda r, **how: rs.times.net_reclassification_at(*given(r, others(r), risks(r)), at=AT, **how),
        ("nri",),
        nri,
    ),
    "idi": (
        lambda r, **how: rs.times.integrated_discrimination_at(*given(r, others(r), risks(r)), at=AT, **how),
        ("idi",),
        idi,
    ),
    "incident auc": (
        lambda r, **how: rs.times.auc_at(*given(r, r["first"]), at=AT, kind="incident", **how),
        (),
        lambda r, w: slow.incident_auc(*given(r, r["first"]), near(r), w),
    ),
}
NO_RIVALS = ("incident auc",)
KINDS = [(name, ties, rivals) for name in ASKED for ties in (True, False) for rivals in (False, True)]


@each_case(("name", "ties", "rivals"), KINDS)
def test_values_and_errors_follow_from_the_definitions(name: str, ties: bool, rivals: bool) -> None:
    """The error by small steps of each row's weight, so that nothing of the derivation is shared."""
    if rivals and name in NO_RIVALS:
        return
    asked, path, defined = ASKED[name]
    rows = oracle.drawn(N, 6, ties=ties, competing=rivals)
    found = pick(asked(rows, **({"pos_label": 1} if rivals else {})), *path)
    assert found.estimate == pytest.approx(defined(rows, np.ones(N)), abs=1e-11, nan_ok=True)
    pulls = oracle.pulls(lambda w: defined(rows, w), np.ones(N))
    se = np.sqrt(N / (N - 1) * (pulls**2).sum())
    assert found.se == pytest.approx(se if se > 1e-9 else np.nan, rel=2e-7, nan_ok=True)


@cache
def pulls_of_weighted_rows(name: str) -> Any:
    rows, defined = oracle.drawn(N, 9), ASKED[name][2]
    return oracle.pulls(lambda w: defined(rows, w), rows["weight"])


@each_case("name", ASKED)
def test_rows_that_count_several_times_are_as_many_rows(name: str) -> None:
    asked, path, _ = ASKED[name]
    rows = oracle.drawn(N, 9)
    times = rows["weight"].astype(int)
    repeated = {each: np.repeat(column, times, axis=0) for each, column in rows.items()}
    found = pick(asked(rows, sample_weight=times, weight_type="frequency"), *path)
    expected = pick(asked(repeated), *path)
    for part in ("estimate", "low", "high", "se"):
        assert getattr(found, part) == pytest.approx(getattr(expected, part), rel=1e-11, nan_ok=True)


def test_counts_and_groups_of_repeated_rows() -> None:
    rows = oracle.drawn(N, 9)
    times = rows["weight"].astype(int)
    repeated = {each: np.repeat(column, times, axis=0) for each, column in rows.items()}
    counted = {"sample_weight": times, "weight_type": "frequency"}
    one = rs.times.auc_at(*given(rows, rows["first"]), at=GRID, **counted)
    two = rs.times.auc_at(*given(repeated, repeated["first"]), at=GRID)
    for part in ("cases", "controls", "unknown"):
        assert getattr(one, part).tolist() == getattr(two, part).tolist()
    first = rs.times.calibration_at(*given(rows, risks(rows)), at=AT, n_groups=4, **counted)
    second = rs.times.calibration_at(*given(repeated, risks(repeated)), at=AT, n_groups=4)
    assert first.rows.tolist() == second.rows.tolist()
    assert first.predicted == pytest.approx(second.predicted, rel=1e-12)


@each_case("n_subjects", [2, 3, 5])
def test_few_subjects_leave_few_degrees_of_freedom(n_subjects: int) -> None:
    """Student's t with one less than there are subjects, at the most, wherever an error is."""
    rows = oracle.drawn(N, 9)
    subject = np.arange(N) % n_subjects
    most = stats.t.ppf(0.975, n_subjects - 1)
    for name, (asked, path, _) in ASKED.items():
        found = pick(asked(rows, cluster=subject), *path)
        plain = name.startswith(("difference", "net", "treating", "nri", "idi", "scaled"))
        if plain and not np.isnan(found.high):
            se = found.se
            assert (found.high - found.estimate) / se >= most * (1 - 1e-9), name


def test_one_subject_tells_nothing() -> None:
    rows = oracle.drawn(N, 9)
    with pytest.raises(rs.InputError, match=f"all {N} rows are of one subject"):
        rs.times.auc_at(*given(rows, rows["first"]), at=AT, cluster=["a"] * N)


def test_after_the_last_row_was_seen_nothing_is_known() -> None:
    time, event, risk = [1, 2, 3, 3, 3], [1, 1, 0, 0, 0], [0.5] * 5
    for at in (3, 100):
        found = rs.times.brier_at(time, event, risk, at=at)
        assert np.isnan(found.estimate)
        assert "nobody was watched longer" in str(found)
    assert rs.times.calibration_at(time, event, risk, at=3, n_groups=1).observed.estimate == pytest.approx(0.4)
    late = rs.times.calibration_at(time, event, risk, at=100, n_groups=1)
    assert np.isnan(late.observed.estimate)
    assert "not_followed" in [each.code for each in late.warnings]
    benefit = rs.times.net_benefit_at(time, event, risk, at=100, thresholds=0.2)
    assert np.isnan(benefit.model[0].estimate)
    assert "not_followed" in [each.code for each in benefit.warnings]
    known = rs.times.brier_at([1, 2, 3], [1, 1, 1], [0.5] * 3, at=9)  # all came: nothing is unknown
    assert known.estimate == 0.25


def test_a_group_that_was_not_watched_so_long_is_told() -> None:
    time, event = [1, 2, 3, 4, 9, 9, 9, 9], [1, 0, 1, 0, 1, 0, 0, 0]
    found = rs.times.calibration_at(time, event, [0.1] * 4 + [0.8] * 4, at=8, n_groups=2)
    assert np.isnan(found.groups[0].estimate)
    assert not np.isnan(found.groups[1].estimate)
    assert "not_followed" in [each.code for each in found.warnings]


def test_a_label_of_censored_rows_that_is_nowhere_is_refused() -> None:
    labels, score = ["relapse", "death"] * 4, [4, 3, 5, 2, 6, 1, 7, 8]
    with pytest.raises(rs.ArgumentError, match="no row without the event that is 'alive': the others are 'death'"):
        rs.times.auc_at(range(1, 9), labels, score, at=4, pos_label="relapse", censored="alive")
    assert rs.times.auc_at(range(1, 9), labels, score, at=4, pos_label="relapse", censored="death").estimate >= 0
    told = rs.times.concordance(range(1, 9), [1, 2] * 4, score, pos_label=1)
    assert "taken_as_censored" in [each.code for each in told.warnings]


def test_times_and_weights_that_are_none_are_asked_for() -> None:
    nothing: tuple[Any, ...] = (None, [], "x")
    for at in nothing:
        with pytest.raises(rs.ArgumentError, match="say at which time to judge"):
            rs.times.auc_at([1, 2, 3], [1, 0, 1], [3, 2, 1], at=at)
    with pytest.raises(rs.ArgumentError, match="leave it out for those of Kaplan-Meier"):
        rs.times.auc_at([1, 2, 3], [1, 0, 1], [3, 2, 1], at=2, ipcw="km")


def test_scores_that_do_not_vary_have_no_interval_and_perfect_ones_one() -> None:
    found = rs.times.auc_at([1, 2, 3, 4, 5, 6], [1, 1, 0, 1, 0, 0], [0.5] * 6, at=3.5)
    assert found.estimate == 0.5
    assert np.isnan(found.low)
    assert found.warnings[0].code == "nothing_varies"
    rng = np.random.default_rng(1)  # sums of the weights of the censoring round to 1.0000000000000004
    for sign, end in ((-1, 1.0), (1, 0.0)) * 9:
        time, event = rng.permutation(60) + 1.0, (rng.random(60) < 0.6).astype(int)
        for function, at in ((rs.times.auc_at, 20), (rs.times.integrated_auc, [10, 20, 30])):
            perfect: Any = function(time, event, sign * time, at=at)
            assert perfect.estimate == end
            assert 0.05 < perfect.high - perfect.low < 0.9


@each_case(("name", "how"), [(name, how) for name in ASKED for how in ("sampling", "frequency", "subjects")])
def test_weights_and_subjects_of_everything(name: str, how: str) -> None:
    if (name, how) == ("incident auc", "frequency"):
        return  # which events are near depends on how often rows count; see the test of repeated rows
    asked, path, defined = ASKED[name]
    rows = oracle.drawn(N, 9)
    w, subject = rows["weight"], rows["cluster"]
    options: dict[str, Any] = {"sample_weight": w.astype(int), "weight_type": "frequency"}
    if how != "frequency":
        options = {"sample_weight": w} if how == "sampling" else {"sample_weight": w, "cluster": subject}
    found = pick(asked(rows, **options), *path)
    assert found.estimate == pytest.approx(defined(rows, w), abs=1e-11)
    pulls = pulls_of_weighted_rows(name)
    n = {"sampling": N, "frequency": w.sum(), "subjects": len(set(subject))}[how]
    sums = np.bincount(subject if how == "subjects" else np.arange(N), w * pulls)
    squares = (w * pulls**2).sum() if how == "frequency" else (sums**2).sum()
    assert found.se == pytest.approx(np.sqrt(n / (n - 1) * squares), rel=2e-7)


@each_case("case", R["cases"], ids=lambda case: case["name"])
def test_risk_regression_says_the_same(case: dict[str, Any]) -> None:
    """Values of ties too; errors of rows without ties, where its sums over distinct times are nearly ours.

    Its errors are of the limiting formula, ours the derivative itself; of the Brier score they differ by 2 in 100,000.
    """
    d = {name: np.array(values) for name, values in R["data"][case["data"]].items()}
    several = np.stack([d["risk"]] * 2, axis=1)
    for which, time, event in (("single", d["time"], d["event"]), ("competing", d["time2"], d["event2"])):
        r = case[which]
        auc = rs.times.auc_at(time, event, d["risk"], at=case["at"], pos_label=1)
        brier = rs.times.brier_at(time, event, several, at=case["at"], pos_label=1)
        scaled = rs.times.brier_at(time, event, several, at=case["at"], pos_label=1, scaled=True)
        assert auc.estimate == pytest.approx(r["auc"]["estimate"], abs=1e-12)
        assert brier.estimate == pytest.approx(r["brier"]["estimate"], abs=1e-12)
        if case["data"] == "plain":
            assert scaled.estimate == pytest.approx(1 - brier.estimate / np.array(r["null"]), abs=1e-9)
            assert auc.se == pytest.approx(r["auc"]["se"], rel=1e-7)
            assert brier.se == pytest.approx(r["brier"]["se"], rel=2e-5)
    for place, at in enumerate(case["at"]):
        second = 1 / (1 + np.exp(-d["second"]))
        test = rs.times.compare_auc_at(d["time"], d["event"], second, d["risk"], at=at)
        assert test.estimate == pytest.approx(case["auc_difference"]["estimate"][place], abs=1e-12)
        of_brier = rs.times.compare_brier_at(d["time"], d["event"], second, d["risk"], at=at)
        assert of_brier.estimate == pytest.approx(case["brier_difference"]["estimate"][place], abs=1e-12)
        if case["data"] == "plain":
            assert test.se == pytest.approx(case["auc_difference"]["se"][place], rel=1e-7)
            assert of_brier.se == pytest.approx(case["brier_difference"]["se"][place], rel=2e-5)


def test_scikit_survival_says_the_same() -> None:
    d = {name: np.array(values) for name, values in R["data"]["plain"].items()}
    t, e, risk, at = d["time"], d["event"], d["risk"], SKSURV["at"]
    table = np.array([1 - (1 - risk) ** (each / 700) for each in at]).T
    assert rs.times.concordance(t, e, risk).estimate == pytest.approx(SKSURV["harrell"], abs=1e-12)
    assert rs.times.concordance(t, e, risk, method="uno").estimate == pytest.approx(SKSURV["uno"], abs=1e-12)
    assert rs.times.concordance(t, e, risk, method="uno", tau=1000).estimate == pytest.approx(SKSURV["uno_tau"])
    assert rs.times.auc_at(t, e, risk, at=at).estimate == pytest.approx(SKSURV["auc"], abs=1e-12)
    assert rs.times.integrated_auc(t, e, risk, at=at).estimate == pytest.approx(SKSURV["mean_auc"], abs=1e-12)
    assert rs.times.brier_at(t, e, table, at=at).estimate == pytest.approx(SKSURV["brier"], abs=1e-12)
    found = rs.times.integrated_brier(t, e, table, at=at).estimate
    assert found == pytest.approx(SKSURV["integrated_brier"], abs=1e-12)


def test_torchsurv_says_the_same() -> None:
    """It reckons in single precision, about 1e-7 a step."""
    d = {name: np.array(values) for name, values in R["data"]["plain"].items()}
    t, e, risk, at = d["time"], d["event"], d["risk"], TORCHSURV["at"]
    table = np.array([1 - (1 - risk) ** (each / 700) for each in at]).T
    assert rs.times.concordance(t, e, risk).estimate == pytest.approx(TORCHSURV["harrell"], abs=1e-7)
    assert rs.times.concordance(t, e, risk, method="uno").estimate == pytest.approx(TORCHSURV["uno"], abs=1e-6)
    assert rs.times.auc_at(t, e, risk, at=at).estimate == pytest.approx(TORCHSURV["auc"], abs=2e-7)
    assert rs.times.brier_at(t, e, table, at=at).estimate == pytest.approx(TORCHSURV["brier"], abs=1e-7)


def test_without_censoring_these_are_the_measures_of_two_classes() -> None:
    rng = np.random.default_rng(3)
    t, s = rng.exponential(10, 300), rng.random(300)
    by_then, ones = (t <= 7).astype(int), np.ones(300, int)
    assert rs.times.auc_at(t, ones, s, at=7).estimate == pytest.approx(rs.auc(by_then, s))
    delong = rs.auc_interval(by_then, s, method="delong").se
    assert rs.times.auc_at(t, ones, s, at=7).se == pytest.approx(delong, rel=0.01)
    assert rs.times.brier_at(t, ones, s, at=7).estimate == pytest.approx(rs.brier_score(by_then, s))
    curve = rs.decision_curve(by_then, s, thresholds=[0.4])
    found = rs.times.net_benefit_at(t, ones, s, at=7, thresholds=0.4).net_benefit[0]
    assert found == pytest.approx(float(np.ravel(curve.net_benefit["model"])[0]))
    old = rng.random(300)
    pair = rs.times.net_reclassification_at(t, ones, old, s, at=7, cutoffs=[0.3, 0.7])
    plain = rs.net_reclassification(by_then, old, s, cutoffs=[0.3, 0.7], method="wald")
    assert pair.nri.estimate == pytest.approx(plain.nri.estimate)
    assert pair.up_events == pytest.approx(plain.up_events)
    assert rs.times.integrated_discrimination_at(t, ones, old, s, at=7).relative.estimate == pytest.approx(
        rs.integrated_discrimination(by_then, old, s).relative.estimate
    )


def test_given_weights_take_the_place_of_kaplan_meier() -> None:
    rows = oracle.drawn(N, 6)
    weights = np.array([oracle.stands_for(rows["time"], rows["event"], t, np.ones(N)) for t in GRID]).T
    own = rs.times.auc_at(*given(rows, rows["first"]), at=GRID)
    known = rs.times.auc_at(*given(rows, rows["first"]), at=GRID, ipcw=weights)
    assert known.estimate == pytest.approx(own.estimate)
    assert not np.allclose(known.se, own.se, rtol=1e-6)  # weights that are known vary less, or more
    with pytest.raises(rs.ArgumentError, match="one column for each of the 3 times"):
        rs.times.auc_at(*given(rows, rows["first"]), at=GRID, ipcw=weights[:, :2])
    with pytest.raises(rs.InputError, match="finite and 0 or more, and 1 are not, row 0"):
        rs.times.auc_at(*given(rows, rows["first"]), at=AT, ipcw=np.append(-1.0, np.ones(N - 1)))


def test_every_function_takes_given_weights() -> None:
    """Those of Kaplan-Meier give its values; the errors are derivatives with the weights held."""
    rows = oracle.drawn(N, 6)
    t, e = rows["time"], rows["event"]
    risk, other = risks(rows), risks(rows)[::-1].copy()
    weights = np.array([oracle.stands_for(t, e, each, np.ones(N)) for each in GRID]).T
    one, both = weights[:, [1]], (risk, other)
    columns = np.stack([risk] * 3, axis=1)
    how: dict[str, Any] = {"at": GRID[1]}
    for own, known in (
        (rs.times.integrated_auc(t, e, risk, at=GRID), rs.times.integrated_auc(t, e, risk, at=GRID, ipcw=weights)),
        (rs.times.compare_auc_at(t, e, *both, **how), rs.times.compare_auc_at(t, e, *both, **how, ipcw=one)),
        (rs.times.integrated_brier(t, e, columns, at=GRID),
         rs.times.integrated_brier(t, e, columns, at=GRID, ipcw=weights)),
        (rs.times.compare_brier_at(t, e, *both, **how), rs.times.compare_brier_at(t, e, *both, **how, ipcw=one)),
        (rs.times.calibration_at(t, e, risk, **how).ratio, rs.times.calibration_at(t, e, risk, **how, ipcw=one).ratio),
        (rs.times.net_reclassification_at(t, e, *both, **how).nri,
         rs.times.net_reclassification_at(t, e, *both, **how, ipcw=one).nri),
        (rs.times.integrated_discrimination_at(t, e, *both, **how).idi,
         rs.times.integrated_discrimination_at(t, e, *both, **how, ipcw=one).idi),
    ):  # fmt: skip
        assert known.estimate == pytest.approx(own.estimate)
    treated = risk >= 0.4
    came = one[:, 0] * ((t <= GRID[1]) & (e == 1))
    expected = (came[treated].sum() - (treated.sum() - came[treated].sum()) * 2 / 3) / N
    found = rs.times.net_benefit_at(t, e, risk, **how, thresholds=[0.4], ipcw=one).model[0]
    assert found.estimate == pytest.approx(expected)


def test_uno_with_given_weights() -> None:
    rows = oracle.drawn(N, 6)
    t, e, score = rows["time"], rows["event"], rows["first"]
    given = rs.times.concordance(t, e, score, method="uno")
    by_time = read_times(t, e, {"score": score})
    curve, weights = censoring_of(by_time), np.ones(N)
    assert by_time.order is not None
    weights[by_time.order] = 1 / np.where(by_time.event, curve.left[curve.place], 1.0)
    found = rs.times.concordance(t, e, score, method="uno", ipcw=weights)
    assert found.estimate == pytest.approx(given.estimate)
    moved = []
    for place in range(N):
        more = np.ones(N)
        more[place] += 1e-6
        values = [rs.times.concordance(t, e, score, method="uno", ipcw=weights, sample_weight=each).estimate
                  for each in (more, 2 - more)]  # fmt: skip
        moved.append((values[0] - values[1]) / 2e-6)
    held = concordance_of(read_times(t, e, {"score": score}), "score", "uno", None, weights)
    assert held.pulls == pytest.approx(np.array(moved)[by_time.order], abs=1e-7)
    with pytest.raises(rs.ArgumentError, match="goes with method='uno'"):
        rs.times.concordance(t, e, score, ipcw=weights)


def test_a_lone_label_is_taken_as_censored_and_said_unless_no_row_is() -> None:
    rows = oracle.drawn(N, 6, competing=True)
    kept = rows["event"] != 0
    t, e, risk = rows["time"][kept], rows["event"][kept], risks(rows)[kept]
    assumed = rs.times.auc_at(t, e, risk, at=AT, pos_label=1)
    assert "taken_as_censored" in [remark.code for remark in assumed.warnings]
    plain = rs.times.auc_at(t, np.where(e == 1, 1, 0), risk, at=AT)
    assert tuple(assumed) == tuple(plain)
    known = rs.times.auc_at(t, e, risk, at=AT, pos_label=1, censored=None)
    assert not {"taken_as_censored"} & {remark.code for remark in known.warnings}
    assert known.estimate == pytest.approx(rs.auc((t <= AT) & (e == 1), risk))  # nobody is censored: two classes


def test_net_benefits_of_two_models() -> None:
    rows = oracle.drawn(N, 6)
    t, e, risk = rows["time"], rows["event"], risks(rows)
    other = risk[::-1].copy()
    found = rs.times.compare_net_benefit_at(t, e, risk, other, at=AT, threshold=0.4)
    each = [rs.times.net_benefit_at(t, e, one, at=AT, thresholds=[0.4]).model[0] for one in (risk, other)]
    assert found.estimate == pytest.approx(each[0].estimate - each[1].estimate)
    same = rs.times.compare_net_benefit_at(t, e, risk, np.zeros(N), at=AT, threshold=0.4)
    assert (same.estimate, same.se) == pytest.approx((each[0].estimate, each[0].se))  # treating none has 0
    with pytest.raises(rs.ArgumentError, match="between 0 and 1"):
        rs.times.compare_net_benefit_at(t, e, risk, other, at=AT, threshold=1.0)


def test_what_no_row_tells_is_undefined_with_the_reason() -> None:
    t, e, s = [5, 8, 12, 20, 21, 30, 31, 40], [1, 1, 0, 1, 1, 0, 1, 0], [7, 9, 4, 6, 2, 3, 5, 1]
    found = rs.times.auc_at(t, e, s, at=[1, 25, 40])
    assert np.isnan(found.estimate).tolist() == [True, False, True]
    assert {"no_cases_at", "no_controls_at"} <= {remark.code for remark in found.warnings}
    with pytest.raises(rs.InputError, match="at 1 no row had the event"):
        rs.times.net_reclassification_at(t, e, np.full(8, 0.5), np.full(8, 0.5), at=1)
    with pytest.raises(rs.ArgumentError, match="times above 0, each later than the one before, got 25, 20"):
        rs.times.auc_at(t, e, s, at=[25, 20])
    with pytest.raises(rs.InputError, match="risk must hold probabilities"):
        rs.times.brier_at(t, e, s, at=25)
    with pytest.raises(rs.InputError, match="holds other events too"):
        rs.times.auc_at(t, [1, 2, 0, 1, 1, 0, 1, 0], s, at=25, kind="incident", pos_label=1)
    with pytest.raises(rs.ArgumentError, match="has no row without the event that is 0"):
        rs.times.auc_at(t, [1, 2, 3, 1, 1, 3, 1, 2], s, at=25, pos_label=1)
    with pytest.raises(rs.ArgumentError, match="a share in"):
        rs.times.auc_at(t, e, s, at=25, span=0.5)


def test_results_can_be_read_written_and_drawn() -> None:
    rows = oracle.drawn(N, 6)
    risk = risks(rows)
    made = [
        rs.times.auc_at(*given(rows, risk), at=GRID),
        rs.times.calibration_at(*given(rows, risk), at=AT, n_groups=3),
        rs.times.net_benefit_at(*given(rows, risk), at=AT, thresholds=[0.2, 0.4]),
    ]
    for result in made:
        assert json.loads(json.dumps(result.to_dict()))
        assert len(result.to_frame()) == len(result.cells()[1] if hasattr(result, "cells") else [1, 2])
        assert "level" in str(result)
        assert result.plot().ax_ is not None
        assert repr(result).startswith(type(result).__name__)


def test_r_says_the_same_of_pbc() -> None:
    """The data set that R's survival brings: concordance with its covariance, pec's Brier scores, survfit's groups."""
    d = {name: np.array(values) for name, values in PBC["data"].items()}
    t, e, risk = d["time"], d["event"], d["risk"]
    scores = d["bili"], d["age"]
    found = [rs.times.concordance(t, e, score) for score in scores]
    assert [each.estimate for each in found] == pytest.approx(PBC["c"], abs=1e-12)
    assert [each.estimate for each in found] == pytest.approx(PBC["rcorr"], abs=1e-12)
    assert PBC["c"] == pytest.approx([0.783009797638, 0.616335500412], abs=1e-12)
    assert [each.se**2 for each in found] == pytest.approx([3.335394129e-04, 5.153375711e-04], rel=1e-9)
    var = np.array(PBC["var"])
    gap = rs.times.compare_concordance(t, e, *scores)
    assert gap.se**2 == pytest.approx(var[0, 0] + var[1, 1] - 2 * var[0, 1], rel=1e-10)
    assert var[0, 1] == pytest.approx(-4.127979812e-05, rel=1e-9)
    table = np.array([1 - (1 - risk) ** (at / 2000) for at in PBC["at"]]).T
    assert rs.times.brier_at(t, e, table, at=PBC["at"]).estimate == pytest.approx(PBC["brier"], abs=1e-10)
    groups = rs.times.calibration_at(t, e, risk, at=2000, n_groups=4).groups
    assert [group.estimate for group in groups] == pytest.approx(PBC["groups"], abs=1e-12)
    benefit = rs.times.net_benefit_at(t, e, risk, at=2000, thresholds=[0.4]).model[0]
    assert benefit.estimate == pytest.approx(PBC["net_benefit"], abs=1e-12)


def test_lifelines_says_the_same() -> None:
    d = {name: np.array(values) for name, values in R["data"]["plain"].items()}
    found = [rs.times.concordance(d["time"], d["event"], d[name]).estimate for name in ("first", "second", "risk")]
    assert found == pytest.approx(LIFELINES["harrell"], abs=1e-12)
    for place, at in enumerate(LIFELINES["at"]):
        plain = rs.times.calibration_at(d["time"], d["event"], d["risk"], at=at).observed
        assert plain.estimate == pytest.approx(LIFELINES["incidence"][place], abs=1e-12)
        rivals = rs.times.calibration_at(d["time2"], d["event2"], d["risk"], at=at, pos_label=1).observed
        assert rivals.estimate == pytest.approx(LIFELINES["competing"][place], abs=1e-12)


def test_where_areas_fall_short_they_say_so() -> None:
    """Events near an early time that came after it on the whole; tests of integrated areas with few events."""
    rng = np.random.default_rng(3)
    times, event, score = rng.exponential(size=300), np.ones(300), rng.normal(size=300)
    edge, inner = (rs.times.auc_at(times, event, score, at=at, kind="incident") for at in (0.1, 0.6))
    assert "events_of_another_time" in [each.code for each in edge.warnings]
    assert "events_of_another_time" not in [each.code for each in inner.warnings]
    tests = [rs.times.compare_auc_at(times, event, score, -score, at=at) for at in ([0.3, 0.6], [1.0, 2.0])]
    assert [["integrated_test_few" in [one.code for one in each.warnings]] for each in tests] == [[True], [False]]


def test_risks_of_several_lengths_are_refused() -> None:
    with pytest.raises(rs.RocsteadyError, match="risk must hold a number for each row"):
        rs.times.brier_at([1.0, 2.0, 3.0, 4.0], [1, 0, 1, 1], ([1], 0.2, 0.3, 0.4), at=2.5)
