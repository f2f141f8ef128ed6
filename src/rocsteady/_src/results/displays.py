"""What ``plot`` gives back, in scikit-learn's Display habits, and what ``report`` may be asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from rocsteady._src.base.atomic import whole_file
from rocsteady._src.base.near_names import no_attribute
from rocsteady._src.base.text import format_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D


class ReportOptions(TypedDict, total=False):
    """Options of ``report``; see :meth:`rocsteady.Evaluation.report`."""

    title: str
    level: float
    cost_fp: float | None
    cost_fn: float | None
    prevalence: float | None
    cutoffs: Sequence[float] | None
    baseline: str | None
    model: str | None
    threshold: float | None
    auc_method: str | None
    method: str
    intervals: str
    command: str | None
    format: str | None
    force: bool


class Figured:
    """What has a figure."""

    __slots__ = ()
    figure_: Figure

    def savefig(self, path: Any, **options: Any) -> Path | None:
        """Write the figure to a file, whole or not at all, as matplotlib's ``Figure.savefig``.

        Parameters
        ----------
        path : str, Path or file
            Its ending says the format; .png is added where it has none. An existing file is replaced.
        **options
            As of matplotlib, such as ``dpi``.

        Returns
        -------
        Path or None
            The file that was written.

        Examples
        --------
        >>> import io, rocsteady as rs
        >>> written = io.BytesIO()
        >>> rs.roc_curve([0, 1, 1], [0.2, 0.4, 0.9]).plot().savefig(written, format="svg")
        >>> written.getvalue()[:5]
        b'<?xml'
        """
        if not isinstance(path, (str, PathLike)):
            self.figure_.savefig(path, **options)
            return None
        target = Path(path)
        if not target.suffix:
            target = target.with_name(f"{target.name}.{options.get('format', 'png')}")
        with whole_file(target, force=True) as temporary:
            self.figure_.savefig(temporary, **options)
        return target

    if not TYPE_CHECKING:  # or a type checker would believe in any attribute

        def __getattr__(self, name: str) -> Any:
            """Say where it is what people look for under another name."""
            if name.startswith("_"):
                raise AttributeError(name)
            raise AttributeError(no_attribute(type(self), name), name=name, obj=self)


@dataclass(slots=True)
class Display(Figured):
    """What was drawn: the result, ``ax_`` and ``figure_``."""

    result: Any
    ax_: Axes
    figure_: Figure

    def __init_subclass__(cls) -> None:
        if "__repr__" not in cls.__dict__:  # or a dataclass would write out its fields
            cls.__repr__ = Display.__repr__  # type: ignore[method-assign]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({_what(self.result)})"


class CurveDisplays(Figured, list["CurveDisplay"]):
    """What was drawn of several models, one display each; ``ax_`` and ``figure_`` are those of all."""

    @property
    def ax_(self) -> Axes:
        """The Axes that all curves are on."""
        return self[0].ax_

    @property
    def figure_(self) -> Figure:  # type: ignore[override]  # that of the curves, which cannot be set
        """The figure that all curves are in."""
        return self[0].figure_

    def __repr__(self) -> str:
        return f"CurveDisplays({format_count(len(self))} curves)"


def _what(result: Any) -> str:
    """A result in one line; of several, or of none, what they are."""
    shown = repr(result) if hasattr(result, "_brief") else type(result).__name__
    return " ".join(shown.split())[:100]


@dataclass(slots=True)
class PanelsDisplay(Display):
    """What was drawn side by side: ``ax_`` has one Axes for each part."""

    ax_: Sequence[Axes]  # type: ignore[assignment]


@dataclass(slots=True)
class CurveDisplay(Display):
    """What was drawn: also ``line_`` and, where there is one, ``chance_level_``."""

    line_: Line2D
    chance_level_: Line2D | None = None


@dataclass(slots=True)
class BandDisplay(Display):
    """What was drawn: also ``line_``, ``band_`` and, where it was new, ``chance_level_``."""

    line_: Line2D
    band_: Artist
    chance_level_: Line2D | None = None


@dataclass(slots=True)
class BracketDisplay(Display):
    """What was drawn: also both ``lines_`` and the ``band_`` between them."""

    lines_: tuple[Line2D, Line2D]
    band_: Artist


@dataclass(slots=True)
class CalibrationDisplay(Display):
    """What was drawn: also ``line_``, ``limits_``, ``bars_`` and, where new, ``diagonal_``."""

    line_: Line2D
    limits_: Artist
    bars_: Artist
    diagonal_: Line2D | None = None


@dataclass(slots=True)
class DecisionDisplay(Display):
    """What was drawn: also, by model, ``lines_`` and ``bands_``."""

    lines_: dict[str, Line2D]
    bands_: dict[str, Artist]


@dataclass(slots=True)
class PosteriorDisplay(Display):
    """What was drawn: also ``line_``, and ``regions_``: left, alike and right, None where empty."""

    line_: Line2D
    regions_: list[Any]


@dataclass(slots=True)
class RecordDisplay(Display):
    """What was drawn: also, in the order of the result, ``dots_``, ``bars_`` and ``references_``.

    Where a number is undefined, its entry is None and the picture says so.
    """

    dots_: list[Any] = field(default_factory=list)
    bars_: list[Any] = field(default_factory=list)
    references_: list[Any] = field(default_factory=list)
