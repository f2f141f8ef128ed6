"""What a watch remembers between looks: sums of the reference and of every day, as JSON; no row."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.checksums import checked, parsed_json
from rocsteady._src.base.errors import (
    CALIBRATE_FIRST,
    ArgumentError,
    InputError,
    not_probabilities,
    printable,
    some_values,
)
from rocsteady._src.base.text import format_count
from rocsteady._src.designs.watch.day_counts import DaySums, Plan, day_sums, quantile_edges
from rocsteady._src.designs.watch.to_come import never_labelled
from rocsteady._src.evaluation.monitor.days import one_day, shown_day
from rocsteady._src.evaluation.monitor.reading import ALL
from rocsteady._src.evaluation.monitor.state_checks import refuse_contradictions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.evaluation.monitor.reading import Days

KIND, VERSION = "rocsteady watch", 1
BINS = 100
NEAR = 1e-12


@dataclass(slots=True)
class Remembered:
    """Sums by segment: of the reference, and of the days since; ``settings`` must be the same at the next look."""

    plan: Plan
    dates: bool
    last: int
    pos_label: Any
    settings: dict[str, Any]
    reference: dict[str, list[DaySums]]
    days: dict[str, dict[int, DaySums]] = field(default_factory=dict)
    ages: dict[int, dict[int, tuple[float, float]]] = field(default_factory=dict)
    n_rows: int = 0
    n_dropped: int = 0
    after: int | None = None

    def shown(self, day: int) -> str:
        """A day as it is read."""
        return shown_day(day, dates=self.dates)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        plan = {"threshold": self.plan.threshold, "probabilities": self.plan.probabilities}
        plan |= {"weighted": True} if self.plan.weighted else {}
        return {
            "kind": KIND,
            "version": VERSION,
            "settings": self.settings,
            "plan": {**plan, "edges": list(self.plan.edges)},
            "dates": self.dates,
            "last": self.last,
            "pos_label": self.pos_label,
            "n_rows": self.n_rows,
            "n_dropped": self.n_dropped,
            "after": self.after,
            "reference": {name: [day.to_dict() for day in days] for name, days in self.reference.items()},
            "days": {
                name: {str(number): day.to_dict() for number, day in sorted_days(days)}
                for name, days in self.days.items()
            },
            "ages": {str(day): {str(age): list(pair) for age, pair in held.items()} for day, held in self.ages.items()},
        }

    @classmethod
    def from_dict(cls, held: Any) -> Remembered:
        """What ``to_dict`` gave; anything else is refused."""
        if not isinstance(held, dict) or held.get("kind") != KIND:
            raise InputError("state", "this is no state of a watch; pass what monitor(...).state() gave, or its file")
        if held.get("version") != VERSION:
            raise InputError(
                "state", f"the state has version {held.get('version')!r}, and this rocsteady reads {VERSION}"
            )
        try:
            return refuse_contradictions(cls._of(held))
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, ArithmeticError, RecursionError) as error:
            raise InputError(
                "state", f"the state of the watch is damaged ({printable(error)}); begin a new one"
            ) from error

    @classmethod
    def _of(cls, held: dict[str, Any]) -> Remembered:
        known = held["plan"]
        plan = Plan(known["threshold"], known["probabilities"], tuple(known["edges"]), known.get("weighted", False))
        reference = {name: [DaySums.from_dict(day) for day in days] for name, days in held["reference"].items()}
        days = {
            name: {int(number): DaySums.from_dict(day) for number, day in found.items()}
            for name, found in held["days"].items()
        }
        ages = {
            int(day): {int(age): (pair[0], pair[1]) for age, pair in found.items()}
            for day, found in held["ages"].items()
        }
        rest = {name: held[name] for name in ("dates", "last", "pos_label", "settings", "n_rows", "n_dropped")}
        return cls(plan=plan, reference=reference, days=days, ages=ages, after=held["after"], **rest)


@dataclass(slots=True)
class WatchedModels:
    """Several models that are watched together."""

    models: dict[str | None, Remembered]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "kind": KIND,
            "version": VERSION,
            "models": {str(name): held.to_dict() for name, held in self.models.items()},
        }


def sorted_days(days: dict[int, DaySums]) -> list[tuple[int, DaySums]]:
    """Days in their order."""
    return [(number, days[number]) for number in sorted(days)]


def past_deadline(held: Remembered, deadline: int | None) -> Remembered:
    """The watch where labels do not come later than so many days: rows that are older count as never labelled."""
    if deadline is None:
        return held
    youngest = held.last - deadline - held.settings.get("every", 1) + 1  # the last first day of a period that is over

    def closed(number: int, day: DaySums) -> DaySums:
        return never_labelled(day) if number <= youngest else day

    reference = {name: [closed(one_day(day.day, "day"), day) for day in days] for name, days in held.reference.items()}
    days = {name: {at: closed(at, day) for at, day in found.items()} for name, found in held.days.items()}
    return replace(held, reference=reference, days=days)


def state_given(state: Any) -> Any:
    """The values of a state that is given as a dict or a file; None where there is none yet: a look makes it."""
    if state is None or isinstance(state, dict):
        return state
    path = Path(str(state))
    return parsed_json(path.read_bytes(), "state", printable(path)) if path.exists() else None


def read_state(held: Any, models: Sequence[str]) -> dict[str, Remembered]:
    """What a state holds, by model."""
    if held is None:
        return {}
    if isinstance(held, dict) and held.get("kind") == KIND and held.get("version") == VERSION:
        held = checked(held, "state", "the state of the watch")
    several = isinstance(held, dict) and held.get("kind") == KIND and isinstance(held.get("models"), dict)
    if not several and len(models) == 1:
        return {models[0]: Remembered.from_dict(held)}
    known = list(held["models"]) if several else ["one model"]
    if not several or known != list(models):
        told = f"the state watches {some_values(known)}, and now it is {some_values(list(models))}"
        raise ArgumentError("state", f"{told}; watch the same models, or begin a new watch")
    return {name: Remembered.from_dict(each) for name, each in held["models"].items()}


def refuse_no_probabilities(days: Days, name: str) -> None:
    """Scores that are meant as probabilities lie between 0 and 1."""
    for number, rows in days.counts[ALL].items():
        odd = rows.scores[(rows.scores < 0) | (rows.scores > 1)]
        if odd.size:
            told = f"{printable(name)}: {format_count(odd.size)} scores of {days.shown(number)} lie outside [0, 1]"
            raise not_probabilities(f"{told}, such as {some_values(odd[:3].tolist())}", CALIBRATE_FIRST)


def begun(reference: Days, threshold: float | None, settings: dict[str, Any], *, probabilities: bool) -> Remembered:
    """A watch that knows its reference and no day yet."""
    edges = quantile_edges(list(reference.counts[ALL].values()), BINS)
    plan = Plan(threshold, probabilities, edges, weighted=reference.weighted)
    sums = {
        name: [day_sums(reference.shown(number), days[number], plan) for number in sorted(days)]
        for name, days in reference.counts.items()
    }
    return Remembered(plan, reference.dates, reference.last, reference.pos_label, settings, sums)


def with_days(held: Remembered, found: Days, after: int | None) -> Remembered:
    """The watch after another look: new days are added, open ones brought up to date, settled ones must not differ."""
    if held.days and found.dates != held.dates:
        raise ArgumentError("day", "days were dates at earlier looks and are numbers now, or the other way round")
    days = {name: dict(known) for name, known in held.days.items()}
    for name, counts in found.counts.items():
        own = days.setdefault(name, {})
        for number, rows in counts.items():
            if after is None or number > after:
                new = day_sums(found.shown(number), rows, held.plan)
                own[number] = _agreed(own.get(number), new, name)
    ages = {**held.ages, **{day: each for day, each in found.ages.items() if after is None or day > after}}
    last = max(held.last, found.last) if held.days else found.last
    n_rows = int(sum(day.n_rows for day in days.get(ALL, {}).values()))
    pos_label = held.pos_label if held.pos_label is not None else found.pos_label
    rest = (held.settings, held.reference, days, ages, n_rows, found.n_dropped, held.after)
    return Remembered(held.plan, found.dates, last, pos_label, *rest)


def _agreed(old: DaySums | None, new: DaySums, segment: str) -> DaySums:
    """A day that was seen before: the same, or with more labels; other rows are refused."""
    if old is None:
        return new
    where = f"{new.day}{f' of segment {printable(segment)}' if segment != ALL else ''}"
    if new.n_rows != old.n_rows:
        told = f"{where} had {format_count(old.n_rows)} rows at an earlier look and has {format_count(new.n_rows)} now"
        raise InputError("day_changed", f"{told}; pass days whole, or begin a new watch")
    if new.n_open > old.n_open:
        return old  # an older copy of the day
    if old.n_open == 0 and (new.n_pos, new.area, new.bins) != (old.n_pos, old.area, old.bins):
        if new.n_pos == old.n_pos and new.bins == old.bins and _near(new.area, old.area):
            return old
        raise InputError("day_changed", f"{where} had other labels or scores at an earlier look; begin a new watch")
    return new


def _near(first: float, second: float) -> bool:
    return (math.isnan(first) and math.isnan(second)) or abs(first - second) < NEAR
