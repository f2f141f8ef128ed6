"""Rows are sorted once, here, into groups of equal score; everything else reads the groups."""

from rocsteady.ranked.grouping import order_points
from rocsteady.ranked.scores import RankedScores, merge, rank, refuse_more_than_one

__all__ = ["RankedScores", "merge", "order_points", "rank", "refuse_more_than_one"]
