"""What all results share: where the numbers come from, and the doors to dict and DataFrame."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal, Protocol, overload

import numpy as np

from rocsteady._src.base.frames import Table, make_frame
from rocsteady._src.base.near_names import no_attribute
from rocsteady._src.base.text import format_count, format_setting
from rocsteady._src.results.plain_values import as_plain, plain
from rocsteady._src.results.reading import RECORD, cells_of, html_of_table, html_of_text, markdown_of, one_line, text_of
from rocsteady._src.results.remarks import noted
from rocsteady._version import __version__

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path

    import pandas as pd
    import polars as pl
    import pyarrow as pa
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from rocsteady._src.results.displays import Display
    from rocsteady._src.results.pictures import Picture

    Array = NDArray[Any]

DIRECTION = "a higher score means more positive"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the numbers come from: what counts as positive, how many rows were read and left out.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.rank(["ill", "well"], [0.9, 0.1], pos_label="ill").origin
    Origin(pos_label='ill', n_rows=2, n_dropped=0, weighted=False, resolution=None, weight_type=None, neg_label='well')
    """

    pos_label: Any
    n_rows: int
    n_dropped: int = 0
    weighted: bool = False
    resolution: float | None = None
    weight_type: str | None = None
    neg_label: Any = field(default=None, compare=False)  # the label of all others, where there is one

    @property
    def reading(self) -> str | None:
        """How weights are read, "frequency" or "sampling", which they are unless said otherwise; None without any."""
        return (self.weight_type or "sampling") if self.weighted else None

    @property
    def rounding(self) -> str:
        """How scores were rounded before ranking; empty when they were not."""
        return "" if self.resolution is None else f"scores rounded to multiples of {format_setting(self.resolution)}"

    def sizes(self, n_pos: Any, n_neg: Any) -> str:
        """Numbers of rows and of each class, which may be sums of weights."""
        rows = f"{format_count(self.n_rows)} rows: {format_count(n_pos)} positive, {format_count(n_neg)} negative"
        return rows + (" (weighted)" if self.weighted else "")

    @property
    def dropped(self) -> str:
        """How many rows were left out, as the end of a sentence; empty when none were."""
        return f"; {format_count(self.n_dropped)} incomplete rows dropped" if self.n_dropped else ""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, with direction and version."""
        return {
            "pos_label": plain(self.pos_label),
            "direction": DIRECTION,
            "n_rows": self.n_rows,
            "n_dropped": self.n_dropped,
            "weighted": self.weighted,
            **({} if self.reading is None else {"weight_type": self.reading}),
            **({} if self.resolution is None else {"resolution": self.resolution}),
            "version": __version__,
        }


class Counted(Protocol):
    """Anything that knows its classes and where its rows come from."""

    @property
    def n_pos(self) -> Any:
        """Number of positives, or their weight."""
        ...

    @property
    def n_neg(self) -> Any:
        """Number of negatives, or their weight."""
        ...

    @property
    def origin(self) -> Any:
        """Where the rows come from."""
        ...


def facts_of(counted: Counted, origin: Any = None) -> dict[str, Any]:
    """What every result says of its rows: the numbers of positives and negatives, and where they come from.

    ``origin`` is that of rows whose models were each ranked by themselves.
    """
    known = counted.origin if origin is None else origin
    return {"n_pos": counted.n_pos, "n_neg": counted.n_neg, "origin": known}


class Bounded(float):
    """A float that knows its error: ``error_bound`` is absolute, ``method`` says how it was computed.

    Examples
    --------
    >>> value = Bounded(0.25, error_bound=1e-14, method="prefix sums")
    >>> value * 4, value.error_bound, value.method
    (1.0, 1e-14, 'prefix sums')
    """

    error_bound: float
    method: str

    def __new__(cls, value: float, *, error_bound: float, method: str) -> Bounded:
        """Attach a bound to a value."""
        made = super().__new__(cls, value)
        made.error_bound, made.method = error_bound, method
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[float], dict[str, Any]]:
        return (float(self),), {"error_bound": self.error_bound, "method": self.method}


class Pictured:
    """What can be drawn: ``_picture`` declares how, as one of the kinds in :mod:`rocsteady._src.results.pictures`."""

    __slots__ = ()

    def plot(self, ax: Axes | None = None, *, publication: bool = False) -> Display:
        """Draw with matplotlib and return a display with ``ax_`` and ``figure_``.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure when absent.
        publication : bool
            Draw for print: a column's width, small serif type.
        """
        from rocsteady._src.views.plots import draw_record

        return draw_record(self, self._picture(), ax, publication=publication)

    def _picture(self) -> Picture:
        raise NotImplementedError(f"{type(self).__name__} must declare _picture, or have a plot of its own")


class Result(Pictured):
    """Shared doors of all results.

    Examples
    --------
    >>> import rocsteady as rs
    >>> interval = rs.proportion_interval(8, 10)
    >>> isinstance(interval, rs.results.Result), interval.to_dict()["method"]
    (True, 'wilson')
    """

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "to_dict" in cls.__dict__:
            cls.to_dict = as_plain(cls.__dict__["to_dict"])  # type: ignore[method-assign]
        if "__repr__" not in cls.__dict__:  # or a dataclass would write out its fields
            cls.__repr__ = Result.__repr__  # type: ignore[method-assign]

    if not TYPE_CHECKING:  # or a type checker would believe in any attribute

        def __getattr__(self, name: str) -> Any:
            """Say where it is what people look for under another name."""
            if name.startswith("_"):
                raise AttributeError(name)
            raise AttributeError(no_attribute(type(self), name), name=name, obj=self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._brief()})"

    def _brief(self) -> str:
        """What stands in one line of a list or a debugger."""
        if type(self).__str__ is not Result.__str__:
            return one_line(str(self))
        header, rows = self._reading()
        pairs = rows if header == RECORD else [[f"{format_count(len(rows))} lines of {', '.join(header)}"]]
        return one_line(", ".join(" ".join(pair) for pair in pairs))

    def __str__(self) -> str:
        return text_of(self._reading(), self._notes())

    def _reading(self) -> tuple[list[str], list[list[str]]]:
        """Header and rows for reading."""
        cells = getattr(self, "cells", None)
        found = cells_of(self._columns()) if cells is None else cells()
        return found if isinstance(found, tuple) else cells_of(self._columns())

    def _notes(self) -> list[str]:
        """Lines below the table: what was assumed, and what to beware of."""
        notes = getattr(self, "notes", None)
        if notes is not None:
            return list(notes())
        return [noted(remark) for remark in getattr(self, "warnings", ())]

    def _above(self) -> tuple[str, ...]:
        """What is said before the table."""
        return ()

    def to_markdown(self) -> str:
        """Return a table in Markdown, with what was assumed and what to beware of below it."""
        return markdown_of(self._reading(), self._notes(), self._above())

    def _repr_html_(self) -> str:
        """Show the table with its remarks in a notebook."""
        if hasattr(self, "cells"):
            return html_of_table(self._reading(), self._notes(), self._above())
        return html_of_text(str(self))

    def save(self, path: str | PathLike[str], *, force: bool = False) -> Path:
        """Write a JSON file that :func:`rocsteady.load` reads, on another machine too, and return its path.

        It has a version and holds no rows, but for results that are rows, such as scores of a cross-validation.

        Parameters
        ----------
        path : str or Path
            Where to. A file that was written so before is replaced.
        force : bool
            Replace any other file too.
        """
        from rocsteady._src.results.saved_files import save_result

        return save_result(self, path, force=force)

    @as_plain
    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, which ``json.dumps`` takes: arrays are lists, keys are text.

        NaN is None, with the reason under ``undefined`` where it is known; infinities are "inf" and "-inf".
        """
        return {each.name: getattr(self, each.name) for each in fields(self)}  # type: ignore[arg-type]

    @overload
    def to_frame(self, backend: Literal["pandas"] | None = None) -> pd.DataFrame: ...

    @overload
    def to_frame(self, backend: Literal["polars"]) -> pl.DataFrame: ...

    @overload
    def to_frame(self, backend: Literal["pyarrow"]) -> pa.Table: ...

    def to_frame(self, backend: str | None = None) -> object:
        """Return a DataFrame: one row, or one row per entry for curves.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            The first one installed, in this order, unless named.
        """
        return make_frame(self._columns(), backend)

    def _columns(self) -> Table:
        values = {each.name: getattr(self, each.name) for each in fields(self)}  # type: ignore[arg-type]
        return {name: [_cell(value)] for name, value in values.items() if _is_cell(value)}


def _is_cell(value: Any) -> bool:
    """Whether a value fits into one cell of a frame."""
    return not (np.ndim(value) if isinstance(value, np.ndarray) else isinstance(value, (dict, list, tuple))) and not (
        hasattr(value, "to_dict")
    )


def _cell(value: Any) -> Any:
    return value.item() if isinstance(value, (np.generic, np.ndarray)) else value
