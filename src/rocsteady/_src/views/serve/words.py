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
    "label": "Label",
    "level": "Confidence",
    "pos_label": "Positive class",
    "prevalence": "Positive where it is used, in %",
    "sample_weight": "Weight",
    "scores": "Scores",
    "weight": "Weight",
}
OPEN, CLOSE = "\N{LEFT DOUBLE QUOTATION MARK}", "\N{RIGHT DOUBLE QUOTATION MARK}"
DROP = f"{OPEN}leave incomplete rows out{CLOSE} in step 2"
LOWER = f"choose {OPEN}score: lower is more positive{CLOSE} in step 2 for"
NOT_UTF8 = (
    "its letters are not in UTF-8, perhaps in an encoding of Windows. In a spreadsheet save it as "
    f"{OPEN}CSV UTF-8{CLOSE}, or drop the workbook (.xlsx) itself"
)


def for_page(error: Exception, job: dict[str, Any]) -> str:
    """What is said of a refusal; files are called by the names that their reader knows."""
    if isinstance(error, RocsteadyError) and error.code == "encoding":
        told = f"{printable(str(error)).partition(': it is ')[0]}: {NOT_UTF8}"
    elif isinstance(error, RocsteadyError) and error.code in ("too_many_groups", "memory_limit"):
        told = printable(error).replace("raise --memory, now", "start rocsteady serve with a larger --memory than")
        told = told.replace("bracket the values with --sketch 20", "in a shell: rocsteady report with --sketch 20")
    elif isinstance(error, RocsteadyError):
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
    if option.name == "negate":
        return LOWER
    if option.name in FIELDS and not option.call:
        field = f"{OPEN}{FIELDS[option.name]}{CLOSE}"
        return f"{field}: {values}" if values and values != "..." else field
    return option.python


def of_step(line: str) -> str:
    """A sentence about rows that were read, for those who can still change what the columns are."""
    return printable(said(line, PAGE))


PAGE = Door("page", _spelled, has_documents=False, verb="choose")
