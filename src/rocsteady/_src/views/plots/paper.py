"""Pictures for print: one argument, ``publication=True``, for everything that can be drawn."""

from __future__ import annotations

import functools
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeVar

from rocsteady._src.base.errors import require

if TYPE_CHECKING:
    from collections.abc import Callable

Drawing = TypeVar("Drawing")

ON_PAPER: ContextVar[bool] = ContextVar("on_paper", default=False)
SCALE = 0.66  # a column of a journal is about 3.4 inches wide
PAPER: dict[str, Any] = {
    "font.family": "serif",
    "font.size": 8,
    "axes.labelsize": 8,
    "axes.titlesize": 8,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "pdf.fonttype": 42,
    "ps.fonttype": 42,
    "svg.fonttype": "none",
    "savefig.dpi": 600,
}


def for_paper(draw: Callable[..., Drawing]) -> Callable[..., Drawing]:
    """Let a drawing function take ``publication=True``: a journal column's width, small serif type, embedded fonts."""

    @functools.wraps(draw)
    def drawn(*results: Any, publication: bool = False, **options: Any) -> Drawing:
        if not publication:
            return draw(*results, **options)
        matplotlib = require("matplotlib", extra="plots", purpose="plot()")
        token = ON_PAPER.set(True)
        try:
            with matplotlib.rc_context(PAPER):
                return draw(*results, **options)
        finally:
            ON_PAPER.reset(token)

    return drawn


def scaled(size: tuple[float, float]) -> tuple[float, float]:
    """The size of a figure, smaller on paper."""
    return (size[0] * SCALE, size[1] * SCALE) if ON_PAPER.get() else size
