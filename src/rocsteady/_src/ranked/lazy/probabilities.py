"""Reclassification inside the engine: who moved, what each risk category holds, how two models vary together.

Counts are exact. Sums of probabilities are floats and agree with those of memory to rounding.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import CALIBRATE_FIRST, InputError, refuse_one_class, refuse_outside
from rocsteady._src.base.text import format_count, format_number
from rocsteady._src.inputs.weights import summed
from rocsteady._src.ranked.lazy.fetch import fetch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores
    from rocsteady._src.ranked.lazy.lazy_rows import LazyRows
    from rocsteady._src.results import Origin

    Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class LazyPair:
    """Probabilities of an old and a new model on the rows of a lazy table, with the groups of both."""

    rows: LazyRows
    names: tuple[str, str]
    ranked: tuple[RankedScores, RankedScores]

    @property
    def origin(self) -> Origin:
        """Where the numbers come from."""
        return self.ranked[0].origin

    @property
    def weight_type(self) -> str | None:
        """Only frequencies, which count repeated rows, come this far."""
        return "frequency" if self.origin.weighted else None

    @property
    def sizes(self) -> tuple[Any, Any]:
        """Number of positives and of negatives."""
        return self.ranked[0].n_pos, self.ranked[0].n_neg

    @property
    def n_rows(self) -> tuple[Any, Any]:
        """The same: frequencies are rows."""
        return self.sizes

    @property
    def clusters(self) -> None:
        """Whose the rows are is not known here."""

    def in_memory(self) -> None:
        """They are not."""

    def moved(self, cutoffs: tuple[float, ...] | None) -> tuple[Array, Array]:
        """Nonevents that went down, stayed, went up, then events likewise; they have no weights to be squared."""
        import narwhals as nw

        old, new = (_category(side, cutoffs) for side in ("old", "new"))
        up = nw.when(new > old).then(nw.lit(2)).otherwise(nw.when(new < old).then(nw.lit(0)).otherwise(nw.lit(1)))
        base = self._base().with_columns(up.alias("place"))
        fetched = fetch(base.group_by("place").agg(*_whole_sums("of_pos", "of_neg")))
        counts = np.zeros(6)
        places = fetched["place"][0].astype(np.int64)
        counts[places], counts[places + 3] = fetched["of_neg"][0], fetched["of_pos"][0]
        return counts, counts

    def cells(self, cutoffs: tuple[float, ...]) -> Array:
        """Rows, weight, weight of events, and sums of old and new probabilities in each cell of categories."""
        import narwhals as nw

        size = len(cutoffs) + 1
        old, new, weight = nw.col("old"), nw.col("new"), nw.col("of_pos") + nw.col("of_neg")
        base = self._base().with_columns(
            (_category("old", cutoffs) * size + _category("new", cutoffs)).alias("cell"),
            weight.alias("weight"),
            (weight * old).alias("sum_old"),
            (weight * new).alias("sum_new"),
        )
        sums = [nw.len().alias("n"), *_whole_sums("weight", "of_pos"), nw.col("sum_old").sum(), nw.col("sum_new").sum()]
        fetched = fetch(base.group_by("cell").agg(*sums))
        made = np.zeros((5, size * size))
        cells = fetched["cell"][0].astype(np.int64)
        for line, name in enumerate(("n", "weight", "of_pos", "sum_old", "sum_new")):
            made[line, cells] = fetched[name][0]
        return made.reshape(5, size, size)

    def class_means(self) -> tuple[Array, Array, Array]:
        """Rows, twice, and means of old and new of each class, events first; read off the groups."""
        sizes, means = np.array(self.sizes, dtype=np.float64), np.zeros((2, 2))
        for model, found in enumerate(self.ranked):
            values = found.scores.astype(np.float64)
            for side, (counts, total) in enumerate([(found.pos, found.n_pos), (found.neg, found.n_neg)]):
                means[side, model] = counts @ values / total
        return sizes, sizes, means

    def class_products(self, means: Array) -> Array:
        """Sums of products about these means; only that of both models needs rows."""
        import narwhals as nw

        products = np.zeros((2, 2, 2))
        for model, found in enumerate(self.ranked):
            values = found.scores.astype(np.float64)
            for side, counts in enumerate((found.pos, found.neg)):
                products[side, model, model] = counts @ (values - means[side, model]) ** 2
        away = {}
        for side, weight in enumerate(("of_pos", "of_neg")):
            old, new = nw.col("old") - float(means[side, 0]), nw.col("new") - float(means[side, 1])
            away[weight] = nw.col(weight) * (old * new)
        fetched = fetch(self._base().select(**away).select(nw.col("of_pos").sum(), nw.col("of_neg").sum()))
        for side, weight in enumerate(("of_pos", "of_neg")):
            products[side, 0, 1] = products[side, 1, 0] = float(fetched[weight][0][0])
        return products

    def _base(self) -> Any:
        import narwhals as nw

        places = [self.rows.columns.scores.index(name) for name in self.names]
        old, new = (nw.col(f"key{place}").cast(nw.Float64) for place in places)
        return self.rows.base().select("of_pos", "of_neg", old=old, new=new)


def pair_probabilities(rows: LazyRows, ranked: Mapping[str, RankedScores], old: str, new: str) -> LazyPair:
    """Check that both models give probabilities on rows of both classes that are counted one by one."""
    if rows.resolution is not None:
        raise InputError("rounded", "reclassification takes probabilities as they are: leave resolution out")
    for name in (old, new):
        _refuse_no_probabilities(name, ranked[name])
    if not ranked[old].counts_rows:
        raise InputError("weights_summed", summed("reclassification"))
    return LazyPair(rows, (old, new), (ranked[old], ranked[new]))


def _refuse_no_probabilities(name: str, groups: RankedScores) -> None:
    refuse_one_class(groups.n_pos, groups.n_neg, "reclassification needs")
    outside = ~((groups.scores >= 0) & (groups.scores <= 1))
    if outside.any():
        count = int((groups.pos + groups.neg)[outside].sum())
        told = f": {format_count(count)} lie outside [0, 1], such as {format_number(groups.scores[outside][0])}"
        ends = groups.scores[0], groups.scores[-1]
        refuse_outside(*ends, f"{name} must hold probabilities", CALIBRATE_FIRST, told=told)


def _category(side: str, cutoffs: tuple[float, ...] | None) -> Any:
    """Number of the risk category: a probability at a cutoff belongs to the higher one. Without cutoffs, itself."""
    import narwhals as nw

    if cutoffs is None:
        return nw.col(side)
    return sum(
        ((nw.col(side) >= cut).cast(nw.Int64) for cut in cutoffs[1:]), (nw.col(side) >= cutoffs[0]).cast(nw.Int64)
    )


def _whole_sums(*names: str) -> list[Any]:
    import narwhals as nw

    return [nw.col(name).sum() for name in names]
