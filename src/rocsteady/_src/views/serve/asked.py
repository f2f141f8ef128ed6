"""What a page asks of the columns of a file, read from JSON and checked: nothing in it becomes a path or code."""

from __future__ import annotations

from dataclasses import dataclass, fields
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, printable
from rocsteady._src.views.cli.columns import joined_names, with_models
from rocsteady._src.views.cli.options import numbers
from rocsteady._src.views.cli.source import Source, one_subject, with_lower, with_weight_type

if TYPE_CHECKING:
    from pathlib import Path

MOST_SCORES = 200
TEXTS = (
    "label", "pos", "weight", "weight_type", "cluster", "fold", "repeat", "classes", "delimiter", "baseline", "cutoffs",
    "missing", "title",
)  # fmt: skip
NUMBERS = ("level", "cost_fp", "cost_fn", "prevalence")
LISTS = ("scores", "lower", "by")


@dataclass(frozen=True, slots=True)
class Asked:
    """Columns by their roles, and the question; "" and () where nothing was said."""

    label: str = ""
    pos: str = ""
    scores: tuple[str, ...] = ()
    lower: tuple[str, ...] = ()
    weight: str = ""
    weight_type: str = ""
    cluster: str = ""
    by: tuple[str, ...] = ()
    fold: str = ""
    repeat: str = ""
    classes: str = ""
    delimiter: str = ""
    baseline: str = ""
    cutoffs: str = ""
    missing: str = "raise"
    title: str = ""
    level: float | None = None
    cost_fp: float | None = None
    cost_fn: float | None = None
    prevalence: float | None = None

    @classmethod
    def of(cls, said: dict[str, Any]) -> Asked:
        """Read what a page sent; fields of other kinds are refused, others ignored."""
        known = {field.name for field in fields(cls)}
        given = {name: value for name, value in said.items() if name in known and value not in (None, "", [])}
        for name, value in given.items():
            text = name in TEXTS and isinstance(value, str)
            number = name in NUMBERS and isinstance(value, int | float) and not isinstance(value, bool)
            listed = (
                name in (*LISTS, "classes") and isinstance(value, list) and all(isinstance(each, str) for each in value)
            )
            if not (text or number or listed):
                raise ArgumentError(name, f"{name} cannot be {printable(repr(value), most=60)}")
        read: dict[str, Any] = {name: tuple(value) if name in LISTS else value for name, value in given.items()}
        if isinstance(given.get("classes"), list):
            read["classes"] = joined_names(given["classes"])
        if "cutoffs" in read:
            read["cutoffs"] = _as_shares(read["cutoffs"])
        made = cls(**read)
        if not made.label or not made.scores:
            raise ArgumentError("columns", "choose the column of labels, and at least one of scores")
        if len(made.scores) > MOST_SCORES:
            raise ArgumentError("scores", f"at most {MOST_SCORES} columns of scores can be judged at once")
        return made

    def source(self, path: Path | str, memory: str, command: str = "report") -> Source:
        """The same as options of the command line."""
        one_subject(None, self.cluster or None)
        scores = [joined_names([each]) for each in self.scores] if self.classes else list(self.scores)
        source = Source(
            str(path), self.label, scores, self.weight or None, self.cluster or None,
            self.pos or None, self.missing, self.delimiter or None, memory,
            list(self.by) or None, self.fold or None, self.classes or None,
        )  # fmt: skip
        typed = with_weight_type(source, self.weight_type or None, self.repeat or None)._replace(command=command)
        return with_lower(with_models(typed, file_columns=[self.label]), list(self.lower))

    @property
    def evaluated(self) -> tuple[Any, ...]:
        """What the evaluation depends on; costs and words do not change it."""
        asked = (self.label, self.pos, self.scores, self.lower, self.weight, self.weight_type, self.cluster, self.by)
        return (*asked, self.fold, self.repeat, self.classes, self.delimiter, self.missing, self.level)

    def report_options(self, command: str) -> dict[str, Any]:
        """Options of the report, as the command line hands them on."""
        how: dict[str, Any] = {"title": self.title or None, "level": self.level, "command": command}
        how |= {name: getattr(self, name) for name in ("cost_fp", "cost_fn", "prevalence")}
        how |= {"baseline": self.baseline or None, "cutoffs": numbers(self.cutoffs) if self.cutoffs else None}
        return {name: value for name, value in how.items() if value is not None}


def _as_shares(text: str) -> str:
    """Cutoffs as shares between commas, of which some may have been written in percent.

    Examples
    --------
    >>> _as_shares("10%, 0.2"), _as_shares("0,1; 0,25")
    ('0.1,0.2', '0.1,0.25')
    """
    parts = text.replace(",", ".").split(";") if ";" in text else text.split(",")
    try:
        found = [
            float(Decimal(part.strip().removesuffix("%")) / (100 if part.strip().endswith("%") else 1))
            for part in parts
        ]
    except InvalidOperation:
        got = f"got {printable(text, most=60)!r}"
        raise ArgumentError(
            "cutoffs", f"risk categories are shares between commas, 0.1, 0.2 or 10%, 20%; {got}"
        ) from None
    return ",".join(repr(each) for each in found)
