"""Rows of a gate that stay in their engine: groups of each model come here, what pairs two models is summed there.

Differences of AUCs and of shares at settled thresholds, and goals of any measure, follow from these. All else needs to
know which scores stand in one row: then the different rows are brought home, counted by the engine.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError
from rocsteady._src.evaluation.gate.carried import Carried
from rocsteady._src.evaluation.gate.unseen import Changes, cell_of
from rocsteady._src.inference.units.components import Area
from rocsteady._src.inputs.weights import summed
from rocsteady._src.measures.model_thresholds import places_called
from rocsteady._src.measures.ranking import auc, gini
from rocsteady._src.ranked import Rows
from rocsteady._src.ranked.lazy.cells import called_rows
from rocsteady._src.ranked.lazy.distinct_rows import MOST_ROWS, distinct_rows
from rocsteady._src.ranked.lazy.lazy_rows import lazy_rows
from rocsteady._src.ranked.lazy.paired import changed_placements, difference_powers, scores_differ, sum_models
from rocsteady._src.ranked.lazy.rank_table import MOST_GROUPS
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.evaluation.gate.samples import Given
    from rocsteady._src.evaluation.gate.terms import Term
    from rocsteady._src.ranked import RankedScores
    from rocsteady._src.ranked.lazy.lazy_rows import LazyRows
    from rocsteady._src.ranked.lazy.paired import LazyModels
    from rocsteady._src.ranked.placements import PlacementSums
    from rocsteady._src.results import Origin

AREAS = (auc.sheet.name, gini.sheet.name)
SHARES = ("recall", "false_negative_rate", "specificity", "false_positive_rate", "accuracy", "error_rate")


@dataclass(frozen=True, slots=True)
class EngineTable:
    """A table of an engine; how many groups, and how many different rows of it, may come into memory."""

    table: Any
    most_groups: int = MOST_GROUPS
    most_lines: int = MOST_ROWS

    def rows(self, given: Given, **how: Any) -> LazyRows:
        """The columns that matter, of which nothing is read yet."""
        weight = given.columns.get("sample_weight")
        columns: dict[str, Any] = {"label": given.label, "scores": given.scores, "weight": weight}
        return lazy_rows(self.table, **columns, most_groups=self.most_groups, **how)

    def brought_home(self, given: Given, **how: Any) -> tuple[Rows, tuple[Remark, ...]]:
        """The different rows in memory, counted by the engine, and what is to be told of that."""
        names = [given.label, *given.scores, *given.columns.values(), *given.by]
        columns, count = distinct_rows(self.table, names, most=self.most_lines, written_out=bool(given.columns))
        if count is None:
            return replace(given, table=columns).read(**how), ()
        counted = replace(given, table=columns, columns={"sample_weight": count})
        told = Remark("lines_of_rows", rows=int(columns[count].sum()), lines=columns[count].size)
        return counted.read(**{**how, "weight_type": "frequency"}), (told,)


def engine_suffices(terms: Sequence[Term], given: Given, *, paired: bool, weight_type: str | None) -> bool:
    """Whether groups and sums answer all conditions: no subjects, groups of rows or sampling weights among them."""
    if "cluster" in given.columns or given.by or ("sample_weight" in given.columns and weight_type != "frequency"):
        return False
    return all(term.goal is not None or not paired or _name(term) in (*AREAS, *SHARES) for term in terms)


def _name(term: Term) -> str:
    return term.request.sheet.name


@dataclass(frozen=True, eq=False)
class EngineSample:
    """Models of the same rows, the candidate first: their groups; ``summed`` where groups are too many to come here.

    Groups are then few that have the very areas, of which nothing else may be asked.
    """

    rows: LazyRows
    by_model: dict[str, RankedScores]
    summed: LazyModels | None = None
    clusters: None = None
    weights: None = None

    @classmethod
    def of(cls, rows: LazyRows, *, areas_only: bool) -> EngineSample:
        """Groups, or with ``areas_only`` sums where these are too many."""
        try:
            found, sums = rows.rank(), None
        except InputError as error:
            if error.code not in ("too_many_groups", "memory_limit") or not areas_only:
                raise
            sums = sum_models(rows)
            found = dict(zip(sums.names, sums.ranked, strict=True))
        if not all(groups.counts_rows for groups in found.values()):
            raise InputError("weights_summed", summed("a gate"))
        return cls(rows, found, sums)

    @property
    def names(self) -> tuple[str, ...]:
        """The models."""
        return tuple(self.by_model)

    @property
    def ranked(self) -> tuple[RankedScores, ...]:
        """Their groups."""
        return tuple(self.by_model.values())

    @property
    def origin(self) -> Origin:
        """Where the rows come from."""
        return self.ranked[0].origin

    @property
    def reading(self) -> str | None:
        """How weights are read."""
        return self.origin.reading

    @property
    def class_weights(self) -> tuple[Any, Any]:
        """Rows of both classes."""
        return self.ranked[0].n_pos, self.ranked[0].n_neg

    @property
    def told(self) -> tuple[Remark, ...]:
        """Which way the numbers came."""
        return (self.rows.route(self.by_model) if self.summed is None else Remark("summed_by_engine"),)

    def of_models(self, name: str) -> EngineSample:
        """One of them."""
        return replace(self, by_model={name: self.by_model[name]})

    def in_memory(self) -> None:
        """The rows stay in their engine."""

    def written_out(self) -> Rows:
        """Rows of the only model, from its groups."""
        ((name, groups),) = self.by_model.items()
        return written_out(name, groups)

    @property
    def n_clusters(self) -> int:
        """Every row is a subject of its own."""
        return self.origin.n_rows

    def placement_sums(self) -> PlacementSums:
        """Sums over rows of what both models make of them."""
        return self._models.placement_sums()

    def alike(self, first: int, second: int) -> bool:
        """Whether no row is placed differently by the two models."""
        return self._models.alike(first, second)

    @cached_property
    def _models(self) -> LazyModels:
        return self.summed or self.rows.paired(self.by_model)

    @cached_property
    def _powers(self) -> list[list[float]]:
        one, two = (Area().value(groups) for groups in self.ranked)
        return difference_powers(self.rows, self.class_weights, one - two)

    @property
    def carried(self) -> Carried:
        """How many rows carry the difference of the areas: from sums of powers that the engine makes."""
        return Carried.of_powers(self.class_weights, self._powers[:2])

    @property
    def moved(self) -> float:
        """The share of rows that carry what changed in the order of all rows."""
        second, fourth = self._powers[2]
        return second * second / fourth / sum(self.class_weights) if fourth > 0 else 0.0

    def changes(self) -> tuple[Changes, ...]:
        """What rows of each class change of the difference of the areas."""
        found = changed_placements(self.rows, self.class_weights, cell_of)
        return tuple(
            Changes(totals / counts / (2.0 * others), counts.astype(np.float64), 1.0)
            for (_, counts, totals), others in zip(found, self.class_weights[::-1], strict=True)
        )

    def same_scores(self) -> bool:
        """Whether both models have the same score in every row."""
        return not scores_differ(self.rows)

    def same_order(self) -> bool:
        """Whether both models have all rows in the same order."""
        return self._powers[2][0] == 0

    def called(self, term: Term) -> Rows:
        """A row for each combination of label and calls, as often as it occurs."""
        at = (term.params(each)["threshold"] for each in ("candidate", "baseline"))
        thresholds = dict(zip(self.names, at, strict=True))
        return called_rows(self.rows, self.by_model, places_called(self.by_model, thresholds))


def written_out(name: str, groups: RankedScores) -> Rows:
    """Rows of one model from its groups: a line for each score and class, as often as it occurs."""
    sides = [np.flatnonzero(counts) for counts in (groups.pos, groups.neg)]
    weights = np.concatenate([counts[at] for counts, at in zip((groups.pos, groups.neg), sides, strict=True)])
    positive = np.repeat([True, False], [at.size for at in sides])
    made = Rows.trusted(positive, {name: (groups, np.concatenate(sides))}, weights=weights)
    return made.counted_as_frequencies()


@dataclass(frozen=True, slots=True, eq=False)
class ReadSample:
    """A sample as conditions read it, the rows that it stands for, and what is to be told of its way."""

    rows: Any
    origin: Origin
    told: tuple[Remark, ...] = ()

    @classmethod
    def of(cls, rows: Any, told: tuple[Remark, ...] = ()) -> ReadSample:
        """Rows that stand for themselves."""
        return cls(rows, rows.origin, told)


def read_lazy(
    table: EngineTable, given: Given, terms: Sequence[Term], how: dict[str, Any], *, paired: bool
) -> ReadSample:
    """Where they are if groups and sums suffice, else different rows in memory."""
    if not engine_suffices(terms, given, paired=paired, weight_type=how["weight_type"]):
        return ReadSample.of(*table.brought_home(given, **how))
    areas_only = paired and all(term.goal is None and _name(term) in AREAS for term in terms)
    found = EngineSample.of(table.rows(given, **how), areas_only=areas_only)
    if paired:
        return ReadSample(found, found.origin, found.told)
    (name,) = found.names
    return ReadSample(written_out(name, found.by_model[name]), found.origin, found.told)
