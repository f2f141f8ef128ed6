"""The command that watches a model over days: its answer is its exit code; JSON and OpenMetrics for programs."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady._src.base.decided import ALARM, HAS_IT_CHANGED, QUIET, UNSURE
from rocsteady._src.base.errors import printable
from rocsteady._src.results.watch_state import state_lock
from rocsteady._src.views.cli.options import Delimiter, Force, Label, Memory, Missing, Output, PosLabel
from rocsteady._src.views.cli.pages import frame_page
from rocsteady._src.views.cli.render import Format, Page, deliver, form_of, refuse_output, write_out
from rocsteady._src.views.cli.source import MEMORY, OPENED, Source
from rocsteady._src.views.report.own_page import refuse_strangers

if TYPE_CHECKING:
    from rocsteady._src.results.monitor import MonitorResult

CODES = {QUIET: 0, ALARM: 1, UNSURE: 3}
PAGES = (".html", ".htm")
SKETCHES = ".rks"


class WatchFormat(StrEnum):
    """Output formats of a watch."""

    text = "text"
    json = "json"
    csv = "csv"
    markdown = "markdown"
    md = "md"
    openmetrics = "openmetrics"


class Control(StrEnum):
    """What is promised of alarms of segments."""

    familywise = "familywise"
    fdr = "fdr"


def watch(
    file: Annotated[
        str, typer.Argument(help="CSV, TSV, JSON lines, Parquet, or sketches named like 2026-11-17.rks; or a pattern.")
    ],
    label: Label,
    score: Annotated[list[str], typer.Option("--score", help="Column of scores; again for several models.")],
    day: Annotated[str, typer.Option("--day", help="Column of the day on which a row was scored.")],
    reference: Annotated[
        str | None,
        typer.Option(
            "--reference", help="What to compare with: 30 (first days), 2026-01-01..2026-03-31, or a file of rows."
        ),
    ] = None,
    segment: Annotated[str | None, typer.Option("--segment", help="Column of segments, each watched too.")] = None,
    arrived: Annotated[str | None, typer.Option("--arrived", help="Column of the day on which a label came.")] = None,
    weight: Annotated[str | None, typer.Option("--weight", help="Column of sampling weights.")] = None,
    measure: Annotated[
        list[str] | None, typer.Option("--measure", help="auc if absent, recall, brier_score, ...; again for several.")
    ] = None,
    threshold: Annotated[
        float | None, typer.Option("--threshold", help="A row is called positive from this score on.")
    ] = None,
    probabilities: Annotated[
        bool, typer.Option("--probabilities", help="Scores are probabilities: expect measures without labels too.")
    ] = False,
    margin: Annotated[
        float | None, typer.Option("--margin", help="A loss against the reference that is none yet.")
    ] = None,
    exact: Annotated[
        bool, typer.Option("--exact", help="Count rows and assume nothing else; sees changes later.")
    ] = False,
    alpha: Annotated[float, typer.Option("--alpha", help="Probability of a false alarm, ever.")] = 0.05,
    control: Annotated[
        Control, typer.Option("--control", help="Of segments: no false alarm of any, or few of those in alarm (fdr).")
    ] = Control.familywise,
    run_length: Annotated[
        float | None, typer.Option("--run-length", help="Days between false alarms, on average, instead of --alpha.")
    ] = None,
    level: Annotated[float, typer.Option("--level", help="Of intervals, at all looks together.")] = 0.95,
    matures: Annotated[int, typer.Option("--matures", help="Days that a label may take.")] = 0,
    label_timeout: Annotated[
        int | None,
        typer.Option(
            "--label-timeout",
            help="Days after which labels will not come; such rows count as never labelled.",
        ),
    ] = None,
    every: Annotated[int, typer.Option("--every", help="Days that are taken together; 7 watches weeks.")] = 1,
    today: Annotated[str | None, typer.Option("--today", help="Day of the look; the last in the file.")] = None,
    state: Annotated[
        Path | None,
        typer.Option("--state", help="JSON file that remembers earlier looks; made, then brought up to date."),
    ] = None,
    psi: Annotated[bool, typer.Option("--psi", help="Show the population stability index of the newest day.")] = False,
    pos_label: PosLabel = None,
    missing: Missing = "raise",
    delimiter: Delimiter = None,
    memory: Memory = MEMORY,
    form: Annotated[WatchFormat, typer.Option("--format", help="How to print.")] = WatchFormat.text,
    output: Output = None,
    title: Annotated[str, typer.Option("--title", help="Heading of an .html page.")] = HAS_IT_CHANGED,
    force: Force = False,
) -> None:
    """Watch a model over days: exit code 0 quiet, 1 alarm, 3 cannot tell, 2 bad input.

    An alarm is false with a probability of at most --alpha, ever, however often one looks. With -o page.html as a page.
    """
    _refuse(output, form, force=force)
    how: dict[str, Any] = {"measures": measure or "auc", "threshold": threshold, "probabilities": probabilities}
    how |= {"margin": margin, "method": "exact" if exact else "auto", "alpha": alpha, "run_length": run_length}
    how |= {"level": level, "matures": matures, "every": every, "today": today, "missing": missing}
    how |= {"control": control.value, "weight": weight, "label_timeout": label_timeout}
    columns = {"label": label, "score": score if len(score) > 1 else score[0], "day": day, "segment": segment}
    columns["arrived"] = arrived
    more = [name for name in (day, segment, arrived, weight) if name is not None]
    source = Source(file, label, score, None, None, pos_label, missing, delimiter, memory, by=more, command="watch")
    with state_lock(state):
        found = _watched(source, columns, reference, state, how)
        if state is not None:
            found.save_state(state)
    _deliver(found, form, output, title, psi=psi, force=force)
    raise typer.Exit(CODES[found.decision])


def _refuse(output: Path | None, form: WatchFormat, *, force: bool) -> None:
    if output is not None and form is WatchFormat.text and output.suffix.lower() in PAGES:
        refuse_strangers(output, force=force)
    else:
        refuse_output(output, force=force)


def _watched(
    source: Source, columns: dict[str, Any], reference: str | None, state: Path | None, how: dict[str, Any]
) -> "MonitorResult":
    from rocsteady._src.evaluation.monitor.monitor import monitor
    from rocsteady._src.inputs.files import typed_label

    table = _table(source)
    asked = _reference(reference, source)
    label = source.pos_label
    if label is not None and isinstance(table, dict) and source.label in table:
        label = typed_label(str(label), table[source.label])
    if state is not None and state.exists():
        asked = None  # the same command every day: the reference is remembered
    return monitor(table, reference=asked, state=state, pos_label=label, **columns, **how)


def _reference(text: str | None, source: Source) -> Any:
    """A number of days, two days with dots between them, or a file."""
    if text is None:
        return None
    if text.strip().isdigit():
        return int(text)
    if ".." in text and not Path(text).exists():
        first, _, last = text.partition("..")
        return (first.strip(), last.strip())
    return _table(source._replace(file=text), optional=True)


def _table(source: Source, *, optional: bool = False) -> Any:
    """The columns in memory, files that do not fit counted where they are, or sketches by day."""
    from rocsteady._src.inputs.files import ColumnAbsent, ScannedFiles
    from rocsteady._src.views.cli.load import open_table

    if source.file.endswith(SKETCHES):
        from rocsteady._src.inputs.files.scan import files_named
        from rocsteady._src.scale.sketch import load_sketches

        return {path.stem: load_sketches(path) for path in files_named(source.file)}  # a file is a day
    try:
        table, _ = OPENED.enter_context(open_table(source))
    except ColumnAbsent as error:
        there = [name for name in source.by or () if name in error.available]
        if not optional or there == list(source.by or ()):
            raise
        return _table(source._replace(by=there))
    return table.relation if isinstance(table, ScannedFiles) else dict(table)


def _deliver(
    found: "MonitorResult", form: WatchFormat, output: Path | None, title: str, *, psi: bool, force: bool
) -> None:
    if form is WatchFormat.openmetrics or (form is WatchFormat.text and output and output.suffix == ".prom"):
        write_out(found.openmetrics(), output, force=force)
        return
    if form is WatchFormat.text and output is not None and output.suffix.lower() in PAGES:
        written = found.report(output, title=title, force=force)
        told = f"Wrote {printable(written)}; open it in a browser, it contacts nobody."
        typer.echo(f"{printable(found.verdict[0])}. {told}")
        return
    plain = Format(form.value)
    deliver(watch_page(found, form_of(output, plain), psi=psi), plain, output, force=force)


def watch_page(found: "MonitorResult", form: Format = Format.text, *, psi: bool = False) -> Page:
    """What is said of the look, then every measure and segment; as CSV every day."""
    if form is Format.csv:
        return frame_page(found, [])
    header, rows = found.cells()
    notes = found.notes()
    if psi:
        from rocsteady._src.base.text import number_words
        from rocsteady._src.results.watched import ALL_ROWS

        newest = [
            ("all" if each.where == ALL_ROWS else each.where, each.psi[-1]) for each in found.drift if len(each.psi)
        ]
        notes += [f"PSI of the newest day, {printable(name)}: {number_words(value)}" for name, value in newest]
    return Page(header, [list(row) for row in rows], notes, found.to_dict, turns=False, lead=list(found.verdict))
