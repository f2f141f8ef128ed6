"""The command that asks how far a measure lies apart between groups."""

from typing import Annotated

import typer

from rocsteady._src.views.cli.options import (
    Cluster,
    Delimiter,
    File,
    Force,
    Label,
    Level,
    Memory,
    Missing,
    Output,
    OutputFormat,
    PosLabel,
    Scores,
    Thresholds,
    Weight,
    WeightType,
    given_thresholds,
)
from rocsteady._src.views.cli.pages import gaps_page
from rocsteady._src.views.cli.render import Format, deliver, form_of, refuse_output
from rocsteady._src.views.cli.source import MEMORY, Source, judge_any, with_weight_type
from rocsteady._src.views.cli.unused_options import check_gaps


def gaps(
    context: typer.Context,
    file: File,
    label: Label,
    score: Scores,
    by: Annotated[list[str], typer.Option("--by", help="Column of groups, such as a site; again for combinations.")],
    measure: Annotated[
        str,
        typer.Option("--measure", help="recall, precision, equalized_odds, demographic_parity, brier_score, ..."),
    ] = "recall",
    threshold: Thresholds = None,
    reference: Annotated[
        str | None, typer.Option("--reference", help="Group that gaps are taken to; the rest of the rows if absent.")
    ] = None,
    weight: Weight = None,
    weight_type: WeightType = None,
    cluster: Cluster = None,
    level: Level = 0.95,
    pos_label: PosLabel = None,
    missing: Missing = "raise",
    delimiter: Delimiter = None,
    memory: Memory = MEMORY,
    form: OutputFormat = Format.text,
    output: Output = None,
    force: Force = False,
) -> None:
    """Say how far a measure lies apart between groups: each group, its gap, a test, and the largest gap."""
    refuse_output(output, force=force)
    source = Source(file, label, score, weight, cluster, pos_label, missing, delimiter, memory, by=by)
    source = with_weight_type(source, weight_type)._replace(command="gaps")
    check_gaps(context, measure)
    chosen = given_thresholds(threshold, score)
    judged = judge_any(source, measures=["auc"], intervals=False, level=level, cluster=cluster)
    group = next((each for each in judged.groups if str(each) == reference), reference)
    found = judged.gaps(measure, threshold=chosen, reference=group)
    deliver(gaps_page(found, form_of(output, form)), form, output, force=force)
