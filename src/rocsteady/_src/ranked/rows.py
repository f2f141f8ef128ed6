"""Rows that were read: checked once, ranked once by each model and kept, divided without a second check."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.threads import for_each
from rocsteady._src.inputs.clean import CleanRows, Names, checked_labels
from rocsteady._src.inputs.scores import as_doubles, beyond_doubles, ordered_scores
from rocsteady._src.inputs.tables import read_table
from rocsteady._src.inputs.weights import rows_counted, unless_ones, weights_of_part
from rocsteady._src.ranked.numbering import numbered
from rocsteady._src.ranked.ordered import OrderedScores
from rocsteady._src.ranked.parts import Picked, Split
from rocsteady._src.ranked.placements import PlacementSums, placement_sums
from rocsteady._src.ranked.ranking import Ranking
from rocsteady._src.results import Origin

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.ranked.scores import RankedScores

    Column = NDArray[Any]
    Labels = tuple[NDArray[np.bool_], Any, int | None, Any]

LABEL, WEIGHT, CLUSTER = "y_true", "sample_weight", "cluster"


class Rows:
    """Complete rows of one or more models, as ``read_rows`` reads them from a table and ``read_models`` from columns.

    ``names`` are the models. ``columns`` hold what was read, by name: ``label``, ``weight`` and ``id`` (the subject of
    a row) say which is which, and others such as folds and groups may be among them. Everything else is made when it
    is first asked for, and kept.
    """

    def __init__(
        self,
        names: tuple[str, ...],
        columns: Mapping[str, Column],
        *,
        label: str,
        weight: str | None = None,
        id: str | None = None,  # noqa: A002 - as evaluate calls it
        pos_label: Any = None,
        n_dropped: int = 0,
        weight_type: str | None = None,
        orders: Mapping[str, tuple[Any, ...]] | None = None,
    ) -> None:
        self.names, self.columns, self.orders = names, columns, orders or {}
        self.label, self.weight, self.id = label, weight, id
        self.n_dropped, self.weight_type, self._asked_label = n_dropped, weight_type, pos_label
        self._clean: dict[str, CleanRows] = {}
        self._doubles: dict[str, NDArray[np.float64]] = {}
        self._rankings: dict[str, Ranking] = {}
        self._whole: tuple[Rows, Split, int] | None = None

    @classmethod
    def trusted(
        cls,
        positive: NDArray[np.bool_],
        models: Mapping[str, tuple[RankedScores, NDArray[np.int64]]],
        *,
        weights: Column | None = None,
        clusters: NDArray[np.int64] | None = None,
    ) -> Rows:
        """Trust groups, and the group of every row, that were made elsewhere."""
        made = cls(tuple(models), {}, label=LABEL)
        made._rankings.update({name: Ranking(ranked, placed=places) for name, (ranked, places) in models.items()})
        origin = next(iter(models.values()))[0].origin
        facts = {"positive": positive, "weights": weights, "clusters": clusters, "origin": origin}
        vars(made).update(facts, _labels=(positive, origin.pos_label, None, origin.neg_label))
        return made

    @cached_property
    def _labels(self) -> Labels:
        labels, first = self.columns[self.label], self.names[0]
        return checked_labels(labels, self.columns[first], self._asked_label, Names(self.label, first))

    @cached_property
    def positive(self) -> NDArray[np.bool_]:
        """Whether each row is positive."""
        return self._labels[0]

    @property
    def class_weights(self) -> tuple[Any, Any]:
        """Weight of the positives and of the negatives."""
        if self.weights is None:
            n_pos = int(np.count_nonzero(self.positive))
            return n_pos, self.n_rows - n_pos
        n_pos, n_neg = (np.sort(self.weights[mask]).sum().item() for mask in (self.positive, ~self.positive))
        return n_pos, n_neg  # of sorted weights, so that the order of rows leaves no trace

    @property
    def n_rows(self) -> int:
        """How many rows there are, whatever they weigh."""
        return self.positive.size

    @cached_property
    def weights(self) -> Column | None:
        """The weight of each row; None when every row counts once."""
        if self._whole is not None:
            whole, split, part = self._whole
            return None if whole.weights is None else weights_of_part(whole.weights[split.rows[part]])
        return None if self.weight is None else unless_ones(self.columns[self.weight])

    @cached_property
    def origin(self) -> Origin:
        """Where the numbers come from."""
        weighted = self.weights is not None
        asked = self.weight_type if weighted else None
        _, label, _, other = self._labels
        n_rows = rows_counted(self.n_rows, self.weights, asked)
        return Origin(label, n_rows, self.n_dropped, weighted, weight_type=asked, neg_label=other)

    @property
    def reading(self) -> str | None:
        """How the weights are read, "frequency" or "sampling"; None without any."""
        return self.origin.reading

    def clean(self, model: str) -> CleanRows:
        """The checked rows of one model."""
        if model not in self._clean:
            positive, pos_label, neg_label, other = self._labels
            scores = self._scores(model)
            facts = self.n_dropped, neg_label, self.weight_type, beyond_doubles(scores, model), other
            self._clean[model] = CleanRows(positive, scores, self.weights, pos_label, *facts)
        return self._clean[model]

    def _scores(self, model: str) -> Column:
        if self._whole is None:
            return ordered_scores(self.columns[model], self.columns[self.label], self._labels[1], model)
        whole, split, part = self._whole
        return whole.clean(model).scores[split.rows[part]]

    def checked(self) -> Rows:
        """These rows, every model checked: what is wrong with a column is said here, not where it is first used."""
        for name in self.names:
            self.clean(name)
        return self

    def scores_of(self, model: str) -> Column:
        """The score of each row."""
        return self.clean(model).scores

    def doubles_of(self, model: str) -> NDArray[np.float64]:
        """The score of each row as a double, for what needs its size."""
        if model not in self._doubles:
            self._doubles[model] = as_doubles(self.scores_of(model), model)
        return self._doubles[model]

    def rank(self, *models: str) -> dict[str, RankedScores]:
        """The groups of these models, of all of them when none is named; each is sorted when first asked for."""
        names = models or self.names
        wanted = [name for name in dict.fromkeys(names) if name not in self._rankings]
        if wanted:
            for name in wanted:
                self.clean(name)
            made = for_each(self._rank, wanted, n_rows=self.n_rows)
            self._rankings.update(zip(wanted, made, strict=True))
        return {name: self._rankings[name].ranked for name in names}

    def _rank(self, model: str) -> Ranking:
        rows = self.clean(model)
        if self._whole is not None:
            whole, split, part = self._whole
            known = whole._rankings.get(model)  # noqa: SLF001 - of the rows that these are a part of
            if known is not None and known.order is not None:
                return known.part(rows, split.rows[part], split.order(model, known.order, part))
            if known is not None and rows.weights is None:
                known.places(whole.scores_of(model))
                return known.part(rows, split.rows[part], None)
        alone = len(self.columns) == 2 and self.weights is None  # no folds, groups, subjects, other models
        return Ranking.of_groups(rows) if alone else Ranking.of_rows(rows)

    def ranked_of(self, model: str) -> RankedScores:
        """The groups of a model."""
        return self.rank(model)[model]

    def places_of(self, model: str) -> NDArray[np.int64]:
        """The group of every row in the groups of a model."""
        self.rank(model)
        ranking = self._rankings[model]
        return ranking.places(self.scores_of(model)) if ranking.placed is None else ranking.placed

    @property
    def ranked(self) -> tuple[RankedScores, ...]:
        """The groups of every model."""
        return tuple(self.rank().values())

    @property
    def places(self) -> tuple[NDArray[np.int64], ...]:
        """The group of every row, for every model."""
        self.rank()
        return tuple(map(self.places_of, self.names))

    def alike(self, first: int, second: int) -> bool:
        """Whether the two models group the rows alike."""
        return np.array_equal(self.places[first], self.places[second])

    @cached_property
    def clusters(self) -> NDArray[np.int64] | None:
        """The number of each row's subject; None when each row is a subject of its own."""
        return self._subjects

    @cached_property
    def _subjects(self) -> NDArray[np.int64] | None:
        if self._whole is None:
            return None if self.id is None else numbered(self.columns[self.id])[1]
        whole, split, part = self._whole
        if whole.clusters is None:
            return None
        numbers = whole.clusters[split.rows[part]]
        return ((np.bincount(numbers) > 0).cumsum() - 1)[numbers]

    @cached_property
    def n_clusters(self) -> int:
        """Number of different subjects."""
        return self.n_rows if self.clusters is None else int(self.clusters.max(initial=-1)) + 1

    @property
    def one_row_each(self) -> bool:
        """Whether every subject has one row: then they are there for the weights."""
        return self.n_clusters == self.n_rows

    @cached_property
    def n_subjects(self) -> int:
        """How many different values the id column has; the number of rows without one."""
        if self.id is None or self._subjects is None:
            return len(self.columns[self.label])
        if self.columns[self.id].dtype.kind == "O":
            return len(set(self.columns[self.id].tolist()))
        return int(self._subjects.max(initial=-1)) + 1

    @property
    def n_repeated_ids(self) -> int:
        """How many rows repeat an id that another row has before; 0 without an id column."""
        return 0 if self.id is None else len(self.columns[self.id]) - self.n_subjects

    def by_row(self) -> Rows:
        """The same rows, each a subject of its own: a row of a sampling weight is one, however much it weighs."""
        return self if self.clusters is not None else self._with(clusters=np.arange(self.n_rows))

    def without_subjects(self) -> Rows:
        """The same rows, whoever they belong to."""
        return self._with(clusters=None)

    def repeated_ids(self, most: int) -> list[Any]:
        """The first ids that a row before had, in the order of the rows."""
        seen: set[Any] = set()
        ids = [] if self.id is None else self.columns[self.id].tolist()
        again = (value for value in ids if value in seen or seen.add(value))  # type: ignore[func-returns-value]
        return list(islice(again, most))

    def in_memory(self) -> Rows:
        """These rows."""
        return self

    def called(self, places: Mapping[str, int]) -> Rows:
        """These rows, whose calls are known one by one."""
        return self

    def counted_elsewhere(self, n_rows: int, n_dropped: int, *, weighted: bool) -> Rows:
        """The same, whose weights count rows of a table that stayed where it is."""
        kind = self.weight_type if weighted else None
        counted = rows_counted(n_rows, self.weights, kind)
        known = replace(self.origin, n_rows=counted, n_dropped=n_dropped, weighted=weighted, weight_type=kind)
        return self._with(origin=known)

    def counted_as_frequencies(self) -> Rows:
        """The same, whose weights count rows of a table that stayed where it is, in all that reads weights."""
        return self._with(origin=replace(self.origin, weighted=True, weight_type="frequency"))

    def paired(self, ranked: dict[str, RankedScores]) -> Rows:
        """These rows, whose models are ranked on all of them."""
        return self

    def placement_sums(self) -> PlacementSums:
        """What the covariance of the areas follows from, of rows that are counted."""
        return placement_sums(self)

    def engine_pair(self, ranked: Mapping[str, RankedScores], old: str, new: str) -> None:
        """Nothing: there is no engine."""

    def route(self, ranked: dict[str, RankedScores]) -> None:
        """Nothing is worth telling of rows in memory."""

    def rank_in_order(self) -> dict[str, RankedScores]:
        """Groups of every model that know their rows: what depends on the order of tied ones needs them."""
        return {name: OrderedScores.of(groups, self.clean(name)) for name, groups in self.rank().items()}

    def of_models(self, *models: str) -> Rows:
        """The same rows with some of the models."""
        return self._with(names=models)

    def _with(self, **facts: Any) -> Rows:
        """The same rows, read, checked and ranked together with these."""
        _ = self.origin, self.clusters
        made = copy(self)
        vars(made).pop("n_clusters", None)
        vars(made).update(facts)
        return made

    def split(self, part_of: NDArray[np.int64], n_parts: int) -> list[Rows]:
        """The rows of each part; those dropped before belong to the whole."""
        split = Split(part_of, n_parts)
        return [self._part(split, part) for part in range(n_parts)]

    @property
    def within_whole(self) -> NDArray[np.int64]:
        """The places of these rows among those that they are a part of."""
        if self._whole is None:
            return np.arange(self.n_rows)
        _, split, part = self._whole
        return split.rows[part]

    def where(self, kept: NDArray[np.bool_]) -> Rows:
        """Some of the rows; those dropped before belong to the whole."""
        return self._part(Split((~kept).astype(np.int64), 2), 0)

    def rearranged(self, order: NDArray[np.int64]) -> Rows:
        """The same rows, checked before, in another order."""
        names = {"label": self.label, "weight": self.weight, "id": self.id, "weight_type": self.weight_type}
        made = Rows(self.names, Picked(self.columns, order), **names, orders=self.orders)  # type: ignore[arg-type]
        positive, *labels = self._labels
        weights = None if self.weights is None else self.weights[order]
        clusters = None if self.clusters is None else self.clusters[order]
        known = {"weights": weights, "clusters": clusters, "origin": self.origin, "n_dropped": self.n_dropped}
        vars(made).update(known, _labels=(positive[order], *labels))
        for model in self.names if self.columns else ():
            clean = self.clean(model)
            made._clean[model] = replace(clean, positive=made.positive, scores=clean.scores[order], weights=weights)
        return made

    def _part(self, split: Split, part: int) -> Rows:
        chosen = split.rows[part]
        names = {"label": self.label, "weight": self.weight, "id": self.id, "weight_type": self.weight_type}
        made = Rows(self.names, Picked(self.columns, chosen), **names, orders=self.orders)  # type: ignore[arg-type]
        positive, *labels = self._labels
        vars(made).update(_whole=(self, split, part), _labels=(positive[chosen], *labels))
        return made


def read_rows(
    table: object,
    *,
    label: str,
    scores: Sequence[str],
    weight: str | None = None,
    id: str | None = None,  # noqa: A002 - as evaluate calls it
    also: Sequence[str] = (),
    pos_label: Any = None,
    missing: Missing = "raise",
    weight_type: str | None = None,
) -> Rows:
    """Read the named columns of a table, and others that rows need; incomplete rows are settled for all models."""
    where: dict[str, Any] = {"label": label, "weight": weight, "id": id, "weight_type": weight_type}
    columns, n_dropped, orders = read_table(table, scores=scores, also=also, missing=missing, **where)
    return Rows(tuple(scores), columns, pos_label=pos_label, n_dropped=n_dropped, orders=orders, **where)


def read_models(
    y_true: object,
    scores: Mapping[str, object],
    *,
    sample_weight: object = None,
    cluster: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    weight_type: str | None = None,
) -> Rows:
    """Check and align columns; rows that lack a value are refused, or dropped for all models alike."""
    if not scores:
        raise ArgumentError("no_models", "no scores were given: pass at least one column, by name of its model")
    extra = {WEIGHT: sample_weight, CLUSTER: cluster}
    given = {name: column for name, column in extra.items() if column is not None}
    rows = read_rows(
        {LABEL: y_true, **scores, **given},
        label=LABEL,
        scores=list(scores),
        weight=WEIGHT if WEIGHT in given else None,
        id=CLUSTER if CLUSTER in given else None,
        pos_label=pos_label,
        missing=missing,
        weight_type=weight_type,
    )
    return rows.checked()
