"""Other questions behind the same door: two files joined, a threshold that keeps a promise, a plan, the laboratory."""

from __future__ import annotations

import csv
import shlex
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, RocsteadyError, printable
from rocsteady._src.base.text import format_share
from rocsteady._src.inputs.files.formats import Wanted, format_of
from rocsteady._src.inputs.files.preview import columns_of, divided_by
from rocsteady._src.inputs.files.read import read_files
from rocsteady._src.inputs.join import join_by_id
from rocsteady._src.views.cli.laboratory import all_results, measures_with, read_grid
from rocsteady._src.views.cli.load import files_of
from rocsteady._src.views.cli.options import known_measures
from rocsteady._src.views.cli.source import OPENED, judge
from rocsteady._src.views.report.laboratory import write_laboratory
from rocsteady._src.views.serve.asked import Asked
from rocsteady._src.views.serve.lines import promise_lines
from rocsteady._src.views.serve.words import for_page

Job = dict[str, Any]
Teller = Callable[..., None]
RATES = {"fpr": "at_most", "fdr": "at_most", "recall": "at_least", "precision": "at_least"}
PLANS = {  # the function of each, and what of it a page may say
    "width": ("plan_width", "measure value width n prevalence sensitivity specificity auc level"),
    "difference": ("power_auc", "auc second_auc n_pos ratio power alpha corr_pos corr_neg"),
    "goal": ("power_goal", "measure value above n n_pos ratio power alpha"),
    "validation": ("validation_size", "prevalence auc oe_width slope_width auc_width threshold level"),
    "calls": ("power_outcomes", "discordant difference n power alpha"),
}
WHOLE = ("n", "n_pos")
SHARES = {
    "prevalence": "the share of positives",
    "power": "the power",
    "difference": "the difference",
    "discordant": "the share of rows where they differ",
}
WEIGHTED = (
    "the weights in {name} do not say how rows vary from sample to sample, and a promise needs that; for one about the "
    "rows as they are choose \N{LEFT DOUBLE QUOTATION MARK}not used\N{RIGHT DOUBLE QUOTATION MARK} for it in step 2"
)


def join(job: Job, tell: Teller) -> None:
    """Rows of the same subjects from two files, side by side, as a file to go on with."""
    asked = job["asked"]
    name = asked.get("id")
    if not isinstance(name, str) or not name:
        raise ArgumentError("id", "choose the column that names the subject in both files")
    unmatched = "drop" if asked.get("unmatched") == "drop" else "raise"
    names = [job["names"][job[key]] for key in ("path", "other")]
    first, second = _whole_table(job["path"], job.get("delimiter", "")), _whole_table(job["other"])
    renamed = _set_apart(first, second, name, names)
    joined = join_by_id(first, second, id=name, unmatched=unmatched)
    lost = max(len(first[name]), len(second[name])) - len(joined[name])
    _write_table(joined, job["target"])
    notes = [f"both files have {printable(each)}: it is named by its file" for each in renamed]
    notes += [f"{lost} rows without a partner were left out"] if lost else []
    tell("joined", target=job["target"], name="joined.csv", rows=len(joined[name]), notes=notes)


def points(job: Job, tell: Teller) -> None:
    """The same file with decimal points for commas, in the columns that the reader named, as a file to go on with."""
    named = job["asked"].get("columns")
    table = _whole_table(job["path"], job.get("delimiter", ""))
    if not isinstance(named, list) or not named or not all(each in table for each in named):
        raise ArgumentError("columns", "name the columns whose commas are decimal points")
    for each in named:
        table[each] = [_cell(value).replace(",", ".") for value in table[each]]
    _write_table(table, job["target"])
    name = f"{Path(job['name']).name.split('.')[0]} with points.csv"
    tell("joined", target=job["target"], name=name, rows=len(table[named[0]]), notes=[])


def gaps(job: Job, tell: Teller) -> None:
    """The same file without what is no number, in the columns that the reader named: those rows have no value."""
    named = job["asked"].get("columns")
    table = _whole_table(job["path"], job.get("delimiter", ""))
    if not isinstance(named, list) or not named or not all(each in table for each in named):
        raise ArgumentError("columns", "name the columns in which texts are no values")
    for each in named:
        cells = [_cell(value) for value in table[each]]
        table[each] = [cell if _is_number(cell) else "" for cell in cells]
    _write_table(table, job["target"])
    name = f"{Path(job['name']).name.split('.')[0]} without texts.csv"
    tell("joined", target=job["target"], name=name, rows=len(table[named[0]]), notes=[])


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _write_table(table: dict[str, Any], target: str) -> None:
    with Path(target).open("w", newline="", encoding="utf-8") as out:
        write = csv.writer(out)
        write.writerow(table)
        write.writerows(zip(*([_cell(value) for value in values] for values in table.values()), strict=True))


def _whole_table(file: str, delimiter: str = "") -> dict[str, Any]:
    with files_of(file) as (path,):
        kind = format_of(path)
        divided = (delimiter or divided_by(path, kind)) if kind in ("csv", "tsv") else None
        return read_files([path], Wanted((), tuple(columns_of([path], kind, divided))), delimiter=divided)


def _set_apart(first: dict[str, Any], second: dict[str, Any], name: str, files: list[str]) -> list[str]:
    """Columns of scores that both files have get the name of their file; labels must agree, and are left to it."""
    both = [each for each in first if each in second and each != name]
    scores = [each for each in both if all(_is_score(table[each]) for table in (first, second))]
    stems = [Path(file).stem for file in files]
    stems = [f"{stems[0]} 1", f"{stems[1]} 2"] if stems[0] == stems[1] else stems
    for each in scores:
        for table, stem in zip((first, second), stems, strict=True):
            table[f"{each} ({stem})"] = table.pop(each)
    return scores


def _is_score(values: Any) -> bool:
    return bool(values.dtype.kind in "fiu" and np.unique(np.ma.compressed(np.ma.asarray(values))).size > 2)


def _cell(value: Any) -> str:
    if value is None or value is np.ma.masked or (isinstance(value, float) and np.isnan(value)):
        return ""
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    return repr(float(value)) if isinstance(value, float | np.floating) else str(value)


def promise(job: Job, tell: Teller) -> None:
    """Thresholds at which a rate stays within a bound on new rows."""
    from rocsteady._src.inference.operating.guarantee import threshold_guarantee

    asked, said = Asked.of(job["asked"]), job["asked"]
    rate, bound = said.get("rate"), said.get("bound")
    if rate not in RATES or not isinstance(bound, int | float):
        raise ArgumentError("promise", "choose a rate, and a bound between 0 and 100%")
    if not 0 < bound < 1:
        raise ArgumentError("promise", f"a bound lies between 0 and 100%, got {format_share(bound)}")
    if asked.classes:
        raise ArgumentError("promise", "a promise is about two classes: choose a label of two values in step 2")
    asked = replace(asked, by=(), fold="", repeat="")  # of all rows together
    confidence = 0.95 if asked.level is None else asked.level
    within: dict[str, Any] = {RATES[rate]: float(bound)}
    source = asked.source(job["path"], job["memory"], "operating-point")
    try:
        result = judge(source, measures=["auc"])
        for model, ranked in result.ranked.items():
            try:
                found = threshold_guarantee(ranked, rate=rate, confidence=confidence, **within)
                tell("promise", model=printable(model), text=str(found), threshold=float(found.threshold))
            except RocsteadyError as error:
                text = WEIGHTED.format(name=printable(asked.weight)) if asked.weight else for_page(error, job)
                tell("promise", model=printable(model), text=text, threshold=None)
        value = result.origin.pos_label
    finally:
        OPENED.close()
    label = value.item() if hasattr(value, "item") else value
    kind = "xlsx" if str(job["path"]).endswith(".xlsx") else format_of(Path(job["path"]))
    tell("lines", **promise_lines(job["name"], kind, asked, label, (rate, RATES[rate], float(bound), confidence)))


def plan(job: Job, tell: Teller) -> None:
    """How many rows a study needs."""
    import rocsteady as rs

    said = job["asked"]
    if said.get("plan") not in PLANS:
        raise ArgumentError("plan", f"a plan is one of {', '.join(PLANS)}")
    name, known = PLANS[said["plan"]]
    given = {each: _number(each, said[each]) for each in known.split() if said.get(each) not in (None, "")}
    function = getattr(rs.power, name)
    first = [given.pop(each) for each in ("measure", "value") if each in given]
    try:
        found = function(*first, **given)
    except TypeError as error:
        raise ArgumentError("plan", f"something is left out: {printable(error, most=200)}") from error
    told = ", ".join([*map(repr, first), *(f"{each}={value!r}" for each, value in given.items())])
    tell("text", text=str(found))
    tell("lines", command="", python=f"import rocsteady as rs\n\nprint(rs.power.{name}({told}))")


def _number(name: str, value: Any) -> Any:
    if name == "measure":
        if not isinstance(value, str) or not value.replace("_", "").isalpha():
            raise ArgumentError("measure", "choose a measure")
        return value
    text = str(value).strip()
    try:
        number = float(Decimal(text.removesuffix("%").strip().replace(",", ".")) / (100 if text.endswith("%") else 1))
    except InvalidOperation:
        raise ArgumentError(name, f"{name} is a number, got {printable(repr(value), most=40)}") from None
    if name in SHARES and number > 1:
        got = printable(text, most=40)
        raise ArgumentError(
            name, f"{SHARES[name]} is a share, such as 20% or 0.2; got {got}: is it {got.rstrip('%')}%?"
        )
    if name in WHOLE and number.is_integer():
        return int(number)
    return number


def laboratory(job: Job, tell: Teller) -> None:
    """Score sets as they are written in papers: all measures, errors, sweeps, drawn."""
    import rocsteady as rs

    said = job["asked"]
    text = said.get("sets")
    if not isinstance(text, str) or not text.strip():
        raise InputError("no_sets", "type or paste score sets, one per line, such as 0.85p 0.80p 0.75n")
    measures = known_measures([said["measures"]] if said.get("measures") else None)
    sweeps = [each.strip() for each in str(said.get("sweep") or "").split(";") if each.strip()]
    grid = dict(read_grid(each) for each in sweeps)
    how = {each: int(_number(each, said[each])) for each in ("margin_steps", "range_steps") if said.get(each)}
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
