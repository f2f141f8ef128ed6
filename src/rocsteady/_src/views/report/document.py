"""What a report says, as data: words, tables, charts. Nothing here knows HTML."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rocsteady._src.views.report.line_names import with_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rocsteady._src.results.decision import Check
    from rocsteady._src.views.report.names import Style

    Records = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Chart:
    """A specification, its data sets by name, and words around it.

    ``switch`` names two ways to show it, the second of which sets its parameter ``switched``; a ``wide`` chart has a
    line of the page to itself; a ``broad`` one keeps its size and is scrolled.
    """

    id: str
    title: str
    text: str
    spec: dict[str, Any]
    data: dict[str, Records]
    note: str = ""
    switch: tuple[str, ...] = ()
    wide: bool = False
    broad: bool = False

    @property
    def whole(self) -> dict[str, Any]:
        """The specification with its data."""
        return self.spec | {"datasets": self.data}


@dataclass(frozen=True, slots=True)
class TableBlock:
    """A table for people: header, rows of text, and sort keys of numbers.

    ``values`` are the cells for programs: numbers, or estimate and ends by name. Without them the keys are.
    """

    id: str
    title: str
    header: list[str]
    rows: list[list[str]]
    keys: list[list[Any]] = field(default_factory=list)
    text: str = ""
    values: list[list[Any]] = field(default_factory=list)

    @property
    def is_matrix(self) -> bool:
        """Whether its rows and columns are the same things, so that its cells cannot stand one below the other."""
        return "\\" in self.header[0]


@dataclass(frozen=True, slots=True)
class Section:
    """A question of its own: plain words, tables and charts.

    ``folded`` ones are opened by who wants them; ``panel`` says what else of the page stands in it: "operating", the
    counts at the threshold, or "moves", who moves between risk categories.
    """

    id: str
    title: str
    lines: list[str]
    tables: list[TableBlock]
    charts: list[Chart]
    folded: bool = False
    panel: str = ""


@dataclass(frozen=True, slots=True)
class Opened:
    """A model and a threshold that were asked for, and as text what follows."""

    model: str
    threshold: Any
    shown: str
    found: str
    missed: str
    false_alarms: str
    cost: str


@dataclass(frozen=True, slots=True)
class Situation:
    """What a page assumes until its reader says otherwise: costs, prevalence, the model and threshold that lead."""

    model: str
    cost_fp: float
    cost_fn: float
    prevalence: float
    sample: float
    costs: str
    level: float
    cases: int
    decimals: int
    opened: Opened | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """All that a report says. Without ``operating`` it has no thresholds to choose.

    The verdict leads, what must be known before it (``alarms``) stands above it, and ``checks``, three plain questions,
    beside it; ``decision`` is its table, ``command`` the line that makes the page again,
    for which its reader must have what is ``supplied``.

    ``again`` is what deciding again takes, for costs that a reader types, ``line`` the pieces of the command then, and
    ``parts`` the counts of groups or folds at thresholds.

    ``moved`` says in the verdict, at any costs, who moves between risk categories; ``reclassified`` has the tables.

    ``numbers`` are for programs: what was assumed and found, by name, where tables have text. ``terms`` are words
    of its own for the glossary, and ``holds`` says what of the data is in the file.
    """

    title: str
    verdict: tuple[str, ...]
    assumptions: list[tuple[str, str]]
    notes: list[str]
    models: list[Style] = field(default_factory=list)
    tables: list[TableBlock] = field(default_factory=list)
    charts: list[Chart] = field(default_factory=list)
    operating: dict[str, dict[str, Any]] = field(default_factory=dict)
    granular: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    reclassified: dict[str, list[TableBlock]] = field(default_factory=dict)
    moved: tuple[str, ...] = ()
    sections: list[Section] = field(default_factory=list)
    numbers: dict[str, Any] = field(default_factory=dict)
    alarms: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    decision: TableBlock | None = None
    situation: Situation | None = None
    again: dict[str, Any] = field(default_factory=dict)
    line: dict[str, Any] | None = None
    parts: dict[str, Any] = field(default_factory=dict)
    command: str = ""
    supplied: str = ""
    baseline: str | None = None
    terms: tuple[tuple[str, str], ...] = ()
    holds: str = "This file holds counts and curves, no rows of data, and contacts nobody."

    @property
    def all_charts(self) -> list[Chart]:
        """Those of the sections first, as on the page."""
        return [*(chart for section in self.sections for chart in section.charts), *self.charts]

    def moves_once(self) -> Iterator[tuple[str, str, list[TableBlock]]]:
        """Who moves, each pair of models once: the other way round, the tables are turned."""
        told = set()
        for key, tables in self.reclassified.items():
            old, new = key.split("\n")
            if frozenset((old, new)) not in told:
                told.add(frozenset((old, new)))
                yield old, new, tables


def chart_of(
    name: str, title: str, text: str, spec: dict[str, Any], data: Mapping[str, Records], note: str = "", **more: Any
) -> Chart:
    """A chart with the data sets its layers name."""
    known = {"here": [{"here": 0}], **data}  # one record, for words that stand at a place of the chart
    used = {part["data"]["name"]: known[part["data"]["name"]] for part in spec["layer"]}
    return with_names(Chart(name, title, text, spec, used, note, **more))
