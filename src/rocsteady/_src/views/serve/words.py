"""Sentences of the library in the words of the page: its fields instead of arguments, names instead of paths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import RocsteadyError, printable
from rocsteady._src.base.sentences import Door, said
from rocsteady._src.views.cli.words import COUNTED

if TYPE_CHECKING:
    from rocsteady._src.base.sentences import Option

FIELDS = {
    "baseline": "Compare with",
    "by": "Groups",
    "classes": "Classes",
    "cluster": "Subject",
    "cutoffs": "Risk categories",
    "delimiter": "Columns are divided by",
    "fold": "Fold",
    "id": "Subject",
    "label": "Label",
    "level": "Confidence",
    "pos_label": "Positive class",
    "prevalence": "Positive, in %",
    "sample_weight": "Weight",
    "scores": "Scores",
    "unmatched": "ids of one file only",
    "weight": "Weight",
}
DROP = "choose \N{LEFT DOUBLE QUOTATION MARK}leave incomplete rows out\N{RIGHT DOUBLE QUOTATION MARK}"


def for_page(error: Exception, job: dict[str, Any]) -> str:
    """What is said of a refusal; files are called by the names that their reader knows."""
    if isinstance(error, RocsteadyError):
        told = printable(said(error.sentence, PAGE))
        told = f"{told} {COUNTED}" if error.names_rows else told
    else:
        told = printable(error)
    for path, name in job.get("names", {}).items():
        told = told.replace(printable(path), printable(name))
    return told


def _spelled(option: Option) -> str:
    """A field of the page, with what to write there."""
    values = " or ".join(printable(value) for value in option.values if value != "True")
    if option.name == "missing" and "drop" in values:
        return DROP
    if option.name in FIELDS and not option.call:
        field = f"\N{LEFT DOUBLE QUOTATION MARK}{FIELDS[option.name]}\N{RIGHT DOUBLE QUOTATION MARK}"
        return f"{field}: {values}" if values and values != "..." else field
    return option.python


PAGE = Door("page", _spelled, has_documents=False)
