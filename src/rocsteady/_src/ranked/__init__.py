"""Rows are sorted once, here, into groups of equal score; everything else reads the groups."""

from rocsteady._src.ranked.canonical import canonical_models, canonical_order, canonical_samples, in_canonical_order
from rocsteady._src.ranked.grouping import descending_order, merge_order, order_points, sorted_distinct, sorted_rows
from rocsteady._src.ranked.groups_or_rows import groups_or_rows
from rocsteady._src.ranked.merging import joined_negatives, merge
from rocsteady._src.ranked.numbering import in_value_order, numbered
from rocsteady._src.ranked.ordered import OrderedScores, rank_in_order
from rocsteady._src.ranked.protocol import AnyModels, AnyRows, rows_by_unit
from rocsteady._src.ranked.reading import count_rows, origin_of
from rocsteady._src.ranked.rows import Rows, read_models, read_rows
from rocsteady._src.ranked.scores import RankedScores, rank, refuse_more_than_one

__all__ = [
    "AnyModels",
    "AnyRows",
    "OrderedScores",
    "RankedScores",
    "Rows",
    "canonical_models",
    "canonical_order",
    "canonical_samples",
    "count_rows",
    "descending_order",
    "groups_or_rows",
    "in_canonical_order",
    "in_value_order",
    "joined_negatives",
    "merge",
    "merge_order",
    "numbered",
    "order_points",
    "origin_of",
    "rank",
    "rank_in_order",
    "read_models",
    "read_rows",
    "refuse_more_than_one",
    "rows_by_unit",
    "sorted_distinct",
    "sorted_rows",
]
