"""What the command line says: its own options, rows as people count them, and no option that does nothing."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rocsteady._src.base.errors import InputError, first_rows, rows_counted_from
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.views.cli import app as commands
from rocsteady._src.views.cli.words import ending_of, for_shell

ROWS = 60


def table() -> dict[str, list[Any]]:
    rng = np.random.default_rng(4)
    y = np.arange(ROWS) % 2
    a, b = (np.round(0.6 * rng.random(ROWS) + 0.4 * y * rng.random(ROWS), 3) for _ in range(2))
    columns = {"y": y, "a": a, "b": b, "who": np.arange(ROWS) // 3, "part": np.arange(ROWS) // 2 % 3}
    return {name: values.tolist() for name, values in columns.items()} | {"w": [1.5] * ROWS}


def write(path: Path, columns: dict[str, list[Any]], *, delimiter: str = ",", encoding: str = "utf-8") -> Path:
    lines = [delimiter.join(columns), *(delimiter.join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    path.write_bytes(("\n".join(lines) + "\n").encode(encoding))
    return path


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    return write(tmp_path / "x.csv", table())


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*words: object, code: int = 0) -> str:
        monkeypatch.setattr(sys, "argv", ["rocsteady", *map(str, words)])
        with pytest.raises(SystemExit) as done:
            commands.run()
        out, err = capsys.readouterr()
        assert done.value.code == code, err
        return err if code else out

    return call


def evaluate(path: Path) -> tuple[object, ...]:
    return "evaluate", path, "--label", "y", "--score", "a"


def test_python_options_become_those_of_the_command_line() -> None:
    told = {
        "pass {missing='drop'} to leave": "pass --missing drop to leave",
        "with {pos_label=...}": "with --pos-label ...",
        "{pos_label='a b'} does not occur": "--pos-label 'a b' does not occur",
        "pass {@pos_label} as it stands": "pass --pos-label as it stands",
        "name subjects with {cluster=}": "name subjects with --cluster",
        "evaluate again with {level=0.9}": "evaluate again with --level 0.9",
        "use {method='newcombe' or 'logit'}": "use method='newcombe' or 'logit' (in Python)",
        "take {rs.auc_interval(method='logit')}": "take --auc-method logit",
        "take {rs.compare_auc(method='auto')}": "take --method auto",
        "take {rs.bootstrap_interval(method='bca')}": "take rs.bootstrap_interval(method='bca')",
        "{rs.list_measures()} lists them all": "'rocsteady measures' lists them all",
        "{rs.list_measures('threshold')} lists them": "'rocsteady measures --family threshold' lists them",
        "pass {force=True} to replace it": "pass --force to replace it",
    }
    assert {text: for_shell(Sentence(text)) for text in told} == told
    alike = ["'sensitivity(value=0.9)'", "there is no column 'pos_label'", "weight=2 ranks better than missing='drop'"]
    assert [for_shell(Sentence("{name}", name=text)) for text in alike] == [for_shell(text) for text in alike] == alike


def test_rows_of_files_are_counted_from_one(tmp_path: Path, shell: Any) -> None:
    assert first_rows([0, 4], total=2) == "rows 0, 4"
    with rows_counted_from(1):
        assert first_rows([0, 4], total=2) == "rows 1, 5"
    assert first_rows([0, 4], total=2) == "rows 0, 4"
    columns = table()
    columns["a"][4], columns["w"][6] = "", -1
    path = write(tmp_path / "x.csv", columns)
    missing = shell(*evaluate(path), code=2)
    assert "a: 1 missing, row 5 (1 with label 0); pass --missing drop" in missing
    assert "(rows are counted from 1, without the header)" in missing
    assert "w: 1 negative, row 7;" in shell("evaluate", path, "--label", "y", "--score", "b", "--weight", "w", code=2)
    columns["a"][4] = "high"
    text = shell(*evaluate(write(tmp_path / "x.csv", columns)), code=2)
    assert "'high' in row 5 (row 1 follows the header)" in text
    with rows_counted_from(1):
        rows = first_rows([4], total=1)
        assert ending_of(InputError("x", f"missing in {rows}")).endswith(
            "row 5 (rows are counted from 1, without the header)"
        )
        assert ending_of(InputError("x", "4 rows: 2 positive")) == "4 rows: 2 positive"


def test_folds_honour_measures_and_thresholds(scores: Path, shell: Any) -> None:
    call = (*evaluate(scores), "--fold", "part", "--measure", "f1", "--threshold", "0.4")
    alone = json.loads(shell(*evaluate(scores), "--measure", "f1", "--threshold", "0.4", "--format", "json"))
    value = alone["models"][0]["measures"]["f1"]
    text = shell(*call)
    assert "all folds pooled" in text
    assert "f1" in shell(*call, "--format", "csv")
    assert f"0.4000  {value:.4f} [" in text
    assert json.loads(shell(*call, "--format", "json"))["overall"]["models"][0]["measures"]["f1"] == value


UNUSED = {
    "--no-intervals": ("--fold", "part", "--no-intervals"),
    "--level": ("--sketch", "20", "--level", "0.9"),
    "--resamples, --seed": ("--sketch", "20", "--resamples", "10", "--seed", "3"),
    "--seed": ("--no-intervals", "--seed", "3"),
    "--threshold": ("--measure", "auc", "--threshold", "0.4"),
}


@pytest.mark.parametrize("flag", UNUSED)
def test_options_that_would_do_nothing_are_refused(scores: Path, shell: Any, flag: str) -> None:
    assert f"{flag} do" in shell(*evaluate(scores), *UNUSED[flag], code=2)


@pytest.mark.parametrize(("flag", "value"), [("--seed", "-1"), ("--level", "2"), ("--resamples", "-3")])
def test_values_that_do_not_fit_name_the_option_that_was_typed(scores: Path, shell: Any, flag: str, value: str) -> None:
    assert f"rocsteady: {flag} must " in shell(*evaluate(scores), flag, value, code=2)


def test_classes_refuse_what_is_about_two(scores: Path, shell: Any) -> None:
    call = ("evaluate", scores, "--label", "y", "--score", "a", "--score", "b", "--classes", "0,1")
    assert "--pos-label does nothing with --classes" in shell(*call, "--pos-label", "1", code=2)
    assert "--no-intervals, --seed do nothing" in shell(*call, "--no-intervals", "--seed", "3", code=2)


def test_other_commands_refuse_them_too(scores: Path, shell: Any, tmp_path: Path) -> None:
    rule = shell("thresholds", scores, "--label", "y", "--score", "a", "--rule", "youden", "--value", "0.5", code=2)
    assert "--value does nothing without --rule sensitivity or specificity" in rule
    picture = ("report", scores, "--label", "y", "--score", "a", "-o", tmp_path / "x.png", "--cost-fn", "2")
    assert "--cost-fn does nothing in a picture" in shell(*picture, code=2)
    swept = shell("lab", "1p 0n", "--sweep", "n=0.01,0.1", "--kind", "range", code=2)
    assert "--kind does nothing with --sweep" in swept
    both = shell(*evaluate(scores), "--id", "part", "--cluster", "who", code=2)
    assert "give one column, not two" in both


def test_rules_that_need_a_value_say_how_to_write_it(scores: Path, shell: Any) -> None:
    for rule in ("sensitivity", "specificity", "sensitivity()"):
        name = rule.removesuffix("()")
        assert f"--threshold '{name}(value=0.9)'" in shell(*evaluate(scores), "--threshold", rule, code=2)
    assert "threshold" in shell(*evaluate(scores), "--threshold", "sensitivity(value=0.9)", "--no-intervals")


def test_semicolons_that_alone_give_the_columns_are_seen(tmp_path: Path, shell: Any) -> None:
    path = write(tmp_path / "x.csv", table(), delimiter=";")
    assert "60 rows" in shell(*evaluate(path), "--no-intervals")
    assert "60 rows" in shell(*evaluate(path), "--delimiter", ";", "--no-intervals")


@pytest.mark.parametrize(("delimiter", "shown"), [("\t", "\\t"), ("|", "|")])
def test_another_delimiter_is_named_and_works(tmp_path: Path, shell: Any, delimiter: str, shown: str) -> None:
    path = write(tmp_path / "x.csv", table(), delimiter=delimiter)
    assert f"pass --delimiter '{shown}'" in shell(*evaluate(path), code=2)
    assert "60 rows" in shell(*evaluate(path), "--delimiter", shown, "--no-intervals")


def test_delimiters_are_one_character_of_a_text_file(scores: Path, tmp_path: Path, shell: Any) -> None:
    for odd in ("ab", ";;", ""):
        assert "a delimiter is one character" in shell(*evaluate(scores), "--delimiter", odd, code=2)
    lines = tmp_path / "x.jsonl"
    lines.write_text('{"y": 1, "a": 2}\n{"y": 0, "a": 1}\n')
    assert "leave --delimiter out" in shell(*evaluate(lines), "--delimiter", ";", code=2)


@pytest.mark.parametrize(("encoding", "named"), [("utf-16", "UTF-16"), ("latin-1", "LATIN1")])
def test_other_encodings_are_named_with_the_way_out(tmp_path: Path, shell: Any, encoding: str, named: str) -> None:
    path = write(tmp_path / "x.csv", table() | {"größe": [1] * ROWS}, encoding=encoding)
    told = shell(*evaluate(path), code=2)
    assert "not UTF-8; save it as UTF-8" in told
    assert f"iconv -f {named} -t UTF-8 {path} > {path.with_name('utf8-x.csv')}" in told


def test_folders_and_files_without_rows_say_so(scores: Path, tmp_path: Path, shell: Any) -> None:
    assert f"is a folder; name its files, such as '{scores.parent / '*.csv'}'" in shell(*evaluate(tmp_path), code=2)
    for name, content in {"h.csv": "y,a\n", "e.jsonl": ""}.items():
        (tmp_path / name).write_text(content)
        assert shell(*evaluate(tmp_path / name), code=2)
    assert "h.csv holds no rows" in shell(*evaluate(tmp_path / "h.csv"), code=2)


def test_reports_refuse_a_bad_ending_before_any_work(tmp_path: Path, shell: Any) -> None:
    call = ("report", tmp_path / "absent.csv", "--label", "y", "--score", "a", "-o")
    assert "a report is a file of .html" in shell(*call, tmp_path / "rep.txt", code=2)
    assert ".png" not in shell(*call, tmp_path / "rep.png", "--sketch", "20", code=2).partition("got")[0]


def test_only_pages_are_opened_in_a_browser(scores: Path, tmp_path: Path, shell: Any) -> None:
    out = shell("report", scores, "--label", "y", "--score", "a", "-o", tmp_path / "x.json", "--resamples", "20")
    assert out == f"Wrote {tmp_path / 'x.json'}.\n"


def test_markdown_shows_names_as_they_are(tmp_path: Path, shell: Any) -> None:
    name = "<b>a</b>|`x`_[1](2)"
    columns = {"y": [1, 0] * 5, name: [2, 1] * 5}
    path = write(tmp_path / "x.csv", columns)
    call = ("evaluate", path, "--label", "y", "--score", name, "--measure", "auc", "--format", "markdown")
    shown = shell(*call)
    assert "| &lt;b&gt;a&lt;/b&gt;\\|\\`x\\`\\_[1\\](2) |" in shown
    assert "<b>" not in shown
    fenced = write(tmp_path / "x.csv", {"y": [1, 0] * 5, "```": [2, 1] * 5, "part": [1] * 4 + [2] * 6})
    call = ("evaluate", fenced, "--label", "y", "--score", "```", "--fold", "part", "--format", "markdown")
    assert "````text\nall folds pooled" in shell(*call)


def test_unknown_measures_name_three_at_most(scores: Path, shell: Any) -> None:
    told = shell(*evaluate(scores), "--measure", "aucc", code=2)
    assert "did you mean auc or " in told
    assert told.count(" or ") <= 2
    assert "'rocsteady measures' lists them all" in told


def test_a_table_without_sets_is_told_its_columns(scores: Path, shell: Any) -> None:
    assert "has the columns label (1 or p, 0 or n) and score" in shell("lab", scores, code=2)


def test_subjects_are_counted_and_weights_are_said(scores: Path, shell: Any) -> None:
    text = shell(*evaluate(scores), "--cluster", "who", "--measure", "auc")
    assert "intervals and tests count subjects, not rows: 20 in 'who'" in text
    compared = shell("compare", scores, "--label", "y", "--score", "a", "--score", "b", "--weight", "w")
    assert "45 positive, 45 negative (weighted)" in compared


def test_rows_of_several_files_are_counted_on(tmp_path: Path, shell: Any) -> None:
    write(tmp_path / "p1.csv", {"y": [1, 0], "a": [2, 1]})
    write(tmp_path / "p2.csv", {"y": [1, 0], "a": [2, "high"]})
    told = shell(*evaluate(tmp_path / "p*.csv"), code=2)
    assert "p1.csv, column 'a': not a number: 'high' in row 4" in told
    assert "(row 1 follows the header of this file; rows of the other files are counted on)" in told


def test_standard_input_is_called_so(monkeypatch: pytest.MonkeyPatch, shell: Any) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"y,a\n1,x\n")))
    assert "rocsteady: standard input, column 'a': not a number" in shell(*evaluate(Path("-")), code=2)


HOSTILE = [
    "weight=2",
    "missing='drop'",
    "sample_weight",
    "pos_label=1",
    "method='delong'",
    "level=0.5 n_resamples=9",
    "rs.compare_auc(method='auto')",
    "a weight=2 " + "x" * 70,
    "random_state=",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_never_rewritten(name: str, tmp_path: Path, shell: Any) -> None:
    """A model called like an option is a model: in the verdict, the notes, tables and errors."""
    columns = table()
    columns[name] = columns.pop("b")
    quoted = {f'"{column}"' if "," in column else column: values for column, values in columns.items()}
    path = write(tmp_path / "hostile.csv", quoted)
    found = shell("compare", path, "--label", "y", "--score", "a", "--score", name, "--method", "delong")
    shown = name if len(name) <= 48 else name[:40]
    assert shown in found.splitlines()[0]
    assert "--weight 2" not in found
    assert "(in Python)" not in found.splitlines()[0]
    options = ["--score=a", f"--score={name}", "--baseline", "nobody"]
    told = shell("compare", path, "--label", "y", *options, code=2)
    assert shown in told


def test_the_better_method_is_named_as_the_command_line_takes_it(tmp_path: Path, shell: Any) -> None:
    columns = table()
    few = {name: values[:14] for name, values in columns.items()}
    few["y"] = [1, 1, 1, *[0] * 11]
    how = ["--label", "y", "--score", "a", "--score", "b"]
    path = write(tmp_path / "few.csv", few)
    assert "rejects too often; use --method auto" in shell("compare", path, *how, "--method", "delong")
    assert "chosen by auto" in shell("compare", path, *how)
    assert "--method must be one of auto" in shell("compare", path, *how, "--method", "exact", code=2)
    told = shell("evaluate", path, *how, "--intervals", "--auc-method", "exact", code=2)
    assert "--auc-method must be one of auto" in told
    assert "--level must lie between 0 and 1, got 2.0" in shell("evaluate", path, *how, "--level", "2", code=2)


def test_the_ending_of_a_file_tells_its_form(scores: Path, tmp_path: Path, shell: Any) -> None:
    for ending, start in ((".csv", "model,"), (".json", "{"), (".md", "|"), (".txt", "model  ")):
        target = tmp_path / f"out{ending}"
        shell(*evaluate(scores), "--no-intervals", "-o", target)
        assert target.read_text().startswith(start), ending
