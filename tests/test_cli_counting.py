"""The commands confusion, calibration and thresholds, and standard input in every format."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from command import rocsteady
from rocsteady.calibration import calibration_summary

RNG = np.random.default_rng(5)
Y = RNG.integers(0, 2, 80)
A = (1 / (1 + np.exp(-(RNG.normal(size=80) + 2 * Y - 1)))).round(3)
B = (1 / (1 + np.exp(-(RNG.normal(size=80) + Y)))).round(3)
COLUMNS = ("--label", "y", "--score", "a", "--score", "b")
CSV = "y,a,b\n" + "".join(f"{y},{a},{b}\n" for y, a, b in zip(Y, A, B, strict=True))


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "d.csv").write_text(CSV)
    return str(tmp_path / "d.csv")


def test_confusion_counts_at_the_threshold_of_each_model(file: str) -> None:
    how = ("--threshold", "a=f1", "--threshold", "b=precision(value=0.7)", "--prevalence", "0.1", "--format", "json")
    done = rocsteady("confusion", file, *COLUMNS, *how)
    assert done.returncode == 0, done.stderr
    for told, scores, rule in zip(
        json.loads(done.stdout)["models"], (A, B), ("f1", "precision(value=0.7)"), strict=True
    ):
        counts = rs.confusion(Y, scores, threshold=rule)
        assert [told[cell] for cell in ("tp", "fp", "fn", "tn")] == [counts.tp, counts.fp, counts.fn, counts.tn]
        assert told["threshold"] == counts.threshold
        bayes = 0.1 * counts.recall / (0.1 * counts.recall + 0.9 * counts.fpr)
        assert told["ppv_there"] == pytest.approx(bayes, rel=1e-12)
        interval = told["intervals"]["recall"]
        assert interval["low"] <= interval["estimate"] == counts.recall


def test_confusion_without_a_threshold_says_which_it_took(file: str) -> None:
    said = rocsteady("confusion", file, *COLUMNS)
    assert said.returncode == 0
    assert "positive when score >= threshold 0.5" in said.stdout


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--threshold", "nope"), "there is no rule 'nope'"),
        (("--threshold", "all"), "one threshold is wanted"),
        (("--threshold", "f1", "--threshold", "a=0.3"), "names no --score"),
        (("--threshold", "a=0.2", "--threshold", "a=0.3"), "second of its model"),
        (("--threshold", "a=0.2"), "none for 'b'"),
        (("--prevalence", "2"), "--prevalence lies in [0, 1]"),
    ],
)
def test_confusion_refuses(file: str, given: tuple[str, ...], said: str) -> None:
    done = rocsteady("confusion", file, *COLUMNS, *given)
    assert done.returncode == 2
    assert said in done.stderr


def test_calibration_prints_what_the_library_says(file: str) -> None:
    done = rocsteady("calibration", file, *COLUMNS, "--format", "json")
    assert done.returncode == 0, done.stderr
    for told, scores in zip(json.loads(done.stdout)["models"], (A, B), strict=True):
        summary = calibration_summary(Y, scores)
        assert told["summary"]["slope"]["estimate"] == pytest.approx(summary.slope.estimate, rel=1e-9)
        assert told["summary"]["brier"]["low"] == pytest.approx(summary.brier.low, rel=1e-12)
    text = rocsteady("calibration", file, *COLUMNS, "--bins", "4").stdout
    assert "in_the_large" in text
    assert "b: shares of positives in bins of the score" in text


def test_calibration_needs_probabilities(tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("y,a\n0,-1\n1,3\n0,0\n1,2\n")
    done = rocsteady("calibration", str(tmp_path / "d.csv"), "--label", "y", "--score", "a")
    assert done.returncode == 2
    assert "needs probabilities, and the scores reach from -1 to 3" in done.stderr


def _parquet() -> bytes:
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    out = io.BytesIO()
    parquet.write_table(pa.table({"y": Y, "a": A, "b": B}), out)
    return out.getvalue()


def _jsonl() -> bytes:
    lines = ({"y": int(y), "a": float(a), "b": float(b)} for y, a, b in zip(Y, A, B, strict=True))
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


@pytest.mark.parametrize(
    "piped",
    [
        CSV.encode,
        lambda: CSV.replace(",", "\t").encode(),
        _jsonl,
        _parquet,
        lambda: gzip.compress(CSV.encode()),
        lambda: gzip.compress(_jsonl()),
    ],
    ids=["csv", "tsv", "jsonl", "parquet", "csv.gz", "jsonl.gz"],
)
def test_standard_input_in_every_format(piped: Any) -> None:
    done = rocsteady("evaluate", "-", *COLUMNS, "--measure", "auc", "--format", "json", stdin=piped())
    assert done.returncode == 0, done.stderr
    found = [model["measures"]["auc"] for model in json.loads(done.stdout)["models"]]
    assert found == [rs.auc(Y, A), rs.auc(Y, B)]


def test_rules_of_the_command_are_those_of_the_library(file: str) -> None:
    rules = ("f1", "mcc", "precision(value=0.7)", "cost(fn=5, tp=-1)", "breakeven")
    flags = [text for rule in rules for text in ("--rule", rule)]
    done = rocsteady("thresholds", file, "--label", "y", "--score", "a", *flags, "--format", "json")
    for told, rule in zip(json.loads(done.stdout)["thresholds"], rules, strict=True):
        choice = rs.best_threshold(Y, A, rule=rule)
        assert (told["threshold"], told["objective"], told["criterion"]) == (
            choice.threshold,
            choice.objective,
            choice.criterion,
        )


def test_operating_points_agree_with_the_library(file: str) -> None:
    asked = ("--fpr", "0.2", "--equal-error", "--promise", "recall >= 0.8")
    done = rocsteady("operating-point", file, *COLUMNS[:4], *asked, "--format", "json")
    held, equal, kept = json.loads(done.stdout)["operating_points"]
    assert held["interval"]["low"] == rs.operating_point(Y, A, fpr=0.2).low
    assert equal["interval"]["high"] == rs.operating_point(Y, A, equal_error=True).high
    assert kept["threshold"] == rs.threshold_guarantee(Y, A, "recall", at_least=0.8).threshold
    assert "promise: recall at least 0.8" in rocsteady("operating-point", file, *COLUMNS, *asked).stdout


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ((), "say which rate to hold: --fpr 0.01"),
        (("--promise", "fpr=0.1"), "write a promise as 'fpr<=0.01'"),
        (("--fpr", "0.0001"), "FPR 0.0001 needs at least 29,956 negatives without an error"),
    ],
)
def test_operating_points_that_cannot_be_are_refused(file: str, asked: tuple[str, ...], words: str) -> None:
    done = rocsteady("operating-point", file, *COLUMNS, *asked)
    assert done.returncode == 2
    assert words in done.stderr
