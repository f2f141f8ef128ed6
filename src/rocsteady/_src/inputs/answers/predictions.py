"""Predictions and references as Hugging Face's ``evaluate`` takes them, and what its ``code_eval`` gives back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rocsteady._src.base.errors import InputError, printable, some_values
from rocsteady._src.base.text import format_count
from rocsteady._src.inputs.answers.graded import Graded, truth_of
from rocsteady._src.inputs.answers.json_files import an_object, json_lines, parsed, paths_of

WHAT = "files of predictions"
LISTS = ("predictions", "references")
OTHER = {"prediction": "predictions", "reference": "references", "id": "ids", "task": "tasks"}


def read_predictions(given: object, name: str, right: Callable[[Any, Any], Any] | None) -> list[Graded]:
    """Right or wrong of each prediction of one model."""
    held: Any = given
    if isinstance(given, (str, Path)):
        (path,) = paths_of(given, [".json", ".jsonl"], WHAT)
        name = printable(path.name)
        held = _of_lines(path) if path.suffix == ".jsonl" else parsed(path.read_bytes(), name)
    if not isinstance(held, Mapping):
        text = f"{printable(name)}: predictions and references by name are expected, got {type(held).__name__}"
        raise InputError("not_an_object", text)
    if held and all(isinstance(each, list) and each and all(map(_is_run, each)) for each in held.values()):
        return _of_code_eval(held)
    return _of_lists(held, printable(name), right)


def _of_lines(path: Path) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {}
    for where, line in json_lines(path):
        known = {OTHER.get(key, key): value for key, value in line.items()}
        lacking = [key for key in LISTS if key not in known]
        if lacking:
            text = f"{where} has no {lacking[0].removesuffix('s')}; it has {some_values(line)}"
            raise InputError("column_absent", text)
        for key in (*LISTS, *(key for key in ("ids", "tasks") if key in known)):
            columns.setdefault(key, []).append(known[key])
    return columns


def _of_lists(held: Mapping[str, Any], name: str, right: Callable[[Any, Any], Any] | None) -> list[Graded]:
    lacking = [key for key in LISTS if key not in held]
    if lacking:
        text = f"{name} has no {' and no '.join(lacking)}; it has {some_values(held)}"
        hint = "a summary such as an accuracy cannot be compared question by question: pass what compute() was given"
        raise InputError("column_absent", f"{text}. {hint}")
    columns = {
        key: _list(held[key], f"{key} of {name}") for key in (*LISTS, "ids", "tasks") if held.get(key) is not None
    }
    lengths = {key: len(values) for key, values in columns.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{format_count(count)} {key}" for key, count in lengths.items())
        raise InputError("unequal_lengths", f"{name} has {told}; there must be as many of each")
    n_rows = len(columns["predictions"])
    ids, tasks = columns.get("ids", range(n_rows)), columns.get("tasks", ["task"] * n_rows)
    return [
        Graded(str(task), str(each), 1, _graded(said, truth, right, f"{name}, row {format_count(row)},"), repr(truth))
        for row, (each, task, said, truth) in enumerate(zip(ids, tasks, *(columns[key] for key in LISTS), strict=True))
    ]


def _list(values: Any, what: str) -> list[Any]:
    """Python's own values of a list, an array or a column."""
    held = values.tolist() if hasattr(values, "tolist") else values
    if not hasattr(held, "__iter__"):
        raise InputError("not_a_list", f"{what} is a {type(values).__name__} where a list is expected")
    return list(held)


def _graded(said: Any, truth: Any, right: Callable[[Any, Any], Any] | None, told: str) -> bool | None:
    if right is not None:
        return truth_of(right(said, truth), told)
    if type(said) is not type(truth) and not {type(said), type(truth)} <= {int, float, bool}:
        kinds = f"a {type(said).__name__} was predicted and the reference is a {type(truth).__name__}"
        text = f"{told} {kinds}; say what is right: pass right=function(prediction, reference)"
        raise InputError("unlike_types", text)
    return bool(said == truth)


def _is_run(value: Any) -> bool:
    """Whether it is a pair of ``code_eval``: the number of a candidate, and how its tests went."""
    pair = isinstance(value, (list, tuple)) and len(value) == 2 and isinstance(value[0], int)
    return pair and isinstance(value[1], Mapping) and "passed" in value[1]


def _of_code_eval(held: Mapping[str, Any]) -> list[Graded]:
    """Each candidate program of a problem: its tests passed or not."""
    return [
        Graded("code", str(problem), int(number) + 1, truth_of(an_object(dict(run), "a run")["passed"], "a run"))
        for problem, runs in held.items()
        for number, run in runs
    ]
