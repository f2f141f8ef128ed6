"""Which classes averages are over, and what is said of it: all, some that were chosen, or those that have rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from rocsteady._src.base.errors import ArgumentError, some_values
from rocsteady._src.designs.classes.labels import checked_labels
from rocsteady._src.inference.intervals.normal import check_choice
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from rocsteady._src.designs.classes.scores_by_class import ClassRows

Absent = Literal["undefined", "skip"]
MOST_NAMED = 10


def averaging(rows: ClassRows, classes: object, absent: str) -> ClassRows:
    """The rows with averages over these classes, all when None; ``absent`` says what of those without rows."""
    check_choice("absent", absent, get_args(Absent))
    chosen = None
    if classes is not None:
        asked = checked_labels(classes, "classes_averaged")
        unknown = [label for label in asked if label not in rows.labels]
        if unknown:
            text = f"classes_averaged names {some_values(unknown)}, and the classes are"
            raise ArgumentError("classes_averaged", f"{text} {some_values(rows.labels, most=20)}")
        chosen = tuple(rows.labels.index(label) for label in asked)
    return replace(rows, chosen=chosen, skips_absent=absent == "skip")


def absent_classes(rows: ClassRows) -> list[Any]:
    """Classes that averages are to be over and that have no row."""
    absent = replace(rows, skips_absent=False).averaged & (rows.counts == 0)
    return [rows.labels[place] for place in np.flatnonzero(absent)]


def absence_text(rows: ClassRows) -> Remark:
    """What to do about classes without rows, or what was done."""
    absent = absent_classes(rows)
    if not rows.skips_absent:
        return Remark("class_absent", classes=some_values(absent))
    return Remark("absent_skipped", classes=some_values(absent, most=MOST_NAMED), n=int(rows.averaged.sum()))


def averaging_remarks(rows: ClassRows) -> tuple[Remark, ...]:
    """What to know of averages: which classes they are over unless all, and which of these have no rows."""
    found = []
    if rows.chosen is not None:
        named = [rows.labels[place] for place in rows.chosen]
        found.append(Remark("classes_chosen", classes=some_values(named, most=MOST_NAMED), n=rows.n_classes))
    return (*found, absence_text(rows)) if absent_classes(rows) else tuple(found)
