"""Samples of lm-evaluation-harness: a line per question and filter, with the metrics of its answer."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, InputError, printable, some_values
from rocsteady._src.base.text import format_count
from rocsteady._src.inputs.answers.graded import Graded, truth_of
from rocsteady._src.inputs.answers.json_files import json_lines, paths_of

if TYPE_CHECKING:
    from collections.abc import Mapping

WHAT = "samples of lm-evaluation-harness"
SAMPLES = re.compile(r"samples_(?P<task>.+?)(_(?P<date>\d{4}-\d\d-\d\dT[0-9.-]+))?\.jsonl")
RESULTS = re.compile(r".*_(?P<date>\d{4}-\d\d-\d\dT[0-9.-]+)\.json")
# Keys of a line that are no metric, for lines of versions that do not list theirs.
KNOWN = {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"}
KNOWN |= {"doc_hash", "prompt_hash", "target_hash"}


def sample_files(given: object) -> list[Path]:
    """Files of samples; a file of results stands for the samples of its run, which have its date."""
    found: list[Path] = []
    for path in paths_of(given, [".jsonl"], WHAT):
        run = RESULTS.fullmatch(path.name)
        if run is None:
            found += [path] if path.parent == path or SAMPLES.fullmatch(path.name) or _is_named(given, path) else []
            continue
        beside = sorted(path.parent.glob(f"samples_*_{run['date']}.jsonl"))
        if not beside:
            text = f"there are no samples beside {printable(path.name)}; run lm_eval with --log_samples"
            raise InputError("file_absent", text)
        found += beside
    if not found:
        raise InputError("file_absent", f"{printable(given)} holds no {WHAT}; run lm_eval with --log_samples")
    return found


def _is_named(given: object, path: Path) -> bool:
    """Whether a file was named itself, whatever it is called, and not found in a folder."""
    listed = given if isinstance(given, (list, tuple)) else [given]
    return any(Path(str(each)) == path for each in listed)


def task_of(path: Path) -> str:
    """The task, which the name of the file says."""
    found = SAMPLES.fullmatch(path.name)
    return path.stem if found is None else found["task"]


def read_samples(path: Path, metric: str | Mapping[str, str] | None, chosen: str | None) -> list[Graded]:
    """Right or wrong of each question of one file."""
    task = task_of(path)
    wanted = metric if metric is None or isinstance(metric, str) else metric.get(task)
    lines = list(json_lines(path))
    name = printable(path.name)
    filters = list(dict.fromkeys(str(line.get("filter", "none")) for _, line in lines))
    if chosen is None and len(filters) > 1:
        text = f"{name} has answers by {format_count(len(filters))} filters: choose filter= of {some_values(filters)}"
        raise ArgumentError("filter", text)
    one = chosen is None or len(filters) == 1  # a task without a choice is taken as it is
    kept = [(where, line) for where, line in lines if one or line.get("filter") == chosen]
    if lines and not kept:
        raise ArgumentError("filter", f"{name} has no filter {chosen!r}; it has {some_values(filters)}")
    return [_graded(task, line, wanted, where) for where, line in kept]


def _graded(task: str, line: dict[str, Any], wanted: str | None, where: str) -> Graded:
    metric = _metric(line, wanted, where)
    if "doc_id" not in line:
        raise InputError("column_absent", f"{where} has no doc_id: it is no sample of lm-evaluation-harness")
    text = line.get("doc_hash")
    right = truth_of(line[metric], f"{where}, metric {metric!r},")
    return Graded(task, str(line["doc_id"]), 1, right, None if text is None else str(text))


def _metric(line: dict[str, Any], wanted: str | None, where: str) -> str:
    listed = line.get("metrics")
    held = [name for name in line if name not in KNOWN] if not isinstance(listed, list) else list(map(str, listed))
    held = [name for name in held if name in line]
    if wanted is None and len(held) == 1:
        return held[0]
    if wanted is None:
        text = f"{where} has {format_count(len(held))} metrics: choose metric= of {some_values(held)}"
        raise ArgumentError("metric", text if held else f"{where} has no metric of its answer")
    if wanted not in held:
        raise ArgumentError("metric", f"{where} has no metric {wanted!r}; it has {some_values(held)}")
    return wanted
