"""Lazy tables: what stays in the engine, and distinct rows that come into memory where a question needs rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import InputError
from rocsteady._src.evaluation.evaluate_rows import evaluate_rows
from rocsteady._src.evaluation.remarks import warn_of
from rocsteady._src.ranked.lazy.distinct_rows import MOST_ROWS, distinct_rows
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.inputs.given import Given
    from rocsteady._src.ranked.lazy.lazy_rows import LazyRows
    from rocsteady._src.results.scale import BracketedEvaluation


def brought_home(given: Given, read: dict[str, Any], *, most: int = MOST_ROWS) -> tuple[Given, dict[str, Any]]:
    """The same question of rows in memory, and how to read them; one plan of the engine."""
    options = given.options
    single = [options[name] for name in ("weight", "fold", "repeat", "id", "cluster") if options.get(name) is not None]
    names = [given.label, *given.scores, *single, *(options["by"] or ())]
    told_apart = options["weight"] is not None or options.get("id") is not None
    columns, count = distinct_rows(given.table, names, most=most, written_out=told_apart)
    if count is None:
        return replace(given, table=columns), read
    warn_of([Remark("lines_of_rows", rows=int(columns[count].sum()), lines=columns[count].size)])
    return replace(given, table=columns, options=options | {"weight": count}), read | {"weight_type": "frequency"}


def in_engine(
    rows: LazyRows, asked: dict[str, Any], how: dict[str, Any], *, intervals: bool
) -> Evaluation | BracketedEvaluation:
    """The evaluation of a table that stays where it is; where groups are too many to come here, brackets."""
    try:
        return evaluate_rows(rows, **asked)
    except InputError as error:
        if error.code != "too_many_groups" or rows.weight_type == "sampling" or rows.resolution is not None:
            raise
    from rocsteady._src.scale.too_many import bracketed_table

    level = how["level"] if intervals else None
    return bracketed_table(rows, level=level, auc_method=how["auc_method"], aloud=True, **asked)
