"""Decimals in files: commas for points, more digits than doubles tell apart, options beyond doubles."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import rocsteady as rs
from cases import each_case

pytest.importorskip("duckdb")

from rocsteady._src.inputs.files import Wanted, read_file
from rocsteady._src.inputs.files.text_form import TextForm
from rocsteady._src.views.cli.app import app, run

WANTED = Wanted(numbers=("s",), labels=("y",))
COMMAS = ["0,9", "0,25", "1", "-3,5e-1", "+,5", ""]
POINTS = [0.9, 0.25, 1.0, -0.35, 0.5]
RUNNER = CliRunner()


def written(folder: Path, rows: list[str], *, name: str = "rows.csv", divided: str = ";") -> Path:
    path = folder / name
    lines = [f"y{divided}s", *(f"{at % 2}{divided}{row}" for at, row in enumerate(rows))]
    text = "\n".join(lines) + "\n"
    if name.endswith(".gz"):
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text)
    return path


def refusal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str, code: int = 2) -> str:
    monkeypatch.setattr("sys.argv", ["rocsteady", *words])
    with pytest.raises(SystemExit) as ending:
        run()
    told = capsys.readouterr().err
    assert ending.value.code == code, told
    assert "Traceback" not in told
    return told


@each_case("divided", (";", "\t"))
def test_decimal_commas_are_read_where_they_can_be_nothing_else(divided: str) -> None:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        for name in ("rows.csv", "rows.csv.gz", "rows.tsv"):
            if name.endswith("tsv") != (divided == "\t"):
                continue
            path = written(Path(folder), COMMAS, name=name, divided=divided)
            for form in (None, TextForm(None, ","), TextForm(divided, ","), divided):
                found = read_file(path, WANTED, delimiter=form)["s"]
                assert found[:5].tolist() == POINTS
                assert bool(np.ma.getmaskarray(found)[5])


def test_files_that_stay_on_disk_are_read_alike(tmp_path: Path) -> None:
    from rocsteady._src.inputs.files import scan_files

    path = written(tmp_path, COMMAS)
    with scan_files([path], WANTED, memory=4 * 10**8) as found:
        assert [row[0] for row in found.relation.project("s").fetchall()] == [*POINTS, None]
    path = written(tmp_path, ["0.1", "0.10000000000000001"], divided=",")
    with pytest.raises(rs.InputError, match="one double"), scan_files([path], WANTED, memory=4 * 10**8):
        pass


def test_semicolons_are_seen_where_the_columns_are_there_by_them_alone(tmp_path: Path) -> None:
    path = written(tmp_path, ["0.9", "0.25"])
    assert read_file(path, WANTED)["s"].tolist() == [0.9, 0.25]
    (tmp_path / "bars.csv").write_text("y|s\n1|0.5\n0|0.2\n")
    with pytest.raises(rs.InputError, match=r"divided by '\|', not ','"):
        read_file(tmp_path / "bars.csv", WANTED)


def test_what_may_be_thousands_is_asked(tmp_path: Path) -> None:
    path = written(tmp_path, ["1,234", "2,345", "17"])
    with pytest.raises(rs.InputError, match="'1,234', '2,345' may be decimals or thousands"):
        read_file(path, WANTED)
    assert read_file(path, WANTED, delimiter=TextForm(None, ","))["s"].tolist() == [1.234, 2.345, 17.0]
    one = written(tmp_path, ["1,234", "2,34"])
    assert read_file(one, WANTED)["s"].tolist() == [1.234, 2.34]


@each_case("rows", (["0,9", "0.25"], ["1.234,5", "2"], ["1,234,567", "2,5"], ["0,9", "high"]))
def test_what_mixes_signs_is_refused(rows: list[str]) -> None:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        path = written(Path(folder), rows)
        for form in (None, TextForm(None, ","), TextForm(";", ".")):
            with pytest.raises(rs.InputError, match="not a number"):
                read_file(path, WANTED, delimiter=form)


def test_two_columns_of_scores_agree_on_the_sign(tmp_path: Path) -> None:
    path = tmp_path / "two.csv"
    path.write_text("y;s;t\n1;0,9;0.5\n0;0,25;0.1\n")
    with pytest.raises(rs.InputError, match="not a number: '0,9' in row 1"):
        read_file(path, Wanted(numbers=("s", "t"), labels=("y",)))
    path.write_text("y;s;t\n1,0;0,9;5\n2,0;0,25;1\n")
    found = read_file(path, Wanted(numbers=("s", "t"), labels=("y",)))
    assert (found["t"].tolist(), found["y"].tolist()) == ([5, 1], [1.0, 2.0])


def test_the_shell_reads_and_pipes_decimal_commas(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(1)
    y = np.arange(60) % 2
    s = np.round(y + rng.normal(size=60), 3)
    (tmp_path / "points.csv").write_text("y,s\n" + "".join(f"{a},{b}\n" for a, b in zip(y, s, strict=True)))
    commas = "y;s\n" + "".join(f"{a};{str(b).replace('.', ',')}\n" for a, b in zip(y, s, strict=True))
    (tmp_path / "commas.csv").write_text(commas)
    quoted = "y,s\n" + "".join(f'{a},"{str(b).replace(".", ",")}"\n' for a, b in zip(y, s, strict=True))
    (tmp_path / "quoted.csv").write_text(quoted)
    call = ["--label", "y", "--score", "s", "--measure", "auc", "--format", "json"]

    def told(file: str, *more: str, stdin: str | None = None) -> Any:
        answer = RUNNER.invoke(app, ["evaluate", file, *call, *more], input=stdin)
        assert answer.exit_code == 0, answer.output
        return json.loads(answer.stdout)["models"][0]["measures"]["auc"]

    area = rs.auc(y, s)
    assert told(str(tmp_path / "points.csv")) == area
    assert told(str(tmp_path / "commas.csv")) == area
    assert told(str(tmp_path / "commas.csv"), "--delimiter", ";", "--decimal", ",") == area
    assert told("-", stdin=commas) == area
    assert told(str(tmp_path / "quoted.csv"), "--decimal", ",") == area
    words = ["evaluate", str(tmp_path / "quoted.csv"), "--label", "y", "--score", "s"]
    assert "or pass --decimal ," in refusal(monkeypatch, capsys, *words)
    assert "a point or a comma" in refusal(monkeypatch, capsys, *words, "--decimal", "x")
    assert "a point or a comma" not in RUNNER.invoke(app, [*words, "--help"]).output
    for command in ("evaluate", "compare", "report", "decide", "gate", "watch", "thresholds", "confusion", "readers"):
        assert "--decimal" in RUNNER.invoke(app, [command, "--help"], env={"COLUMNS": "200"}).output


MERGED = (
    ["0.12345678901234567890", "0.12345678901234567899"],
    ["0.1", "0.10000000000000001"],
    ["1.00000000000000000001", "1.0"],
    ["123456789012345678.25", "123456789012345678.5"],
    ["5e-1", "0.500000000000000000001"],
)


@each_case("rows", MERGED)
def test_decimals_that_doubles_do_not_tell_apart_are_refused(rows: list[str]) -> None:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        path = written(Path(folder), [*rows, "0.75"], divided=",")
        with pytest.raises(rs.InputError, match="different numbers that are one double") as caught:
            read_file(path, WANTED)
        assert caught.value.code == "merged_decimals"
        labels = read_file(path, Wanted(numbers=(), labels=("s",)))["s"]
        assert len(set(labels.tolist())) == 3  # labels stay what is written
        if max(map(len, rows)) > 20:
            lines = Path(folder) / "rows.jsonl"
            lines.write_text("".join(f'{{"y": {at}, "s": {row}}}\n' for at, row in enumerate(rows)))
            with pytest.raises(rs.InputError, match="different numbers that are one double"):
                read_file(lines, WANTED)


def test_decimals_of_many_digits_that_stay_apart_are_read(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    scores = np.concatenate([rng.random(500), rng.normal(size=500), 10.0 ** rng.uniform(-300, 300, 200), [0.5, 0.5]])
    for form in (repr, "{:.25e}".format, "{:.17g}".format):
        path = written(tmp_path, [form(float(each)) for each in scores], divided=",")
        assert read_file(path, WANTED)["s"].tolist() == scores.tolist()
    mixed = written(
        tmp_path, ["0.50", "0.5", "0.1000000000000000055511151231257827", "inf", "Infinity", "nan"], divided=","
    )
    assert np.ma.getmaskarray(read_file(mixed, WANTED)["s"]).sum() == 1


def test_standard_input_refuses_merged_decimals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = "y,s\n1,0.12345678901234567890\n0,0.12345678901234567899\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(rows.encode())))
    told = refusal(monkeypatch, capsys, "evaluate", "-", "--label", "y", "--score", "s")
    assert "standard input, column 's': different numbers that are one double" in told


BEYOND = (
    ["confusion", "--threshold", "1e400"],
    ["confusion", "--threshold=-1e400"],
    ["confusion", "--threshold", "nan"],
    ["confusion", "--threshold", "1e-400"],
    ["evaluate", "--threshold", "s=1e400"],
    ["evaluate", "--threshold", "cost(fn=1e400)"],
    ["evaluate", "--level", "nan"],
    ["evaluate", "--level", "1e-400"],
    ["report", "--threshold", "1e400", "-o", "never.html"],
    ["compare", "--margin", "1e400"],
    ["compare", "--margin", "1e-400"],
    ["watch", "--day", "y", "--threshold", "1e400"],
    ["watch", "--day", "y", "--alpha", "1e-400"],
    ["decide", "--cost-fp", "1e400"],
    ["operating-point", "--promise", "fpr<=1e-400"],
)


@pytest.mark.parametrize("words", BEYOND)
def test_options_beyond_doubles_are_refused(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, ["0.5", "0.25", "0.75", "0.1"], divided=",")
    command, *rest = words
    told = refusal(monkeypatch, capsys, command, str(path), "--label", "y", "--score", "s", *rest)
    assert "1e400" in told or "1e-400" in told or "nan" in told
    assert not (tmp_path / "never.html").exists()


def test_infinite_and_zero_are_read_as_they_are_typed(tmp_path: Path) -> None:
    path = str(written(tmp_path, ["0.5", "0.25", "0.75", "0.1"], divided=","))
    for text in ("inf", "0", "0.0", "0e5", "1e300"):
        assert (
            RUNNER.invoke(app, ["confusion", path, "--label", "y", "--score", "s", "--threshold", text]).exit_code == 0
        )
