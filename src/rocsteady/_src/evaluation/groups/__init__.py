"""The same models in parts of the rows: by site, sex, device, year."""

from rocsteady._src.evaluation.groups.evaluation import GroupedEvaluation, evaluate_groups

__all__ = ["GroupedEvaluation", "evaluate_groups"]
