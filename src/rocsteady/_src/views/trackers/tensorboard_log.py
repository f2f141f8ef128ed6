"""Numbers of a result in an event file of TensorBoard, with charts that draw intervals as bands."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import require
from rocsteady._src.base.typed import typed
from rocsteady._src.views.trackers.readings import scalars

if TYPE_CHECKING:
    from os import PathLike

PACKAGE = "tensorboard"
PURPOSE = "logging to TensorBoard"


@typed
def log_tensorboard(
    result: object, folder: str | PathLike[str], *, step: int = 0, prefix: str = ""
) -> dict[str, float]:
    """Write a result's numbers to a folder that TensorBoard watches; intervals are bands in "Custom Scalars".

    Neither TensorFlow nor PyTorch is needed. Call it once per epoch with the same folder and another step.

    Parameters
    ----------
    result : Result
        An evaluation, a comparison, a test, an interval.
    folder : str or Path
        The log directory of the run; made when absent. Each call adds an event file of its own.
    step : int
        The step, such as the epoch.
    prefix : str
        What every tag begins with, such as ``"val/"``.

    Returns
    -------
    dict of float
        The numbers that were written, as :func:`scalars` names them. TensorBoard keeps them in single precision.

    Examples
    --------
    >>> import rocsteady as rs
    >>> result = rs.evaluate([1, 1, 0, 0], [0.9, 0.4, 0.5, 0.1], measures=["auc"], intervals=True)
    >>> sorted(rs.trackers.log_tensorboard(result, "runs/first", step=1))  # doctest: +SKIP
    ['auc', 'auc_high', 'auc_low', 'n_neg', 'n_pos']
    """
    numbers = scalars(result, prefix=prefix)
    events = _part("compat.proto.event_pb2")
    scalar_pb = _part("plugins.scalar.summary_v2").scalar_pb
    summaries = [scalar_pb(name, value) for name, value in numbers.items()]
    bands = [name for name in numbers if {f"{name}_low", f"{name}_high"} <= numbers.keys()]
    if bands:
        summaries.append(_layout(bands))
    writer = _part("summary.writer.event_file_writer").EventFileWriter(os.fspath(folder))
    try:
        for summary in summaries:
            writer.add_event(events.Event(wall_time=time.time(), step=step, summary=summary))
    finally:
        writer.close()
    return numbers


def _layout(bands: list[str]) -> Any:
    """One chart for each number that has an interval: the line, and the band between its ends."""
    protos, known = _part("plugins.custom_scalar.layout_pb2"), _part("plugins.custom_scalar.metadata")
    margin = protos.MarginChartContent
    charts: dict[str, list[Any]] = {}
    for name in bands:
        series = margin.Series(value=name, lower=f"{name}_low", upper=f"{name}_high")
        charts.setdefault(name.rpartition("/")[2], []).append(series)
    drawn = [protos.Chart(title=title, margin=margin(series=each)) for title, each in charts.items()]
    layout = protos.Layout(category=[protos.Category(title="rocsteady: values with intervals", chart=drawn)])
    summary = _part("compat.proto.summary_pb2").Summary()
    summary.value.add(
        tag=known.CONFIG_SUMMARY_TAG,
        metadata=known.create_summary_metadata(),
        tensor=_part("util.tensor_util").make_tensor_proto(layout.SerializeToString()),
    )
    return summary


def _part(name: str) -> Any:
    return require(f"{PACKAGE}.{name}", extra=PACKAGE, purpose=PURPOSE)
