"""Models of more than two classes without their rows: what their differences need was counted before."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, NoReturn

from rocsteady._src.base.errors import Undefined
from rocsteady._src.results.absent_rows import refuse_without_rows
from rocsteady._src.results.saved_values import from_json, to_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.evaluation.classes.models import MulticlassModels
    from rocsteady._src.results import Origin
    from rocsteady._src.results.remarks import Remark

    Spread = tuple[float, float, tuple[Remark, ...]]  # variance, degrees of freedom, what to beware of


@dataclass(frozen=True, slots=True)
class SavedClassRows:
    """What is known of the rows."""

    n_rows: int
    clusters: bool | None
    of_file: Origin

    def origin(self) -> Origin:
        """Where the numbers come from."""
        return self.of_file


@dataclass(frozen=True, slots=True, eq=False)
class SavedEstimate:
    """A number of one model, and how its differences to those of others vary."""

    value: float
    model: str
    spreads: dict[tuple[str, str], Spread]
    rows: SavedClassRows

    def minus(self, other: SavedEstimate) -> SavedDifference:
        """The difference of two models on the same rows."""
        pair = (self.model, other.model)
        known = self.spreads[pair if pair in self.spreads else pair[::-1]]
        return SavedDifference(self.value - other.value, *known, self.rows)


@dataclass(frozen=True, slots=True, eq=False)
class SavedDifference:
    """The difference of two models, as :class:`ClassEstimate` has it."""

    value: float
    of_file: float
    degrees: float
    remarks: tuple[Remark, ...]
    rows: SavedClassRows

    def variance(self) -> float:
        """Variance of the difference."""
        return self.of_file

    def free(self) -> float:
        """Degrees of freedom of the variance."""
        return self.degrees

    def on_p(self) -> tuple[Remark, ...]:
        """What to beware of in tests of it."""
        return self.remarks


@dataclass(frozen=True, slots=True, eq=False)
class SavedJudged:
    """One model: the numbers that were asked for before it was saved."""

    model: str
    values: dict[str, float]
    spreads: dict[str, dict[tuple[str, str], Spread]]
    rows: SavedClassRows

    def estimate(self, name: str) -> SavedEstimate | Undefined:
        """One of these numbers."""
        if name not in self.values:
            refuse_without_rows(f"{name}, which was not among the measures of the evaluation,")
        value = self.values[name]
        if isinstance(value, Undefined):
            return value
        return SavedEstimate(value, self.model, self.spreads[name], self.rows)

    def interval(self, name: str, *_: Any) -> NoReturn:
        """Another level needs the rows."""
        refuse_without_rows(f"{name} at another level")


def written_judged(models: MulticlassModels) -> dict[str, Any]:
    """What comparisons of these models need, for every number that was asked for."""
    first = next(iter(models.judged.values()))
    found = {
        column: {model: models.judged[model].estimate(column) for model in models.models} for column in models.columns
    }
    values = {column: {model: _value(each) for model, each in of.items()} for column, of in found.items()}
    return {
        "n_rows": int(first.rows.n_rows),
        "clusters": first.rows.clusters is not None,
        "values": to_json(values),
        "spreads": to_json({column: _spreads(of, list(models.models)) for column, of in found.items()}),
    }


def _value(found: Any) -> float:
    return found if isinstance(found, Undefined) else float(found.value)


def _spreads(found: dict[str, Any], models: Sequence[str]) -> dict[tuple[str, str], Spread]:
    made = {}
    for first, second in combinations([model for model in models if not isinstance(found[model], Undefined)], 2):
        both = found[first].minus(found[second])
        variance = both.variance()
        made[first, second] = (float(variance), float(both.free()) if variance > 0 else 0.0, both.on_p())
    return made


def read_judged(told: dict[str, Any], models: Sequence[str], origin: Origin) -> dict[str, SavedJudged]:
    """What :func:`written_judged` wrote, by model."""
    rows = SavedClassRows(told["n_rows"], True if told["clusters"] else None, origin)
    values, spreads = from_json(told["values"]), from_json(told["spreads"])
    return {
        model: SavedJudged(model, {column: of[model] for column, of in values.items()}, spreads, rows)
        for model in models
    }
