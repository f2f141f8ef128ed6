"""Doors to trackers of experiments, and from graded answers to comparisons; each loads its package when used."""

from rocsteady._src.evaluation.answers import Answers, read_evaluate, read_inspect, read_lm_eval
from rocsteady._src.views.trackers.mlflow_log import log_mlflow
from rocsteady._src.views.trackers.openmetrics import openmetrics
from rocsteady._src.views.trackers.readings import scalars

__all__ = [
    "Answers",
    "log_mlflow",
    "openmetrics",
    "read_evaluate",
    "read_inspect",
    "read_lm_eval",
    "scalars",
]
