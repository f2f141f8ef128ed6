"""Pictures of the laboratory show the numbers of their results; the command line says the same as the library."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from typer.testing import CliRunner, Result

import rocsteady as rs
from rocsteady import lab
from rocsteady._src.views.cli.app import app

SOURCE = "1.0p 0.9p 0.8p 0.2n 0.1n 0.0n"


@pytest.fixture(scope="module")
def sets() -> lab.ScoreSets:
    return lab.generate(lab.parse_sets(SOURCE), margin_steps=6, range_steps=10, distribution=True)


@pytest.fixture(scope="module")
def found(sets: lab.ScoreSets) -> rs.results.ErrorCounts:
    return lab.count_errors(sets)


@pytest.fixture(autouse=True)
def _close() -> Any:
    yield
    plt.close("all")


def test_bars_are_as_long_as_the_share_of_errors(found: rs.results.ErrorCounts) -> None:
    ax = found.plot().ax_
    lengths = [bar.get_width() for bar in ax.patches][::-1]
    assert lengths == pytest.approx([100 * row.errors / row.n_correct for row in found])
    assert [label.get_text() for label in ax.get_yticklabels()][::-1] == [row.measure for row in found]


@pytest.mark.parametrize("kind", ["range", "margin", "ratio"])
def test_lines_follow_the_breakdown(found: rs.results.ErrorCounts, kind: str) -> None:
    ax = found.plot(kind=kind).ax_
    split = found.breakdown(kind)
    lines = {line.get_label(): line for line in ax.lines}
    filled = split.n_correct > 0
    place = split.measures.index("scored_auc")
    share = 100 * split.errors[place, filled] / split.n_correct[filled]
    np.testing.assert_allclose(lines["scored_auc"].get_ydata(), share)
    assert "no errors: auc" in "".join(lines)
    assert split.plot().ax_.get_xlabel() == ax.get_xlabel()


def test_clouds_shade_the_overlap_of_measures_that_err(found: rs.results.ErrorCounts) -> None:
    ax = found.plot(kind="clouds").ax_
    shaded = [area.get_datalim(ax.transData) for area in ax.collections if area.get_label().startswith("_")]
    erring = [row for row in found if row.errors][::-1]
    ends = [[row.min_correct, row.max_incorrect] for row in erring]
    np.testing.assert_allclose([[box.x0, box.x1] for box in shaded], ends)
    for row in found:
        correct, incorrect = found.clouds[row.measure]
        assert (correct.size, incorrect.size) == (row.n_correct, row.n_sets - row.n_correct)
        assert correct.min() == row.min_correct
        assert incorrect.max() == row.max_incorrect


def test_clouds_are_thinned_evenly() -> None:
    many = lab.generate(lab.parse_sets(SOURCE), range_steps=400, distribution=True)
    correct, incorrect = lab.count_errors(many, "scored_auc").clouds["scored_auc"]
    assert 2048 <= incorrect.size <= 4096
    assert correct.size == 2000
    whole = [float(rs.scored_auc(y, s)) for y, s in lab.generate(many.sources[0].rows(), distribution=True)]
    assert incorrect.max() <= max(whole)


def test_sweeps_are_lines_and_heat_maps(sets: lab.ScoreSets) -> None:
    one = lab.sweep(sets, "mm7_auc", n=np.geomspace(0.001, 0.5, 5))
    ax = one.plot().ax_
    assert ax.lines[0].get_ydata().tolist() == one.errors.tolist()
    assert ax.get_xscale() == "log"
    two = lab.sweep(sets, "mm7_auc", m=[0.5, 1.0, 1.5], n=[0.0, 0.1])
    ax = two.plot(publication=True).ax_
    assert ax.collections[0].get_array().reshape(3, 2).tolist() == two.errors.tolist()
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("n of mm7_auc", "m")
    three = lab.sweep(sets, "mm7_auc", m=[1.0], n=[0.1], floor=[0.5])
    with pytest.raises(rs.ArgumentError, match="3 were swept"):
        three.plot()


def test_pictures_take_given_axes_and_refuse_unknown_kinds(found: rs.results.ErrorCounts) -> None:
    _, (left, right) = plt.subplots(1, 2)
    assert found.plot(left).ax_ is left
    assert found.plot(right, kind="clouds", publication=True).ax_ is right
    with pytest.raises(rs.ArgumentError, match="kind is one of errors, range"):
        found.plot(kind="pie")


# The command


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(app, ["lab", *arguments], input=stdin)


def test_the_command_counts_as_the_library_does(folder: Path, found: rs.results.ErrorCounts) -> None:
    (folder / "sets.txt").write_text(SOURCE + "\n")
    steps = ["--margin", "6", "--range", "10", "--distribution"]
    shown = run("sets.txt", *steps, "--by", "ratio", "--plot", "out.png", "--kind", "clouds")
    assert shown.exit_code == 0, shown.output
    lines = shown.stdout.splitlines()
    assert lines[2].split()[:2] == ["prob_auc", str(found["prob_auc"].errors)]
    assert "Errors by ratio" in shown.stdout
    assert (folder / "out.png").read_bytes().startswith(b"\x89PNG")
    again = run("-", *steps, "--format", "json", stdin=SOURCE)
    assert json.loads(again.stdout)["rows"] == [row.to_dict() for row in found]


def test_the_command_sweeps(folder: Path, sets: lab.ScoreSets) -> None:
    steps = ["--margin", "6", "--range", "10", "--distribution"]
    shown = run(SOURCE, *steps, "--sweep", "n=0.001:0.1:3", "--sweep", "m=0.5,1", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(shown.stdout)))
    assert [row["measure"] for row in rows] == ["mm6_auc"] * 6 + ["mm7_auc"] * 6
    expected = lab.sweep(sets, "mm7_auc", n=np.linspace(0.001, 0.1, 3), m=[0.5, 1.0])
    assert [int(row["errors"]) for row in rows[6:]] == expected.errors.ravel().tolist()


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ([], "name a file of score sets, or - for standard input"),
        (["absent.txt"], "neither a file nor a set"),
        (["1p 0q"], "line 1: cannot read '0q'"),
        ([SOURCE, "--plot", "x.gif"], "pictures are .png, .pdf, .svg"),
        ([SOURCE, "--sweep", "n=1:2"], "cannot read 'n=1:2'"),
        ([SOURCE, "--sweep", "zeta=1,2"], "no score-aware measure has the parameters zeta"),
        ([SOURCE, "--sweep", "n=1,2", "--plot", "x.png"], "choose --measure among mm6_auc, mm7_auc"),
        ([SOURCE, "--by", "age"], "broken down by range, margin, ratio, not by 'age'"),
    ],
)
def test_the_command_refuses(arguments: list[str], text: str, folder: Path) -> None:
    shown = run(*arguments)
    assert isinstance(shown.exception, rs.RocsteadyError)
    assert text in str(shown.exception)
    assert not shown.stdout
    assert not list(folder.iterdir())
