"""Rows are sorted once, here, into groups of equal score; everything else reads the groups."""

from rocsteady._src.ranked.grouping import descending_order, merge_order, order_points, sorted_distinct, sorted_rows
from rocsteady._src.ranked.merging import joined_negatives, merge
from rocsteady._src.ranked.models import ModelRows, in_value_order, numbered, rank_models, read_models
from rocsteady._src.ranked.ordered import OrderedScores, rank_in_order
from rocsteady._src.ranked.reading import origin_of
from rocsteady._src.ranked.scores import RankedScores, rank, refuse_more_than_one

__all__ = [
    "ModelRows",
    "OrderedScores",
    "RankedScores",
    "descending_order",
    "in_value_order",
    "joined_negatives",
    "merge",
    "merge_order",
    "numbered",
    "order_points",
    "origin_of",
    "rank",
    "rank_in_order",
    "rank_models",
    "read_models",
    "refuse_more_than_one",
    "sorted_distinct",
    "sorted_rows",
]
