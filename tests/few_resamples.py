"""Fewer resamples, for tests of what is said and shown: here, and in workers of the local page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

FEW_BLOCKS = 3
FEW_DRAWS = 60
WORK = (
    "-P",
    "-c",
    f"import sys; sys.path.append({str(Path(__file__).parent)!r}); import few_resamples; few_resamples.work()",
)


def again_and_again(parts: Callable[..., Iterator[list[Any]]], block: Any, jobs: list[Any], n_jobs: Any) -> Any:
    """The first blocks of resamples, again and again until all that were asked for are there."""
    drawn = list(parts(block, jobs[:FEW_BLOCKS], n_jobs))
    return (drawn[place % FEW_BLOCKS][:size] for place, (size, _) in enumerate(jobs))


def work() -> None:
    """A worker of the local page that draws few."""
    resample: Any = import_module("rocsteady._src.inference.resampling.resample")
    resample._parts = partial(again_and_again, resample._parts)
    elsewhere: Any = import_module("rocsteady._src.evaluation.choices_elsewhere")
    elsewhere.RESAMPLES = FEW_DRAWS
    from rocsteady._src.views.serve.worker import main

    main()
