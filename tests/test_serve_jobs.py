"""What the local page's workers answer: previews, proposals, numbers of the library, exports, sentences."""

from __future__ import annotations

import csv
import gzip
import io
import json
import runpy
import shlex
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pytest

import rocsteady as rs
from cases import each_case
from command import rocsteady
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.views.report.write import document_of
from rocsteady._src.views.serve.asked import Asked
from rocsteady._src.views.serve.jobs import JOBS, forget
from rocsteady._src.views.serve.lines import command_of
from rocsteady._src.views.serve.words import for_page
from rocsteady._src.views.serve.worker import Teller, _answer
from rocsteady.errors import InputError, RocsteadyError
from serve_kit import HOSTILE, clinic, flowers, risks, write_csv


def done(
    do: str, path: Path, said: dict[str, Any] | None = None, *, keep: bool = False, **more: Any
) -> dict[str, dict[str, Any]]:
    """The events of a job, by kind; the last of each."""
    told: dict[str, dict[str, Any]] = {}
    job = {"do": do, "path": str(path), "name": path.name, "memory": "1GB", "names": {str(path): path.name}}
    job |= {"asked": said or {}, "target": str(path.with_suffix(".out.html"))} | more
    try:
        JOBS[do](job, lambda kind, **what: told.update({kind: what}))
    finally:
        if not keep:
            forget()
    return told


def test_a_clinic_is_proposed(tmp_path: Path) -> None:
    told = done("look", clinic(tmp_path / "asah.csv"))["preview"]
    assert told["n_rows"] == 120
    proposed = told["proposed"]
    assert (proposed["label"], proposed["pos"]) == ("outcome", "Poor")
    assert proposed["scores"] == ["s100b", "ndka", "platelets"]
    assert proposed["reasons"]["outcome"] == "2 values: label?"
    assert proposed["reasons"]["gender"] == "2 values: group, or label?"
    assert proposed["reasons"]["s100b"] == "numbers: score?"
    assert proposed["reasons"]["patient_id"] == "another value in every row: id?"
    kinds = {column["name"]: column["kind"] for column in told["columns"]}
    assert kinds == dict(
        zip(
            ["patient_id", "outcome", "s100b", "ndka", "platelets", "gender"],
            ["whole numbers", "text", "numbers", "numbers", "whole numbers", "text"],
            strict=True,
        )
    )
    counts = next(column["counts"] for column in told["columns"] if column["name"] == "outcome")
    table = pd.read_csv(tmp_path / "asah.csv")
    assert counts == table["outcome"].value_counts().sort_index().to_dict()
    means = told["means"]["outcome"]["Poor"]
    assert means["platelets"] == pytest.approx(table.loc[table["outcome"] == "Poor", "platelets"].mean(), rel=1e-12)
    assert told["first"][0] == [str(value) for value in table.iloc[0]]


def test_classes_weights_folds_and_subjects_are_proposed(tmp_path: Path) -> None:
    proposed = done("look", flowers(tmp_path / "iris.csv"))["preview"]["proposed"]
    assert proposed["classes"] == ["setosa", "versicolor", "virginica"]
    assert proposed["scores"] == ["p_setosa", "p_versicolor", "p_virginica"]
    draw = np.random.default_rng(1)
    rows = [[i, i % 7, draw.integers(2), draw.random(), i % 5, 1 + i % 3] for i in range(60)]
    path = write_csv(tmp_path / "cv.csv", ["id", "patient", "y", "model", "fold", "weight"], rows)
    proposed = done("look", path)["preview"]["proposed"]
    found = {name: proposed[name] for name in ("label", "scores", "cluster", "fold", "weight")}
    assert found == {"label": "y", "scores": ["model"], "cluster": "patient", "fold": "fold", "weight": "weight"}


def test_missing_values_other_delimiters_and_names_that_repeat(tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    path.write_text("y;a;A;b;b\n1;0.5;1;2;3\n0;NA;1;2;3\n1;0.25;;2;3\n", encoding="utf-8")
    told = done("look", path)["preview"]
    assert told["delimiter"] == ";"
    assert {column["name"]: column["n_missing"] for column in told["columns"]} == {"y": 0, "a": 1}
    assert len(told["left_out"]) == 2
    assert "differ in case only" in told["left_out"][0]


@each_case("ending", [".jsonl", ".parquet", ".xlsx", ".tsv", ".csv.gz"])
def test_formats_hold_the_same(ending: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("formats")
    table = pd.read_csv(risks(folder / "r.csv", 120))
    path = folder / f"r{ending}"
    {
        ".jsonl": lambda: table.to_json(path, orient="records", lines=True),
        ".parquet": lambda: table.to_parquet(path),
        ".xlsx": lambda: table.to_excel(path, index=False),
        ".tsv": lambda: table.to_csv(path, index=False, sep="\t"),
        ".csv.gz": lambda: table.to_csv(path, index=False),
    }[ending]()
    told = done("look", path)["preview"]
    assert told["proposed"]["label"] == "y"
    assert told["proposed"]["scores"] == ["old", "new"]
    assert told["n_rows"] == 120
    found = done("answer", path, {"label": "y", "scores": ["new"]})
    assert found["verdict"]["lines"] == list(rs.evaluate(table, label="y", scores="new").decide().verdict)


def test_a_workbook_keeps_its_digits(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["y", "s", "when", None], [True, 0.1234567890123456, "=1+1"], [None, None, None], [False, 3.0, "x"]):
        sheet.append(row)
    book.save(tmp_path / "b.xlsx")
    from rocsteady._src.inputs.files.workbook import write_sheet

    assert write_sheet(tmp_path / "b.xlsx", tmp_path / "b.csv") == ["Sheet"]
    rows = list(csv.reader(io.StringIO((tmp_path / "b.csv").read_text())))
    assert rows == [["y", "s", "when"], ["true", "0.1234567890123456", ""], ["false", "3", "x"]]


def test_text_is_no_score(tmp_path: Path) -> None:
    """Texts among numbers and decimal commas too: their columns are shown as the text that they hold."""
    rows = [[i % 2, "<0.1" if i == 3 else i / 10, f"0,{i}", f"case {i}"] for i in range(9)]
    told = done("look", write_csv(tmp_path / "odd.csv", ["y", "a", "b", "c"], rows, ";"))["preview"]
    assert told["proposed"]["scores"] == []
    assert [column["kind"] for column in told["columns"]] == ["whole numbers", "text", "text", "text"]
    assert told["first"][3] == ["1", "<0.1", "0,3", "case 3"]


def test_a_score_that_points_down_is_told_where_to_say_so(tmp_path: Path) -> None:
    said = {"label": "outcome", "pos": "Poor", "scores": ["platelets"]}
    told = done("answer", clinic(tmp_path / "asah.csv"), said)["verdict"]["alarms"]
    lower = "choose \u201cscore: lower is more positive\u201d in step 2 for them"
    assert told[0].endswith(f"if low scores mean positive, {lower}")


def test_names_with_commas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Classes and columns are what they are called; the command and the Python lines make the same page."""
    monkeypatch.chdir(tmp_path)
    classes, draw = ["iris, blue", 'iris, "red"', "a=b"], np.random.default_rng(2)
    truth = draw.integers(0, 3, 60)
    raw = np.exp(draw.normal(size=(60, 3)) + np.eye(3)[truth])
    columns = ["p, blue", "p red", "p=b"]
    rows = [[classes[k], *np.round(p / p.sum(), 4)] for k, p in zip(truth, raw, strict=True)]
    path = write_csv(tmp_path / "c.csv", ["what, truly", *columns], rows)
    told = done("answer", path, {"label": "what, truly", "scores": columns, "classes": classes}, keep=True)
    result = rs.evaluate(pd.read_csv(path), label="what, truly", scores=columns, classes=classes)
    assert told["verdict"]["lines"] == list(document_of(result).verdict)
    forget()
    rocsteady(*shlex.split(told["lines"]["command"])[1:], "--output", "shell.html")
    (tmp_path / "lines.py").write_text(told["lines"]["python"], encoding="utf-8")
    runpy.run_path(str(tmp_path / "lines.py"))
    for name in ("shell.html", "report.html"):
        assert document_of(result).verdict[0] in (tmp_path / name).read_text(encoding="utf-8")


SAID = {"label": "y", "scores": ["old", "new"], "cost_fn": 5, "prevalence": 0.1}


def test_the_answer_is_the_librarys(tmp_path: Path) -> None:
    path = risks(tmp_path / "r.csv")
    told = done("answer", path, SAID)
    table = pd.read_csv(path)
    result = rs.evaluate(table, label="y", scores=["old", "new"], intervals=True)
    decided = result.decide(cost_fn=5, prevalence=0.1)
    assert told["verdict"]["lines"] == list(decided.verdict)
    page = document_of(result, cost_fn=5, prevalence=0.1)
    assert told["verdict"]["table"]["rows"] == page.decision.rows
    assert told["table"]["rows"] == page.sections[0].tables[0].rows
    assert [kind for kind in told if kind != "progress"] == ["verdict", "table", "lines", "page"]
    html = (tmp_path / "r.out.html").read_text(encoding="utf-8")
    assert page.verdict[0] in html


def test_the_command_and_the_python_lines_make_the_same_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = clinic(tmp_path / "my asah.csv")
    said = {"label": "outcome", "pos": "Poor", "scores": ["s100b", "platelets"], "lower": ["platelets"], "cost_fn": 2.5}
    lines = done("answer", path, said, keep=True)["lines"]
    done("export", path, said, form="json", target=str(tmp_path / "page.json"))
    import shlex

    words = shlex.split(lines["command"])
    assert words[:3] == ["rocsteady", "report", "my asah.csv"]
    assert rocsteady(*words[1:], "--output", "shell.json").returncode == 0
    exec(lines["python"].replace("report.html", "python.json"), {})  # noqa: S102 - lines of ours
    pages = [json.loads((tmp_path / name).read_text()) for name in ("page.json", "shell.json", "python.json")]
    for page in pages:
        page.pop("command")
    assert pages[0] == pages[1]
    assert pages[0] == pages[2]
    assert "-platelets" in str(pages[0]["measures"])


@each_case(
    "said",
    [
        {
            "label": "species",
            "classes": "setosa,versicolor,virginica",
            "scores": ["p_setosa", "p_versicolor", "p_virginica"],
        },
    ],
)
def test_several_classes_have_their_page_and_lines(said: dict[str, Any], tmp_path: Path) -> None:
    path = flowers(tmp_path / "iris.csv")
    told = done("answer", path, said)
    result = rs.evaluate(pd.read_csv(path), label="species", scores=said["scores"], classes=said["classes"].split(","))
    assert told["verdict"]["lines"] == list(document_of(result).verdict)
    here = {"table": None}
    code = (
        told["lines"]["python"].replace("'iris.csv'", repr(str(path))).replace("report.html", str(tmp_path / "p.html"))
    )
    exec(code, here)  # noqa: S102 - lines of ours
    assert (tmp_path / "p.html").exists()
    assert "--classes=setosa,versicolor,virginica" in told["lines"]["command"]


@each_case("split", [{"by": ["gender"], "level": 0.9}, {"fold": "gender"}])
def test_groups_folds_and_levels(split: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("split")
    path = clinic(folder / "asah.csv")
    said = {"label": "outcome", "pos": "Poor", "scores": ["s100b", "ndka"]} | split
    told = done("answer", path, said)
    table = pd.read_csv(path)
    how = {"by": "gender", "level": 0.9} if "by" in split else {"fold": "gender"}
    result = rs.evaluate(table, label="outcome", scores=["s100b", "ndka"], pos_label="Poor", intervals=True, **how)
    assert told["verdict"]["lines"] == list(document_of(result).verdict)
    assert (folder / "asah.out.html").stat().st_size > 100_000
    assert "pos_label='Poor'" in told["lines"]["python"]  # without it, they would ask which class is positive


def test_subjects_and_files_that_do_not_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows in an engine give the same numbers, with progress; so do subjects."""
    draw = np.random.default_rng(2)
    rows = [[i // 3, i % 2, round(draw.random() + 0.3 * (i % 2), 2)] for i in range(300)]
    path = write_csv(tmp_path / "c.csv", ["who", "y", "a"], rows)
    said = {"label": "y", "scores": ["a"]}
    clustered = done("answer", path, said | {"cluster": "who"})
    table = pd.read_csv(path)
    result = rs.evaluate(table, label="y", scores="a", cluster="who", intervals=True)
    assert clustered["table"]["rows"] == document_of(result).sections[0].tables[0].rows
    monkeypatch.setattr("rocsteady._src.views.cli.load.ROW_BYTES", 10**9)
    told = done("answer", path, said, target=str(tmp_path / "grouped.html"))
    plain = rs.evaluate(table, label="y", scores="a", intervals=True)
    told_here, told_there = list(plain.decide().verdict), told["verdict"]["lines"]
    excess = "Cost on new rows beyond the best choice"  # needs the rows, which stay in the engine
    assert [line for line in told_there if not line.startswith(excess)] == [
        line for line in told_here if not line.startswith(excess)
    ]
    assert any(line.startswith(f"{excess} of model and threshold is unknown") for line in told_there)
    assert told["table"]["rows"] == document_of(plain).sections[0].tables[0].rows
    again = done("answer", path, said | {"cluster": "who"}, target=str(tmp_path / "subjects.html"))
    assert again["table"]["rows"] == clustered["table"]["rows"]


def test_exports_are_those_of_the_command(tmp_path: Path) -> None:
    path = risks(tmp_path / "r.csv", 100)
    said = {"label": "y", "scores": ["old", "new"]}
    for form, ending in (("html", ".html"), ("csv", ".zip")):
        target = tmp_path / f"out{ending}"
        told = done("export", path, said, keep=form != "csv", form=form, target=str(target))
        assert told["file"]["target"] == str(target)
    assert command_of("r.csv", Asked.of(said)) in (tmp_path / "out.html").read_text(encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "out.zip") as parts:
        rows = list(csv.DictReader(io.StringIO(parts.read("measures.csv").decode())))
    result = rs.evaluate(pd.read_csv(path), label="y", scores=["old", "new"], intervals=True)
    estimates = [float(row["auc estimate"]) for row in rows]
    assert sorted(estimates) == sorted(found["auc"] for found in dict(result.values).values())


@each_case(
    ("content", "name", "told"),
    [
        (b"", "a.csv", "a.csv is empty"),
        (b"y,a\n", "a.csv", "a.csv holds no rows"),
        (b"\x89PNG\r\n\x1a\n\0\0", "a.csv", "a.csv cannot be read: its letters are not in UTF-8"),
        (b"PAR1 and no more", "a.parquet", "a.parquet cannot be read: its end is missing"),
        (b"\x1f\x8b\x08 broken", "a.csv.gz", "a.csv.gz"),
        (b"PK\x03\x04broken", "a.xlsx", "a.xlsx cannot be read as a workbook"),
        (b'{"y": 1}\n{"y": ', "a.jsonl", "a.jsonl cannot be read"),
        ("y,a\n1,caf\u00e9\n".encode("latin-1"), "a.csv", "or drop the workbook (.xlsx) itself"),
        (b"y,a\n1,2,3\n", "a.csv", "a.csv cannot be read: line 2 has 3 values where 2 were expected: 1,2,3"),
    ],
)
def test_wrong_files_are_told_in_sentences(
    content: bytes, name: str, told: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("wrong") / f"0123456789ab{name[1:]}"
    path.write_bytes(content)
    with pytest.raises(RocsteadyError) as refused:
        done("look", path)
    said = for_page(refused.value, {"names": {str(path): name}})
    assert told in said
    assert str(path) not in said
    assert "Traceback" not in said


@each_case(
    ("said", "told"),
    [
        ({}, "choose the column of labels"),
        ({"label": "y"}, "at least one of scores"),
        ({"label": "y", "scores": "old"}, "scores cannot be"),
        ({"label": ["y"], "scores": ["old"]}, "label cannot be"),
        ({"label": "y", "scores": ["old"], "cost_fn": "x"}, "cost_fn cannot be"),
        ({"label": "y", "scores": ["old"], "level": True}, "level cannot be"),
        ({"label": "y", "scores": ["nope"]}, "r.csv has no column 'nope'"),
        ({"label": "y", "scores": ["old"], "cost_fn": -1}, "cost"),
        ({"label": "y", "scores": ["old"], "prevalence": 2}, "prevalence"),
        ({"label": "y", "scores": ["old"], "pos": "7"}, "7"),
        ({"label": "y", "scores": ["old"], "lower": ["new"]}, "no --score"),
        ({"label": "id", "scores": ["old"]}, "say which one is positive"),
    ],
)
def test_questions_that_cannot_be_answered(
    said: dict[str, Any], told: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = risks(tmp_path_factory.mktemp("asked") / "r.csv", 40)
    with pytest.raises(RocsteadyError) as refused:
        done("answer", path, said)
    assert told in for_page(refused.value, {"names": {str(path): "r.csv"}})


def test_missing_rows_name_the_page_s_own_choice(tmp_path: Path) -> None:
    path = tmp_path / "m.csv"
    path.write_text("y,a\n" + "1,0.5\n0,\n1,0.25\n0,0.125\n" * 5, encoding="utf-8")
    with pytest.raises(RocsteadyError) as refused:
        done("answer", path, {"label": "y", "scores": ["a"]})
    assert "; choose \u201cleave incomplete rows out\u201d in step 2 to" in for_page(refused.value, {})
    assert done("answer", path, {"label": "y", "scores": ["a"], "missing": "drop"})["verdict"]["lines"]


def test_refusals_name_what_the_page_has() -> None:
    """Its own choices, and what only the command has with the command."""
    way_out = "raise --memory, now 700MB, or bracket the values with --sketch 20"
    large = for_page(InputError("too_many_groups", Sentence("too many; {way_out}", way_out=way_out)), {})
    assert large.startswith("too many; start rocsteady serve with a larger --memory than 700MB, or in a shell: ")


def test_a_gzip_that_explodes_is_not_loaded(tmp_path: Path) -> None:
    path = tmp_path / "b.csv.gz"
    with gzip.open(path, "wb") as out:
        for _ in range(100):
            out.write(b"y,a\n" + b"1,0\n" * 250_000)
    with pytest.raises(RocsteadyError, match="which is not loaded"):
        done("look", path)


def test_a_fault_is_a_sentence_here_and_a_trace_in_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    out = io.StringIO()
    _answer({"do": "what nobody does"}, Teller(out))
    told = json.loads(out.getvalue())
    assert told["kind"] == "fault"
    assert "fault of rocsteady" in told["text"]
    assert "Traceback" in capsys.readouterr().err


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    draw = np.random.default_rng(3)
    rows = [[i % 2, draw.random() + 0.3 * (i % 2), draw.random()] for i in range(60)]
    path = write_csv(tmp_path / "h.csv", ["y", HOSTILE, "=cmd|' /C calc'!A0"], rows)
    told = done("answer", path, {"label": "y", "scores": [HOSTILE, "=cmd|' /C calc'!A0"]})
    page = (tmp_path / "h.out.html").read_text(encoding="utf-8")
    assert HOSTILE not in page
    assert HOSTILE in str(told["verdict"])
    done("export", path, {"label": "y", "scores": ["=cmd|' /C calc'!A0"]}, form="csv", target=str(tmp_path / "o.zip"))
    with zipfile.ZipFile(tmp_path / "o.zip") as parts:
        assert all("\n=cmd" not in parts.read(name).decode() for name in parts.namelist())


def test_the_laboratory(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    told = done("laboratory", path, {"sets": "1.0p 0.9p 0.2n 0.1n\n0.9p 0.8n 0.3p 0.1n", "measures": "auc,mm7_auc"})
    assert (tmp_path / "r.out.html").stat().st_size > 100_000
    assert told["lines"]["command"].startswith("rocsteady lab sets.txt --measure=auc")
    for wrong, words in ({"sets": "0.9x 0.1n"}, r"0\.9x"), ({"sets": "0.9p 0.1n", "range_steps": "a"}, "whole number"):
        with pytest.raises(RocsteadyError, match=words):
            done("laboratory", path, wrong)


def test_risk_categories_in_percent() -> None:
    assert Asked.of({"label": "y", "scores": ["a"], "cutoffs": "10%, 0.2,25 %"}).cutoffs == "0.1,0.2,0.25"
    with pytest.raises(RocsteadyError, match="shares between commas"):
        Asked.of({"label": "y", "scores": ["a"], "cutoffs": "low, high"})


def test_commands_read_workbooks_and_turned_scores(tmp_path: Path) -> None:
    table = pd.read_csv(clinic(tmp_path / "a.csv", 80))
    table.to_excel(tmp_path / "a.xlsx", index=False)
    call = ["report", "a.xlsx", "--label=outcome", "--pos-label=Poor", "--score=platelets", "--lower=platelets"]
    assert rocsteady(*call, "--output=a.json", cwd=tmp_path).returncode == 0
    assert "no --score" in rocsteady(*call, "--lower=x", "--output=b.json", cwd=tmp_path).stderr
    told = json.loads((tmp_path / "a.json").read_text())
    want = rs.auc(table["outcome"], -table["platelets"], pos_label="Poor")
    assert told["measures"]["-platelets"]["auc"]["estimate"] == want
