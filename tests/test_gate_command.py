"""rocsteady gate in pipelines: every exit code, format and policy, through the real command."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
import xmlschema

import rocsteady as rs
from cases import each_case
from command import Ended, rocsteady, started_together

SCHEMA = xmlschema.XMLSchema(Path(__file__).parent / "fixtures" / "junit.xsd")
LOANS = rs.examples.loans(400)
Y, GOOD, WEAK = (np.asarray(LOANS[name]) for name in ("defaulted", "boosted", "logistic"))
NEAR = GOOD + np.random.default_rng(3).normal(0, 0.1, 400)
PASS, FAIL, UNSURE, BAD = 0, 1, 3, 2
MODELS = {PASS: ("weak", "good"), FAIL: ("good", "weak"), UNSURE: ("good", "near")}


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("gate") / "cases.csv"
    write(path, slice(None))
    return path


def write(path: Path, rows: slice) -> None:
    site = np.where(np.arange(400) % 2, "north", "south")
    columns = {"y": Y, "good": GOOD, "weak": WEAK, "near": NEAR, "site": site, "who": np.arange(400) // 2, "w": 1 + Y}
    columns["same"] = GOOD
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*(values[rows].tolist() for values in columns.values()), strict=True))


def gate(file: Path, code: int, *more: str) -> Ended:
    old, new = MODELS[code]
    margin = () if "--conditions" in more else ("--margin", "0.01")
    return rocsteady("gate", str(file), "--label", "y", "--baseline", old, "--candidate", new, *margin, *more)


@each_case("code", [PASS, FAIL, UNSURE])
def test_the_exit_code_is_the_decision_in_every_format(cases: Path, code: int) -> None:
    told = {PASS: "pass", FAIL: "fail", UNSURE: "cannot tell"}[code]
    for form in ("text", "json", "csv", "markdown", "md", "junit"):
        done = gate(cases, code, "--format", form)
        assert (done.returncode, done.stderr) == (code, ""), form
        assert told in done.stdout, form


@each_case(
    ("policy", "code", "expected"),
    [
        *[(None, code, code) for code in (PASS, FAIL, UNSURE)],
        *[("own", code, code) for code in (PASS, FAIL, UNSURE)],
        *[("fail", PASS, PASS), ("fail", FAIL, FAIL), ("fail", UNSURE, FAIL)],
        *[("pass", PASS, PASS), ("pass", FAIL, FAIL), ("pass", UNSURE, PASS)],
    ],
)
def test_policies_are_about_what_cannot_be_told_only(cases: Path, policy: str | None, code: int, expected: int) -> None:
    asked = () if policy is None else ("--cannot-tell", policy)
    done = gate(cases, code, *asked)
    assert done.returncode == expected
    assert "cannot tell" in done.stdout if code == UNSURE else "cannot tell" not in done.stdout


def test_a_policy_that_turns_the_exit_code_is_named(cases: Path) -> None:
    for policy in ("pass", "fail"):
        assert f"counts as a {policy}, by --cannot-tell {policy}" in gate(cases, UNSURE, "--cannot-tell", policy).stdout
    assert "counts as" not in gate(cases, UNSURE).stdout + gate(cases, PASS, "--cannot-tell", "fail").stdout


def test_files_for_machines_name_the_policy_and_what_it_makes_of_the_decision(cases: Path) -> None:
    facts = ("cannot_tell", "counts_as", "exit_code")
    for policy, code, expected in (("own", UNSURE, "cannot tell"), ("pass", UNSURE, "pass"), ("fail", FAIL, "fail")):
        ask = ("--cannot-tell", policy, "--goal", "auc >= 0.7")
        by_form = {form: gate(cases, code, *ask, "--format", form) for form in ("json", "csv", "junit")}
        ended = {done.returncode for done in by_form.values()}
        told = json.loads(by_form["json"].stdout)
        lines = list(csv.DictReader(io.StringIO(by_form["csv"].stdout)))
        root = ET.fromstring(by_form["junit"].stdout)  # noqa: S314 - our own
        properties = {each.get("name"): each.get("value") for each in root.iter("property")}
        assert ended == {told["exit_code"]}
        assert [str(told[name]) for name in facts] == [policy, expected, str(*ended)]
        assert all([line[name] for name in facts] == [str(told[name]) for name in facts] for line in lines)
        assert {line["gate"] for line in lines} == {told["decision"]} == {properties["decision"]}
        assert [properties[name] for name in facts] == [str(told[name]) for name in facts]
        rows = None if told["rows_needed"] is None else str(told["rows_needed"])
        assert properties.get("rows_needed") == rows
        assert rows is None or rows.isdigit()
        assert lines[0]["rows_needed"] == ("" if rows is None else str(told["conditions"][0]["rows_needed"]))


def test_rows_that_no_number_makes_enough_are_no_number(tmp_path: Path) -> None:
    path = tmp_path / "twins.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([["y", "good", "near"], *zip(Y, GOOD, GOOD, strict=True)])
    done = rocsteady(
        *("gate", str(path), "--label", "y", "--baseline", "good", "--candidate", "near"),
        *("--margin", "0", "--format", "junit"),
    )
    assert done.returncode == UNSURE
    assert '<property name="rows_needed" value="no number" />' in done.stdout


def test_conditions_with_a_level_of_their_own_can_be_told_apart(cases: Path) -> None:
    ask = ("--goal", "auc >= 0.8", "--goal", "auc >= 0.8 with 99.9% confidence")
    told = json.loads(gate(cases, PASS, *ask, "--format", "json").stdout)
    assert [each["name"] for each in told["conditions"]][1:] == ["auc >= 0.8", "auc >= 0.8 with 99.9% confidence"]


def test_processes_end_with_the_same_codes(cases: Path) -> None:
    ask = ("gate", str(cases), "--label", "y", "--margin", "0.01")
    calls: dict[int, tuple[str, ...]] = {
        code: (*ask, "--baseline", old, "--candidate", new) for code, (old, new) in [*MODELS.items()][1:]
    }
    calls[BAD] = ("gate", str(cases), "--label", "nope", "--candidate", "good", "--goal", "auc>0.5")
    for code, done in zip(calls, started_together(*calls.values()), strict=True):
        assert done.returncode == code, done.stderr


def test_the_sentence_says_what_was_decided_why_and_how_many_rows_would(cases: Path) -> None:
    failed = gate(cases, FAIL)
    assert failed.stderr == ""
    first, second, *_ = failed.stdout.splitlines()
    assert first == "fail: weak must not replace good: its condition does not hold"
    assert second.startswith("refuted: weak is not worse than good by 0.01 or more in auc; -0.102 [")
    assert second.endswith("lies below -0.01")
    first, second, *_ = gate(cases, UNSURE).stdout.splitlines()
    found = rs.gate(Y, GOOD, NEAR, margin=0.01)
    assert first.startswith("cannot tell whether near may replace good; about ")
    assert f"about {found.rows_needed:,.0f} rows would decide, for a fail (with a chance of 0.8" in first
    assert second.endswith("reaches over -0.01; " + f"{found.rows_needed:,.0f} rows would decide, here are 400")


def test_json_is_what_the_library_says(cases: Path) -> None:
    told = json.loads(gate(cases, PASS, "--format", "json", "--goal", "auc >= 0.8").stdout)
    own = rs.gate(Y, WEAK, GOOD, margin=0.01, goals="auc >= 0.8").to_dict()
    for key in ("conditions", "decision", "passed", "n_rows", "level", "rows_needed"):
        assert told[key] == json.loads(json.dumps(own[key])) or key == "conditions", key
    for one, other in zip(told["conditions"], own["conditions"], strict=True):
        same = ("name", "measure", "decision", "estimate", "low", "high", "goal", "margin")
        assert [one[name] for name in same] == [other[name] for name in same]


def test_csv_has_a_line_for_each_condition(cases: Path) -> None:
    done = gate(cases, PASS, "--by", "site", "--format", "csv")
    lines = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [line["group"] for line in lines] == ["", "north", "south"]
    assert {line["decision"] for line in lines} == {"pass"}


class TestJunit:
    def parsed(self, done: Ended) -> Any:
        SCHEMA.validate(done.stdout)
        return ET.fromstring(done.stdout)  # noqa: S314 - our own

    def test_failures_are_failures_and_the_schema_holds(self, cases: Path) -> None:
        for code in MODELS:
            root = self.parsed(gate(cases, code, "--goal", "auc >= 0.6", "--format", "junit"))
            failures = root.findall(".//failure")
            assert root.get("tests") == "2"
            assert root.get("failures") == str(len(failures)) == ("0" if code == PASS else "1")
            assert [each.get("type") for each in failures] == {PASS: [], FAIL: ["fail"], UNSURE: ["cannot tell"]}[code]

    def test_what_cannot_be_told_is_skipped_only_where_policy_passes_it(self, cases: Path) -> None:
        for policy, failures, skipped in (("own", "1", "0"), ("fail", "1", "0"), ("pass", "0", "1")):
            root = self.parsed(gate(cases, UNSURE, "--format", "junit", "--cannot-tell", policy))
            assert (root.get("failures"), root.get("skipped")) == (failures, skipped)
        failed = self.parsed(gate(cases, FAIL, "--format", "junit", "--cannot-tell", "pass"))
        assert failed.get("failures") == "1"

    def test_the_schema_can_refuse(self) -> None:
        bad = (
            '<testsuites tests="1" failures="0" errors="0"><testsuite tests="1" failures="0" errors="0"/></testsuites>'
        )
        with pytest.raises(xmlschema.XMLSchemaValidationError):
            SCHEMA.validate(bad)

    def test_names_cannot_break_out(self, tmp_path: Path) -> None:
        odd = "<b>&\x1b[31m\u0001]]>"
        path = tmp_path / "odd.csv"
        with path.open("w", newline="") as file:
            csv.writer(file).writerows([["y", odd, "x"], *zip(Y[:60], GOOD[:60], WEAK[:60], strict=True)])
        call = ("gate", str(path), "--label", "y", "--baseline", "x", "--candidate", odd, "--margin", "0.01")
        for form in ("junit", "md", "text"):
            done = rocsteady(*call, "--format", form)
            assert "\x1b" not in done.stdout
            assert "\x01" not in done.stdout
            assert form == "text" or "<b>" not in done.stdout
        self.parsed(rocsteady(*call, "--format", "junit"))


class TestFiles:
    def test_the_answer_is_written_whole_whatever_was_decided(self, cases: Path, tmp_path: Path) -> None:
        starts = {"gate.xml": "<?xml", "gate.json": "{", "gate.md": "fail: ", "gate.csv": "name,", "gate.txt": "fail: "}
        for name, start in starts.items():
            done = gate(cases, FAIL, "--output", str(tmp_path / name))
            head, wrote = done.stdout.splitlines()
            assert (done.returncode, wrote) == (FAIL, f"Wrote {tmp_path / name}.")
            assert head.startswith("fail: weak must not replace good")
            assert (tmp_path / name).read_text().startswith(start), name
        SCHEMA.validate(tmp_path / "gate.xml")
        again = gate(cases, FAIL, "--output", str(tmp_path / "gate.json"))
        assert again.returncode == BAD
        assert "--force" in again.stderr
        assert gate(cases, FAIL, "--output", str(tmp_path / "gate.json"), "--force").returncode == FAIL

    def test_two_files_are_two_samples(self, tmp_path: Path) -> None:
        first, second = tmp_path / "last_week.csv", tmp_path / "this_week.csv"
        write(first, slice(0, 200))
        write(second, slice(200, 400))
        call = ("gate", str(first), str(second), "--label", "y", "--baseline", "weak", "--candidate", "good")
        told = json.loads(rocsteady(*call, "--margin", "0.1", "--format", "json", "--by", "site").stdout)
        own = rs.gate(Y[:200], WEAK[:200], GOOD[200:], paired=False, y_true_second=Y[200:], margin=0.1)
        assert told["conditions"][0]["low"] == pytest.approx(own.conditions[0].low, abs=1e-12)
        assert (told["paired"], len(told["conditions"])) == (False, 3)
        same = (*call[:7], "--candidate", "weak", "--margin", "0.01")
        assert rocsteady(*same).returncode == UNSURE

    def test_standard_input(self, cases: Path) -> None:
        done = rocsteady(
            "gate", "-", "--label", "y", "--candidate", "good", "--goal", "auc >= 0.8", stdin=cases.read_bytes()
        )
        assert (done.returncode, done.stderr) == (PASS, "")


CONDITIONS = """
label = "y"
baseline = "weak"
candidate = "good"

[[condition]]
measure = "auc"
margin = 0.01
by = "site"

[[condition]]
name = "finds half"
measure = "recall"
at_least = 0.5
threshold = 0.2
"""


class TestConditions:
    def test_a_committed_file_needs_no_other_word(self, cases: Path, tmp_path: Path) -> None:
        path = tmp_path / "gate.toml"
        path.write_text(CONDITIONS)
        done = rocsteady("gate", str(cases), "--conditions", str(path), "--format", "json")
        told = json.loads(done.stdout)
        assert done.returncode == PASS
        assert [each["name"] for each in told["conditions"]][-1] == "finds half"
        assert len(told["conditions"]) == 4
        with_goal = rocsteady("gate", str(cases), "--conditions", str(path), "--goal", "auc >= 0.99")
        assert with_goal.returncode == FAIL

    @each_case(
        ("text", "more", "told"),
        [
            ("lable = 'y'\n" + CONDITIONS, (), "has a key 'lable' that means nothing"),
            (CONDITIONS + "shold = 1\n", (), "has a key 'shold' that means nothing"),
            (CONDITIONS, ("--label", "who"), "label is 'who' in the call and 'y' in the file"),
            (CONDITIONS.replace('label = "y"', ""), (), "name the columns with --label"),
            ("[[condition]\n", (), "is no TOML file"),
            (CONDITIONS.replace("site", "sight"), (), "'sight'"),
            ("label='y'\nbaseline='weak'\ncandidate='good'\n[[condition]]\nmeasure='auc'\nmargin=true", (), "got True"),
            (
                "label='y'\nbaseline='weak'\ncandidate='good'\n[[condition]]\nmeasure='auc'\nmargin=1",
                (),
                "cannot be lost",
            ),
        ],
    )
    def test_what_means_nothing_is_refused(
        self, cases: Path, tmp_path: Path, text: str, more: tuple[str, ...], told: str
    ) -> None:
        path = tmp_path / "gate.toml"
        path.write_text(text)
        done = rocsteady("gate", str(cases), "--conditions", str(path), *more)
        assert (done.returncode, done.stdout) == (BAD, "")
        assert told in done.stderr
        assert "Traceback" not in done.stderr

    def test_a_file_that_is_not_there(self, cases: Path) -> None:
        done = rocsteady("gate", str(cases), "--conditions", "nowhere.toml")
        assert done.returncode == BAD
        assert "nowhere.toml" in done.stderr


def test_unchanged_predictions_pass_and_every_format_says_so(cases: Path) -> None:
    for form in ("text", "json", "csv", "markdown", "junit"):
        named = ("--label", "y", "--baseline", "good", "--candidate", "same", "--margin", "0.001")
        done = rocsteady("gate", str(cases), *named, "--format", form)
        assert (done.returncode, done.stderr) == (PASS, "")
        assert "predictions unchanged" in done.stdout, form
    told = json.loads(gate(cases, PASS, "--format", "json").stdout)["conditions"][0]
    assert told["unnoticed"] == pytest.approx(1 - 0.05 ** (1 / Y.sum()))


def test_several_measures_have_a_margin_each_or_share_one(cases: Path) -> None:
    rate = ("--measure", "sensitivity_at(fpr=0.01)", "--resamples", "100")
    both = gate(cases, PASS, "--measure", "auc", *rate, "--margin", "0.02", "--format", "json")
    limits = {each["name"]: each["limit"] for each in json.loads(both.stdout)["conditions"]}
    assert limits == {"auc > baseline - 0.01": -0.01, "sensitivity_at(fpr=0.01) > baseline - 0.02": -0.02}
    shared = gate(cases, PASS, "--measure", "auc,brier_score", "--format", "json")
    assert [each["limit"] for each in json.loads(shared.stdout)["conditions"]] == [-0.01, 0.01]


def test_weights_subjects_and_thresholds_reach_the_library(cases: Path) -> None:
    how = ("--measure", "recall", "--threshold", "baseline=0.2", "--threshold", "candidate=0.3")
    more = ("--weight", "w", "--weight-type", "frequency", "--cluster", "who", "--level", "0.9", "--format", "json")
    told = json.loads(gate(cases, PASS, *how, *more).stdout)
    at: Any = {"baseline": 0.2, "candidate": 0.3}
    own = rs.gate(
        *(Y, WEAK, GOOD), measure="recall", threshold=at, margin=0.01, level=0.9, cluster=np.arange(400) // 2,
        sample_weight=1 + Y, weight_type="frequency",
    )  # fmt: skip
    assert told["conditions"][0]["low"] == pytest.approx(own.conditions[0].low, abs=1e-12)


@each_case(
    ("arguments", "told"),
    [
        ((), "which file?"),
        (("FILE",), "name the columns with --label and --candidate"),
        (("FILE", "--label", "y", "--candidate", "good", "--margin", "0.01"), "pass --baseline"),
        (("FILE", "--label", "y", "--baseline", "weak", "--candidate", "good"), "a gate needs --margin"),
        (("FILE", "--label", "y", "--candidate", "good", "--goal", "auc above 0.8"), "a goal is written as"),
        (("FILE", "--label", "y", "--candidate", "good", "--goal", "auk >= 0.8"), "there is no measure 'auk'"),
        (("FILE", "--label", "y", "--candidate", "nope", "--goal", "auc >= 0.8"), "has no column 'nope'"),
        (("FILE", "--label", "y", "--candidate", "good", "--goal", "recall >= 0.8"), "recall needs a threshold"),
        (("FILE", "--label", "y", "--candidate", "good", "--goal", "auc>=0.8", "--cannot-tell", "maybe"), "maybe"),
        (("FILE", "--label", "y", "--candidate", "good", "--goal", "auc>=0.8", "--format", "html"), "html"),
        (("FILE", "--label", "y", "--candidate", "good", "--goal", "auc>=0.8", "--level", "0.3"), "more than 50%"),
        (("nowhere.csv", "--label", "y", "--candidate", "good", "--goal", "auc>=0.8"), "nowhere.csv"),
        (
            ("FILE", "--label", "y", "--candidate", "good", "--goal", "auc>=0.8", "--weight-type", "frequency"),
            "--weight",
        ),
        (("FILE", "--label", "y", "--candidate", "site", "--goal", "auc>=0.8"), "site"),
        (("FILE", "--label", "y", "--candidate", "good", "--goal", "auc >= 0"), "cannot be missed"),
        (("FILE", "--label", "y", "--baseline", "weak", "--candidate", "good", "--margin", "1"), "one point of 100"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_bad_input_is_2_and_says_what_to_type(cases: Path, arguments: tuple[str, ...], told: str) -> None:
    done = rocsteady("gate", *(str(cases) if each == "FILE" else each for each in arguments))
    assert (done.returncode, done.stdout) == (BAD, "")
    assert told in done.stderr
    assert "Traceback" not in done.stderr


IN_ENGINE = ("--measure", "auc", "--measure", "recall", "--threshold", "0.2", "--goal", "auc >= 0.7")
AT_HOME = ("--by", "site", "--cluster", "who", "--pos-label", "1")  # different rows are brought into memory


@each_case("code", [PASS, FAIL, UNSURE])
def test_files_that_do_not_fit_are_decided_where_they_are(
    cases: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    for more in (IN_ENGINE, AT_HOME) if code == PASS else ((),):
        here = gate(cases, code, *more, "--format", "json")
        with monkeypatch.context() as patched:
            patched.setattr("rocsteady._src.views.cli.load.ROW_BYTES", 10**9)
            there = gate(cases, code, *more, "--format", "json", "--memory", "400MB")
        assert (here.returncode, there.returncode) == (code, code), more
        one, two = (json.loads(done.stdout)["conditions"] for done in (here, there))
        for first, second in zip(one, two, strict=True):
            assert (first["low"], first["high"]) == pytest.approx((second["low"], second["high"]), rel=1e-9), more
            assert first["n_rows"] == second["n_rows"]


def test_two_files_that_do_not_fit(cases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "second.csv", slice(0, 300))
    asked: tuple[str, ...] = ("gate", str(cases), str(tmp_path / "second.csv"), "--label", "y", "--baseline", "weak")
    asked += ("--candidate", "good", "--margin", "0.01", "--format", "json")
    here = rocsteady(*asked)
    monkeypatch.setattr("rocsteady._src.views.cli.load.ROW_BYTES", 10**9)
    one, two = (json.loads(done.stdout)["conditions"][0] for done in (here, rocsteady(*asked, "--memory", "400MB")))
    assert (one["low"], one["high"]) == pytest.approx((two["low"], two["high"]), rel=1e-12)


def test_what_no_way_can_decide_is_refused_and_not_called_a_fail(cases: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rocsteady._src.views.cli.load.ROW_BYTES", 10**9)
    monkeypatch.setattr("rocsteady._src.inputs.files.scan.GROUP_BYTES", 10**8)  # so that few groups may come
    monkeypatch.setattr("rocsteady._src.views.cli.distinct.LINE_BYTES", 10**9)
    summed = gate(cases, PASS, "--memory", "400MB")
    assert summed.returncode == PASS
    assert "ranks and sums were made by the engine" in summed.stdout
    for more in (("--by", "site"), ("--goal", "auc >= 0.7"), ("--measure", "brier_score")):
        done = gate(cases, PASS, "--memory", "400MB", *more)
        assert (done.returncode, done.stdout) == (BAD, "")
        assert "than --memory 400MB holds; raise it, or ask for margins of the AUC alone" in done.stderr
