"""The command that chooses thresholds by rules."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady._src.views.cli.options import (
    Delimiter,
    File,
    Force,
    Label,
    Memory,
    Missing,
    Output,
    OutputFormat,
    PosLabel,
    Scores,
    Weight,
)
from rocsteady._src.views.cli.render import Format, Page, deliver, refuse_output
from rocsteady._src.views.cli.routes import rounding_told
from rocsteady._src.views.cli.source import MEMORY, Source, judge
from rocsteady._src.views.cli.unused_options import check_rules

if TYPE_CHECKING:
    from rocsteady._src.measures.rule import Rule

USUAL = ["youden", "closest_topleft", "f_beta", "cost", "sensitivity", "specificity"]
LEAST = 0.9
COLUMNS = ["rule", "threshold", "tpr", "fpr", "precision", "accuracy", "base_rate", "objective"]


def thresholds(
    context: typer.Context,
    file: File,
    label: Label,
    score: Scores,
    weight: Weight = None,
    rule: Annotated[
        list[str] | None,
        typer.Option(
            "--rule",
            help="youden, closest_topleft, breakeven, sensitivity=0.9, precision=0.9, "
            "'cost(fp=1, fn=5, tp=-2)', or a measure: f1, mcc, accuracy, ...; again for more.",
        ),
    ] = None,
    value: Annotated[
        float | None, typer.Option("--value", help="For sensitivity, specificity, ...: the least rate; 0.9 if absent.")
    ] = None,
    beta: Annotated[float, typer.Option("--beta", help="For f_beta.")] = 1.0,
    cost_fp: Annotated[float, typer.Option("--cost-fp", help="For cost: of a false positive.")] = 1.0,
    cost_fn: Annotated[float, typer.Option("--cost-fn", help="For cost: of a missed positive.")] = 1.0,
    prevalence: Annotated[
        float | None, typer.Option("--prevalence", help="For cost; that of the data if absent.")
    ] = None,
    pos_label: PosLabel = None,
    missing: Missing = "raise",
    delimiter: Delimiter = None,
    memory: Memory = MEMORY,
    form: OutputFormat = Format.text,
    output: Output = None,
    force: Force = False,
) -> None:
    """Choose thresholds by rules."""
    from rocsteady._src.measures.best_threshold import chosen_by

    refuse_output(output, force=force)
    check_rules(context, rule)
    given = {"value": value, "beta": beta, "cost_fp": cost_fp, "cost_fn": cost_fn, "prevalence": prevalence}
    wanted = [_rule(name, given) for name in rule or USUAL]
    source = Source(file, label, score, weight, None, pos_label, missing, delimiter, memory, command="thresholds")
    result = judge(source, measures=["auc"])
    chosen = [(model, chosen_by(each, ranked)) for model, ranked in result.ranked.items() for each in wanted]
    rows = [[model, *(getattr(choice, column) for column in COLUMNS)] for model, choice in chosen]
    notes = [
        result.assumptions(),
        *rounding_told(result),
        "a row is called positive when score >= threshold; rates are optimistic on these rows",
        *(f"objective of {each.name}: {each.criterion}" for each in wanted),
    ]
    data = {
        "origin": result.origin.to_dict(),
        "thresholds": [{"model": model, **choice.to_dict()} for model, choice in chosen],
    }
    deliver(Page(["model", *COLUMNS], rows, notes, lambda: data), form, output, force=force)


def _rule(name: str, given: dict[str, Any]) -> "Rule":
    """A rule with those options of the command that it takes and its brackets do not give."""
    from rocsteady._src.measures.threshold_rules import must_be_held, read_rule

    options = {option: value for option, value in given.items() if value is not None and _takes(name, option)}
    if given["value"] is None and must_be_held(name):
        options["value"] = LEAST
    return read_rule(name, options)


def _takes(name: str, option: str) -> bool:
    """An option of a cost is taken unless the brackets give the same cell."""
    from rocsteady._src.measures.threshold_rules import split_rule, takes_option

    return takes_option(name, option) and option.removeprefix("cost_") not in split_rule(name)[1]
