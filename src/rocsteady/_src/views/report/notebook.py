"""An evaluation in a notebook: its table, and the ROC curves of the report as a still picture."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import MissingDependencyError, RocsteadyError
from rocsteady._src.results.reading import html_of_table
from rocsteady._src.views.report import charts, records
from rocsteady._src.views.report.names import styles
from rocsteady._src.views.report.still_pictures import svg_of

if TYPE_CHECKING:
    from rocsteady._src.evaluation.evaluation import Evaluation


def evaluation_html(result: Evaluation) -> str:
    """The table, with the ROC curves as a still picture where it can be drawn."""
    page = html_of_table(result.cells(), result.notes())
    if not (result.n_pos and result.n_neg):
        return page
    spec, data = _roc(result)
    try:
        drawn = svg_of({**spec, "width": 380, "datasets": data})
    except MissingDependencyError:
        return page
    except RocsteadyError as error:
        return page + f"<p><small>{html.escape(str(error))}</small></p>"
    return page + f'<div style="max-width:460px">{drawn}</div>'


def _roc(result: Evaluation) -> tuple[dict[str, Any], dict[str, Any]]:
    look = styles(result.models)
    known = list(look.values())
    x = charts.axis("fpr", "False positive rate", domain=(0, 1))
    y = charts.axis("tpr", "True positive rate", domain=(0, 1))
    line = charts.telling(charts.lines("roc", known, x, y, charts.tips(*charts.ROC_TIPS)))
    points = [
        record for model, ranked in result.ranked.items() for record in records.walk(look[model].name, ranked, 0.95)[0]
    ]
    chance = [{"x": 0, "y": 0}, {"x": 1, "y": 1}]
    return charts.base(known, [charts.chance_line(), line], height=360), {"roc": points, "chance": chance}
