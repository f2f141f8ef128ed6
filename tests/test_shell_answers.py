"""What newcomers type in a shell: it works, or one sentence says what to type."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import rocsteady as rs
from command import rocsteady

RNG = np.random.default_rng(5)
Y = RNG.integers(0, 2, 60)
A, B = ((1 / (1 + np.exp(-(RNG.normal(size=60) + shift * (2 * Y - 1))))).round(3) for shift in (1.0, 0.5))
CSV = "id,y,a,b,site\n" + "".join(f"{i},{y},{a},{b},{'ABC'[i % 3]}\n" for i, (y, a, b) in enumerate(zip(Y, A, B)))  # noqa: B905
FAST = ("--measure", "auc", "--no-intervals")


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "d.csv").write_text(CSV)
    return str(tmp_path / "d.csv")


def models(said: str) -> list[str]:
    return [entry["model"] for entry in json.loads(said)["models"]]


def test_columns_between_commas_are_several(file: str) -> None:
    done = rocsteady("evaluate", file, "--label", "y", "--score", "a,b", *FAST, "--format", "json")
    assert models(done.stdout) == ["a", "b"]
    done = rocsteady("evaluate", file, "--label", "y", "--score", "a, b", "--score", "a", *FAST, "--format", "json")
    assert models(done.stdout) == ["a", "b"]
    for other in ("a,z", "a,,b"):
        done = rocsteady("evaluate", file, "--label", "y", "--score", other, *FAST)
        assert done.returncode == 2
        assert f"has no column '{other}'; it has 'id', 'y', 'a', 'b', 'site'" in done.stderr


def test_a_column_with_a_comma_in_its_name_is_one(tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    path.write_text('y,"a,b",a,b\n1,0.9,0.1,0.2\n0,0.1,0.3,0.1\n')
    done = rocsteady("evaluate", str(path), "--label", "y", "--score", "a,b", *FAST, "--format", "json")
    assert models(done.stdout) == ["a,b"]


def test_measures_and_rules_between_commas(file: str) -> None:
    asked = "auc,partial_auc(fpr_range=(0, 0.2)),brier_score"
    done = rocsteady("evaluate", file, "--label", "y", "--score", "a", "--measure", asked, "--no-intervals")
    assert done.stdout.split("\n")[0].split("  ")[0] == "model"
    assert "partial_auc(fpr_range=(0, 0.2))" in done.stdout
    assert "brier_score" in done.stdout
    told = ("thresholds", file, "--label", "y", "--score", "a", "--rule", "youden,precision=0.6", "--format", "json")
    chosen = [each["threshold"] for each in json.loads(rocsteady(*told).stdout)["thresholds"]]
    assert chosen == [rs.best_threshold(Y, A, rule=rule).threshold for rule in ("youden", "precision(value=0.6)")]


@pytest.mark.parametrize("rule", ["sensitivity=0.9", "sensitivity >= 0.9", "recall=.9", "tpr>=9e-1"])
def test_a_rate_to_be_held_is_written_as_people_do(rule: str, file: str) -> None:
    expected = rs.confusion(Y, A, threshold="sensitivity(value=0.9)")
    assert rs.confusion(Y, A, threshold=rule).threshold == expected.threshold
    done = rocsteady("confusion", file, "--label", "y", "--score", "a", "--threshold", rule, "--format", "json")
    assert json.loads(done.stdout)["models"][0]["threshold"] == expected.threshold


def test_the_other_side_of_a_rate_is_refused() -> None:
    assert rs.best_threshold(Y, A, rule="fpr<=0.2") == rs.best_threshold(Y, A, rule="fpr(value=0.2)")
    for rule in ("fpr>=0.2", "sensitivity<=0.9"):
        with pytest.raises(rs.errors.ArgumentError, match="asks for the other side"):
            rs.best_threshold(Y, A, rule=rule)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (("--json",), "did you mean --format?"),
        (("--metric", "auc"), "did you mean --measure?"),
        (("--ci",), "did you mean --intervals or --level?"),
        (("--scores", "a"), "did you mean --score"),
        (("--n-bootstraps", "10"), "did you mean --resamples?"),
        (("--weights", "w"), "did you mean --weight?"),
        (("--formt", "csv"), "did you mean --format"),
        (("--zzzzzz",), "'rocsteady evaluate --help' lists its options"),
    ],
)
def test_options_by_other_names(file: str, typed: tuple[str, ...], words: str) -> None:
    done = rocsteady("evaluate", file, "--label", "y", "--score", "a", *typed)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def test_what_is_missing_is_asked_for_with_the_columns(file: str) -> None:
    said = rocsteady("evaluate", file).stderr
    assert "holds the labels (--label) and the scores (--score)?" in said
    assert "The columns are 'id', 'y', 'a', 'b', 'site'; 'y' has two values" in said
    assert "holds the scores (--score)? The columns are" in rocsteady("compare", file, "--label", "y").stderr
    assert "holds the labels (--label)?" in rocsteady("thresholds", "-", "--score", "a", stdin=CSV).stderr
    piped = rocsteady("evaluate", "--label", "y", "--score", "a", stdin=CSV)
    assert (piped.returncode, "FILE ..., or - for standard input" in piped.stderr) == (2, True)
    assert "there is no file" in rocsteady("evaluate", f"{file}.csv").stderr


def test_a_file_without_a_command_and_a_command_that_is_none(file: str) -> None:
    said = rocsteady(file, "--label", "y").stderr
    assert said == f"rocsteady: name a command first: rocsteady evaluate {file} --label y\n"
    assert rocsteady("evalute", file).stderr == "rocsteady: there is no command evalute; did you mean evaluate?\n"


ASKED = {
    ("watch", "--label", "y", "--score", "a"): "holds the day on which a row was scored (--day)? The columns are 'id'",
    ("readers",): "holds who judged (--reader), what is compared (--modality), the case that was judged (--case), the",
    ("readers", "--label", "y", "--score", "a"): "and the case that was judged (--case)? The columns are 'id', 'y'",
    ("gaps", "--label", "y", "--score", "a"): "holds the groups (--by)? The columns are 'id', 'y', 'a', 'b', 'site'",
    ("evaluate", "--label", "y", "--score", "a", "--level", "high"): "--level takes a number, not 'high'",
    ("evaluate", "--label", "y", "--score", "a", "--resamples=2.5"): "--resamples takes a whole number, not '2.5'",
    ("evaluate", "--label", "y", "--score", "a", "--format", "xls"): "--format takes 'text', 'json', 'csv'",
    ("evaluate", "--label"): "--label needs a value",
    ("evaluate", "--label", "y", "--score", "a", "--force=1"): "--force takes no value",
    ("evaluate", "--label", "y", "--score", "a", "b"): "--score stands before each, or once: --score a,b",
    ("evaluate", "b", "--label", "y", "--score", "a"): "'b' is one too many; columns and values go by name",
    ("evaluate", "y", "a"): " --label y --score a",
    ("evaluate", "--label", "y", "--score", "aa"): "has no column 'aa'",
    ("gate", "--label", "y", "--score", "a"): "gate has no option --score; did you mean --candidate?",
    ("gaps", "--label", "y", "--score", "a", "--by", "site"): "pass --threshold, or --measure auc, which needs none",
    ("measures", "of"): "several words go between quotes: rocsteady measures '",
}


@pytest.mark.parametrize("typed", ASKED)
def test_what_a_command_lacks_or_cannot_read_is_one_sentence(typed: tuple[str, ...], file: str) -> None:
    done = rocsteady(typed[0], file, *typed[1:])
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("rocsteady: ")
    assert ASKED[typed] in done.stderr


def test_words_that_are_too_many_or_come_too_early(file: str) -> None:
    assert (
        "takes one FILE; several are one pattern"
        in rocsteady("evaluate", file, file, "--label", "y", "--score", "a").stderr
    )
    assert "rocsteady demo takes options alone" in rocsteady("demo", "here").stderr
    assert "options follow it: rocsteady COMMAND FILE ... --label" in rocsteady("--label", "y", "evaluate", file).stderr
    assert "name DATA (CSV, TSV, JSON lines or Parquet, breast_cancer" in rocsteady("select").stderr


def test_help_by_other_words(file: str) -> None:
    assert rocsteady("help", "evaluate").stdout == rocsteady("evaluate", "--help").stdout
    assert rocsteady("help").stdout == rocsteady("--help").stdout
    assert rocsteady("gaps", "-h").stdout == rocsteady("gaps", "--help").stdout
    assert rocsteady("measures", "AUC").stdout.splitlines()[1].startswith("auc ")
    assert "did you mean accuracy" in rocsteady("measures", "acuracy").stderr


@pytest.mark.parametrize("command", ["evaluate", "compare", "confusion", "thresholds", "calibration"])
def test_a_file_holds_what_its_format_prints(command: str, file: str, tmp_path: Path) -> None:
    asked = (
        command,
        file,
        "--label",
        "y",
        "--score",
        "a",
        "--score",
        "b",
        *(["--threshold", "0.5"] if command == "confusion" else []),
    )
    for ending, form in (("csv", "csv"), ("json", "json"), ("md", "markdown"), ("txt", "text")):
        path = tmp_path / f"out.{ending}"
        assert rocsteady(*asked, "-o", str(path)).stdout == f"Wrote {path}.\n"
        assert path.read_text() == rocsteady(*asked, "--format", form).stdout
    odd = tmp_path / "out.xyz"
    assert rocsteady(*asked, "-o", str(odd)).stdout == f"Wrote {odd} as text.\n"


def test_one_chart_alone(file: str, tmp_path: Path) -> None:
    asked = ("report", file, "--label", "y", "--score", "a,b", "--kind", "pr", "-o")
    assert rocsteady(*asked, str(tmp_path / "pr.png")).stdout == f"Wrote {tmp_path / 'pr.png'}.\n"
    assert (tmp_path / "pr.png").read_bytes().startswith(b"\x89PNG")
    assert "--kind draws one chart in a file of .png" in rocsteady(*asked, str(tmp_path / "pr.html")).stderr
    assert "--kind does nothing with groups" in rocsteady(*asked, str(tmp_path / "g.png"), "--by", "site").stderr


def test_swapped_columns_and_another_delimiter_in_the_words_of_a_shell(file: str) -> None:
    assert "look swapped: --label y, --score a" in rocsteady("evaluate", file, "--label", "a", "--score", "y").stderr
    asked = ("evaluate", "-", "--label", "y", "--score", "a")
    piped = rocsteady(*asked, stdin=CSV.replace(",", ";"))
    assert piped.stdout == rocsteady(*asked, stdin=CSV).stdout
    barred = rocsteady(*asked, stdin=CSV.replace(",", "|"))
    assert "standard input: the columns are divided by '|', not ','; pass --delimiter '|'" in barred.stderr


def test_cells_that_are_no_numbers_have_a_remedy(tmp_path: Path) -> None:
    for cell, words in (("90%", "0.9 for 90%"), ("abc", "repair it, or leave the cell empty")):
        path = tmp_path / "bad.csv"
        path.write_text(f"y,a\n1,{cell}\n0,0.5\n")
        assert words in rocsteady("evaluate", str(path), "--label", "y", "--score", "a").stderr


def test_markdown_by_its_ending(file: str) -> None:
    asked = ("evaluate", file, "--label", "y", "--score", "a", *FAST, "--format")
    assert rocsteady(*asked, "md").stdout == rocsteady(*asked, "markdown").stdout


def test_calibration_draws_its_curves(file: str, tmp_path: Path) -> None:
    picture = tmp_path / "c.png"
    asked = ("calibration", file, "--label", "y", "--score", "a,b", "--plot", str(picture))
    assert "in_the_large" in rocsteady(*asked).stdout
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert "exists; pass --force" in rocsteady(*asked).stderr
    assert "pictures are .png, .pdf, .svg files" in rocsteady(*asked[:-1], "c.txt").stderr


@pytest.mark.parametrize("alternative", ["non-inferiority", "superiority", "equivalence"])
def test_a_margin_is_tested_as_the_library_does(file: str, alternative: str) -> None:
    how = ("--margin", "0.25", "--alternative", alternative, "--baseline", "b")
    done = rocsteady("compare", file, "--label", "y", "--score", "a,b", *how, "--format", "json")
    found = json.loads(done.stdout)
    test = rs.compare_auc(Y, A, B, alternative=alternative, margin=0.25)
    assert found["margin"] == 0.25
    assert [found["tests"][0][name] for name in ("first", "second", "pvalue")] == ["a", "b", test.pvalue]
    said = rocsteady("compare", file, "--label", "y", "--score", "a,b", *how).stdout
    assert said.startswith("shown at 0.05: a" if test.pvalue < 0.05 else "not shown at 0.05: a")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--alternative", "equivalence"), "--alternative does nothing without --margin"),
        (("--margin", "0.1", "--by", "site"), "--by does nothing with --margin"),
        (("--margin", "0.1", "--score", "id"), "name the one to hold them against with --baseline"),
        (("--margin", "0.1", "--baseline", "z"), "there is no model z"),
        (("--margin", "0.1", "--alternative", "less"), "--margin goes with --alternative"),
        (("--margin", "0.1", "--method", "bootstrap"), "bootstrap has no test with a margin"),
        (("--margin", "-1"), "needs"),
    ],
)
def test_what_goes_with_a_margin(file: str, options: tuple[str, ...], words: str) -> None:
    done = rocsteady("compare", file, "--label", "y", "--score", "a,b", *options)
    assert done.returncode == 2
    assert words in done.stderr


JSON = "a JSON array (pandas writes JSON lines by to_json(path, orient='records', lines=True))"


@pytest.mark.parametrize(
    ("start", "what"),
    [(b"ARROW1\0\0", "an Arrow or Feather file"), (b"BZh91AY&SY", "compressed by bzip2"), (b'[{"y": 1}]', JSON)],
)
def test_standard_input_of_another_format_is_named(start: bytes, what: str) -> None:
    done = rocsteady("evaluate", "-", "--label", "y", "--score", "a", stdin=start + bytes(range(256)))
    assert done.returncode == 2
    assert f"standard input is {what}, which is not read; CSV, TSV, JSON lines and Parquet are" in done.stderr
