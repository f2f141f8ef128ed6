"""What a call of each model is worth where the share of positives is the one that was given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady._src.base.text import format_digits, format_level
from rocsteady._src.inference.intervals.predictive import predictive_values
from rocsteady._src.results.predictive import NAMES
from rocsteady._src.views.report.document import TableBlock
from rocsteady._src.views.report.records import ends_of, interval_text
from rocsteady._src.views.report.rows_of_models import rows_of

if TYPE_CHECKING:
    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.results.decision import Decision
    from rocsteady._src.views.report.names import Style

SHOWN = ("ppv", "npv", "accuracy")


def elsewhere(result: Evaluation, decided: Decision, look: dict[str, Style]) -> list[TableBlock]:
    """Predictive values and accuracy at the prevalence, at the threshold of each model; nothing if none was given."""
    if not decided.prevalence_given:
        return []
    rows: list[list[str]] = []
    values: list[list[Any]] = []
    for course in decided.courses:
        if course.model is None:
            continue
        asked = {"threshold": course.threshold, "prevalence": decided.prevalence, "level": decided.level}
        found = predictive_values(rows_of(result, course.model), **asked)
        shown = [found.intervals[name] for name in SHOWN]
        rows.append([look[course.model].name, course.shown, *map(interval_text, shown)])
        values.append([look[course.model].name, course.shown, *map(ends_of, shown)])
    how = f"{format_level(decided.level)} intervals"
    text = f"With recall and specificity of these rows, which chose the thresholds too; {how}."
    title = f"Where {format_digits(100 * decided.prevalence, 4)}% of cases are positive"
    header = ["model", "threshold", *(NAMES[name] for name in SHOWN)]
    return [TableBlock("elsewhere", title, header, rows, text=text, values=values)]
