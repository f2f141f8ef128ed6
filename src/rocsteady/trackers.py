"""Doors to trackers of experiments, and from graded answers to comparisons; each loads its package when used."""

from rocsteady._names import not_there as __getattr__  # noqa: F401 - Python asks it
from rocsteady._src.evaluation.answers import Answers, read_evaluate, read_inspect, read_lm_eval
from rocsteady._src.views.trackers.mlflow_log import log_mlflow
from rocsteady._src.views.trackers.openmetrics import openmetrics
from rocsteady._src.views.trackers.readings import scalars
from rocsteady._src.views.trackers.skore_report import add_to_skore
from rocsteady._src.views.trackers.tensorboard_log import log_tensorboard
from rocsteady._src.views.trackers.wandb_log import log_wandb

__all__ = [
    "Answers",
    "add_to_skore",
    "log_mlflow",
    "log_tensorboard",
    "log_wandb",
    "openmetrics",
    "read_evaluate",
    "read_inspect",
    "read_lm_eval",
    "scalars",
]
