"""An old and a new model on the same rows: probabilities that were checked, and the sums that all else follows from."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from rocsteady._src.base.errors import (
    CALIBRATE_FIRST,
    ArgumentError,
    InputError,
    first_rows,
    refuse_one_class,
    refuse_outside,
)
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count, format_number
from rocsteady._src.inference.comparison.rounding import settled
from rocsteady._src.inference.intervals.advice import few_subjects
from rocsteady._src.inference.intervals.normal import p_value, quantile_of
from rocsteady._src.inputs.reals import real_numbers
from rocsteady._src.inputs.scores import as_doubles
from rocsteady._src.inputs.weights import weight_type_of
from rocsteady._src.ranked import canonical_order, read_models
from rocsteady._src.ranked.lazy.lazy_rows import named_rows
from rocsteady._src.ranked.lazy.probabilities import pair_probabilities
from rocsteady._src.results import Estimate, IntegratedDiscrimination, NetReclassification, Reclassification
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.ranked import Rows
    from rocsteady._src.results import Origin

    Array = NDArray[np.float64]


Named = TypeVar("Named", NetReclassification, IntegratedDiscrimination, Reclassification)
BLOCK = 1 << 14  # stays in the cache: fresh memory costs more than arithmetic


class AnyPair(Protocol):
    """Two models on rows in memory, or on rows that stay in their engine; sums over classes have events first."""

    @property
    def origin(self) -> Origin:
        """Where the numbers come from."""
        ...

    @property
    def weight_type(self) -> str | None:
        """How the weights are read, "frequency" or "sampling"; None without any."""
        ...

    @property
    def sizes(self) -> tuple[Any, Any]:
        """Number of positives and of negatives, or their weight."""
        ...

    @property
    def n_rows(self) -> tuple[Any, Any]:
        """Number of positive and of negative rows; only frequency weights are rows."""
        ...

    @property
    def clusters(self) -> NDArray[np.int64] | None:
        """The number of each row's subject; None where every row is a subject of its own."""
        ...

    def moved(self, cutoffs: tuple[float, ...] | None) -> tuple[Array, Array]:
        """Weight of nonevents that went down, stayed, went up, then events likewise; and sums of squared weights."""
        ...

    def cells(self, cutoffs: tuple[float, ...]) -> Array:
        """Rows, weight, weight of events, and sums of old and new probabilities in each cell of categories."""
        ...

    def class_means(self) -> tuple[Array, Array, Array]:
        """Weight, rows, and means of old and new of each class."""
        ...

    def class_products(self, means: Array) -> Array:
        """Sums of products of old and new about the means of each class."""
        ...

    def in_memory(self) -> TwoModels | None:
        """The rows themselves; None where they stay in their engine."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class TwoModels:
    """Rows with the probabilities of an old and a new model; no weights means that every row counts once.

    ``clusters`` numbers the subject of each row, or is None when every row is a subject of its own.
    """

    positive: NDArray[np.bool_]
    old: Array
    new: Array
    weights: Array | None
    weight_type: str | None
    origin: Origin
    clusters: NDArray[np.int64] | None = None

    @classmethod
    def of(cls, rows: Rows, old: str, new: str) -> TwoModels:
        """Two models of rows that were read; nothing is copied where probabilities and weights are doubles."""
        first, second = (probabilities(rows.scores_of(name), name) for name in (old, new))
        weights = None if rows.weights is None else rows.weights.astype(np.float64, copy=False)
        return cls(rows.positive, first, second, weights, rows.reading, rows.origin, rows.clusters)

    @property
    def sizes(self) -> tuple[Any, Any]:
        """Number of positives and of negatives, or their weight."""
        if self.weights is None:
            events = int(np.count_nonzero(self.positive))
            return events, self.positive.size - events
        n_neg, n_pos = (float(total) for total in np.bincount(self.positive, self.weights, 2))
        return (int(n_pos), int(n_neg)) if self.weight_type == "frequency" else (n_pos, n_neg)

    @property
    def n_rows(self) -> tuple[Any, Any]:
        """Number of positive and of negative rows; only frequency weights are rows."""
        if self.weight_type == "frequency":
            return self.sizes
        events = int(np.count_nonzero(self.positive))
        return events, self.positive.size - events

    def in_memory(self) -> TwoModels:
        """These rows."""
        return self

    def _blocks(self) -> Iterator[slice]:
        return (slice(start, start + BLOCK) for start in range(0, self.positive.size, BLOCK))

    def moved(self, cutoffs: tuple[float, ...] | None) -> tuple[Array, Array]:
        """Weight of nonevents that went down, stayed, went up, then events likewise; and sums of squared weights."""
        counts, squares = np.zeros(6), np.zeros(6)
        for block in self._blocks():
            place = direction(self.old[block], self.new[block], cutoffs) + 1 + 3 * self.positive[block]
            weights = None if self.weights is None else self.weights[block]
            counts += np.bincount(place, weights, 6)
            if weights is not None:
                squares += np.bincount(place, weights**2, 6)
        return counts, squares

    def cells(self, cutoffs: tuple[float, ...]) -> Array:
        """Rows, weight, weight of events, and sums of old and new probabilities in each cell of categories."""
        size = len(cutoffs) + 1
        sums = np.zeros((5, size * size))
        for block in self._blocks():
            old, new, positive = self.old[block], self.new[block], self.positive[block]
            cell = categories(old, cutoffs).astype(np.int64) * size + categories(new, cutoffs)
            values: list[Any] = [positive, old, new]
            if self.weights is not None:
                weights = self.weights[block]
                values = [weights * column for column in values]
                sums[1] += np.bincount(cell, weights, size * size)
            sums[0] += np.bincount(cell, minlength=size * size)
            sums[2:] += np.array([np.bincount(cell, column, size * size) for column in values])
        if self.weights is None:
            sums[1] = sums[0]
        return sums.reshape(5, size, size)

    def class_means(self) -> tuple[Array, Array, Array]:
        """Weight, rows, and means of old and new of each class."""
        sums, counts = np.zeros((2, 3)), np.zeros(2)  # weight, old, new
        for block in self._blocks():
            both, sides = self._sides(block)
            sums += np.array([[side.sum(), *(both @ side)] for side in sides])
            n_pos = int(np.count_nonzero(self.positive[block]))
            counts += (n_pos, both.shape[1] - n_pos)
        return sums[:, 0], counts, sums[:, 1:] / sums[:, :1]

    def class_products(self, means: Array) -> Array:
        """Sums of products of old and new about the means of each class; sampling weights count squared."""
        products = np.zeros((2, 2, 2))
        for block in self._blocks():
            both, sides = self._sides(block)
            for which, side in enumerate(sides):
                away = both - means[which][:, None]
                products[which] += (away * (side**2 if self.weight_type == "sampling" else side)) @ away.T
        return products

    def _sides(self, block: slice) -> tuple[Array, tuple[Array, Array]]:
        """Both probabilities, and the weight of each row as an event and as a nonevent."""
        weights = np.ones(self.positive[block].size) if self.weights is None else self.weights[block]
        of_events = weights * self.positive[block]
        return np.stack([self.old[block], self.new[block]]), (of_events, weights - of_events)

    def take(self, rows: NDArray[np.int64]) -> TwoModels:
        """The rows at these places, with their weights, for estimates: whose they are is left out."""
        weights = None if self.weights is None else self.weights[rows]
        return TwoModels(self.positive[rows], self.old[rows], self.new[rows], weights, self.weight_type, self.origin)


def in_drawn_order(rows: AnyPair, method: str) -> AnyPair:
    """The rows in a canonical order where they are resampled, so that the order in which they came changes nothing."""
    known = rows.in_memory() if method == "bootstrap" else None
    if known is None:
        return rows
    keys = [known.positive, known.old, known.new, *([] if known.weights is None else [known.weights])]
    order, clusters = canonical_order(keys, known.clusters)
    return replace(known.take(order), clusters=clusters)


def read_two_models(
    y_true: object,
    old: object,
    new: object,
    *,
    sample_weight: object = None,
    weight_type: str | None = None,
    cluster: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    label: str | None = None,
) -> AnyPair:
    """Read and check: rows complete for both models, both classes present, probabilities in [0, 1]."""
    if label is not None:
        if cluster is not None:
            raise ArgumentError(
                "cluster", Sentence("subjects need the rows in memory; a lazy table has none: leave {label=} out")
            )
        _refuse_sampling(sample_weight, weight_type)
        lazy = named_rows(y_true, (old, new), label, sample_weight, pos_label, missing, weight_type)
        return pair_probabilities(lazy, lazy.rank(), str(old), str(new))
    how: dict[str, Any] = {"sample_weight": sample_weight, "weight_type": weight_type, "cluster": cluster}
    rows = read_models(y_true, {"old": old, "new": new}, pos_label=pos_label, missing=missing, **how)
    refuse_one_class(rows.positive.any(), not rows.positive.all(), "reclassification needs")
    made = TwoModels.of(rows, "old", "new")
    if cluster is not None and rows.n_clusters < 2:
        raise InputError("one_subject", "cluster has 1 subject: how much subjects differ takes two of them or more")
    return made


def _refuse_sampling(sample_weight: object, weight_type: str | None) -> None:
    """What the engine of a table cannot do: its weights are counts."""
    weight_type_of(None, weight_type)
    if weight_type == "sampling" and sample_weight is not None:
        text = Sentence(
            "a table is counted by its engine, with frequency weights only; for sampling weights leave {label=} out "
            "and pass the columns themselves"
        )
        raise ArgumentError("weight_type", text)


def to_draw_from(rows: AnyPair) -> TwoModels:
    """Rows that can be drawn again; those of a lazy table stay where they are."""
    found = rows.in_memory()
    if found is None:
        raise ArgumentError("method", Sentence("resampling needs the rows in memory; a lazy table has {method='wald'}"))
    return found


def probabilities(scores: NDArray[Any], name: str) -> Array:
    """Refuse what is no probability; a score from elsewhere is not turned into one."""
    values = as_doubles(scores, name)
    if values.size and not (values.min() >= 0 and values.max() <= 1):
        odd = np.flatnonzero(~((values >= 0) & (values <= 1)))
        where = f"{format_count(odd.size)} lie outside [0, 1], {first_rows(odd, total=odd.size)}"
        told = f": {where}, such as {format_number(values[odd[0]])}"
        refuse_outside(values.min(), values.max(), f"{name} must hold probabilities", CALIBRATE_FIRST, told=told)
    return values


def few_units(total: Estimate, rows: AnyPair) -> tuple[Remark, ...]:
    """Why an estimate has no standard error, or one that is too small."""
    if math.isnan(total.se):
        return (Remark("one_unit_of_class"),)
    if rows.clusters is None:
        return ()
    return few_subjects(int(rows.clusters.max()) + 1)


def checked_cutoffs(cutoffs: object) -> tuple[float, ...]:
    """Cutoffs between risk categories: increasing, strictly between 0 and 1."""
    values = tuple(real_numbers(cutoffs, "cutoffs").tolist())
    rising = all(a < b for a, b in pairwise(values))
    if not values or not rising or not all(0 < cut < 1 for cut in values):
        raise ArgumentError("cutoffs", f"cutoffs must increase strictly between 0 and 1, got {list(values)}")
    return values


def categories(values: Array, cutoffs: tuple[float, ...]) -> NDArray[np.int16]:
    """Number of the category: a probability at a cutoff belongs to the higher one."""
    found = np.zeros(values.size, dtype=np.int16)
    for cut in cutoffs:
        np.add(found, values >= cut, out=found)
    return found


def direction(old: NDArray[Any], new: NDArray[Any], cutoffs: tuple[float, ...] | None) -> NDArray[np.int64]:
    """-1, 0 or 1: whether the new model moves a row down or up; between categories where there are cutoffs."""
    if cutoffs is None:
        return (new > old).astype(np.int64) - (new < old)
    before, after = categories(old, cutoffs), categories(new, cutoffs)
    return (after > before).astype(np.int64) - (after < before)


def named(found: Named, old: object, new: object, label: str | None) -> Named:
    """The result with the names of both models, where columns of a table were named."""
    return found if label is None else replace(found, old=str(old), new=str(new))


def wald(
    estimate: float,
    variance: float,
    level: float,
    *,
    null: float = 0.0,
    test_variance: float | None = None,
    bound: float = 0.0,
    df: float | None = None,
) -> Estimate:
    """Estimate with a normal interval, or Student's t; ``test_variance``, where given, is used for z alone.

    An estimate within the ``bound`` of rounding is what it would be if nothing had changed.
    """
    estimate = null + settled(estimate - null, bound)
    if math.isnan(variance):  # a class with one unit: nothing tells how much units differ
        return Estimate(estimate, *(math.nan,) * 5, level, null=null)
    se = math.sqrt(variance)
    test_se = se if test_variance is None else math.sqrt(test_variance)
    gap = estimate - null
    statistic = gap / test_se if test_se > 0 else (math.copysign(math.inf, gap) if gap else 0.0)
    pvalue = 1.0 if not gap and test_se == 0 else p_value(statistic, df=df)
    reach = quantile_of(level, df=df) * se
    return Estimate(estimate, se, statistic, pvalue, estimate - reach, estimate + reach, level, null=null)
