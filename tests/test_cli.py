"""The command line as people use it: real files, exit codes 0, 1 and 2."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest

import rocsteady as rs
from command import rocsteady, started
from rocsteady._src.base.text import format_interval
from rocsteady.examples import loans

if TYPE_CHECKING:
    from pathlib import Path

CSV = "y,a,b\n1,0.9,3\n0,0.4,2\n1,0.6,2\n0,0.1,1\n"
AUC_A, AUC_B = 1.0, 0.875


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    path = tmp_path / "scores.csv"
    path.write_text(CSV)
    return path


def evaluate_json(path: Path, *more: str) -> dict[str, Any]:
    call = ("evaluate", str(path), "--label", "y", "--score", "a", "--score", "b", "--format", "json")
    done = rocsteady(*call, "--resamples", "50", *more)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def aucs(answer: dict[str, Any]) -> dict[str, Any]:
    return {model["model"]: model["measures"]["auc"] for model in answer["models"]}


def columns() -> dict[str, Any]:
    return {"y": [1, 0, 1, 0], "a": [0.9, 0.4, 0.6, 0.1], "b": [3, 2, 2, 1]}


def write_parquet(path: Path) -> None:
    pl.DataFrame(columns()).write_parquet(path)


def write_jsonl(path: Path) -> None:
    pl.DataFrame(columns()).write_ndjson(path)


def write_tsv(path: Path) -> None:
    path.write_text(CSV.replace(",", "\t"))


def write_gzip(path: Path) -> None:
    path.write_bytes(gzip.compress(CSV.encode()))


def write_crlf_with_bom(path: Path) -> None:
    path.write_bytes(b"\xef\xbb\xbf" + CSV.replace("\n", "\r\n").encode())


def write_quoted(path: Path) -> None:
    path.write_text('y,"note, with\nnewline",a,b\n1,"x, ""y""\nz",0.9,3\n0,,0.4,2\n1,,0.6,2\n0,,0.1,1\n')


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("s.csv", lambda path: path.write_text(CSV)),
        ("s.parquet", write_parquet),
        ("s.jsonl", write_jsonl),
        ("s.tsv", write_tsv),
        ("s.csv.gz", write_gzip),
        ("crlf.csv", write_crlf_with_bom),
        ("quoted.csv", write_quoted),
        ('it\'s; "odd".csv', lambda path: path.write_text(CSV)),
    ],
)
def test_every_format_gives_the_same_numbers(tmp_path: Path, name: str, write: Any) -> None:
    write(tmp_path / name)
    assert aucs(evaluate_json(tmp_path / name)) == {"a": AUC_A, "b": AUC_B}


def test_standard_input() -> None:
    done = started("evaluate", "-", "--label", "y", "--score", "a", "--measure", "auc", stdin=CSV)
    assert done.returncode == 0
    assert "1.0000" in done.stdout
    assert done == rocsteady("evaluate", "-", "--label", "y", "--score", "a", "--measure", "auc", stdin=CSV)


def test_text_says_what_was_assumed(scores: Path) -> None:
    done = rocsteady("evaluate", str(scores), "--label", "y", "--score", "b")
    assert "4 rows: 2 positive, 2 negative; positive label 1; a higher score means more positive" in done.stdout
    assert "\x1b" not in done.stdout


def test_threshold_adds_accuracy_beside_base_rate(scores: Path) -> None:
    measures = evaluate_json(scores, "--threshold", "0.5")["models"][0]["measures"]
    names = list(measures)
    assert names[names.index("accuracy") + 1] == "base_rate"
    assert measures["accuracy"] == 1.0


def test_threshold_rule_is_applied_to_each_model(scores: Path) -> None:
    answer = evaluate_json(scores, "--threshold", "youden")
    assert [model["threshold"] for model in answer["models"]] == [0.6, 3]


def test_markdown_and_csv(scores: Path) -> None:
    call = ("evaluate", str(scores), "--label", "y", "--score", "a", "--measure", "auc", "--format")
    assert rocsteady(*call, "markdown", "--no-intervals").stdout.startswith(
        "| model | auc |\n| :--- | ---: |\n| a | 1.0000 |"
    )
    assert rocsteady(*call, "markdown").stdout.startswith(
        "| model | auc |\n| :--- | ---: |\n| a | 1.0000 [0.1581, 1.0000] |"
    )
    delong = rocsteady(*call, "csv", "--auc-method", "delong").stdout
    assert delong == "model,auc,auc_low,auc_high\na,1.0,1.0,1.0\n"
    low, high = rs.auc_interval([1, 1, 0, 0], [4, 3, 2, 1])
    assert rocsteady(*call, "csv").stdout == f"model,auc,auc_low,auc_high\na,1.0,{low},{high}\n"
    refused = rocsteady(*call, "csv", "--auc-method", "exact")
    assert refused.returncode == 2
    assert "auto, wilson, logit, delong" in refused.stderr


def test_intervals_are_shown_and_explained(tmp_path: Path) -> None:
    path = tmp_path / "loans.csv"
    pl.DataFrame(loans(300)).write_csv(path)
    call = ("evaluate", str(path), "--label", "defaulted", "--score", "boosted", "--resamples", "100")
    text = rocsteady(*call).stdout
    interval = rs.auc_interval(loans(300)["defaulted"], loans(300)["boosted"])
    assert format_interval(interval.estimate, interval.low, interval.high) in text
    drawn = "bootstrap student: average_precision"
    assert f"intervals at level 0.95, by wilson, chosen by auto: auc; {drawn}" in text
    wide = json.loads(rocsteady(*call, "--level", "0.99", "--seed", "7", "--format", "json").stdout)
    found = wide["models"][0]["intervals"]
    assert found["auc"]["level"] == 0.99
    assert found["average_precision"]["resampling"]["seed"] == 7


def test_compare(tmp_path: Path) -> None:
    path = tmp_path / "loans.csv"
    pl.DataFrame(loans(300)).write_csv(path)
    call = ("compare", str(path), "--label", "defaulted", "--score", "boosted", "--score", "grade", "--score", "coin")
    text = rocsteady(*call)
    assert text.returncode == 0, text.stderr
    assert text.stdout.startswith("boosted has the highest AUC")
    assert "p_holm" in text.stdout
    assert "all 3 alike: F with 2 and" in text.stdout
    answer = json.loads(rocsteady(*call, "--baseline", "coin", "--format", "json").stdout)
    expected = rs.compare_auc(*(loans(300)[name] for name in ("defaulted", "boosted", "coin")))
    assert answer["pairs"][0]["test"]["pvalue"] == pytest.approx(expected.pvalue, rel=1e-9)
    table = rocsteady(*call, "--format", "csv").stdout.splitlines()
    assert table[0] == "first,second,difference,low,high,statistic,pvalue,p_holm,p_bh"
    assert len(table) == 4
    alone = rocsteady("compare", str(path), "--label", "defaulted", "--score", "coin")
    assert alone.returncode == 2
    assert "at least two models" in alone.stderr


def test_repeated_subjects_need_cluster(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("y,a,b,who\n1,3,4,p\n0,1,2,p\n1,2,1,q\n0,2,1,r\n")
    call = ("compare", str(path), "--label", "y", "--score", "a", "--score", "b")
    refused = rocsteady(*call, "--id", "who")
    assert refused.returncode == 2
    assert "--cluster who" in refused.stderr
    assert "by cluster" in rocsteady(*call, "--cluster", "who").stdout


def test_output_file_is_whole_and_not_replaced_without_force(scores: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    call = ("evaluate", str(scores), "--label", "y", "--score", "a", "--format", "json", "-o", str(out))
    assert rocsteady(*call).returncode == 0
    json.loads(out.read_text())
    out.write_text("mine")
    again = rocsteady(*call)
    assert again.returncode == 2
    assert "--force" in again.stderr
    assert out.read_text() == "mine"
    assert rocsteady(*call, "--force").returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.json", "scores.csv"]


def test_text_labels_need_pos_label(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("y,a\nyes,2\nno,1\n")
    call = (
        "evaluate",
        str(path),
        "--label",
        "y",
        "--score",
        "a",
        "--measure",
        "auc",
        "--format",
        "csv",
        "--no-intervals",
    )
    refused = rocsteady(*call)
    assert refused.returncode == 2
    assert "'no', 'yes'" in refused.stderr
    assert rocsteady(*call, "--pos-label", "yes").stdout == "model,auc\na,1.0\n"


@pytest.mark.parametrize(("label", "values"), [("2", "2 1"), ("true", "true false"), ("0.5", "0.5 1.5")])
def test_pos_label_takes_the_type_of_its_column(tmp_path: Path, label: str, values: str) -> None:
    positive, negative = values.split()
    path = tmp_path / "t.csv"
    path.write_text(f"y,a\n{positive},2\n{negative},1\n")
    done = rocsteady(
        "evaluate",
        str(path),
        "--label",
        "y",
        "--score",
        "a",
        "--measure",
        "auc",
        "--format",
        "csv",
        "--no-intervals",
        "--pos-label",
        label,
    )
    assert done.stdout == "model,auc\na,1.0\n", done.stderr


def test_big_integers_keep_their_order(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"y,a\n1,{2**53 + 1}\n0,{2**53}\n")
    call = ("evaluate", str(path), "--label", "y", "--score", "a", "--measure", "auc", "--format", "csv")
    assert rocsteady(*call, "--no-intervals").stdout == "model,auc\na,1.0\n"


BAD_FILES = {
    "decimal comma": (b'y,a\n1,"1,5"\n0,"0,5"\n', "'1,5' in row 1", "write decimals with a point"),
    "text among numbers": (b"y,a\n1,0.5\n0,high\n", "'high' in row 2", "column 'a'"),
    "short row": (b"y,a\n1,0.5\n0\n", "line 3 has 1 value where 2 were expected"),
    "long row": (b"y,a\n1,0.5\n0,1,2\n", "line 3 has 3 values where 2 were expected: 0,1,2"),
    "truncated quote": (b'y,a\n1,0.5\n0,"0.\n', "Line: 3", "quote"),
    "not utf-8": (b"y,a\n1,0.5\n0,\xff\n", "Line: 3", "not UTF-8; save it as UTF-8"),
    "repeated column": (b"y,a,a\n1,2,3\n0,1,2\n", "'a'", "twice"),
    "absent column": (b"y,z\n1,2\n0,1\n", "'a'", "'y', 'z'"),
    "empty file": (b"", "empty", ""),
    "missing value": (b"y,a\n1,2\n0,\n1,NA\n0,1\n", "a: 2 missing, rows 2, 3", "--missing drop"),
    "one class": (b"y,a\n1,2\n1,3\n", "one class", "2 positive, 0 negative"),
    "header only": (b"y,a\n", "bad.csv", "holds no rows"),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_bad_files_are_refused_with_place_and_remedy(tmp_path: Path, case: str) -> None:
    content, *told = BAD_FILES[case]
    path = tmp_path / "bad.csv"
    path.write_bytes(content)
    done = rocsteady("evaluate", str(path), "--label", "y", "--score", "a")
    assert done.returncode == 2
    assert done.stdout == ""
    for part in told:
        assert part in done.stderr


def test_missing_drop_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("y,a\n1,2\n0,\n1,NA\n0,1\n")
    done = rocsteady("evaluate", str(path), "--label", "y", "--score", "a", "--missing", "drop")
    assert "2 incomplete rows dropped" in done.stdout


@pytest.mark.parametrize("arguments", [(), ("evaluate",), ("evaluate", "x.csv"), ("nonsense",)])
def test_wrong_calls_exit_with_2(arguments: tuple[str, ...]) -> None:
    assert rocsteady(*arguments).returncode == 2


def test_a_process_ends_with_2_too() -> None:
    assert started("nonsense").returncode == 2


def test_absent_file_and_unknown_measure_exit_with_2(scores: Path) -> None:
    absent = rocsteady("evaluate", "nowhere.csv", "--label", "y", "--score", "a")
    assert (absent.returncode, "nowhere.csv" in absent.stderr) == (2, True)
    unknown = rocsteady("evaluate", str(scores), "--label", "y", "--score", "a", "--measure", "aux")
    assert (unknown.returncode, "aux" in unknown.stderr) == (2, True)


def test_names_cannot_control_the_terminal_or_a_spreadsheet(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    name = "=cmd()\x1b[31m"
    path.write_text(f"y,{name}\n1,2\n0,1\n")
    call = ("evaluate", str(path), "--label", "y", "--score", name, "--measure", "auc", "--format")
    assert "\x1b" not in rocsteady(*call, "text").stdout
    assert rocsteady(*call, "csv").stdout.splitlines()[1].startswith("'=cmd()")


def test_hostile_column_names_are_data_not_sql(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    name = 'a"; DROP TABLE rows; --'
    path.write_text(f'y,"{name.replace(chr(34), chr(34) * 2)}"\n1,2\n0,1\n')
    done = rocsteady("evaluate", str(path), "--label", "y", "--score", name, "--measure", "auc", "--format", "json")
    assert json.loads(done.stdout)["models"][0]["measures"] == {"auc": 1.0}


def test_measures_lists_the_registry() -> None:
    done = rocsteady("measures", "--format", "json")
    listed = {row["name"].removesuffix(" (emerging)") for row in json.loads(done.stdout)["measures"]}
    assert listed == {sheet.name for sheet in rs.list_measures()}


def test_thresholds_agree_with_the_library(scores: Path) -> None:
    done = rocsteady("thresholds", str(scores), "--label", "y", "--score", "a", "--rule", "youden", "--format", "json")
    choice = json.loads(done.stdout)["thresholds"][0]
    assert (choice["rule"], choice["threshold"], choice["tpr"]) == ("youden", 0.6, 1.0)


def test_demo_writes_data_table_and_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = loans(150)  # all of it is written in a process of its own by tests/test_package.py
    monkeypatch.setattr("rocsteady._src.views.cli.demo.loans", lambda: table)
    done = rocsteady("demo", "-o", "shown", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert {path.name for path in (tmp_path / "shown").iterdir()} == {
        "loans.csv", "evaluation.md", "evaluation.json", "roc.png", "granular.png", "report.html",
    }  # fmt: skip
    again = aucs(json.loads((tmp_path / "shown" / "evaluation.json").read_text()))
    assert again == {model: rs.auc(table["defaulted"], table[model]) for model in again}
    assert (tmp_path / "shown" / "loans.csv").read_text().count("\n") == 151
    assert rocsteady("demo", "-o", "shown", cwd=tmp_path).returncode == 2


def test_example_data_are_the_same_every_time() -> None:
    assert loans() == loans()
    assert len(np.unique(loans()["grade"])) == 7


def test_compare_with_cutoffs(tmp_path: Path) -> None:
    path = tmp_path / "loans.csv"
    table = loans(300)
    pl.DataFrame(table).write_csv(path)
    call = ("compare", str(path), "--label", "defaulted", "--score", "boosted", "--score", "logistic")
    done = rocsteady(*call, "--cutoffs", "0.1,0.4")
    assert done.returncode == 0, done.stderr
    assert "from boosted (old) to logistic (new)" in done.stdout
    assert "NRI rises for miscalibrated models" in done.stdout
    assert "calibration slope" in done.stdout
    assert "net benefit at 0.1" in done.stdout
    answer = json.loads(rocsteady(*call, "--cutoffs", "0.1,0.4", "--format", "json").stdout)
    found = answer["reclassified"][0]
    columns = (table["defaulted"], table["boosted"], table["logistic"])
    assert (found["old"], found["new"], found["nri"]["old"], found["nri"]["new"]) == ("boosted", "logistic") * 2
    assert found["nri"]["nri"]["estimate"] < 0 < answer["pairs"][0]["test"]["estimate"]
    based = json.loads(rocsteady(*call, "--baseline", "logistic", "--cutoffs", "0.1,0.4", "--format", "json").stdout)
    assert (based["reclassified"][0]["old"], based["reclassified"][0]["new"]) == ("logistic", "boosted")
    assert based["reclassified"][0]["nri"]["nri"]["estimate"] == -found["nri"]["nri"]["estimate"]
    assert found["nri"]["nri"]["estimate"] == rs.net_reclassification(*columns, cutoffs=[0.1, 0.4]).nri.estimate
    assert found["idi"]["idi"]["estimate"] == rs.integrated_discrimination(*columns).idi.estimate
    assert "```text" in rocsteady(*call, "--cutoffs", "0.1,0.4", "--format", "markdown").stdout
    assert "nri_p" in rocsteady(*call, "--cutoffs", "0.1,0.4", "--format", "csv").stdout
    odd = rocsteady(*call, "--cutoffs", "low,high")
    assert odd.returncode == 2
    assert "numbers between commas" in odd.stderr
    scores = rocsteady(
        "compare", str(path), "--label", "defaulted", "--score", "grade", "--score", "logistic", "--cutoffs", "0.5"
    )
    assert scores.returncode == 2
    assert "grade must hold probabilities" in scores.stderr
