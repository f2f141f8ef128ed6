"""The command for operating points: thresholds that hold a rate here, or promise it on new rows."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady._src.base.errors import ArgumentError, printable
from rocsteady._src.base.written_numbers import number_of
from rocsteady._src.views.cli.options import (
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
)
from rocsteady._src.views.cli.render import Format, Page, deliver, refuse_output
from rocsteady._src.views.cli.routes import rounding_told, safely_rounded
from rocsteady._src.views.cli.source import MEMORY, Source, judge

if TYPE_CHECKING:
    from rocsteady._src.ranked import RankedScores

COLUMNS = ["asked", "threshold", "tpr", "fpr", "precision", "in_return", "value", "low", "high"]


def operating_point(
    file: File,
    label: Label,
    score: Scores,
    fpr: Annotated[
        list[float] | None, typer.Option("--fpr", help="Hold the false positive rate at most there.")
    ] = None,
    tpr: Annotated[list[float] | None, typer.Option("--tpr", help="Hold the recall at least there.")] = None,
    precision: Annotated[
        list[float] | None, typer.Option("--precision", help="Hold the precision at least there.")
    ] = None,
    equal_error: Annotated[bool, typer.Option("--equal-error", help="The equal error rate.")] = False,
    promise: Annotated[
        list[str] | None,
        typer.Option("--promise", help="A rate kept on new rows: 'fpr<=0.01', 'recall>=0.9', 'precision>=0.8', ..."),
    ] = None,
    level: Level = 0.95,
    pos_label: PosLabel = None,
    missing: Missing = "raise",
    delimiter: Delimiter = None,
    memory: Memory = MEMORY,
    form: OutputFormat = Format.text,
    output: Output = None,
    force: Force = False,
) -> None:
    """Find thresholds that hold a rate, with the other rate and its interval, or that promise it on new rows."""
    refuse_output(output, force=force)
    held: list[dict[str, Any]] = [{"fpr": rate} for rate in fpr or ()]
    held += [{"tpr": rate} for rate in tpr or ()]
    held += [{"precision": rate} for rate in precision or ()] + ([{"equal_error": True}] if equal_error else [])
    promises = [_promised(text) for text in promise or ()]
    if not held and not promises:
        raise ArgumentError("held_rate", "say which rate to hold: --fpr 0.01, --tpr 0.9 or --promise 'fpr<=0.01'")
    source = Source(file, label, score, None, None, pos_label, missing, delimiter, memory, command="operating-point")
    result = judge(source, measures=["auc"])
    found = [
        (model, safely_rounded(each, result, model))
        for model, ranked in result.ranked.items()
        for each in _answers(ranked, held, promises, level)
    ]
    notes = [
        result.assumptions(),
        *rounding_told(result),
        "a row is called positive when score >= threshold; a promise is about the true rate on new rows",
        f"low and high at level {level}; where a rate is held here, the uncertainty of the threshold is in them",
        *dict.fromkeys(remark for _, answer in found for remark in answer.warnings),
    ]
    data = {
        "origin": result.origin.to_dict(),
        "operating_points": [{"model": model, **answer.to_dict()} for model, answer in found],
    }
    rows = [[model, *_cells(answer)] for model, answer in found]
    deliver(Page(["model", *COLUMNS], rows, notes, lambda: data), form, output, force=force)


def _answers(
    ranked: "RankedScores", held: list[dict[str, Any]], promises: list[tuple[str, dict[str, Any]]], level: float
) -> list[Any]:
    from rocsteady._src.inference.operating.guarantee import threshold_guarantee
    from rocsteady._src.inference.operating.point import operating_point as found_at

    points: list[Any] = [found_at(ranked, level=level, **each) for each in held]
    return points + [threshold_guarantee(ranked, rate=rate, confidence=level, **bound) for rate, bound in promises]


def _promised(text: str) -> tuple[str, dict[str, Any]]:
    """Rate and bound of ``fpr<=0.01``."""
    for sign, side in (("<=", "at_most"), (">=", "at_least")):
        rate, found, bound = text.partition(sign)
        try:
            if found:
                return rate.strip(), {side: number_of(bound, "promise")}
        except ArgumentError:
            raise
        except ValueError:
            break
    told = "write a promise as 'fpr<=0.01' or 'recall>=0.9', in quotes"
    raise ArgumentError("promise", f"--promise {printable(text)} is none; {told}")


def _cells(answer: Any) -> list[Any]:
    rates = [answer.threshold, answer.tpr, answer.fpr, answer.precision]
    if hasattr(answer, "promise"):
        other = answer.in_return
        return [f"promise: {answer.promise}", *rates, answer.in_return_of, other.estimate, other.low, other.high]
    asked = "equal error" if answer.held == "equal" else f"{answer.held} {answer.asked}"
    return [asked, *rates, answer.answer, answer.interval.estimate, answer.low, answer.high]
