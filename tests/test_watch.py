"""Watching a model over days: levels and changes that hold at every look, late labels, expectations, drift."""

from __future__ import annotations

import itertools
import json
import math
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import ks_2samp, multivariate_normal

import rocsteady as rs
from cases import each_case
from rocsteady._src.designs.watch.calibrated import OTHERS, calibration_logs
from rocsteady._src.designs.watch.day_counts import DayCounts, Plan, day_sums
from rocsteady._src.designs.watch.drift import in_tenths, stability_index, two_samples, windows_tested
from rocsteady._src.designs.watch.evidence import (
    STEPS,
    counted_limit_evidence,
    gathered,
    joint_evidence,
    start_of_fall,
    start_weights,
)
from rocsteady._src.designs.watch.expected import expected_area, expected_of
from rocsteady._src.designs.watch.measures import WATCHED
from rocsteady._src.designs.watch.open_labels import area_bounds
from rocsteady._src.designs.watch.sequences import counted_sequence, divergence_ends, normal_sequence
from rocsteady._src.designs.watch.stream import How, watch_stream

COLUMNS: dict[str, Any] = {"score": "s", "label": "y", "day": "day"}


def table_of(n_days: int = 40, n: int = 120, worse_from: int | None = None, seed: int = 1) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    day = np.repeat(np.arange(n_days), n)
    y = rng.random(day.size) < 0.3
    lift = np.where(day < (n_days if worse_from is None else worse_from), 1.2, 0.3)
    return {"y": y.astype(int), "s": lift * y + rng.normal(size=day.size), "day": day}


def area_of(labels: Any, scores: Any) -> float:
    pairs = [(p > n) + (p == n) / 2 for p in scores[labels == 1] for n in scores[labels == 0]]
    return float(np.mean(pairs)) if pairs else math.nan


@each_case("seed", range(12))
def test_open_labels_leave_an_area_exactly_between_its_bounds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores, state = rng.integers(0, 5, 9).astype(float), rng.integers(0, 3, 9)  # 2: open
    distinct, place = np.unique(scores, return_inverse=True)
    pos, neg, open_rows = (np.bincount(place, state == each, minlength=distinct.size) for each in (1, 0, 2))
    made = []
    for labels in itertools.product((0, 1), repeat=int((state == 2).sum())):
        whole = state.copy()
        whole[state == 2] = labels
        made.append(area_of(whole, scores))
    known = [each for each in made if not math.isnan(each)]
    low, high = area_bounds(pos, neg, open_rows)
    if not known:
        assert math.isnan(low)
        return
    assert (low, high) == pytest.approx((min(known), max(known)), abs=1e-14)


def test_evidence_of_a_change_is_the_ratio_of_likelihoods_of_differences() -> None:
    """Against multivariate normal densities of the differences from the reference, which do not know the value."""
    rng = np.random.default_rng(3)
    found = np.column_stack([rng.normal(0.7, 0.1, 4), rng.uniform(0.01, 0.03, 4)])
    reference, sizes = (0.75, 0.002), np.array([0.05, 0.2])
    spread = np.diag(found[:, 1]) + reference[1]
    for n in range(1, 5):
        gaps, cov = found[:n, 0] - reference[0], spread[:n, :n]
        none = multivariate_normal(np.zeros(n), cov).pdf(gaps)
        weights = start_weights(n)
        whole = 1 - weights.sum()
        for start, size in itertools.product(range(n), sizes):
            moved = np.where(np.arange(n) >= start, -size, 0.0)
            whole += weights[start] / sizes.size * multivariate_normal(moved, cov).pdf(gaps) / none
        assert joint_evidence(reference, found, sizes)[n - 1] == pytest.approx(math.log(whole), abs=1e-10)


def test_evidence_does_not_know_the_value_itself() -> None:
    found = np.array([[0.7, 0.01], [0.6, 0.02], [0.5, 0.01]])
    moved = found + np.array([0.3, 0.0])
    sizes = np.array([0.05])
    assert joint_evidence((0.8, 0.01), found, sizes) == pytest.approx(joint_evidence((1.1, 0.01), moved, sizes))
    assert start_of_fall((0.8, 0.001), np.array([[0.8, 0.01], [0.8, 0.01], [0.5, 0.01], [0.5, 0.01]])) == 2


def test_weights_of_starting_days_add_up_to_one_for_ever() -> None:
    weights = start_weights(200_000)
    assert weights.sum() < 1
    assert weights.sum() + 365 / (2 * 200_000) == pytest.approx(1, abs=1e-9)  # the tail is H / 2n


def test_counted_evidence_is_one_or_less_on_average_exactly() -> None:
    """All outcomes of a reference of 4 rows and two days of 3, at every probability: no approximation."""
    for p in (0.2, 0.5, 0.85):
        mean = 0.0
        for x0, x1, x2 in itertools.product(range(5), range(4), range(4)):
            chance = math.prod(math.comb(n, x) * p**x * (1 - p) ** (n - x) for n, x in ((4, x0), (3, x1), (3, x2)))
            logs = counted_limit_evidence((x0, 4.0), np.array([[x1, 3.0], [x2, 3.0]]), 0.0)
            mean += chance * math.exp(logs[-1])
        assert mean <= 1


def test_counted_sequence_holds_what_its_definition_keeps() -> None:
    x, n, alpha = np.array([3.0, 10.0, 0.0]), np.array([10.0, 40.0, 5.0]), 0.05
    mean, low, high = counted_sequence(x, n, alpha)
    assert mean == pytest.approx(np.cumsum(x) / np.cumsum(n))
    steps = np.array([*STEPS, *(-each for each in STEPS)])
    for place in range(3):
        hits, total = x[: place + 1].sum(), n[: place + 1].sum()

        def kept(p: float, hits: float = hits, total: float = total) -> bool:
            return bool(np.mean(np.exp(steps * hits) / (1 - p + p * np.exp(steps)) ** total) < 1 / alpha)

        for end, outside in ((low[place], -1e-6), (high[place], 1e-6)):
            assert kept(end - outside)
            assert not 0 < end + outside < 1 or not kept(end + outside)


def test_sequences_cover_all_looks_together() -> None:
    rng = np.random.default_rng(5)
    missed = {"rate": 0, "normal": 0}
    for _ in range(100):
        p = rng.uniform(0.2, 0.4, 60)  # the mean moves from day to day
        hits = rng.binomial(25, p)
        _, low, high = counted_sequence(hits.astype(float), np.full(60, 25.0), 0.1)
        truth = np.cumsum(p) / np.arange(1, 61)
        missed["rate"] += bool(((truth < low) | (truth > high)).any())
        _, low, high = normal_sequence(rng.normal(p, 0.1), np.full(60, 0.01), np.ones(60), 0.1)
        missed["normal"] += bool(((truth < low) | (truth > high)).any())
    assert max(missed.values()) <= 19  # 10 expected at most, and three standard deviations


def test_ends_of_few_rows_by_divergence() -> None:
    low, high = divergence_ends(3.0, 10.0, 0.05)
    for end in (low, high):
        divergence = 0.3 * math.log(0.3 / end) + 0.7 * math.log(0.7 / (1 - end))
        assert divergence == pytest.approx(math.log(40) / 10, rel=1e-9)
    assert divergence_ends(5.0, 5.0, 0.05)[1] == 1
    assert divergence_ends(0.0, 0.0, 0.05) == (0.0, 1.0)


def test_calibration_is_tested_by_likelihood_ratios() -> None:
    p, pos, neg = np.array([0.2, 0.7]), np.array([1.0, 2.0]), np.array([3.0, 1.0])
    for (a, b), found in zip(OTHERS, calibration_logs(p, pos, neg), strict=True):
        other = 1 / (1 + np.exp(-a - b * np.log(p / (1 - p))))
        ratio = (other / p) ** pos * ((1 - other) / (1 - p)) ** neg
        assert found == pytest.approx(math.log(ratio.prod()), abs=1e-12)
    assert calibration_logs(np.array([0.0]), np.array([1.0]), np.array([0.0]))[0] > 1e5
    mean = sum(
        math.exp(gathered(np.array([calibration_logs(p, np.array([y, z]), 1 - np.array([y, z]))]))[0])
        * p[0] ** y
        * (1 - p[0]) ** (1 - y)
        * p[1] ** z
        * (1 - p[1]) ** (1 - z)
        for y, z in itertools.product((0, 1), repeat=2)
    )
    assert mean == pytest.approx(1, abs=1e-12)


def test_expected_measures_are_those_of_all_labels_by_their_probability() -> None:
    p = np.array([0.1, 0.4, 0.4, 0.9])
    wins = pairs = hits = positives = 0.0
    for labels in itertools.product((0, 1), repeat=4):
        y = np.array(labels)
        chance = float(np.prod(np.where(y == 1, p, 1 - p)))
        n_pairs = y.sum() * (4 - y.sum())
        area = area_of(y, p)
        wins += chance * (area * n_pairs if n_pairs else 0)
        pairs += chance * n_pairs
        hits += chance * float(y[p >= 0.4].sum())
        positives += chance * float(y.sum())
    distinct, rows = np.array([0.1, 0.4, 0.9]), np.array([1.0, 2.0, 1.0])
    assert expected_area(distinct, rows)[0] == pytest.approx(wins / pairs, abs=1e-14)
    assert expected_of(distinct, rows, 0.4)["recall"][0] == pytest.approx(hits / positives, abs=1e-14)


def test_expected_area_errs_as_samples_of_rows_do() -> None:
    rng = np.random.default_rng(1)
    found = np.array([expected_area(np.sort(rng.beta(1, 3, 300)), np.ones(300)) for _ in range(400)])
    assert found[:, 1].mean() == pytest.approx(found[:, 0].std(), rel=0.12)


def test_scores_are_compared_as_scipy_does() -> None:
    rng = np.random.default_rng(2)
    first, second = rng.integers(0, 30, 400), rng.integers(2, 32, 300)
    bins = [np.bincount(each, minlength=32).astype(float) for each in (first, second)]
    theirs = ks_2samp(first, second, method="asymp")
    distance, p = two_samples(*bins)
    assert distance == pytest.approx(theirs.statistic, abs=1e-14)
    assert p == pytest.approx(theirs.pvalue, rel=0.3)  # scipy corrects the limiting distribution for ties and size
    shares = sum(
        each.pvalue / each.adjusted for each in windows_tested(bins[0], np.tile(bins[1], (64, 1))) if each.adjusted < 1
    )
    assert shares < 1
    ref, now = in_tenths(bins[0], bins[0]), in_tenths(bins[1], bins[0])
    a, e = np.maximum(now / now.sum(), 1e-4), np.maximum(ref / ref.sum(), 1e-4)
    assert stability_index(ref, now) == pytest.approx(float(((a - e) * np.log(a / e)).sum()))


def test_day_sums_agree_with_measures_of_the_rows() -> None:
    rng = np.random.default_rng(4)
    y, s = rng.integers(0, 2, 60), rng.integers(1, 20, 60) / 20
    distinct, place = np.unique(s, return_inverse=True)
    pos, neg = (np.bincount(place, y == each, minlength=distinct.size) for each in (1, 0))
    day = day_sums(
        "1", DayCounts(distinct, pos, neg, np.zeros(distinct.size)), Plan(0.5, probabilities=True, edges=(0.5,))
    )
    interval = rs.auc_interval(y, s, method="delong")
    read = {name: measure.read([day]) for name, measure in WATCHED.items()}
    assert read["auc"].value == pytest.approx(rs.auc(y, s), abs=1e-14)
    assert read["auc"].variance == pytest.approx(interval.se**2, rel=1e-12)
    counts = rs.confusion(y, s, threshold=0.5)
    for name in ("recall", "false_positive_rate", "specificity", "precision", "accuracy", "prevalence"):
        assert read[name].value == pytest.approx(getattr(counts, name)), name
    assert read["brier_score"].value == pytest.approx(rs.brier_score(y, s), abs=1e-14)
    assert read["calibration_gap"].value == pytest.approx(float((y - s).mean()), abs=1e-14)


def test_a_drop_is_found_and_dated() -> None:
    found = rs.monitor(table_of(worse_from=30), **COLUMNS, reference=15)
    assert (found.decision, found["auc"].change_day) == ("alarm", "30")
    assert 30 <= int(found["auc"].alarm_day) <= 34
    assert rs.monitor(table_of(), **COLUMNS, reference=15).decision == "quiet"
    assert rs.monitor(table_of(worse_from=30), **COLUMNS, reference=15, margin=0.02).decision == "alarm"
    assert rs.monitor(table_of(n=400, worse_from=20), **COLUMNS, reference=15, method="exact").decision == "alarm"
    assert rs.monitor(table_of(worse_from=30), **COLUMNS, reference=15, run_length=1000).decision == "alarm"


def test_days_after_the_last_label_are_not_called_quiet() -> None:
    table = table_of()
    table["y"] = np.where(np.asarray(table["day"]) < 30, table["y"], math.nan)
    told = rs.monitor(table, **COLUMNS, reference=15).verdict[0]
    last = "the last day with labels enough to judge is 29"
    assert told == f"cannot tell by 39: auc: rows without a label could turn the answer; {last}"
    for more in ({"matures": 10}, {"label_timeout": 0, "today": 40}):
        told = rs.monitor(table, **COLUMNS, reference=15, **more).verdict[0]
        assert told == f"quiet: no change for the worse is shown by {more.get('today', 39)}; {last}"
    assert rs.monitor(table_of(), **COLUMNS, reference=15).verdict[0].endswith("shown by 39")


def test_a_watch_draws_its_days_also_where_some_have_no_value() -> None:
    pytest.importorskip("matplotlib")
    table = table_of()
    table["y"] = np.where(np.asarray(table["day"]) == 30, 0, table["y"])
    found = rs.monitor(table, "s", label="y", day="day", reference=10)
    by_day, _ = found.plot().ax_.lines
    assert np.isnan(by_day.get_ydata()).sum() == 1
    assert found.drift[0].plot().ax_.lines


def test_the_order_of_rows_changes_nothing() -> None:
    table = table_of(20, worse_from=15)
    order = np.random.default_rng(9).permutation(table["y"].size)
    turned = {name: column[order] for name, column in table.items()}
    first, second = (rs.monitor(each, **COLUMNS, reference=10) for each in (table, turned))
    assert first.to_dict() == second.to_dict()


def test_sketches_by_day_say_what_rows_say() -> None:
    import polars as pl

    table = table_of(12, n=60) | {"site": np.tile(["a", "b"], 360)}
    how: dict[str, Any] = {**COLUMNS, "segment": "site", "reference": 6}
    rows = rs.monitor(table, **how)
    lazy = pl.LazyFrame(table)
    counted = rs.scale.sketch_table(lazy, label="y", score="s", by=["day", "site"])
    both = rs.scale.sketch_table(lazy, label="y", score=["s"], by=["day", "site"])
    assert rs.monitor(lazy, **how).to_dict() == rows.to_dict()
    sketched = rs.monitor(counted, **how)
    assert rs.monitor(both, **how).to_dict() == sketched.to_dict()
    alone = {**how, "segment": None}
    by_day = rs.scale.sketch_table(lazy, label="y", score="s", by="day")
    assert rs.monitor(counted, **alone).to_dict() == rs.monitor(by_day, **alone).to_dict()
    own = {**how, "reference": {key: each for key, each in counted.items() if int(key[0]) < 6}}
    after = {key: each for key, each in counted.items() if int(key[0]) >= 6}
    for each in (sketched, rs.monitor(after, **own)):
        for measure, other in zip(each.measures, rows.measures, strict=True):
            np.testing.assert_allclose(measure.value, other.value, rtol=1e-12)
            np.testing.assert_allclose(measure.evidence, other.evidence, rtol=1e-9)


def test_sketches_that_cannot_be_watched_are_refused() -> None:
    sketch = rs.scale.Sketch().update([1, 0], [0.8, 0.3])
    other = rs.scale.Sketch().update(["bad", "good"], [0.8, 0.3], pos_label="bad")
    refused: list[tuple[dict[Any, Any], dict[str, Any], str]] = [
        ({1: sketch, 2: sketch}, {"segment": "site"}, r"name them \(day, segment\)"),
        ({1: sketch, (2, "a"): sketch}, {}, "by day, or by"),
        ({1: sketch, 2: other}, {}, "positive label"),
        ({1: {"t": sketch}}, {}, "no model 's'"),
        ({1: sketch}, {"score": ["s", "t"]}, "sketches of each"),
        ({1: sketch}, {"weight": "w"}, "with their weights"),
    ]
    for table, how, words in refused:
        with pytest.raises(rs.errors.RocsteadyError, match=words):
            rs.monitor(table, **{**COLUMNS, "reference": 1, **how})


def test_a_watch_that_remembers_says_what_one_that_sees_all_says(tmp_path: Path) -> None:
    table, path = table_of(24, worse_from=18), tmp_path / "watch.json"
    whole = rs.monitor(table, **COLUMNS, reference=10)
    for last in (12, 15, 15, 23):
        part = {
            name: column[(table["day"] <= last) & ((table["day"] > last - 9) | (last == 12))]
            for name, column in table.items()
        }
        held = path if path.exists() else None
        found = rs.monitor(part, **COLUMNS, reference=None if held else 10, state=held)
        found.save_state(path)
    first, second = found.to_dict(), whole.to_dict()
    assert first.pop("warnings") != second.pop("warnings")  # days that were seen before
    assert first == second
    other = {name: column[table["day"] == 20] for name, column in table.items()} | {
        "y": 1 - table["y"][table["day"] == 20]
    }
    with pytest.raises(rs.InputError, match="20 had other labels or scores at an earlier look"):
        rs.monitor(other, **COLUMNS, state=path)
    with pytest.raises(rs.InputError, match="20 had 120 rows at an earlier look and has 5 now"):
        rs.monitor({name: column[table["day"] == 20][:5] for name, column in table.items()}, **COLUMNS, state=path)


def late_table(seed: int = 3) -> dict[str, Any]:
    """Labels of rows on the side where their score is come at once, of others after ten days or later."""
    table = table_of(60, n=150, seed=seed)
    hard = (table["s"] > 0.6) != (table["y"] == 1)
    delay = np.where(hard, 10, 0) + np.random.default_rng(1).integers(0, 3, hard.size)
    return table | {"came": table["day"] + delay}


def test_easy_labels_that_come_first_raise_no_alarm_and_late_ones_no_drop() -> None:
    table = late_table()
    naive = {name: column[table["came"] <= 59] for name, column in table.items()}
    days = [(naive["day"] > 20) & (naive["day"] < 48), naive["day"] > 50]
    settled, fresh = (rs.auc(naive["y"][part], naive["s"][part]) for part in days)
    assert fresh > settled + 0.1  # what has come of the last days looks far too good, and would then drop
    for today in (30, 59):
        found = rs.monitor(table, **COLUMNS, reference=20, arrived="came", today=today)
        assert (found.decision, found["auc"].reason) == ("cannot tell", "rows without a label could turn the answer")
        auc = found["auc"]
        truth = [area_of(table["y"][table["day"] == int(day)], table["s"][table["day"] == int(day)]) for day in auc.day]
        assert np.all((auc.open_low <= np.array(truth) + 1e-12) & (np.array(truth) <= auc.open_high + 1e-12))
    assert found.open_rows == (table["came"] > 59).sum()
    assert [remark.code for remark in found.warnings] == ["labels_open", "labels_could_turn"]
    waited = rs.monitor(table, **COLUMNS, reference=20, arrived="came", matures=12, today=59)
    assert (waited.decision, waited.n_waiting, waited.warnings) == ("quiet", 12, ())
    last = {line[0]: line for line in waited.vintages if line[1] == 12}
    assert all(line[3] + line[4] == line[2] for line in last.values())


def test_missing_labels_are_open_and_fill_up_later() -> None:
    table = table_of(20)
    labels: list[int | None] = [
        None if day >= 18 and row % 3 else int(y)
        for row, (y, day) in enumerate(zip(table["y"], table["day"], strict=True))
    ]
    early = rs.monitor(table | {"y": labels}, **COLUMNS, reference=10)
    late = rs.monitor(
        {name: column[table["day"] >= 18] for name, column in table.items()}, **COLUMNS, state=early.state()
    )
    assert early.open_rows == 160
    assert late.open_rows == 0
    whole = rs.monitor(table, **COLUMNS, reference=10)
    assert late["auc"].to_dict() == whole["auc"].to_dict()


def test_dates_texts_and_weeks() -> None:
    table = table_of(21, n=60)
    days = [date(2026, 11, 2) + timedelta(int(day)) for day in table["day"]]
    found = rs.monitor(table | {"day": days}, **COLUMNS, reference=("2026-11-02", date(2026, 11, 8)))
    assert (found["auc"].day[0], found.today) == ("2026-11-09", "2026-11-22")
    texts = rs.monitor(table | {"day": [day.isoformat() for day in days]}, **COLUMNS, reference=7)
    assert texts["auc"].to_dict() == found["auc"].to_dict()
    stamps = rs.monitor(table | {"day": np.array(days, dtype="datetime64[s]")}, **COLUMNS, reference=7)
    assert stamps["auc"].to_dict() == found["auc"].to_dict()
    weeks = rs.monitor(table | {"day": days}, **COLUMNS, reference=1, every=7)
    assert weeks["auc"].day == ("2026-11-09", "2026-11-16")


def test_segments_share_alpha_and_unknown_ones_are_named() -> None:
    table = table_of(30, n=200)
    site = np.where(table["day"] >= 25, "new", np.where(np.arange(table["day"].size) % 2, "a", "b"))
    found = rs.monitor(table | {"site": site}, **COLUMNS, segment="site", reference=15)
    assert [round(each.limit) for each in found.measures] == [40, 80, 80]
    assert [remark.code for remark in found.warnings] == ["segment_unknown"]
    assert found["auc", "a"].segment == "a"
    with pytest.raises(rs.ArgumentError, match="is not watched"):
        found["auc", "nowhere"]


def test_too_few_rows_cannot_tell() -> None:
    table = table_of(12, n=6)
    found = rs.monitor(table, **COLUMNS, reference=2)
    assert (found.decision, found["auc"].reason) == ("cannot tell", "too few rows in the reference")


def test_what_a_scraper_reads() -> None:
    found = rs.monitor(
        table_of(30, worse_from=20) | {"site": np.full(3600, 'a"\n\\')}, **COLUMNS, segment="site", reference=10
    )
    text = found.openmetrics()
    assert text.endswith("# EOF\n")
    assert 'rocsteady_watch_alarm{measure="auc",segment="all"} 1.0' in text
    assert 'segment="a\\"\\n\\\\"' in text
    names = [line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")]
    assert len(names) == len(set(names))
    samples = [line for line in text.splitlines() if not line.startswith("#")]
    assert all(math.isfinite(float(line.rsplit(" ", 1)[1])) for line in samples)


@each_case(
    ("more", "told"),
    [
        ({"reference": None}, "a watch compares with a reference"),
        ({"reference": 40}, "leave none to watch"),
        ({"reference": ("x", 3)}, "must be a date or a whole number"),
        ({"measures": "recall"}, "need a threshold"),
        ({"measures": "no such"}, "is not watched"),
        ({"alpha": 2.0}, "alpha is a probability"),
        ({"margin": -1.0}, "margin is a loss"),
        ({"probabilities": True}, r"s: \d+ scores of 0 lie outside \[0, 1\]"),
        ({"day": "nope"}, "there is no column 'nope'"),
        ({"run_length": 1.0}, "run_length"),
    ],
)
def test_what_a_watch_refuses(more: dict[str, Any], told: str) -> None:
    with pytest.raises(rs.RocsteadyError, match=told):
        rs.monitor(table_of(30, n=20), **{**COLUMNS, "reference": 10, **more})


def test_exact_streams_hold_their_promise_on_days_with_few_rows() -> None:
    """20 watches of 40 days with two or three positives each: false alarms at 0.2, by counts alone."""
    rng = np.random.default_rng(8)
    measure, how, alarms = WATCHED["auc"], How(0.2, 0.95, exact=True), 0
    for _ in range(20):
        days = []
        for day in range(40):
            n = 40 if day == 0 else int(rng.integers(2, 4))
            pos, neg = rng.normal(0.8, 1, n).round(1), rng.normal(0, 1, 3 * n).round(1)
            scores, place = np.unique(np.concatenate([pos, neg]), return_inverse=True)
            ups, downs = (np.bincount(part, minlength=scores.size) for part in (place[:n], place[n:]))
            days.append(
                day_sums(
                    str(day),
                    DayCounts(scores, ups, downs, np.zeros(scores.size)),
                    Plan(None, probabilities=False, edges=()),
                )
            )
        alarms += watch_stream(measure, days[:1], days[1:], how).alarm is not None
    assert alarms <= 20 * 0.2


def test_json_and_state_are_plain(tmp_path: Path) -> None:
    table = table_of(20)
    p = 1 / (1 + np.exp(-table["s"]))
    found = rs.monitor(table | {"s": p}, **COLUMNS, reference=10, measures=["auc", "brier_score"], probabilities=True)
    json.dumps(found.to_dict(), allow_nan=False)
    json.dumps(found.state(), allow_nan=False)
    assert found.calibration is not None
    assert found.calibration.refuted
    assert "expected_refuted" in [remark.code for remark in found.warnings]
    page = found.report(tmp_path / "watch.html")
    assert found.report(page) == page
    assert "Has the model become worse?" in page.read_text()
    assert len(found.to_frame()) == 20


def test_a_stability_index_is_written_out() -> None:
    rng = np.random.default_rng(4)
    first, second = rng.normal(size=1000), rng.normal(0.2, 1, 700)
    edges = np.concatenate([[-np.inf], np.sort(first)[99:-1:100], [np.inf]])
    shares = [np.histogram(-each, -edges[::-1])[0] / each.size for each in (first, second)]  # upper ends belong
    by_hand = sum((b - a) * math.log(b / a) for a, b in zip(*shares, strict=True))
    assert rs.monitoring.stability_index(first, second).index == pytest.approx(by_hand, abs=1e-12)
    same = [rs.monitoring.stability_index(rng.normal(size=500), rng.normal(size=500)) for _ in range(60)]
    assert np.mean([each.index for each in same]) == pytest.approx(same[0].expected, rel=0.2)
