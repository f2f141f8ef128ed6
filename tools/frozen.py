"""Results of many calls, written down to the last bit: record them before a rebuilding, compare them after it.

    python -m tools.frozen record FILE
    python -m tools.frozen compare FILE

Every public function is called as in ``fuzz.calls``, alone and with weights, subjects and the other options that it
takes; then come evaluations of the example loans with all that follows from them, their pages, and the commands.
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import json
import re
import sys
import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from fuzz.calls import Call, public_calls

import rocsteady as rs
from rocsteady.examples import loans

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MOST_DEPTH = 8


def bits(value: Any, depth: int = 0) -> Any:
    """A value as JSON can hold it, floats with all their bits."""
    if isinstance(value, float | np.floating):
        return float(value).hex()
    if isinstance(value, np.ndarray):
        return [bits(each) for each in value.tolist()]
    if dataclasses.is_dataclass(value) and not isinstance(value, type) and depth < MOST_DEPTH:
        names = [each.name for each in dataclasses.fields(value) if not each.name.startswith("_")]
        return {name: bits(getattr(value, name), depth + 1) for name in names if name not in ("rows", "ranked")}
    if isinstance(value, dict):
        return {str(key): bits(each, depth + 1) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [bits(each, depth + 1) for each in value]
    if hasattr(value, "scores") and hasattr(value, "pos"):
        return [bits(np.asarray(part)) for part in (value.scores, value.pos, value.neg)]
    return re.sub(r" at 0x[0-9a-f]+", "", str(value))


def answer(ask: Callable[[], Any]) -> Any:
    """What a call gives, or says when it refuses, and what it warns of."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            given = bits(ask())
        except Exception as error:
            given = f"{type(error).__name__}: {error}"
    return [given, sorted(str(each.message) for each in said)]


def variants(call: Call) -> Iterator[tuple[str, dict[str, Any]]]:
    """The plain call, then one with each of the options that change its rows."""
    names = {each.name: each for each in call.arguments}
    seeded = {name: 0 for name in ("random_state", "seed") if name in names}
    yield call.name, seeded
    for name in ("cluster", "groups", "repeat"):
        if name in names:
            yield f"{call.name} {name}", {name: names[name].good} | seeded
    if "sample_weight" in names and names["sample_weight"].good is not None:
        weights = [0.5 + row % 5 for row in range(len(names["sample_weight"].good))]
        yield f"{call.name} weighted", {"sample_weight": weights} | seeded
        whole = {"sample_weight": [1 + row % 3 for row in range(len(weights))]}
        if "weight_type" in names:
            yield f"{call.name} repeated", whole | {"weight_type": "frequency"} | seeded


def table() -> dict[str, Any]:
    """Loans with weights, branches, folds and customers."""
    made = loans(400)
    rows = np.arange(400)
    return made | {"w": (1 + rows % 3).tolist(), "branch": (rows % 3).tolist(), "fold": (rows % 5).tolist(),
                   "customer": (rows // 2).tolist()}  # fmt: skip


def evaluations() -> Iterator[tuple[str, Callable[[], Any]]]:
    """The main job in its forms."""
    rows, three = table(), ["boosted", "logistic", "grade"]
    asked: dict[str, dict[str, Any]] = {
        "plain": {},
        "weighted": {"weight": "w"},
        "repeated": {"weight": "w", "weight_type": "frequency"},
        "subjects": {"cluster": "customer"},
        "by": {"by": "branch"},
        "folds": {"fold": "fold"},
    }
    for name, options in asked.items():
        found = rs.evaluate(rows, label="defaulted", scores=three, **options)
        yield f"evaluate {name}", lambda found=found: found.to_dict()  # type: ignore[misc]
        yield f"text {name}", lambda found=found: str(found)  # type: ignore[misc]
        yield f"frame {name}", lambda found=found: found.to_frame().to_dict("list")  # type: ignore[misc]
        if name != "folds":
            yield f"intervals {name}", lambda found=found: found.with_intervals(n_resamples=50).to_dict()  # type: ignore[misc]
        yield f"compare {name}", lambda found=found: found.compare().to_dict()  # type: ignore[misc]
        yield f"page {name}", lambda found=found: page(found)  # type: ignore[misc]


def page(found: Any) -> list[str]:
    """The text of a report, in pieces."""
    with tempfile.TemporaryDirectory() as folder:
        return re.split(r"[\n<>,]", Path(found.report(Path(folder) / "page.html")).read_text())


COMMANDS = (
    "evaluate rows.csv --label defaulted --score boosted --score grade",
    "evaluate rows.csv --label defaulted --score boosted --score grade --format json",
    "evaluate rows.csv --label defaulted --score boosted --score grade --by branch",
    "compare rows.csv --label defaulted --score boosted --score logistic --score coin",
    "compare rows.csv --label defaulted --score boosted --score logistic --format json",
    "thresholds rows.csv --label defaulted --score boosted",
    "measures",
)


def command(line: str) -> str:
    """What a command prints."""
    from rocsteady.__main__ import main

    shown, before = io.StringIO(), sys.argv
    sys.argv = ["rocsteady", *line.split()]
    try:
        with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown), contextlib.suppress(SystemExit):
            main()
    finally:
        sys.argv = before
    return shown.getvalue()


def commands() -> Iterator[tuple[str, Callable[[], Any]]]:
    """The commands, on a file of the same rows."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        rows = table()
        lines = [",".join(rows), *(",".join(map(str, line)) for line in zip(*rows.values(), strict=True))]
        Path("rows.csv").write_text("\n".join(lines) + "\n")
        for line in COMMANDS:
            yield f"$ {line}", lambda line=line: command(line)  # type: ignore[misc]


def all_answers() -> dict[str, Any]:
    """Every question with its answer."""
    found = {}
    for call in public_calls():
        for name, changed in variants(call):
            found[name] = answer(lambda call=call, changed=changed: call.run(**changed))  # type: ignore[misc]
    for questions in (evaluations(), commands()):
        for name, ask in questions:
            found[name] = answer(ask)
    return found


def differences(before: Any, after: Any, path: str = "") -> list[str]:
    """Where two answers differ."""
    if isinstance(before, dict) and isinstance(after, dict):
        keys = [*before, *(key for key in after if key not in before)]
        return [line for key in keys for line in differences(before.get(key), after.get(key), f"{path}/{key}")]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        pairs = enumerate(zip(before, after, strict=True))
        return [line for at, (old, new) in pairs for line in differences(old, new, f"{path}/{at}")]
    return [] if before == after else [f"{path}: {str(before)[:300]} -> {str(after)[:300]}"]


def main() -> int:
    """Record, or compare and say how many answers differ."""
    what, file = sys.argv[1], Path(sys.argv[2])
    found = all_answers()
    if what == "record":
        file.write_text(json.dumps(found))
        sys.stdout.write(f"{len(found)} answers recorded\n")
        return 0
    before = json.loads(file.read_text())
    lines = differences(before, json.loads(json.dumps(found)))
    sys.stdout.write("\n".join([*lines, f"{len(before)} answers, {len(lines)} differences"]) + "\n")
    return int(bool(lines))


if __name__ == "__main__":
    sys.exit(main())
