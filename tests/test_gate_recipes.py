"""docs/gate.md: the recipes for pipelines do what they say, as far as that goes without the service."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from command import rocsteady

yaml = pytest.importorskip("yaml")
pytest_plugins = ["pytester"]

PAGE = (Path(__file__).parent.parent / "docs" / "gate.md").read_text(encoding="utf-8")
RECIPES = dict(re.findall(r"^\*\*(\w[\w-]*)\*\*:.+?```\w+\n(.+?)```", PAGE, re.DOTALL | re.MULTILINE))
TOML = re.findall(r"```toml\n(.+?)```", PAGE, re.DOTALL)[0]
PASS, FAIL, UNSURE = 0, 1, 3
LOANS = rs.examples.loans(500)
Y, GOOD, WEAK = (np.asarray(LOANS[name]) for name in ("defaulted", "boosted", "logistic"))


def scores(folder: Path, decision: int) -> None:
    """Scores on which the conditions of the page are decided so, and the conditions."""
    better = np.clip(GOOD + 0.15 * (Y - 0.5), 0, 1)
    noisy = np.clip(GOOD + np.random.default_rng(3).normal(0, 0.1, Y.size), 0, 1)
    old, new = {PASS: (WEAK, better), FAIL: (GOOD, WEAK), UNSURE: (GOOD, noisy)}[decision]
    site = np.where(np.arange(Y.size) % 2, "north", "south")
    with (folder / "scores.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["y", "old", "new", "site"], *zip(Y, old, new, site, strict=True)])
    (folder / "gate.toml").write_text(TOML)


PROGRAMS = {
    "rocsteady": 'printf "%s\\0" "$@" > asked.part; mv asked.part asked; read -r code < ended; cat told; exit "$code"',
    "pip": 'echo "$@" >> pip.log',
    "gh": 'printf "%s\\n" "$@" > gh.log',
}


def in_shell(script: str, folder: Path, **env: str) -> int:
    """Run lines as the services do, in bash that stops at the first failure; rocsteady runs in this process.

    That its own process ends with the same codes is asked in test_gate_command.py.
    """
    tools = folder / "tools"
    tools.mkdir(exist_ok=True)
    for name, text in PROGRAMS.items():
        (tools / name).write_text(f"#!/bin/bash\n{text}\n")
        (tools / name).chmod(0o755)
    (folder / "ended").unlink(missing_ok=True)
    os.mkfifo(folder / "ended")
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    call = ["bash", "-e", "-o", "pipefail", "-c", script]
    with subprocess.Popen(call, cwd=folder, env={**os.environ, **env, "PATH": path}) as shell:
        while shell.poll() is None:
            if (folder / "asked").exists():
                answer(folder)
            time.sleep(0.005)
    return shell.returncode


def answer(folder: Path) -> None:
    asked = (folder / "asked").read_text().split("\0")[:-1]
    (folder / "asked").unlink()
    done = rocsteady(*asked, cwd=folder)
    (folder / "told").write_text(done.stdout)
    (folder / "ended").write_text(f"{done.returncode}\n")


def test_all_recipes_are_found() -> None:
    assert set(RECIPES) == {"GitHub", "GitLab", "DVC", "pre-commit", "pytest"}


@pytest.mark.parametrize("decision", [PASS, FAIL, UNSURE])
def test_github_comments_and_then_obeys(decision: int, tmp_path: Path) -> None:
    scores(tmp_path, decision)
    steps: list[dict[str, Any]] = yaml.safe_load(RECIPES["GitHub"])["jobs"]["gate"]["steps"]
    known = {"github.token": "secret", "github.event.pull_request.number": "7"}
    codes = []
    for step in (each for each in steps if "run" in each):
        env = {name: known[re.findall(r"\{\{ (.+?) \}\}", text)[0]] for name, text in step.get("env", {}).items()}
        codes.append(in_shell(step["run"], tmp_path, GITHUB_OUTPUT=str(tmp_path / "out"), **env))
        if step.get("id") == "gate":
            known["steps.gate.outputs.code"] = (tmp_path / "out").read_text().strip().removeprefix("code=")
    assert codes == [0, 0, 0, decision]
    assert (tmp_path / "gh.log").read_text().split() == ["pr", "comment", "7", "--body-file", "gate.md"]
    told = {PASS: "pass: all 5 conditions hold", FAIL: "fail: new must not", UNSURE: "cannot tell whether new may"}
    assert (tmp_path / "gate.md").read_text().startswith(told[decision])
    assert (tmp_path / "pip.log").read_text() == "install rocsteady[cli] @ git+<repository>\n"


def test_gitlab_keeps_the_report_and_only_warns_where_it_cannot_tell(tmp_path: Path) -> None:
    job = yaml.safe_load(RECIPES["GitLab"])["gate"]
    assert job["allow_failure"]["exit_codes"] == UNSURE
    scores(tmp_path, FAIL)
    codes = [in_shell(line, tmp_path) for line in job["script"]]
    assert codes == [0, FAIL]
    report = tmp_path / job["artifacts"]["reports"]["junit"]
    xmlschema = pytest.importorskip("xmlschema")
    xmlschema.XMLSchema(Path(__file__).parent / "fixtures" / "junit.xsd").validate(report)


def test_a_stage_of_dvc_reads_and_writes_what_it_names(tmp_path: Path) -> None:
    stage = yaml.safe_load(RECIPES["DVC"])["stages"]["gate"]
    scores(tmp_path, PASS)
    assert all((tmp_path / name).exists() for name in stage["deps"])
    done = rocsteady(*stage["cmd"].split()[1:], cwd=tmp_path)
    assert done.returncode == PASS
    assert [(tmp_path / name).exists() for each in stage["outs"] for name in each] == [True]


def test_pre_commit_runs_where_scores_or_conditions_change(tmp_path: Path) -> None:
    hook = yaml.safe_load(RECIPES["pre-commit"])["repos"][0]["hooks"][0]
    names = ("scores.csv", "gate.toml", "other.csv")
    assert [name for name in names if re.search(hook["files"], name)] == ["scores.csv", "gate.toml"]
    for decision in (PASS, FAIL, UNSURE):
        scores(tmp_path, decision)
        assert rocsteady(*hook["entry"].split()[1:], cwd=tmp_path).returncode == decision


def test_a_test_of_ones_own(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(RECIPES["pytest"])
    scores(pytester.path, PASS)
    pytester.runpytest_inprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)
    scores(pytester.path, FAIL)
    pytester.runpytest_inprocess("-p", "no:cacheprovider").assert_outcomes(failed=1)
