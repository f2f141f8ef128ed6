"""Reclassification beside a comparison: one table, NRI and IDI for each of its pairs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rocsteady._src.probabilities.reclassification.idi import idi_of_rows
from rocsteady._src.probabilities.reclassification.nri import nri_of_rows
from rocsteady._src.probabilities.reclassification.tables import tables_of_rows
from rocsteady._src.probabilities.reclassification.two_models import TwoModels, checked_cutoffs
from rocsteady._src.results import PairReclassification
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocsteady._src.ranked import AnyRows, RankedScores
    from rocsteady._src.results import Comparison


def with_reclassification(
    comparison: Comparison,
    table: AnyRows,
    cutoffs: Sequence[float],
    ranked: Mapping[str, RankedScores],
) -> Comparison:
    """The comparison with what moving to each pair's new model does to people; warnings travel along.

    The baseline is old; without one the first model of a pair is, as on the command line "old new".
    """
    limits = checked_cutoffs(cutoffs)
    made = []
    for pair in comparison.pairs:
        old, new = (pair.second, pair.first) if pair.second == comparison.baseline else (pair.first, pair.second)
        rows = table.engine_pair(ranked, old, new) or _rows(table, old, new)
        made.append(
            PairReclassification(
                old,
                new,
                table=replace(tables_of_rows(rows, limits), old=old, new=new),
                nri=replace(nri_of_rows(rows, limits, comparison.level), old=old, new=new),
                idi=replace(idi_of_rows(rows, comparison.level), old=old, new=new),
            )
        )
    return replace(comparison, reclassified=tuple(made), warnings=(*comparison.warnings, *_notes(made)))


def _notes(made: Sequence[PairReclassification]) -> list[Remark]:
    """What holds for every pair once, the rest with the pair it is about."""
    pairs_of: dict[Remark, list[str]] = {}
    for each in made:
        for remark in dict.fromkeys((*each.nri.warnings, *each.idi.warnings)):
            pairs_of.setdefault(remark, []).append(f"from {each.old} to {each.new}")
    return [
        remark if len(pairs) == len(made) else Remark("of_pairs", pairs=pairs, remark=remark)
        for remark, pairs in pairs_of.items()
    ]


def _rows(table: AnyRows, old: str, new: str) -> TwoModels:
    """A repeated id that was not named as cluster= has been refused before."""
    rows = table.of_models(old, new)
    assert rows is not None  # noqa: S101 - they are in memory, or an engine would have answered
    return TwoModels.of(rows if rows.n_repeated_ids else rows.without_subjects(), old, new)
