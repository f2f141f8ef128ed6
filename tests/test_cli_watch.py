"""``rocsteady watch``: exit codes, files, state, gauges, sketches, pages."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

import rocsteady as rs
from rocsteady._src.views.cli.app import app, run
from rocsteady.scale import sketch_table

RUNNER = CliRunner()
COLUMNS = ["--label", "y", "--score", "s", "--day", "day"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("watch")
    rng = np.random.default_rng(1)
    for name, lift in (("same", 1.2), ("worse", 0.2)):
        lines = ["day,y,s,site"]
        for day in range(24):
            y = rng.random(80) < 0.3
            s = np.where(day < 16, 1.2, lift) * y + rng.normal(size=80)
            date = f"2026-11-{day + 1:02d}"
            lines += [
                f"{date},{int(a)},{b:.6f},{'north' if k % 2 else 'south'}"
                for k, (a, b) in enumerate(zip(y, s, strict=True))
            ]
        (made / f"{name}.csv").write_text("\n".join(lines) + "\n")
    (made / "few.csv").write_text("\n".join((made / "same.csv").read_text().splitlines()[:90]) + "\n")
    return made


def test_the_exit_code_is_the_answer(folder: Path) -> None:
    codes = {}
    for name, reference in (("same", "10"), ("worse", "2026-11-01..2026-11-10"), ("few", "1")):
        told = RUNNER.invoke(app, ["watch", str(folder / f"{name}.csv"), *COLUMNS, "--reference", reference])
        codes[name] = (told.exit_code, told.output.split(":")[0].split(" by")[0])
    assert codes == {"same": (0, "quiet"), "worse": (1, "alarm"), "few": (3, "cannot tell")}


def test_what_is_wrong_ends_with_2(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["rocsteady", "watch", str(folder / "same.csv"), *COLUMNS])
    with pytest.raises(SystemExit) as ending:
        run()
    assert ending.value.code == 2
    assert "--reference" in capsys.readouterr().err


def test_json_gauges_csv_and_a_page(folder: Path, tmp_path: Path) -> None:
    call = ["watch", str(folder / "worse.csv"), *COLUMNS, "--reference", "10", "--segment", "site"]
    told = json.loads(RUNNER.invoke(app, [*call, "--format", "json"]).output)
    assert (told["decision"], told["measures"][0]["change_day"][:9]) == ("alarm", "2026-11-1")
    gauges = RUNNER.invoke(app, [*call, "--format", "openmetrics"]).output
    assert "rocsteady_watch_decision 1.0" in gauges
    assert len(RUNNER.invoke(app, [*call, "--format", "csv"]).output.splitlines()) == 1 + 3 * 14
    page = tmp_path / "watch.html"
    shown = RUNNER.invoke(app, [*call, "-o", str(page), "--psi"])
    assert (shown.exit_code, page.exists()) == (1, True)
    assert RUNNER.invoke(app, [*call, "-o", str(page)]).exit_code == 1  # a page of the same watch is replaced


def test_a_watch_is_continued_from_its_state(folder: Path, tmp_path: Path) -> None:
    lines, state = (folder / "worse.csv").read_text().splitlines(), tmp_path / "state.json"
    codes = []
    for first, last in ((1, 12), (10, 14), (10, 14), (15, 24)):
        part = tmp_path / "part.csv"
        kept = [line for line in lines[1:] if first <= int(line[8:10]) <= last]
        part.write_text("\n".join([lines[0], *kept]) + "\n")
        codes.append(
            RUNNER.invoke(app, ["watch", str(part), *COLUMNS, "--reference", "10", "--state", str(state)]).exit_code
        )
    assert codes == [0, 0, 0, 1]


def test_files_of_sketches_are_watched(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "*.rks"
    for day, sketch in sketch_table(pl.scan_csv(folder / "worse.csv"), label="y", score="s", by="day").items():
        sketch.save(tmp_path / f"{day}.rks")
    call = ["--reference", "10", "--format", "json"]
    ours, rows = (
        json.loads(RUNNER.invoke(app, ["watch", str(name), *COLUMNS, *call]).output)
        for name in (target, folder / "worse.csv")
    )
    assert ours["decision"] == rows["decision"] == "alarm"
    assert ours["measures"][0]["value"] == pytest.approx(rows["measures"][0]["value"], rel=1e-12)


def test_a_reference_of_its_own_may_have_no_day(folder: Path, tmp_path: Path) -> None:
    lines = (folder / "same.csv").read_text().splitlines()
    other = tmp_path / "reference.csv"
    other.write_text("\n".join(["y,s", *(line.split(",", 1)[1].rsplit(",", 1)[0] for line in lines[1:500])]) + "\n")
    assert RUNNER.invoke(app, ["watch", str(folder / "same.csv"), *COLUMNS, "--reference", str(other)]).exit_code == 0


def test_credit_scorers_find_their_command(tmp_path: Path) -> None:
    file = tmp_path / "loans.csv"
    file.write_text("\n".join(["s", *map(str, rs.examples.loans(200)["boosted"])]))
    moved = RUNNER.invoke(app, ["psi", str(file), "--score", "s", "--reference", str(file)])
    assert moved.output.startswith("PSI 0.0000; about 0.0900 is expected of unchanged scores")
    assert moved.exit_code == 0


def test_several_scores_weights_and_false_discoveries(folder: Path) -> None:
    lines = (folder / "worse.csv").read_text().splitlines()
    file = folder / "two.csv"
    file.write_text(
        "\n".join([f"{lines[0]},t,w", *(f"{line},{k % 7},{1 + k % 2}" for k, line in enumerate(lines[1:]))])
    )
    call = ["watch", str(file), *COLUMNS, "--score", "t", "--reference", "10", "--segment", "site", "--control", "fdr"]
    told = json.loads(RUNNER.invoke(app, [*call, "--weight", "w", "--format", "json"]).output)
    assert {each["model"] for each in told["measures"]} == {"s", "t"}
    assert (told["control"], told["alarms"][0]) == ("fdr", "auc of s")
    gauges = RUNNER.invoke(app, [*call, "--format", "openmetrics"]).output
    assert 'rocsteady_watch_alarm{measure="auc",model="t",segment="all"} 0.0' in gauges
