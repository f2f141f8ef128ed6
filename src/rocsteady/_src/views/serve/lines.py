"""The command, and the Python lines, that make a page again."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from rocsteady._src.inputs.files.direction import negated_name
from rocsteady._src.views.cli.columns import joined_names

if TYPE_CHECKING:
    from rocsteady._src.views.serve.asked import Asked

FLAGS = {
    "label": "--label", "scores": "--score", "lower": "--lower", "pos": "--pos-label", "weight": "--weight",
    "weight_type": "--weight-type", "cluster": "--cluster", "by": "--by", "fold": "--fold", "repeat": "--repeat",
    "classes": "--classes", "missing": "--missing", "delimiter": "--delimiter", "cost_fp": "--cost-fp",
    "cost_fn": "--cost-fn", "prevalence": "--prevalence", "level": "--level", "baseline": "--baseline",
    "cutoffs": "--cutoffs", "title": "--title",
}  # fmt: skip
REPORT = ("cost_fp", "cost_fn", "prevalence", "level", "baseline", "title")
READERS = {
    "csv": "pd.read_csv({})",
    "tsv": 'pd.read_csv({}, sep="\\t")',
    "jsonl": "pd.read_json({}, lines=True)",
    "parquet": "pd.read_parquet({})",
    "xlsx": "pd.read_excel({})",
}


def command_of(name: str, asked: Asked, *, memory: str = "") -> str:
    """The command that writes the same page.

    Examples
    --------
    >>> from rocsteady._src.views.serve.asked import Asked
    >>> command_of("my scores.csv", Asked("y", scores=("a", "b"), cost_fn=5))
    "rocsteady report 'my scores.csv' --label=y --score=a --score=b --cost-fn=5"
    """
    words = ["rocsteady", "report", name if not name.startswith("-") else f"./{name}"]
    for field, flag in FLAGS.items():
        value = getattr(asked, field)
        if field == "missing" and value == "raise":
            continue
        if field == "scores" and asked.classes:
            value = (joined_names(value),)
        listed = value if isinstance(value, tuple) else (value,)
        words += [f"{flag}={_text(each)}" for each in listed if each not in ("", None)]
    return shlex.join([*words, *([f"--memory={memory}"] if memory else [])])


def _text(value: str | float) -> str:
    return value if isinstance(value, str) else repr(value).removesuffix(".0")


def python_of(name: str, kind: str, asked: Asked, label_value: Any = None) -> str:
    """Lines of Python that write the same page; pandas reads what the library alone does not."""
    read, scores = _table_lines(name, kind, asked), _models(asked)
    lines, table = (read, "table") if _needs_pandas(kind, asked) else (["import rocsteady as rs", ""], repr(name))
    given: dict[str, Any] = {"label": asked.label, "scores": scores, "pos_label": label_value}
    given |= {each: getattr(asked, each) or None for each in ("weight", "weight_type", "cluster", "fold", "repeat")}
    given |= {"by": list(asked.by) or None, "missing": None if asked.missing == "raise" else asked.missing}
    given |= {"intervals": None if asked.classes else True, "level": asked.level}
    if asked.classes:
        given["classes"] = label_value
        given["pos_label"] = None
    told = ", ".join(f"{key}={value!r}" for key, value in given.items() if value is not None)
    lines.append(f"result = rs.evaluate({table}, {told})")
    options = {each: getattr(asked, each) or None for each in REPORT}
    options["cutoffs"] = [float(each) for each in asked.cutoffs.split(",")] if asked.cutoffs else None
    more = "".join(f", {key}={value!r}" for key, value in options.items() if value is not None)
    return "\n".join([*lines, f'result.report("report.html"{more})'])


def _needs_pandas(kind: str, asked: Asked) -> bool:
    return bool(kind == "xlsx" or asked.delimiter or asked.lower)


def _table_lines(name: str, kind: str, asked: Asked) -> list[str]:
    table = READERS[kind].format(repr(name))
    if asked.delimiter and kind in ("csv", "tsv"):
        table = f"pd.read_csv({name!r}, sep={asked.delimiter!r})"
    negated = [f"table[{negated_name(each)!r}] = -table[{each!r}]" for each in asked.lower]
    return ["import pandas as pd", "import rocsteady as rs", "", f"table = {table}", *negated]


def _models(asked: Asked) -> list[str]:
    return [negated_name(each) if each in asked.lower else each for each in asked.scores]
