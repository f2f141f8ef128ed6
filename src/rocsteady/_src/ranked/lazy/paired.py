"""Rows of several models meet: each row with its groups' placements, inside the engine or as batches stream by here.

Placements are whole numbers and cut into limbs, see ``ranked/placements.py``, so that the covariance of the
areas is exact on every engine, however the rows are split, until it is rounded once at the end, as in memory.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError, refuse_one_class
from rocsteady._src.inputs.weights import summed
from rocsteady._src.ranked import RankedScores
from rocsteady._src.ranked.lazy.cells import CHANGED, CODE, counted_cells
from rocsteady._src.ranked.lazy.fetch import fetch
from rocsteady._src.ranked.lazy.labels import label_code, positive_codes, taken_as_positive
from rocsteady._src.ranked.lazy.streamed import can_stream, streamed_sums, streams_here
from rocsteady._src.ranked.placements import Limbs, PlacementSums, own_products, wins_twice
from rocsteady._src.results import Origin

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rocsteady._src.ranked import Rows
    from rocsteady._src.ranked.lazy.lazy_rows import LazyRows

    Sums = dict[tuple[int, int], int]


FEW_GROUPS = 5_000_000  # of a model, that are brought here on trial


@dataclass(frozen=True, slots=True, eq=False)
class LazyModels:
    """Models on the rows of a lazy table: their groups, and sums over rows by class that the engine has made.

    ``rows`` are those of the table; None where an evaluation was saved without them.

    ``add_up`` makes ``products`` when they are asked for: models that are compared at a threshold need none of them.
    ``bounds`` are those of few misranked rows by pair of models, where an evaluation was saved with them.
    """

    names: tuple[str, ...]
    ranked: tuple[RankedScores, ...]
    add_up: Callable[[], tuple[Sums, Sums]]
    origin: Origin
    clusters: None = None
    weights: None = None
    rows: LazyRows | None = None
    bounds: Mapping[tuple[int, int], Any] | None = None

    @property
    def products(self) -> tuple[Sums, Sums]:
        """``products[side][i, j]`` is the sum of products of doubled placements of models i and j.

        Over positives (side 0) and over negatives (side 1).
        """
        return self.add_up()

    @property
    def n_clusters(self) -> int:
        """Every row is a subject of its own."""
        return self.origin.n_rows

    def in_memory(self) -> None:
        """The rows stay in their engine."""

    def called(self, places: Mapping[str, int]) -> Rows | None:
        """Rows of the same label and calls as one, counted by the engine; None where there is no table."""
        from rocsteady._src.ranked.lazy.cells import called_rows

        return (
            None
            if self.rows is None
            else called_rows(self.rows, dict(zip(self.names, self.ranked, strict=True)), places)
        )

    def placement_sums(self) -> PlacementSums:
        """What the covariance of the areas follows from."""
        sizes = int(self.ranked[0].n_pos), int(self.ranked[0].n_neg)
        return PlacementSums(sizes, tuple(wins_twice(groups) for groups in self.ranked), self.products)

    def alike(self, first: int, second: int) -> bool:
        """Whether no row is placed differently by the two models."""
        return self.placement_sums().alike(first, second)


def pair_models(rows: LazyRows, ranked: dict[str, RankedScores]) -> LazyModels:
    """Find every row's placements, and add up their products, when they are asked for."""
    names = tuple(ranked)
    groups = tuple(ranked.values())
    if not all(found.counts_rows for found in groups):
        raise InputError("weights_summed", summed("a paired comparison"))
    refuse_one_class(groups[0].n_pos, groups[0].n_neg, "an AUC needs")
    return LazyModels(names, groups, cache(partial(_paired_products, rows, groups)), groups[0].origin, rows=rows)


def _paired_products(rows: LazyRows, groups: tuple[RankedScores, ...]) -> tuple[Sums, Sums]:
    limbs = Limbs.of(groups[0].n_pos, groups[0].n_neg)
    sides = (streamed_sums if can_stream(rows, groups) else joined_sums)(rows, groups, limbs)
    _check_same_rows(sides, groups)
    for place, found in enumerate(groups):  # known from the groups: the engine adds up what pairs two models
        sides[0][place, place], sides[1][place, place] = own_products(found, limbs)
    return sides


def joined_sums(rows: LazyRows, groups: tuple[RankedScores, ...], limbs: Limbs) -> tuple[Sums, Sums]:
    """What :func:`streamed_sums` adds up, by a join of the engine: for rows that are elsewhere."""
    joined = rows.base()
    for place in range(len(groups)):
        joined = joined.join(_placements(rows, place, groups[0].n_pos, limbs), on=f"key{place}", how="inner")
    return _summed(joined, len(groups), limbs, own=False)


def compared_models(rows: LazyRows) -> LazyModels:
    """Models for a comparison alone: by groups where these are few and rows stream by here, else sums of the engine."""
    if streams_here(rows):
        try:
            return pair_models(rows, replace(rows, most_groups=min(rows.most_groups, FEW_GROUPS)).rank())
        except InputError as error:
            if error.code not in ("too_many_groups", "memory_limit"):
                raise
    return sum_models(rows)


def sum_models(rows: LazyRows) -> LazyModels:
    """The same where groups are too many to come here: ranks, products and sums all stay in the engine.

    An engine that spills to disk needs no memory for it. The groups of each model are those of :func:`same_area`.
    """
    columns, names = rows.columns, rows.columns.scores
    counted = counted_cells(columns, {CODE: label_code(columns, rows.pos_label)}, rows.pos_label, rows.missing)
    if counted.weights.dtype.kind != "i":
        raise InputError("weights_summed", summed("a variance in the engine"))
    positive = positive_codes(columns, counted.values[CODE], rows.pos_label)
    n_pos, n_neg = (int(counted.weights[which].sum()) for which in (positive, ~positive))
    refuse_one_class(n_pos, n_neg, "an AUC needs")
    limbs, joined = Limbs.of(n_pos, n_neg), rows.base()
    if len(names) == 1:
        joined = _placements(rows, 0, n_pos, limbs, counted=True)
    for place in range(len(names)) if len(names) > 1 else ():
        joined = joined.join(_placements(rows, place, n_pos, limbs), on=f"key{place}", how="inner")
    sides = _summed(joined, len(names), limbs)
    wins = [tuple(sums.pop((place, -1)) for sums in sides) for place in range(len(names))]
    if any(of_pos != of_neg for of_pos, of_neg in wins):
        raise InputError("table_changed", CHANGED)
    pos_label = taken_as_positive(columns, rows.pos_label)
    n_rows = n_pos + n_neg if counted.weighted and rows.weight_type == "frequency" else counted.n_rows
    origin = Origin(pos_label, n_rows, counted.n_dropped, counted.weighted, rows.resolution, rows.weight_type)
    groups = tuple(same_area(n_pos, n_neg, won, origin) for won, _ in wins)
    if not all(found.counts_rows for found in groups):
        raise InputError("weights_summed", summed("a variance in the engine"))
    return LazyModels(names, groups, lambda: sides, origin)


def difference_powers(rows: LazyRows, sizes: tuple[int, int], gap: float) -> list[list[float]]:
    """Sums over positives and over negatives of powers 2 to 4 of what a row adds to one area, not to the other.

    A row adds its placement by the first of two models less that by the second, less the ``gap`` of the areas. Last
    are sums over all rows of powers 2 and 4 of the change of rank, as a share of all rows. In floating point, by two
    joins of the engine.
    """
    import narwhals as nw

    limbs, joined = Limbs.of(*sizes), _both_placed(rows, sizes)
    wanted: dict[str, Any] = {}
    for side, weight, others in (("below", "of_pos", sizes[1]), ("above", "of_neg", sizes[0])):
        off = _change(side, limbs) / (2.0 * others) - gap
        counted, square = nw.col(weight).cast(nw.Float64), off * off
        squared = counted * square
        wanted |= {f"{side}2": squared, f"{side}3": squared * off, f"{side}4": squared * square}
    moved = (_change("below", limbs) - _change("above", limbs)) / (2.0 * sum(sizes))
    square = moved * moved
    counted = (nw.col("of_pos") + nw.col("of_neg")).cast(nw.Float64)
    wanted |= {"moved2": counted * square, "moved4": counted * square * square}
    found = fetch(joined.select(**wanted).select(*(nw.col(name).sum() for name in wanted)))
    powers = [(side, power) for side in ("below", "above") for power in (2, 3, 4)]
    sums = [float(found[f"{side}{power}"][0][0]) for side, power in powers]
    return [sums[:3], sums[3:], [float(found[f"moved{power}"][0][0]) for power in (2, 4)]]


def changed_placements(
    rows: LazyRows, sizes: tuple[int, int], cell_of: Callable[[Any, int], Any]
) -> list[tuple[Any, Any, Any]]:
    """By how much placements of two models differ, doubled: of each class the cells, counts and sums of each cell.

    ``cell_of`` is arithmetic on whole numbers, of the change and the rows of the other class.
    """
    import narwhals as nw

    limbs, joined, found = Limbs.of(*sizes), _both_placed(rows, sizes), []
    for side, weight, others in (("below", "of_pos", sizes[1]), ("above", "of_neg", sizes[0])):
        parts = [(part * (1 << limb * limbs.bits)).cast(nw.Int64) for limb, part in enumerate(_parts(side, limbs))]
        change = sum(parts[1:], parts[0])
        cells = joined.filter(nw.col(weight) > 0).select(
            cell=cell_of(change, others), count=nw.col(weight), total=nw.col(weight) * change
        )
        fetched = fetch(cells.group_by("cell").agg(nw.col("count").sum(), nw.col("total").sum()))
        found.append((fetched["cell"][0], fetched["count"][0], fetched["total"][0]))
    return found


def scores_differ(rows: LazyRows) -> bool:
    """Whether any row has two different scores."""
    import narwhals as nw

    differ = nw.when(nw.col("key0") != nw.col("key1")).then(nw.lit(1)).otherwise(nw.lit(0)).cast(nw.Int64)
    return bool(fetch(rows.base().select(differ=differ).select(nw.col("differ").sum()))["differ"][0][0])


def _both_placed(rows: LazyRows, sizes: tuple[int, int]) -> Any:
    """Rows with the placements of both models, by two joins."""
    limbs, joined = Limbs.of(*sizes), rows.base()
    for place in (0, 1):
        joined = joined.join(_placements(rows, place, sizes[0], limbs), on=f"key{place}", how="inner")
    return joined


def _parts(side: str, limbs: Limbs) -> list[Any]:
    """By how much each limb of a placement differs between two models."""
    import narwhals as nw

    return [nw.col(f"{side}0_{limb}") - nw.col(f"{side}1_{limb}") for limb in range(limbs.count)]


def _change(side: str, limbs: Limbs) -> Any:
    """The change of a placement, doubled, in floating point."""
    import narwhals as nw

    scaled = [part.cast(nw.Float64) * (2.0 ** (limb * limbs.bits)) for limb, part in enumerate(_parts(side, limbs))]
    return sum(scaled[1:], scaled[0])


def same_area(n_pos: int, n_neg: int, wins_twice: int, origin: Origin) -> RankedScores:
    """Few groups of so many rows with the very area of many: classes and AUC are theirs, and nothing else is.

    Examples
    --------
    >>> from rocsteady._src.results import Origin
    >>> groups = same_area(3, 4, 13, Origin(1, 7))
    >>> groups.scores.size, wins_twice(groups)
    (5, 13)
    """
    above, rest = divmod(wins_twice, 2 * n_neg)  # positives above all negatives, and what one of the others wins
    below, tied = divmod(rest, 2)
    lone = 1 if above < n_pos else 0
    pos = [n_pos - above - lone, 0, lone, 0, above]
    neg = [0, below, tied, n_neg - below - tied, 0]
    there = [place for place in range(5) if pos[place] or neg[place]]
    of_pos, of_neg = (np.array([side[place] for place in there], dtype=np.int64) for side in (pos, neg))
    return RankedScores.trusted(np.array(there, dtype=np.float64), of_pos, of_neg, origin)


def _placements(rows: LazyRows, place: int, n_pos: int, limbs: Limbs, *, counted: bool = False) -> Any:
    """One line per score of a model: doubled placements of its positives and of its negatives, in limbs.

    With ``counted`` its positives and negatives too, in place of the score.
    """
    import narwhals as nw

    key = f"key{place}"
    groups = rows.base().group_by(key).agg(nw.col("of_pos").sum(), nw.col("of_neg").sum())
    groups = groups.with_columns(
        nw.col("of_pos").cum_sum().over(order_by=key).cast(nw.Int64).alias("pos_through"),
        nw.col("of_neg").cum_sum().over(order_by=key).cast(nw.Int64).alias("neg_through"),
        nw.col("of_pos").cast(nw.Int64),
        nw.col("of_neg").cast(nw.Int64),
    )
    below = nw.col("neg_through") * 2 - nw.col("of_neg")
    above = (nw.lit(n_pos) - nw.col("pos_through")) * 2 + nw.col("of_pos")
    kept = ("of_pos", "of_neg") if counted else (key,)
    doubled = groups.select(*kept, below=below, above=above)
    cut = {}
    for side in ("below", "above"):
        for limb in range(limbs.count):
            shifted = nw.col(side) // (1 << limb * limbs.bits)
            cut[f"{side}{place}_{limb}"] = shifted if limb == limbs.count - 1 else shifted % (1 << limbs.bits)
    return doubled.select(*kept, **{name: value.cast(nw.Int64) for name, value in cut.items()})


def _summed(joined: Any, size: int, limbs: Limbs, *, own: bool = True) -> tuple[Sums, Sums]:
    """Sums of products over each class, put together from the sums over limbs; without ``own`` those of two models."""
    import narwhals as nw

    wanted, sums = {}, []
    for side, weight in (("below", "of_pos"), ("above", "of_neg")):
        for i in range(size):
            for limb in range(limbs.count):
                wanted[f"{side}{i}_{limb}"] = nw.col(weight) * nw.col(f"{side}{i}_{limb}")
        for i, j in _pairs(size, own=own):
            for a, b in limbs.pairs:
                product = nw.col(weight) * nw.col(f"{side}{i}_{a}") * nw.col(f"{side}{j}_{b}")
                wanted[f"{side}{i}_{a}x{j}_{b}"] = product
    sums = [nw.col(name).sum() for name in wanted]
    fetched = {name: int(values[0]) for name, (values, _) in fetch(joined.select(**wanted).select(*sums)).items()}
    below, above = (_put_together(fetched, side, size, limbs, own=own) for side in ("below", "above"))
    return below, above


def _pairs(size: int, *, own: bool) -> list[tuple[int, int]]:
    return [(i, j) for i, j in combinations_with_replacement(range(size), 2) if own or i != j]


def _put_together(fetched: dict[str, int], side: str, size: int, limbs: Limbs, *, own: bool) -> Sums:
    made: Sums = {}
    for i, j in _pairs(size, own=own):
        made[i, j] = sum(fetched[f"{side}{i}_{a}x{j}_{b}"] << (a + b) * limbs.bits for a, b in limbs.pairs)
    for i in range(size):  # -1 marks the plain sum of model i, which the groups know too
        made[i, -1] = sum(fetched[f"{side}{i}_{limb}"] << limb * limbs.bits for limb in range(limbs.count))
    return made


def _check_same_rows(sides: tuple[Sums, Sums], groups: tuple[RankedScores, ...]) -> None:
    """Both sides add up to twice the pairs won, which the groups of the first pass know: a check that costs nothing."""
    for place, found in enumerate(groups):
        wins = wins_twice(found)
        if any(sums.pop((place, -1)) != wins for sums in sides):
            raise InputError("table_changed", CHANGED)
