"""Numbers, page and pictures of a result in a run of MLflow."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, printable, require
from rocsteady._src.base.typed import typed
from rocsteady._src.views.trackers.files import facts_of, scratch_folder, write_page, write_pictures
from rocsteady._src.views.trackers.mlflow_values import renamed
from rocsteady._src.views.trackers.readings import scalars

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

NOT_IN_KEYS = re.compile(r"[^\w\-. :/]+ *")
SIGNS = {">=": "at least", "<=": "at most", ">": "above", "<": "below"}  # of conditions, which no key may hold
TAGS = ("pos_label", "direction", "n_rows", "n_dropped", "weighted", "version")


@typed
def log_mlflow(
    result: Any,
    *,
    run_id: str | None = None,
    prefix: str = "",
    report: bool | Mapping[str, Any] = True,
    plots: bool = True,
) -> dict[str, float]:
    """Log a result to a run of MLflow: metrics with intervals, the report and pictures as artifacts.

    For a model rather than a result, ``mlflow.models.evaluate(..., evaluators="rocsteady")`` does the same.

    Parameters
    ----------
    result : Result
        An evaluation, a comparison, a test, an interval.
    run_id : str, optional
        The run; the active one when absent, or a new one.
    prefix : str
        What every metric begins with.
    report : bool or mapping
        Whether to keep the report of an evaluation; or its options, such as ``{"cost_fp": 1, "cost_fn": 20}``.
    plots : bool
        Whether to keep pictures.

    Returns
    -------
    dict of float
        What was logged, by name: ``roc_auc``, ``roc_auc_low``, ``roc_auc_high``, as MLflow calls such numbers.

    Examples
    --------
    >>> import rocsteady as rs
    >>> result = rs.evaluate([1, 1, 0, 0], [0.9, 0.4, 0.5, 0.1], measures=["auc"], intervals=True)
    >>> sorted(rs.trackers.log_mlflow(result))  # doctest: +SKIP
    ['n_neg', 'n_pos', 'roc_auc', 'roc_auc_high', 'roc_auc_low']
    """
    numbers = renamed(scalars(result))
    mlflow = _package()
    if run_id is None and mlflow.active_run() is None:
        with mlflow.start_run() as run:
            return log_mlflow(result, run_id=run.info.run_id, prefix=prefix, report=report, plots=plots)
    known = mlflow.active_run().info.run_id if run_id is None else run_id
    named = log_numbers(numbers, result, known, prefix)
    keep_files(result, known, report, plots=plots)
    return named


def log_numbers(metrics: dict[str, float], result: Any, run_id: str, prefix: str) -> dict[str, float]:
    """Metrics under keys that MLflow takes, and tags that say where they come from."""
    keys = {name: f"{prefix}{_key(name)}" for name in metrics}
    twice = [key for key, count in Counter(keys.values()).items() if count > 1]
    if twice:
        both = " and ".join(repr(name) for name in keys if keys[name] == twice[0])
        raise ArgumentError("names_collide", f"{both} would both be called {twice[0]!r} in MLflow; rename one of them")
    named = {keys[name]: value for name, value in metrics.items()}
    mlflow = _package()
    mlflow.log_metrics(named, run_id=run_id)
    facts = facts_of(result)
    for name in TAGS:
        if facts.get(name) is not None:
            mlflow.MlflowClient().set_tag(run_id, f"rocsteady.{name}", printable(facts[name], most=500))
    return named


def _key(name: str) -> str:
    told = re.sub("[<>]=?", lambda sign: SIGNS[sign[0]], name)
    return NOT_IN_KEYS.sub("_", told).strip("_")


def keep_files(result: Any, run_id: str, report: Any, *, plots: bool) -> dict[str, Any]:
    """The page and the pictures, in the run; returned by name as MLflow's artifacts."""
    kinds = require("mlflow.models.evaluation.artifacts", extra="mlflow", purpose="logging to MLflow")
    client = _package().MlflowClient()
    place = client.get_run(run_id).info.artifact_uri
    kept: dict[str, Any] = {}

    def keep(name: str, path: Path, kind: Any) -> None:
        client.log_artifact(run_id, str(path))
        kept[name] = kind(uri=f"{place}/{path.name}")
        kept[name]._load(str(path))  # noqa: SLF001 - as MLflow's own evaluators do

    with scratch_folder() as folder:
        options = {} if isinstance(report, bool) else dict(report)
        page = None if report is False else write_page(result, folder, options)
        if page is not None:
            keep("rocsteady_report", page, kinds.TextEvaluationArtifact)
        if plots:
            for name, path in write_pictures(result, folder).items():
                keep(f"rocsteady_{name}", path, kinds.ImageEvaluationArtifact)
    return kept


def _package() -> Any:
    return require("mlflow", extra="mlflow", purpose="logging to MLflow")
