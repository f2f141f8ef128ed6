"""Censored outcomes through the main door: evaluate, its report, and the command line."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
import times_oracle as oracle
from cases import each_case
from command import rocsteady as run
from rocsteady._src.views.report.write import document_of


def table(n: int = 80, *, competing: bool = False) -> dict[str, Any]:
    rows = oracle.drawn(n, 11, competing=competing)
    rows |= {"risk": 1 / (1 + np.exp(-rows["first"])), "other": 1 / (1 + np.exp(-rows["second"]))}
    return rows


def test_columns_are_those_of_the_functions() -> None:
    rows = table()
    found = rs.evaluate(rows, label="event", time="time", scores=["risk", "other"], at=[4, 8])
    assert found.columns == ("harrell", "uno", "auc(4)", "auc(8)")
    given = rows["time"], rows["event"], rows["risk"]
    expected = {
        "harrell": rs.times.concordance(*given),
        "uno": rs.times.concordance(*given, method="uno", tau=np.nextafter(8, 9)),
        "auc(8)": rs.times.auc_at(*given, at=8),
    }
    for column, interval in expected.items():
        assert tuple(found["risk"][column]) == tuple(interval), column
    test = rs.times.compare_auc_at(rows["time"], rows["event"], rows["risk"], rows["other"], at=4)
    pair = found.compare("auc(4)").pairs[0]
    assert (pair.test.estimate, pair.test.pvalue) == (test.estimate, test.pvalue)
    with pytest.raises(rs.ArgumentError, match="'auc' was not computed; compare by one of harrell, uno"):
        found.compare("auc")


@each_case("given", [{"at": 6}, {"at": [4, 8], "cluster": "cluster", "weight": "weight", "level": 0.9}, {}])
def test_the_line_of_its_page_makes_the_page_again(given: dict[str, Any]) -> None:
    rows = table()
    found = rs.evaluate(rows, label="event", time="time", scores=["risk", "other"], **given)
    page = document_of(found)
    known = {"y_true": rows["event"], "times": rows["time"], "weights": rows["weight"], "subjects": rows["cluster"]}
    scores = {name: rows[name] for name in ("risk", "other")}
    call = page.command.removeprefix("import rocsteady as rs; ").removesuffix(".report('report.html')")
    again = eval(call, {"rs": rs, "scores": scores, **known})  # noqa: S307 - a line of our own
    assert again.fingerprints == found.fingerprints
    assert {"at": again.at, "level": again.level} == {"at": found.at, "level": found.level}
    assert ", of 80 rows" in page.supplied


def test_one_time_and_risks_have_brier_and_calibration() -> None:
    rows = table()
    found = rs.evaluate(rows["event"], {"risk": rows["risk"], "other": rows["other"]}, time=rows["time"], at=6)
    assert found.columns == ("harrell", "uno", "auc(6)", "brier(6)", "observed/expected(6)")
    given = rows["time"], rows["event"], rows["risk"]
    assert tuple(found["risk"]["brier(6)"]) == tuple(rs.times.brier_at(*given, at=6))
    assert tuple(found["risk"]["observed/expected(6)"]) == tuple(rs.times.calibration_at(*given, at=6).ratio)
    better = found.compare("brier(6)")
    assert better.pairs[0].test.estimate == rs.times.compare_brier_at(*given, rows["other"], at=6).estimate
    assert rs.evaluate(rows, label="event", time="time", scores="first").columns == ("harrell", "uno")


def test_weights_and_subjects_come_in_by_the_same_door() -> None:
    rows = table()
    found = rs.evaluate(rows, label="event", time="time", scores="risk", at=[4, 8], weight="weight", cluster="cluster")
    how = {"sample_weight": rows["weight"], "cluster": rows["cluster"]}
    single = rs.times.auc_at(rows["time"], rows["event"], rows["risk"], at=8, **how)
    assert tuple(found["risk"]["auc(8)"]) == tuple(single)
    assert "weights_assumed" in {remark.code for remark in found.remarks}


def test_competing_events_leave_concordance_out() -> None:
    rows = table(competing=True)
    found = rs.evaluate(rows, label="event", time="time", scores="risk", at=6, pos_label=1)
    assert found.columns == ("auc(6)", "brier(6)", "observed/expected(6)")
    assert found.remarks[0].code == "competing_no_concordance"
    with pytest.raises(rs.ArgumentError, match="say at which times to judge"):
        rs.evaluate(rows, label="event", time="time", scores="risk", pos_label=1)


def test_what_does_not_go_with_times_is_refused() -> None:
    rows = table()
    with pytest.raises(rs.ArgumentError, match="measures= does not go with time="):
        rs.evaluate(rows, label="event", time="time", scores="risk", measures=["auc"])
    with pytest.raises(rs.ArgumentError, match="name the column of times with time="):
        rs.evaluate(rows, label="event", scores="risk", at=6)
    with pytest.raises(rs.InputError, match="there is no column 'days'"):
        rs.evaluate(rows, label="event", time="days", scores="risk", at=6)


def test_an_evaluation_is_read_written_drawn_and_reported(tmp_path: Path) -> None:
    found = rs.evaluate(table(), label="event", time="time", scores=["risk", "other"], at=6)
    assert len(found.to_frame()) == 10
    assert json.loads(json.dumps(found.to_dict()))["values"]["risk"]["auc(6)"]["level"] == 0.95
    assert "at 6: " in str(found)
    assert found.plot().ax_ is not None
    page = found.report(tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Which model tells best who comes first?" in page
    assert "http://" not in page.replace("http://www.w3.org", "")
    told = found.report(tmp_path / "page.md").read_text(encoding="utf-8")
    assert "| AUC at 6 |" in told
    assert "risk is better than other: Harrell's concordance +0.174" in told
    assert "of pairs, where a coin has 50% (Harrell's concordance)" in told
    assert "harrell" not in told
    assert json.loads(found.report(tmp_path / "page.json").read_text(encoding="utf-8"))
    with pytest.raises(rs.ArgumentError, match="such a report has no cutoffs"):
        found.report(tmp_path / "other.html", cutoffs=[0.2])


def test_a_command_says_the_same(tmp_path: Path) -> None:
    rows = table(competing=True)
    file = tmp_path / "rows.csv"
    with file.open("w", newline="") as out:
        csv.writer(out).writerows([list(rows), *zip(*rows.values(), strict=True)])
    how = ["--label", "event", "--pos-label", "1", "--time", "time", "--score", "risk,other", "--at", "4,8"]
    told = run("evaluate", str(file), *how, "--format", "json")
    assert told.returncode == 0, told.stderr
    found = rs.evaluate(rows, label="event", time="time", scores=["risk", "other"], at=[4, 8], pos_label=1)
    said = json.loads(told.stdout)
    assert said["values"]["other"]["auc(8)"]["low"] == pytest.approx(found["other"]["auc(8)"].low, rel=1e-12)
    again = run("evaluate", str(file), *how[:-2], "--at", "4", "--at", "8", "--format", "json")
    assert json.loads(again.stdout)["values"] == said["values"]
    assert run("report", str(file), *how, "-o", str(tmp_path / "page.html")).returncode == 0
    refused = run("evaluate", str(file), "--label", "event", "--score", "risk", "--at", "4")
    assert refused.returncode != 0
    assert "--at does nothing without --time" in refused.stderr
    refused = run("evaluate", str(file), *how, "--threshold", "0.5")
    assert "--threshold does nothing with --time" in refused.stderr


def test_models_of_censored_rows_are_compared_by_a_command_too(tmp_path: Path) -> None:
    rows = table()
    file = tmp_path / "rows.csv"
    with file.open("w", newline="") as out:
        csv.writer(out).writerows([list(rows), *zip(*rows.values(), strict=True)])
    how = ["compare", str(file), "--label", "event", "--time", "time", "--score", "risk,other", "--at", "4"]
    found = rs.evaluate(rows, label="event", time="time", scores=["risk", "other"], at=4)
    for asked, measure in (([], None), (["--measure", "auc"], "auc"), (["--measure", "auc(4)"], "auc(4)")):
        said = json.loads(run(*how, *asked, "--format", "json").stdout)
        (pair,) = found.compare(measure).pairs
        assert said["measure"] == ("harrell" if measure is None else "auc(4)")
        assert said["pairs"][0]["test"]["pvalue"] == pytest.approx(pair.test.pvalue, rel=1e-12)
    expected = rs.times.compare_auc_at(rows["time"], rows["event"], rows["risk"], rows["other"], at=4)
    assert pair.test.pvalue == pytest.approx(expected.pvalue, rel=1e-12)
    for asked, words in (
        (["--measure", "auc,uno"], "by one measure"),
        (["--margin", "0.1"], "--margin does nothing with --time"),
        (["--by", "other"], "--by does nothing with --time"),
        (["--measure", "brier_score"], "compare by one of harrell, uno, auc(4)"),
    ):
        refused = run(*how, *asked)
        assert refused.returncode == 2
        assert words in refused.stderr
    refused = run("compare", str(file), "--label", "event", "--score", "risk,other", "--at", "4")
    assert "--at does nothing without --time" in refused.stderr


def test_a_score_that_is_no_risk_takes_brier_scores_of_others_away_aloud() -> None:
    rows = table()
    rows["far"] = 9 * rows["risk"]
    found = rs.evaluate(rows, label="event", time="time", scores=["risk", "far"], at=4)
    assert not any(column.startswith("brier") for column in found.columns)
    assert "scores of far lie outside [0, 1]" in str(found)
    assert "uno counts events up to 4" in str(found)


def test_competing_events_are_compared_by_the_first_time() -> None:
    found = rs.evaluate(
        table(competing=True), label="event", time="time", scores=["risk", "other"], at=[4, 8], pos_label=1
    )
    assert found.compare().measure == "auc(4)"
    with pytest.raises(rs.ArgumentError, match=r"'auc' was not computed; compare by one of auc\(4\), auc\(8\)"):
        found.compare("auc")


def test_given_weights_and_rows_that_all_have_an_event(tmp_path: Path) -> None:
    """Weights stand in columns, one for each time; competing events without a censored row are told so."""
    rows = table()
    weights = {f"w{at}": 1 + np.random.default_rng(at).random(80) for at in (4, 8)}
    both = np.column_stack(list(weights.values()))
    given = rows["time"], rows["event"], rows["risk"]
    how: dict[str, Any] = {"label": "event", "time": "time", "scores": "risk"}
    found = rs.evaluate(rows | weights, **how, at=[4, 8], ipcw=["w4", "w8"])
    expected = rs.times.auc_at(*given, at=[4, 8], ipcw=both)
    assert found.columns == ("harrell", "auc(4)", "auc(8)")
    assert [tuple(found["risk"][name]) for name in ("auc(4)", "auc(8)")] == [tuple(each) for each in expected.intervals]
    one = rs.evaluate(rows["event"], rows["risk"], time=rows["time"], at=4, ipcw=weights["w4"])
    assert tuple(one["score"]["auc(4)"]) == tuple(expected.intervals[0])
    with pytest.raises(rs.ArgumentError, match="say at which, with at="):
        rs.evaluate(rows | weights, **how, ipcw="w4")
    page = document_of(found)
    assert "ipcw=ipcw" in page.command
    assert "ipcw as it was" in page.supplied
    every = np.where(rows["event"] == 1, 1, 2)
    path = tmp_path / "rows.csv"
    with path.open("w", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(["time", "event", "every", "risk", *weights])
        lines.writerows(zip(rows["time"], rows["event"], every, rows["risk"], *weights.values(), strict=True))
    options = ["--time", "time", "--score", "risk", "--format", "json"]
    told = json.loads(run("evaluate", str(path), "--label", "event", "--at", "4,8", "--ipcw", "w4,w8", *options).stdout)
    assert told["values"]["risk"]["auc(8)"]["estimate"] == pytest.approx(expected.intervals[1].estimate)
    asked = ["--label", "every", "--pos-label", "1", "--at", "4", "--censored", "None"]
    told = json.loads(run("evaluate", str(path), *asked, *options).stdout)
    plain = rs.times.auc_at(rows["time"], every, rows["risk"], at=4, pos_label=1, censored=None)
    assert told["values"]["risk"]["auc(4)"]["estimate"] == pytest.approx(plain.estimate)
