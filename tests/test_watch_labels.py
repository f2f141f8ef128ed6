"""Labels that are late or never come: quiet only where they cannot turn the answer; those after a deadline."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm
from typer.testing import CliRunner

import rocsteady as rs
from cases import each_case
from rocsteady._src.views.cli.app import app

COLUMNS: dict[str, Any] = {"score": "s", "label": "y", "day": "day"}
RESULTS = Path(__file__).parent.parent / "benchmarks" / "results" / "watch_never_labelled.csv"
AT_THRESHOLD = ["recall", "false_positive_rate", "specificity", "precision", "accuracy"]


def fallen(never: float, *, n_days: int = 165, n: int = 200, since: int = 40, to: float = 0.73) -> dict[str, Any]:
    """A fall of the AUC from .86 on day 100; labels of a share of rows never come, from some day on."""
    rng = np.random.default_rng(1)
    day = np.repeat(np.arange(n_days), n)
    y = rng.random(day.size) < 0.25
    s = np.sqrt(2) * norm.ppf(np.where(day < 100, 0.86, to)) * y + rng.normal(size=day.size)
    gone = (rng.random(day.size) < never) & (day >= since)
    return {"y": np.where(gone, np.nan, y.astype(float)), "s": s, "day": day}


@each_case("since", (0, 40))
def test_labels_that_never_come_hide_no_fall(since: int) -> None:
    for never in (0.4, 0.6):
        table = fallen(never, since=since)
        found = rs.monitor(table, **COLUMNS, reference=40)
        assert (found.decision, found["auc"].reason) == ("cannot tell", "rows without a label could turn the answer")
        assert found["auc"].so_far_high[-1] < found["auc"].reference_low
        assert "labels_could_turn" in [remark.code for remark in found.warnings]
        told = rs.monitor(table, **COLUMNS, reference=40, matures=7, label_timeout=7)
        assert told.decision == "alarm"
        assert 100 <= int(told["auc"].alarm_day or 0) <= 110
        assert told.never_labelled == pytest.approx(never, abs=0.05)


def test_a_deadline_counts_labelled_rows_alone_and_says_how_many_it_left() -> None:
    table = fallen(0.3, n_days=90)
    told = rs.monitor(table, **COLUMNS, reference=40, matures=10, label_timeout=10)
    known = ~np.isnan(table["y"]) | (table["day"] > 79)  # of the days judged, and those whose labels may still come
    rest = rs.monitor({name: each[known] for name, each in table.items()}, **COLUMNS, reference=40, matures=10)
    auc, alone = told["auc"], rest["auc"]
    assert told.decision == rest.decision == "quiet"
    assert auc.evidence[auc.judged] == pytest.approx(alone.evidence[alone.judged], rel=1e-12)
    assert auc.value == pytest.approx(alone.value, rel=1e-12)
    days = table["day"]
    closed = (days >= 40) & (days <= 79)
    assert told.never_labelled == np.isnan(table["y"][closed]).sum() / (days >= 40).sum()
    assert told.open_rows == np.isnan(table["y"][days > 79]).sum()
    remark = next(each for each in told.warnings if each.code == "never_labelled")
    assert remark.params == {"watched": told.never_labelled, "reference": 0.0, "days": 10}
    assert "% of the rows had no label after 10 days and count as never labelled" in told.verdict[-1]
    assert told.to_dict()["never_labelled"] == told.never_labelled
    again = rs.monitor(
        {name: each[days == 89] for name, each in table.items()},
        **COLUMNS,
        state=rs.monitor({name: each[days < 85] for name, each in table.items()}, **COLUMNS, reference=40).state(),
        matures=10,
        label_timeout=10,
    )  # an earlier look without the deadline, and days that are never given again
    assert again.decision == "quiet"
    assert again.never_labelled > 0.2


def test_labels_after_the_deadline_are_told() -> None:
    table = fallen(0.0, n_days=60)
    came = table["day"] + np.where(np.arange(table["day"].size) % 10 == 0, 20, 1)
    told = rs.monitor(table | {"came": came}, **COLUMNS, reference=30, arrived="came", matures=5, label_timeout=5)
    remark = next(each for each in told.warnings if each.code == "labels_after_deadline")
    assert remark.params == {
        "n": ((table["day"] >= 30) & (came <= told_day(told)) & (came - table["day"] > 5)).sum(),
        "days": 5,
    }


def told_day(found: rs.results.MonitorResult) -> int:
    return int(found.today)


TRIED = ["auc", *AT_THRESHOLD, "prevalence", "brier_score", "calibration_gap"]


def open_table(seed: int) -> tuple[dict[str, Any], Any, dict[str, Any]]:
    """Probabilities with labels, of which some are open; and how it is watched."""
    rng = np.random.default_rng(seed)
    day = np.repeat(np.arange(24), 100)
    y = rng.random(day.size) < 0.4
    p = np.clip(0.25 + 0.3 * y + rng.normal(0, 0.15, day.size), 0.02, 0.98)
    gone = (rng.random(day.size) < (0.01, 0.04, 0.1)[seed % 3]) & (day >= (0, 12)[seed % 2])
    how: dict[str, Any] = {"measures": TRIED, "threshold": 0.4, "reference": 12, "method": "auto"}
    how |= {"method": "exact", "measures": TRIED[:-1]} if seed % 5 == 2 else {}
    how |= {"margin": 0.02} if seed % 4 == 1 else {}
    return {"y": y.astype(float), "s": p, "day": day}, gone, how


def test_a_quiet_answer_stays_without_an_alarm_whatever_open_labels_say() -> None:
    rng, said, raised = np.random.default_rng(3), {"quiet": 0, "cannot tell": 0}, 0
    for seed in range(12):
        table, gone, how = open_table(seed)
        p, late = table["s"], table["day"] >= 12
        found = rs.monitor(table | {"y": np.where(gone, np.nan, table["y"])}, **COLUMNS, **how)
        quiet = [each.measure for each in found.measures if each.decision == "quiet"]
        for each in found.measures:
            said[each.decision] += 1
        some = [p < 0.4, p >= 0.4, rng.random(p.size) < 0.4, np.zeros(p.size, bool), np.ones(p.size, bool)]
        for before, since in [(one, two) for one in some for two in some]:
            full = np.where(gone, np.where(late, since, before), table["y"])
            alarms = [each.measure for each in rs.monitor(table | {"y": full.astype(int)}, **COLUMNS, **how).alarms]
            raised += len(alarms)
            assert not set(alarms) & set(quiet)
    assert min(*said.values(), raised) > 5


def test_open_labels_of_the_reference_raise_no_alarm() -> None:
    """Only the easy labels of the reference are there: it looks better than the days, which did not change."""
    table = fallen(0.0, n_days=90)
    hard = (table["s"] > 0.6) != (table["y"] == 1)
    part = table | {"y": np.where(hard & (table["day"] < 30), np.nan, table["y"])}
    assert rs.monitor(table, **COLUMNS, reference=30).decision == "quiet"
    assert rs.monitor(part, **COLUMNS, reference=30).decision == "cannot tell"


def test_an_interval_that_excludes_the_reference_is_not_quiet() -> None:
    """One bad day, which the evidence for a change from some day on forgives."""
    table = fallen(0.0, n_days=100)
    assert rs.monitor(table, **COLUMNS, reference=40).decision == "quiet"
    one = table["day"] == 60
    shift = np.where(one, -0.75 * table["y"], 0.0)
    turned = rs.monitor(table | {"s": table["s"] + shift}, **COLUMNS, reference=40)
    assert turned["auc"].high[60 - 40] < turned["auc"].reference
    assert (turned.decision, turned["auc"].reason) == ("cannot tell", "its intervals exclude the reference")
    assert "auc: its intervals exclude the reference" in turned.verdict[0]


def test_a_reference_without_spread_is_judged_by_counts_alone() -> None:
    table = fallen(0.0, n_days=80)
    perfect = table | {"s": table["s"] + 20 * table["y"]}
    found = rs.monitor(perfect, **COLUMNS, reference=40)
    assert found["auc"].reason == "the reference does not vary, so that only exact counts could judge a change"
    assert rs.monitor(perfect, **COLUMNS, reference=40, method="exact").decision == "quiet"


def test_the_command_says_so(tmp_path: Path) -> None:
    table = fallen(0.5)
    lines = [
        f"{int(day)},{'' if np.isnan(y) else int(y)},{s:.6f}"
        for day, y, s in zip(table["day"], table["y"], table["s"], strict=True)
    ]
    file = tmp_path / "rows.csv"
    file.write_text("day,y,s\n" + "\n".join(lines) + "\n")
    call = ["watch", str(file), "--label", "y", "--score", "s", "--day", "day", "--reference", "40"]
    told = CliRunner().invoke(app, call)
    assert told.exit_code == 3
    assert "--label-timeout" in told.output
    told = CliRunner().invoke(app, [*call, "--label-timeout", "7", "--matures", "7"])
    assert told.exit_code == 1
    assert "of the rows had no label after 7 days and count as never labelled" in told.output
    told = CliRunner().invoke(app, [*call, "--label-timeout", "-1"])
    assert told.exit_code != 0


def test_measured_delays_and_false_alarms() -> None:
    with RESULTS.open() as file:
        lines = list(csv.DictReader(file))
    null = [each for each in lines if each["auc_before"] == each["auc_after"]]
    assert {each["never_labelled"] for each in null} == {"0.1", "0.4", "0.6"}
    assert all(int(each["alarms_before"]) <= 0.065 * int(each["years"]) for each in lines)
    found = {(each["auc_after"], each["never_labelled"], each["deadline"]): each for each in lines}
    for never in ("0.1", "0.4", "0.6"):
        assert int(found["0.73", never, "14"]["median_days_to_alarm"]) <= 25
        assert found["0.73", never, ""]["quiet_at_the_end"] == "0"
