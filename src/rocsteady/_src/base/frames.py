"""Results become DataFrames of whichever library is installed, through narwhals."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, Literal, cast

from rocsteady._src.base.errors import MissingDependencyError

Table = dict[str, Any]
Backend = Literal["pandas", "polars", "pyarrow"]
BACKENDS = ("pandas", "polars", "pyarrow")


def make_frame(columns: Table, backend: str | None = None) -> Any:
    """Build a native DataFrame from columns of equal length."""
    import narwhals as nw

    chosen = backend or next((name for name in BACKENDS if find_spec(name)), None)
    if chosen is None:
        message = 'to_frame() needs pandas, polars or pyarrow: pip install "rocsteady[polars]"'
        raise MissingDependencyError(message)
    return nw.from_dict(columns, backend=cast("Backend", chosen)).to_native()
