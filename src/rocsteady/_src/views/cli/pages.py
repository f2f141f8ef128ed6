"""From results to the pages that commands print."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.text import format_number
from rocsteady._src.views.cli.render import Format, Page
from rocsteady._src.views.cli.words import for_shell

if TYPE_CHECKING:
    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.results import GroupGaps, Result
    from rocsteady._src.results.multiclass import MulticlassEvaluation


def evaluation_page(result: Any, form: Format = Format.text) -> Page:
    """The table of an evaluation, with what was assumed and noticed; ends of intervals apart for CSV."""
    if form is not Format.csv:
        header, cells = result.cells()
        return Page(header, [list(row) for row in cells], result.notes(), result.to_dict)
    return frame_page(result, result.notes())


def any_page(result: Any, form: Format = Format.text) -> Page:
    """The page of what ``evaluate`` returns, whichever kind it is."""
    from rocsteady._src.evaluation.evaluation_by_fold import FoldedEvaluation
    from rocsteady._src.results.multiclass import MulticlassEvaluation
    from rocsteady._src.results.scale import BracketedEvaluation
    from rocsteady._src.views.cli.sketching import bracketed_page

    if isinstance(result, BracketedEvaluation):
        return bracketed_page(result, form)
    if isinstance(result, FoldedEvaluation):
        return replace(evaluation_page(result, form), tail=[*result.measured(), *_pooled(result.overall)])
    if not isinstance(result, MulticlassEvaluation):
        return evaluation_page(result, form)
    page = frame_page(result, multiclass_notes(result))
    return page if form is Format.csv else replace(page, tail=[f"\nshares of each true class\n{result.confusion}"])


def _pooled(overall: Evaluation) -> list[str]:
    """How intervals of all folds pooled were made, below the table that has them, and what to beware of."""
    _, *notes = overall.notes()
    return ["\n".join(["\nall folds pooled", *map(for_shell, notes)])] if notes else []


def multiclass_notes(result: MulticlassEvaluation) -> list[str]:
    """Averages with intervals, and what the measures of all classes are."""
    from rocsteady._src.results.multiclass import TOLD
    from rocsteady._src.results.remarks import noted

    measures = result.measures
    return [
        *(f"AUC, {name} average: {interval}" for name, interval in result.averages.items()),
        f"accuracy {measures.accuracy} (base rate {format_number(measures.base_rate)})",
        *(f"top {k} accuracy {interval}" for k, interval in result.top_k.items()),
        f"kappa {format_number(measures.kappa)}, Matthews correlation {format_number(measures.matthews_correlation)}",
        *(f"{name.replace('_', ' ')} {found}" for name, found in result.values.items() if name not in TOLD),
        *map(noted, result.warnings),
    ]


def comparison_page(result: Any, form: Format = Format.text) -> Page:
    """The verdict, then the table of differences; of several measures, or of groups, a verdict for each."""
    from rocsteady._src.results import Comparison, GroupedComparison
    from rocsteady._src.results.paired import CallComparison

    if isinstance(result, Comparison):
        page = frame_page(result, result.notes())
        return replace(page, lead=list(result.verdict), tail=result.tables())
    if isinstance(result, GroupedComparison):
        return replace(_for_reading(result, form), lead=list(result.verdict), notes=[])
    lead = [f"{name}: {line}" for name, lines in result.verdict.items() for line in lines]
    tail = result.tables() if isinstance(result, CallComparison) else []
    return replace(frame_page(result, result.notes()), lead=lead, tail=tail)


def gaps_page(result: GroupGaps, form: Format) -> Page:
    """What is said of each model and measure, then every group."""
    return replace(_for_reading(result, form), lead=result.lines(), notes=result.notes()[len(result.lines()) :])


def _for_reading(result: Any, form: Format) -> Page:
    """Values with their intervals in one cell; ends apart for CSV."""
    if form is Format.csv:
        return frame_page(result, [])
    header, cells = result.cells()
    return Page(header, [list(row) for row in cells], result.notes(), result.to_dict)


def frame_page(result: Result, notes: list[str]) -> Page:
    """The frame of a result as a page."""
    frame = result._columns()  # noqa: SLF001 - the page is the frame
    rows = [list(row) for row in zip(*frame.values(), strict=True)]
    return Page(list(frame), rows, notes, result.to_dict)
