"""Numbers, page and pictures of a result in a run of Weights & Biases, online or offline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, require
from rocsteady._src.base.typed import typed
from rocsteady._src.views.trackers.files import facts_of, figures, scratch_folder, write_page
from rocsteady._src.views.trackers.readings import scalars

if TYPE_CHECKING:
    from collections.abc import Mapping

PURPOSE = "logging to Weights & Biases"


@typed
def log_wandb(
    result: Any,
    run: Any = None,
    *,
    step: int | None = None,
    prefix: str = "",
    report: bool | Mapping[str, Any] = True,
    plots: bool = True,
) -> dict[str, float]:
    """Log a result to a run of Weights & Biases: numbers with intervals, the report as a page, pictures as images.

    Parameters
    ----------
    result : Result
        An evaluation, a comparison, a test, an interval.
    run : wandb.Run, optional
        What ``wandb.init`` gave back; the active run when absent. ``wandb.init(mode="offline")`` needs no network.
    step : int, optional
        The step of the run, such as the epoch.
    prefix : str
        What every key begins with, such as ``"val/"``.
    report : bool or mapping
        Whether to log the report of an evaluation; or its options, such as ``{"cost_fp": 1, "cost_fn": 20}``.
    plots : bool
        Whether to log pictures.

    Returns
    -------
    dict of float
        The numbers that were logged, as :func:`scalars` names them.

    Examples
    --------
    >>> import rocsteady as rs
    >>> result = rs.evaluate([1, 1, 0, 0], [0.9, 0.4, 0.5, 0.1], measures=["auc"], intervals=True)
    >>> sorted(rs.trackers.log_wandb(result))  # doctest: +SKIP
    ['auc', 'auc_high', 'auc_low', 'n_neg', 'n_pos']
    """
    numbers = scalars(result, prefix=prefix)
    wandb = require("wandb", extra="wandb", purpose=PURPOSE)
    run = wandb.run if run is None else run
    if run is None:
        raise ArgumentError("run", "there is no active run; call wandb.init() first, or pass its run")
    shown: dict[str, Any] = {}
    if report is not False:
        options = {} if isinstance(report, bool) else dict(report)
        with scratch_folder() as folder:
            page = write_page(result, folder, options)
            if page is not None:
                shown["report"] = wandb.Html(page.read_text(encoding="utf-8"), inject=False)
    if plots:
        shown |= {name: wandb.Image(figure) for name, figure in figures(result)}
    run.config.update({"rocsteady": facts_of(result)}, allow_val_change=True)
    run.log({**numbers, **{f"{prefix}{name}": each for name, each in shown.items()}}, step=step)
    return numbers
