"""The laboratory behind the page's door: score sets as they are written in papers."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rocsteady._src.base.errors import ArgumentError, InputError, printable
from rocsteady._src.views.cli.laboratory import all_results, measures_with, read_grid
from rocsteady._src.views.cli.options import known_measures
from rocsteady._src.views.report.laboratory import write_laboratory

Job = dict[str, Any]
Teller = Callable[..., None]


def laboratory(job: Job, tell: Teller) -> None:
    """All measures of the sets, errors, sweeps, drawn."""
    import rocsteady as rs

    said = job["asked"]
    text = said.get("sets")
    if not isinstance(text, str) or not text.strip():
        raise InputError("no_sets", "type or paste score sets, one per line, such as 0.85p 0.80p 0.75n")
    measures = known_measures([said["measures"]] if said.get("measures") else None)
    sweeps = [each.strip() for each in str(said.get("sweep") or "").split(";") if each.strip()]
    grid = dict(read_grid(each) for each in sweeps)
    how = {each: _whole(each, said[each]) for each in ("margin_steps", "range_steps") if said.get(each)}
    sets = rs.lab.generate(rs.lab.parse_sets(text), distribution=bool(said.get("distribution")), **how)
    swept = (measures or measures_with(set(grid))) if grid else []
    found, _, also = all_results(sets, measures, 0.0, swept, grid, values=False)
    flags = [f"--{each.removesuffix('_steps')}={value}" for each, value in how.items()]
    flags += ["--distribution"] * bool(said.get("distribution")) + [f"--measure={each}" for each in measures or ()]
    flags += [f"--sweep={each}" for each in sweeps]
    command = shlex.join(["rocsteady", "lab", "sets.txt", *flags, "--output=lab.html"])
    write_laboratory([found, *also], Path(job["target"]), command=command)
    tell("page", target=job["target"], name="laboratory.html")
    tell("lines", command=command, python="")


def _whole(name: str, value: Any) -> int:
    try:
        return int(str(value))
    except ValueError:
        raise ArgumentError(name, f"{name} is a whole number, got {printable(repr(value), most=40)}") from None
