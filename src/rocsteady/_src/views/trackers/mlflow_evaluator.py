"""The evaluator that MLflow finds under the name "rocsteady", by an entry point of this package."""

from __future__ import annotations

import logging
import re
from typing import Any

from rocsteady._src.base.errors import require, some_values
from rocsteady._src.views.trackers.mlflow_log import keep_files, log_numbers
from rocsteady._src.views.trackers.mlflow_outputs import read_outputs
from rocsteady._src.views.trackers.mlflow_values import OPTIONS, judged

AS_MLFLOW = ("pos_label", "label_list", "sample_weights", "average", "metric_prefix")
OWN = (*AS_MLFLOW, "measures", "threshold", "report", "plots")
OF_OTHERS = re.compile(r"explainability_|log_|calibration_|max_classes|col_mapping|default|retriever|evaluator")
_logger = logging.getLogger("mlflow.rocsteady")  # MLflow shows what is logged under its name


class MlflowEvaluator:
    """Evaluator of classifiers for ``mlflow.models.evaluate(..., evaluators="rocsteady")``.

    Metrics have the names that MLflow's own evaluator gives them, and each has ``_low`` and ``_high``: ``roc_auc``,
    ``precision_recall_auc``, ``log_loss``, ``f1_score``, ``recall_score``, ``precision_score``, ``accuracy_score``.
    Where there are scores, ``threshold`` is the one of largest TPR - FPR, and ``f1_score_at_threshold`` and others are
    the values there. Artifacts are the report, one HTML page, and pictures.

    ``evaluator_config`` takes ``pos_label``, ``label_list``, ``sample_weights``, ``average`` and ``metric_prefix`` as
    MLflow's does, and ``measures``, ``threshold``, ``level``, ``cluster``, ``n_resamples``, ``random_state``,
    ``auc_method`` and ``weight_type`` of :func:`rocsteady.evaluate`. ``report`` is False, or options of the report such
    as ``{"cost_fp": 1, "cost_fn": 20}``; ``plots`` is False for none.

    It has the methods of ``mlflow.models.ModelEvaluator`` and does not inherit them: its module loads without MLflow.

    Examples
    --------
    >>> MlflowEvaluator.can_evaluate(model_type="regressor", evaluator_config={})
    False
    """

    name = "rocsteady"

    @classmethod
    def can_evaluate(cls, *, model_type: Any, evaluator_config: Any, **_: Any) -> bool:
        """Whether the model is a classifier."""
        return bool(model_type == "classifier")

    def evaluate(
        self,
        *,
        model_type: Any,
        dataset: Any,
        run_id: str,
        evaluator_config: dict[str, Any] | None,
        model: Any = None,
        extra_metrics: Any = None,
        custom_artifacts: Any = None,
        predictions: str | None = None,
        **_: Any,
    ) -> Any:
        """Judge the outputs, and log metrics, page and pictures to the run."""
        config = dict(evaluator_config or {})
        _warn_of_strangers(config, extra_metrics, custom_artifacts)
        if isinstance(config.get("cluster"), str):
            config["cluster"] = dataset.features_data[config["cluster"]].to_numpy()
        metrics, result = judged(read_outputs(model, dataset, predictions, config), config)
        named = log_numbers(metrics, result, run_id, config.get("metric_prefix") or "")
        kept = keep_files(result, run_id, config.get("report", True), plots=bool(config.get("plots", True)))
        models = require("mlflow.models", extra="mlflow", purpose="the MLflow evaluator")
        return models.EvaluationResult(named, kept, run_id=run_id)


def _warn_of_strangers(config: dict[str, Any], *others: Any) -> None:
    """Options that only other evaluators know may stand in a shared configuration, and are told."""
    unknown = [name for name in config if name not in (*OWN, *OPTIONS) and not OF_OTHERS.match(str(name))]
    if unknown:
        known = ", ".join((*OWN, *OPTIONS))
        _logger.warning("the rocsteady evaluator knows no option %s; it has: %s", some_values(unknown), known)
    if any(others):
        _logger.warning("extra_metrics and custom_artifacts are made by MLflow's default evaluator, not by rocsteady")
