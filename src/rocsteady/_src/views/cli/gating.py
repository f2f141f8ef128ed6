"""The command that decides whether a candidate may replace a baseline, for pipelines: its answer is its exit code."""

from contextlib import ExitStack
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady._src.base.decided import FAIL, PASS, UNSURE
from rocsteady._src.base.errors import ArgumentError, InputError, printable
from rocsteady._src.views.cli.answers import columns_told
from rocsteady._src.views.cli.options import (
    Cluster,
    Delimiter,
    Force,
    Memory,
    Missing,
    Output,
    PosLabel,
    Seed,
    Weight,
    WeightType,
    given_thresholds,
)
from rocsteady._src.views.cli.pages import frame_page
from rocsteady._src.views.cli.render import RENDERERS, Format, Page, deliver, form_of, refuse_output, write_out
from rocsteady._src.views.cli.source import MEMORY, OPENED, Source, with_weight_type

if TYPE_CHECKING:
    from rocsteady._src.evaluation.gate.gate import Asked
    from rocsteady._src.results.gate import GateResult

CODES = {PASS: 0, FAIL: 1, UNSURE: 3}


class GateFormat(StrEnum):
    """Output formats of a gate."""

    text = "text"
    json = "json"
    csv = "csv"
    markdown = "markdown"
    md = "md"
    junit = "junit"


class CannotTell(StrEnum):
    """What "cannot tell" counts as: an exit code of its own, a fail, or a pass."""

    own = "own"
    fail = "fail"
    passes = "pass"


def gate(
    file: Annotated[
        str, typer.Argument(help="File with both models' scores; with a second file, the baseline's rows.")
    ],
    second: Annotated[
        str | None, typer.Argument(metavar="[CANDIDATE_FILE]", help="The candidate's rows, where it has its own.")
    ] = None,
    label: Annotated[str | None, typer.Option("--label", help="Column of labels.")] = None,
    baseline: Annotated[str | None, typer.Option("--baseline", help="Scores of the model in use.")] = None,
    candidate: Annotated[
        str | None, typer.Option("--candidate", help="Scores of the model that may replace it.")
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option("--measure", help="What must not be lost: auc if absent, 'sensitivity_at(fpr=0.01)', ...; again."),
    ] = None,
    margin: Annotated[
        list[float] | None,
        typer.Option("--margin", help="The loss that would still do: one for all measures, or one for each."),
    ] = None,
    goal: Annotated[
        list[str] | None, typer.Option("--goal", help="What the candidate must reach: 'auc >= 0.80'; again for more.")
    ] = None,
    conditions: Annotated[
        Path | None, typer.Option("--conditions", help="TOML file of conditions, and of columns, to be committed.")
    ] = None,
    by: Annotated[
        list[str] | None, typer.Option("--by", help="Column of groups in each of which conditions have to hold too.")
    ] = None,
    threshold: Annotated[
        list[str] | None,
        typer.Option("--threshold", help="A number settled before; or baseline=0.3 and, again, candidate=0.4."),
    ] = None,
    level: Annotated[
        float | None, typer.Option("--level", help="Confidence of each condition; 0.95 if absent.")
    ] = None,
    power: Annotated[float, typer.Option("--power", help="Chance of a decision with the rows that are told.")] = 0.8,
    cannot_tell: Annotated[
        CannotTell, typer.Option("--cannot-tell", help="What it counts as: own exit code (3), fail (1) or pass (0).")
    ] = CannotTell.own,
    weight: Weight = None,
    weight_type: WeightType = None,
    cluster: Cluster = None,
    resamples: Annotated[int, typer.Option("--resamples", help="For measures without a formula.")] = 2000,
    seed: Seed = 0,
    pos_label: PosLabel = None,
    missing: Missing = "raise",
    delimiter: Delimiter = None,
    memory: Memory = MEMORY,
    form: Annotated[GateFormat, typer.Option("--format", help="How to print.")] = GateFormat.text,
    output: Output = None,
    force: Force = False,
) -> None:
    """Decide whether a candidate may replace a baseline: exit code 0 pass, 1 fail, 3 cannot tell, 2 bad input.

    A pass or a fail is shown at the level, not guessed from two values; else it says how many rows would decide.
    """
    from rocsteady._src.evaluation.gate.gate import Asked

    refuse_output(output, force=force)
    at = given_thresholds(threshold, ["baseline", "candidate"])
    given = Asked(by or None, at, level, label, baseline, candidate, pos_label, weight, cluster)
    asked, listed = given.with_file(conditions)
    how: dict[str, Any] = {"measure": measure or "auc", "margin": _margins(margin), "goals": goal or None}
    how |= {"conditions": listed, "power": power, "n_resamples": resamples, "random_state": seed}
    source = _source(asked, listed, (file, second), (missing, delimiter, memory))
    found = _decided(with_weight_type(source, weight_type), second, asked, how)
    if output is not None:  # the log of a pipeline says what was decided too
        typer.echo("\n".join([found.verdict[0], *_counts_as(found, cannot_tell)]))
    if form is GateFormat.junit or (form is GateFormat.text and output is not None and output.suffix == ".xml"):
        from rocsteady._src.views.cli.junit import junit_text

        told = RENDERERS[Format.text](gate_page(found, policy=cannot_tell))
        write_out(junit_text(found, told, _policy(found, cannot_tell)), output, force=force)
        if output is not None:
            typer.echo(f"Wrote {printable(output)}.")
    else:
        plain = Format(form.value)
        deliver(gate_page(found, form_of(output, plain), cannot_tell), plain, output, force=force)
    raise typer.Exit(CODES[_counted(found.decision, cannot_tell)])


def _margins(given: list[float] | None) -> Any:
    return None if not given else given[0] if len(given) == 1 else given


def _source(
    asked: "Asked", listed: list[Any], files: tuple[str, str | None], how: tuple[str, str | None, str]
) -> Source:
    """Where the rows come from; of two files, those of the baseline."""
    from rocsteady._src.evaluation.gate.terms import columns_of

    if asked.label is None or asked.candidate is None:
        lacking = [name for name in ("label", "candidate") if getattr(asked, name) is None]
        told = " and ".join(f"--{name}" for name in lacking)
        columns = columns_told(files[0], {"delimiter": how[1]}, lacking) if files[0] != "-" else ""
        raise ArgumentError(
            lacking[0], f"name the columns with {told}, or in the file of --conditions. {columns}".strip()
        )
    models = [asked.baseline] if files[1] is not None else [asked.baseline, asked.candidate]
    own = [each.get("by") for each in listed if isinstance(each, dict)]
    groups = list(dict.fromkeys(name for by in (asked.by, *own) for name in columns_of(by)))
    scores = [name for name in models if name is not None]
    where = (files[0], asked.label, scores, asked.sample_weight, asked.cluster, asked.pos_label)
    return Source(*where, *how, by=groups or None, command="gate")


def _decided(source: Source, second: str | None, asked: "Asked", how: dict[str, Any]) -> "GateResult":
    import rocsteady as rs

    with ExitStack() as stack:
        table, label = _rows(source, stack)
        if second is not None:
            other, _ = _rows(source._replace(file=second, scores=[asked.candidate]), stack)
            how |= {"paired": False, "y_true_second": other}
        columns = ("label", "by", "threshold", "level", "sample_weight", "cluster")
        how |= {name: getattr(asked, name) for name in columns}
        how |= {"pos_label": label, "missing": source.missing, "weight_type": source.weight_type}
        try:
            return rs.gate(table, asked.baseline, asked.candidate, **how)
        except InputError as error:
            if error.code not in ("too_many_groups", "memory_limit"):
                raise
            raise ArgumentError("memory", _too_large(source)) from error


def _too_large(source: Source) -> str:
    told = f"these conditions need more rows of {printable(source.file)} than --memory {source.memory} holds; raise it"
    return f"{told}, or ask for margins of the AUC alone, which DuckDB adds up on disk"


def _rows(source: Source, stack: ExitStack) -> tuple[Any, Any]:
    """The columns in memory, or files that do not fit where they are; and the positive label as they hold it."""
    from rocsteady._src.inputs.files import ScannedFiles, typed_label
    from rocsteady._src.views.cli.load import open_table

    table, _ = OPENED.enter_context(open_table(source))
    if not isinstance(table, ScannedFiles):
        known = dict(table)
        return known, None if source.pos_label is None else typed_label(str(source.pos_label), known[source.label])
    from rocsteady._src.evaluation.gate.in_engine import EngineTable
    from rocsteady._src.inputs.files.scan import label_type, watching
    from rocsteady._src.views.cli.distinct import most_lines

    stack.enter_context(table.checked())
    stack.enter_context(watching(table.connection, "grouping"))
    label = None if source.pos_label is None else label_type(table, source.label, str(source.pos_label))
    return EngineTable(table.relation, table.most_groups, most_lines(source, table)), label


def _counted(decision: str, policy: CannotTell) -> str:
    """What a decision counts as."""
    return policy.value if decision == UNSURE and policy is not CannotTell.own else decision


def _policy(found: "GateResult", policy: CannotTell) -> dict[str, Any]:
    """What "cannot tell" was to count as, what the decision so counts as, and its exit code."""
    counts = _counted(found.decision, policy)
    return {"cannot_tell": policy.value, "counts_as": counts, "exit_code": CODES[counts]}


def _counts_as(found: "GateResult", policy: CannotTell) -> list[str]:
    if found.decision != UNSURE or policy is CannotTell.own:
        return []
    return [f"counts as a {policy.value}, by --cannot-tell {policy.value}"]


def gate_page(found: "GateResult", form: Format = Format.text, policy: CannotTell = CannotTell.own) -> Page:
    """What was decided and why, and what it counts as where a policy says so; then every condition."""
    told = _policy(found, policy)
    if form is Format.csv:
        page = frame_page(found, [])
        rows = [[*row, found.decision, *told.values()] for row in page.rows]
        return replace(page, header=[*page.header, "gate", *told], rows=rows)
    header, cells = found.cells()
    lead = [*found.verdict, *_counts_as(found, policy)]
    data = lambda: {**found.to_dict(), **told}  # noqa: E731 - made where it is wanted
    return Page(header, [list(row) for row in cells], found.notes(), data, turns=False, lead=lead)
