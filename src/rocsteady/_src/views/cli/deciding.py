"""The command that says which model to use, at what threshold and at what cost."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady._src.views.cli.options import (
    By,
    Cluster,
    Delimiter,
    File,
    Fold,
    Force,
    IdColumn,
    Label,
    Level,
    Memory,
    Missing,
    Output,
    OutputFormat,
    PosLabel,
    Repeat,
    Scores,
    Weight,
    WeightType,
)
from rocsteady._src.views.cli.pages import frame_page
from rocsteady._src.views.cli.render import Format, Page, deliver, form_of, refuse_output
from rocsteady._src.views.cli.source import MEMORY, Source, judge, judge_any, one_subject, with_weight_type

if TYPE_CHECKING:
    from rocsteady._src.results.decision import Decision


def decide(
    file: File,
    label: Label,
    score: Scores,
    cost_fp: Annotated[float | None, typer.Option("--cost-fp", help="Cost of a false alarm; 1 if absent.")] = None,
    cost_fn: Annotated[float | None, typer.Option("--cost-fn", help="Cost of a missed positive; 1 if absent.")] = None,
    prevalence: Annotated[
        float | None,
        typer.Option("--prevalence", help="Share of positives where it will be used; of these rows if absent."),
    ] = None,
    baseline: Annotated[
        str | None, typer.Option("--baseline", help="Set the cheapest beside this model instead of the runner-up.")
    ] = None,
    weight: Weight = None,
    weight_type: WeightType = None,
    id_column: IdColumn = None,
    cluster: Cluster = None,
    level: Level = 0.95,
    by: By = None,
    fold: Fold = None,
    repeat: Repeat = None,
    pos_label: PosLabel = None,
    missing: Missing = "raise",
    delimiter: Delimiter = None,
    memory: Memory = MEMORY,
    form: OutputFormat = Format.text,
    output: Output = None,
    force: Force = False,
) -> None:
    """Say which model to use, at what threshold and at what cost, beside the others and beside no model."""
    refuse_output(output, force=force)
    subject = one_subject(id_column, cluster)
    source = Source(file, label, score, weight, subject, pos_label, missing, delimiter, memory, by, fold)
    source = with_weight_type(source, weight_type, repeat)._replace(command="decide")
    how: dict[str, Any] = {"measures": ["auc"], "intervals": True, "level": level, "cluster": cluster}
    result = (judge if source.split is None else judge_any)(source, **how)
    found = result.decide(cost_fp=cost_fp, cost_fn=cost_fn, prevalence=prevalence, baseline=baseline, level=level)
    deliver(decision_page(found, form_of(output, form)), form, output, force=force)


def decision_page(found: "Decision", form: Format = Format.text) -> Page:
    """What must be known first, the sentence to act on, the table of courses, then checks and what was assumed."""
    if form is Format.csv:
        return frame_page(found, [])
    header, rows = found.cells()
    lead = [*found.alarms, *found.verdict]
    return Page(header, [list(row) for row in rows], found.notes(), found.to_dict, lead=lead, tail=found.tables())
