"""Reclassification: tables, NRI, IDI and Cook's test, written out row by row, and against Hmisc."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import rocsteady as rs
from cases import each_case
from test_r_agreement import COLUMNS, LABELS, R_REFERENCE, assert_agree

CUTS = [0.2, 0.5]
HMISC = R_REFERENCE["reclassification"]
OLD, NEW = COLUMNS[HMISC["old"]], COLUMNS[HMISC["new"]]

tenths = st.integers(0, 10).map(lambda number: number / 10)
rows = st.lists(st.tuples(tenths, tenths), min_size=2, max_size=8)


def columns(events: list[tuple[float, float]], nonevents: list[tuple[float, float]]) -> tuple[Any, Any, Any]:
    both = events + nonevents
    return [1] * len(events) + [0] * len(nonevents), [old for old, _ in both], [new for _, new in both]


def category(p: float, cuts: list[float]) -> int:
    return sum(p >= cut for cut in cuts)


def net_up(pairs: list[tuple[float, float]], cuts: list[float] | None) -> tuple[Fraction, Fraction]:
    """Share up minus share down, and share that moved."""
    moves = [
        (new > old) - (new < old)
        if cuts is None
        else (category(new, cuts) > category(old, cuts)) - (category(new, cuts) < category(old, cuts))
        for old, new in pairs
    ]
    return Fraction(sum(moves), len(moves)), Fraction(sum(map(abs, moves)), len(moves))


class TestNri:
    @pytest.mark.parametrize("cuts", [None, [0.5], [0.2, 0.5, 0.8]])
    @given(rows, rows)
    def test_row_by_row(self, cuts: list[float] | None, events: Any, nonevents: Any) -> None:
        result = rs.net_reclassification(*columns(events, nonevents), cutoffs=cuts)
        (gain, moved), (loss, shifted) = net_up(events, cuts), net_up(nonevents, cuts)
        assert result.nri.estimate == pytest.approx(float(gain - loss), abs=1e-15)
        variance = (moved - gain**2) / len(events) + (shifted - loss**2) / len(nonevents)
        assert result.nri.se == pytest.approx(math.sqrt(variance), abs=1e-15)
        null = rs.net_reclassification(*columns(events, nonevents), cutoffs=cuts, variance="null")
        null_variance = moved / len(events) + shifted / len(nonevents)
        if null_variance:
            assert null.nri.statistic == pytest.approx(float(gain - loss) / math.sqrt(null_variance), abs=1e-12)
        assert (null.nri.low, null.nri.high) == (result.nri.low, result.nri.high)

    @given(rows, rows)
    def test_swapping_models_turns_the_sign(self, events: Any, nonevents: Any) -> None:
        y, old, new = columns(events, nonevents)
        there, back = rs.net_reclassification(y, old, new), rs.net_reclassification(y, new, old)
        assert there.nri.estimate == -back.nri.estimate
        assert there.nri.pvalue == back.nri.pvalue

    @pytest.mark.parametrize(
        ("cutoffs", "theirs"),
        [(None, HMISC["continuous"]), (CUTS, HMISC["categorical"])],
        ids=["continuous", "cutoffs"],
    )
    def test_hmisc(self, cutoffs: Any, theirs: dict[str, float]) -> None:
        result = rs.net_reclassification(LABELS, OLD, NEW, cutoffs=cutoffs)
        for part, suffix in ((result.nri, ""), (result.events, ".ev"), (result.nonevents, ".ne")):
            ours = [part.estimate, part.se, part.statistic]
            assert_agree(ours, [theirs[f"{name}nri{suffix}"] for name in ("", "se.", "z.")])
        shares = [result.up_events, result.down_events, result.up_nonevents, result.down_nonevents]
        assert_agree(shares, [theirs[name] for name in ("pup.ev", "pdown.ev", "pup.ne", "pdown.ne")])

    def test_identical_models(self) -> None:
        result = rs.net_reclassification(LABELS, OLD, OLD)
        assert (result.nri.estimate, result.nri.statistic, result.nri.pvalue) == (0.0, 0.0, 1.0)

    def test_weights_are_repeated_rows(self) -> None:
        weights = 1 + np.arange(LABELS.size) % 3
        repeated = [column.repeat(weights) for column in (LABELS, OLD, NEW)]
        for function in (rs.net_reclassification, rs.integrated_discrimination):
            weighted, whole = (
                function(LABELS, OLD, NEW, sample_weight=weights, weight_type="frequency"),
                function(*repeated),
            )
            for part in ("events", "nonevents"):
                ours, theirs = getattr(weighted, part), getattr(whole, part)
                assert (ours.estimate, ours.se) == pytest.approx((theirs.estimate, theirs.se), rel=1e-12)
            assert weighted.n_pos == whole.n_pos

    def test_sampling_weights_against_the_bootstrap(self) -> None:
        weights = np.random.default_rng(1).uniform(0.3, 3, LABELS.size)
        for function, part in ((rs.net_reclassification, "nri"), (rs.integrated_discrimination, "idi")):
            wald = getattr(function(LABELS, OLD, NEW, sample_weight=weights), part)
            resampled = getattr(
                function(LABELS, OLD, NEW, sample_weight=weights, method="bootstrap", random_state=1), part
            )
            assert wald.estimate == pytest.approx(resampled.estimate)
            assert wald.se == pytest.approx(resampled.se, rel=0.07)
        equal = rs.net_reclassification(LABELS, OLD, NEW, sample_weight=np.full(LABELS.size, 0.5))
        assert equal.nri.se == pytest.approx(rs.net_reclassification(LABELS, OLD, NEW).nri.se, rel=1e-12)

    def test_bootstrap(self) -> None:
        one, two = (
            rs.net_reclassification(LABELS, OLD, NEW, cutoffs=CUTS, method="bootstrap", random_state=4)
            for _ in range(2)
        )
        assert one.to_dict() == two.to_dict()
        wald = rs.net_reclassification(LABELS, OLD, NEW, cutoffs=CUTS)
        assert one.nri.se == pytest.approx(wald.nri.se, rel=0.06)
        assert one.nri.resampling.seed == 4

    def test_the_warning_travels(self) -> None:
        result = rs.net_reclassification(LABELS, OLD, NEW)
        assert "miscalibrated" in result.warnings[0]
        assert "miscalibrated" in str(result)
        assert "miscalibrated" in json.dumps(result.to_dict())


class TestIdi:
    @given(rows, rows)
    def test_row_by_row(self, events: Any, nonevents: Any) -> None:
        result = rs.integrated_discrimination(*columns(events, nonevents))
        gain, loss = ([new - old for old, new in side] for side in (events, nonevents))
        assert result.idi.estimate == pytest.approx(np.mean(gain) - np.mean(loss), abs=1e-14)
        variance = np.var(gain, ddof=1) / len(gain) + np.var(loss, ddof=1) / len(loss)
        assert result.idi.se == pytest.approx(math.sqrt(variance), abs=1e-14)
        assert result.idi.estimate == pytest.approx(result.slope_new - result.slope_old, abs=1e-14)

    def test_hmisc(self) -> None:
        theirs, result = HMISC["continuous"], rs.integrated_discrimination(LABELS, OLD, NEW)
        assert_agree(
            [result.idi.estimate, result.idi.se, result.idi.statistic], [theirs[n] for n in ("idi", "se.idi", "z.idi")]
        )
        assert_agree(
            [result.events.estimate, result.nonevents.estimate], [theirs["improveSens"], theirs["improveSpec"]]
        )

    def test_relative_is_a_ratio(self) -> None:
        result = rs.integrated_discrimination(LABELS, OLD, NEW)
        assert result.relative.estimate == pytest.approx(result.slope_new / result.slope_old, rel=1e-12)
        assert result.relative_change == pytest.approx(result.relative.estimate - 1, abs=1e-15)
        resampled = rs.integrated_discrimination(LABELS, OLD, NEW, method="bootstrap", random_state=1)
        assert result.relative.se == pytest.approx(resampled.relative.se, rel=0.08)
        assert resampled.relative.statistic == pytest.approx((result.relative.estimate - 1) / resampled.relative.se)

    def test_no_slope_to_divide_by(self) -> None:
        y, old, new = [1, 1, 0, 0], [0.5, 0.5, 0.5, 0.5], [0.6, 0.7, 0.3, 0.1]
        result = rs.integrated_discrimination(y, old, new)
        assert math.isnan(result.relative.estimate)
        assert "unstable" in result.warnings[1]
        assert "unstable" not in str(rs.integrated_discrimination(LABELS, OLD, NEW).warnings)


class TestTables:
    def test_cell_by_cell(self) -> None:
        result = rs.reclassification(LABELS, OLD, NEW, cutoffs=CUTS)
        for i, j in np.ndindex(3, 3):
            here = [category(a, CUTS) == i and category(b, CUTS) == j for a, b in zip(OLD, NEW, strict=True)]
            assert result.all[i, j] == sum(here)
            assert result.events[i, j] == LABELS[here].sum()
            if any(here):
                assert result.observed[i, j] == pytest.approx(LABELS[here].mean())
                assert result.mean_old[i, j] == pytest.approx(OLD[here].mean())
                assert result.mean_new[i, j] == pytest.approx(NEW[here].mean())
        assert (result.events + result.nonevents == result.all).all()

    def test_moves_are_those_of_the_nri(self) -> None:
        moved = rs.reclassification(LABELS, OLD, NEW, cutoffs=CUTS).moved
        result = rs.net_reclassification(LABELS, OLD, NEW, cutoffs=CUTS)
        assert moved["events"]["up"] == pytest.approx(result.up_events)
        assert moved["nonevents"]["down"] == pytest.approx(result.down_nonevents)

    def test_a_probability_at_a_limit_belongs_above(self) -> None:
        result = rs.reclassification([1, 0], [0.5, 0.2], [0.2, 0.5], cutoffs=CUTS)
        assert result.labels == ("[0, 0.2)", "[0.2, 0.5)", "[0.5, 1]")
        assert result.events[2, 1] == 1
        assert result.nonevents[1, 2] == 1

    def test_cook_written_out(self) -> None:
        result = rs.reclassification(LABELS, OLD, NEW, cutoffs=CUTS)
        used = result.all >= 20
        for test, mean in ((result.cook_old, result.mean_old), (result.cook_new, result.mean_new)):
            n, p, o = result.all[used], mean[used], result.events[used]
            statistic = sum((o - n * p) ** 2 / (n * p * (1 - p)))
            assert test.statistic == pytest.approx(statistic, rel=1e-12)
            assert test.df == used.sum() - 2
            assert test.pvalue == pytest.approx(stats.chi2.sf(statistic, used.sum() - 2), rel=1e-10)
        n_small = ((result.all > 0) & ~used).sum()
        assert result.warnings[0] == f"cells with fewer than 20 rows, left out of Cook's test: {n_small}"

    def test_cook_needs_cells(self) -> None:
        result = rs.reclassification([1, 0, 1], [0.1, 0.6, 0.7], [0.2, 0.3, 0.9], cutoffs=[0.5])
        assert math.isnan(result.cook_old.pvalue)
        assert "at least 3 cells" in result.cook_old.warnings[0]
        assert "undefined" in str(result)

    def test_row_shares_and_frames(self) -> None:
        result = rs.reclassification(LABELS, OLD, NEW, cutoffs=CUTS)
        assert result.row_shares["all"].sum(axis=1) == pytest.approx(1.0)
        frame = result.to_frame("polars")
        assert frame.height == 9
        assert frame["all"].sum() == 300

    def test_plot(self) -> None:
        display = rs.reclassification(LABELS, OLD, NEW, cutoffs=CUTS).plot()
        assert len(display.ax_) == 3
        assert "up" in display.ax_[0].get_title()
        with pytest.raises(rs.ArgumentError, match="three Axes"):
            rs.reclassification(LABELS, OLD, NEW, cutoffs=CUTS).plot(display.ax_[0])


class TestBadInput:
    @pytest.mark.parametrize(
        "function",
        [
            rs.net_reclassification,
            rs.integrated_discrimination,
            lambda *columns: rs.reclassification(*columns, cutoffs=[0.5]),
        ],
    )
    def test_probabilities_only(self, function: Any) -> None:
        with pytest.raises(
            rs.InputError, match=r"new must hold probabilities: 2 lie outside .*rows 0, 2, such as 3"
        ) as caught:
            function([1, 0, 1, 0], [0.1, 0.2, 0.3, 0.4], [3, 0.5, -1, 0.5])
        assert caught.value.code == "not_probabilities"
        with pytest.raises(rs.InputError, match="only one class"):
            function([1, 1], [0.1, 0.2], [0.1, 0.2])

    @each_case("cutoffs", [[], [0.5, 0.2], [0.2, 0.2], [0], [1.0], [math.nan]])
    def test_cutoffs(self, cutoffs: Any) -> None:
        with pytest.raises(rs.ArgumentError, match="cutoffs must increase"):
            rs.reclassification([1, 0], [0.1, 0.2], [0.1, 0.2], cutoffs=cutoffs)

    def test_missing_rows_are_dropped_jointly(self) -> None:
        old, new = OLD.copy(), NEW.copy()
        old[[0, 5]], new[[5, 9]] = np.nan, np.nan
        with pytest.raises(rs.InputError, match="old: 2 missing"):
            rs.net_reclassification(LABELS, old, new)
        result = rs.net_reclassification(LABELS, old, new, missing="drop")
        assert result.origin.n_dropped == 3
        kept = np.delete(np.arange(300), [0, 5, 9])
        assert result.nri.estimate == rs.net_reclassification(LABELS[kept], OLD[kept], NEW[kept]).nri.estimate


class TestJoin:
    def test_rows_are_paired_by_id(self) -> None:
        order = np.random.default_rng(1).permutation(300)
        ids = np.array([f"p{i}" for i in range(300)])
        old = {"id": ids, "y": LABELS, "old": OLD}
        new = {"id": ids[order], "y": LABELS[order], "new": NEW[order]}
        joined = rs.join_by_id(old, new, id="id")
        result = rs.net_reclassification(joined["y"], joined["old"], joined["new"])
        assert result.nri.to_dict() == rs.net_reclassification(LABELS, OLD, NEW).nri.to_dict()

    def test_frames(self) -> None:
        pl = pytest.importorskip("polars")
        joined = rs.join_by_id(pl.DataFrame({"k": [1, 2], "a": [3, None]}), {"k": [2, 1], "b": [5, 6]}, id="k")
        assert joined["b"].tolist() == [6, 5]
        assert joined["a"].tolist() == [3, None]

    @pytest.mark.parametrize(
        ("second", "code"),
        [
            ({"k": [1, 1], "b": [1, 2]}, "repeated_ids"),
            ({"k": [1, 3], "b": [1, 2]}, "unmatched_ids"),
            ({"z": [1, 2], "b": [1, 2]}, "column_absent"),
            ({"k": [1, 2], "y": [0, 0]}, "columns_disagree"),
            ({"k": [1.0, math.nan], "b": [0, 0]}, "missing_values"),
        ],
    )
    def test_refusals(self, second: Any, code: str) -> None:
        with pytest.raises(rs.InputError) as caught:
            rs.join_by_id({"k": [1, 2], "y": [1, 0]}, second, id="k")
        assert caught.value.code == code

    def test_unmatched_ids_can_be_dropped(self) -> None:
        joined = rs.join_by_id({"k": [1, 2], "y": [1, 0]}, {"k": [3, 2], "b": [7, 8]}, id="k", unmatched="drop")
        assert (joined["k"].tolist(), joined["b"].tolist()) == ([2], [8])
        with pytest.raises(rs.ArgumentError, match="'raise' or 'drop'"):
            rs.join_by_id({"k": [1]}, {"k": [1]}, id="k", unmatched="keep")
        with pytest.raises(rs.ArgumentError, match="two tables"):
            rs.join_by_id({"k": [1]}, id="k")


def few_events(n_pos: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], [n_pos, 40])
    old = rng.uniform(0.1, 0.6, y.size)
    return y, old, np.clip(old + rng.normal(0.02, 0.1, y.size), 0.01, 0.99)


@each_case("seed", range(12))
def test_with_few_events_test_and_interval_say_one_thing(seed: int) -> None:
    y, old, new = few_events(4, seed)
    parts = [rs.net_reclassification(y, old, new).nri, rs.net_reclassification(y, old, new, cutoffs=[0.3]).nri]
    parts.append(rs.integrated_discrimination(y, old, new).idi)
    for part in parts:
        assert part.method in ("bonett-price", "welch")
        assert (part.pvalue <= 0.05) == (not part.low <= 0 <= part.high)
        for level in (0.6, 0.9, 0.99):
            found = rs.integrated_discrimination(y, old, new, level=level).idi
            assert (found.pvalue <= 1 - level) == (not found.low <= 0 <= found.high)


def test_p_of_few_events_is_bonett_and_price_s_and_welch_s() -> None:
    y, old, new = few_events(4, 3)
    nri, change = rs.net_reclassification(y, old, new), new - old
    variance = middle = 0.0
    for side, n in ((y == 1, 4), (y == 0, 40)):
        up, down = ((change[side] > 0).sum() + 1) / (n + 2), ((change[side] < 0).sum() + 1) / (n + 2)
        variance += (up + down - (up - down) ** 2) / (n + 2)
        middle += (1 if n == 4 else -1) * (up - down)
    assert nri.nri.pvalue == pytest.approx(2 * stats.norm.sf(abs(middle) / np.sqrt(variance)))
    idi = rs.integrated_discrimination(y, old, new)
    assert idi.idi.pvalue == pytest.approx(stats.ttest_ind(change[y == 1], change[y == 0], equal_var=False).pvalue)
    kept = rs.net_reclassification(y, old, new, variance="null")
    assert kept.nri.statistic == pytest.approx(kept.nri.estimate / np.sqrt(1 / 4 + 1 / 40))  # everyone moves


def test_few_events_are_told_wherever_nri_and_idi_stand() -> None:
    y, old, new = few_events(4, 1)
    told = [rs.net_reclassification(y, old, new), rs.net_reclassification(y, old, new, cutoffs=[0.3])]
    assert all("few_to_move" in {remark.code for remark in result.warnings} for result in told)
    table = rs.reclassification(y, old, new, cutoffs=[0.3])
    assert "note: 4 rows in the smaller class: each that moves is 0.25 of it" in str(table)
    assert "welch_short" in {remark.code for remark in rs.integrated_discrimination(y, old, new).warnings}
    compared = rs.evaluate(y, {"old": old, "new": new}).compare(cutoffs=[0.3])
    assert {"few_to_move", "welch_short"} <= {remark.code for remark in compared.warnings}
    assert "each that moves changes the NRI by 0.25" in str(compared)
    enough = rs.net_reclassification(*few_events(10, 1))
    assert "few_to_move" not in {remark.code for remark in enough.warnings}
    plenty = rs.reclassification(*few_events(10, 1), cutoffs=[0.3])
    assert "few_in_table" not in {remark.code for remark in plenty.warnings}
