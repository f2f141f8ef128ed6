"""Logs of inspect: one task and model each, as an archive (.eval) or as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, InputError, printable, some_values
from rocsteady._src.base.text import format_count
from rocsteady._src.inputs.answers.graded import Graded, truth_of
from rocsteady._src.inputs.answers.json_files import Archive, an_object, parsed, paths_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WHAT = "logs of inspect"
HEADER, SUMMARIES, SAMPLES = "header.json", "summaries.json", "samples/"
GRADES = {"C": True, "I": False, "N": False}  # correct, incorrect, no answer: inspect counts it as 0
PARTIAL = "P"
MOST_TEXT = 500  # summaries cut longer questions


def log_files(given: object) -> list[Path]:
    """Files of logs."""
    return paths_of(given, [".eval", ".json"], WHAT)


def read_log(path: Path, scorer: str | None, partial: str) -> tuple[str, list[Graded]]:
    """The model that a log names, and right or wrong of each of its samples."""
    if partial not in ("raise", "right", "wrong"):
        raise ArgumentError("partial", f"partial must be 'raise', 'right' or 'wrong', got {partial!r}")
    name = printable(path.name)
    header, samples = _archived(path) if path.suffix == ".eval" else _written(path)
    about = an_object(header.get("eval"), f"'eval' of {name}")
    if "task" not in about:
        raise InputError("column_absent", f"{name} names no task: it is no log of inspect")
    task, model = str(about["task"]), str(about.get("model", "model"))
    return model, [_graded(task, an_object(each, f"a sample of {name}"), name, scorer, partial) for each in samples]


def _archived(path: Path) -> tuple[dict[str, Any], Iterator[Any]]:
    """The header, and summaries of the samples; of a log that was cut off, the samples themselves."""
    archive = Archive(path)
    names, name = archive.names(), printable(path.name)
    if HEADER not in names:
        raise InputError("column_absent", f"{name} has no {HEADER}: it is no log of inspect, or its run did not end")
    header = an_object(archive.part(HEADER), f"{HEADER} of {name}")
    if SUMMARIES in names:
        return header, iter(_listed(archive.part(SUMMARIES), f"{SUMMARIES} of {name}"))
    return header, (archive.part(each) for each in names if each.startswith(SAMPLES) and each.endswith(".json"))


def _written(path: Path) -> tuple[dict[str, Any], Iterator[Any]]:
    name = printable(path.name)
    log = an_object(parsed(path.read_bytes(), name), name)
    return log, iter(_listed(log.get("samples") or [], f"'samples' of {name}"))


def _listed(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise InputError("not_a_list", f"{where} is a JSON {type(value).__name__} where a list is expected")
    return value


def _graded(task: str, sample: dict[str, Any], name: str, scorer: str | None, partial: str) -> Graded:
    if "id" not in sample:
        raise InputError("column_absent", f"a sample of {name} has no id")
    question, epoch = str(sample["id"]), _epoch(sample.get("epoch", 1), name)
    told = f"sample {printable(question, most=60)!r} of {name}"
    asked = sample.get("input")
    text = asked[:MOST_TEXT] if isinstance(asked, str) else None
    scores = an_object(sample.get("scores") or {}, f"'scores' of {told}")
    return Graded(task, question, epoch, _right(scores, scorer, partial, told), text)


def _epoch(value: Any, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError("epoch", f"a sample of {name} has epoch {printable(repr(value), most=40)}")
    return value


def _right(scores: dict[str, Any], scorer: str | None, partial: str, told: str) -> bool | None:
    if not scores:
        return None  # it ended in an error, or is not scored yet
    if scorer is None and len(scores) > 1:
        raise ArgumentError(
            "scorer", f"{told} has {format_count(len(scores))} scores: choose scorer= of {some_values(scores)}"
        )
    chosen = next(iter(scores)) if scorer is None else scorer
    if chosen not in scores:
        raise ArgumentError("scorer", f"{told} has no score by {chosen!r}; it has {some_values(scores)}")
    value = an_object(scores[chosen], f"the score of {told}").get("value")
    if isinstance(value, str) and value in GRADES:
        return GRADES[value]
    if value == PARTIAL:
        if partial == "raise":
            text = f"{told} is partly right (P); pass partial='wrong' or partial='right' to count such answers so"
            raise InputError("not_right_or_wrong", text)
        return partial == "right"
    return truth_of(value, told)
