"""The file of a sketch, read back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsteady._src.base.atomic import named_file
from rocsteady._src.base.errors import InputError, printable
from rocsteady._src.base.typed import typed
from rocsteady._src.scale.sketch import Sketch
from rocsteady._src.scale.sketch_bytes import MOST_EXPANDED

if TYPE_CHECKING:
    from os import PathLike


@typed
def load_sketches(path: str | PathLike[str], *, most_bytes: int = MOST_EXPANDED) -> Sketch:
    """Read a file that :meth:`Sketch.save` wrote.

    Parameters
    ----------
    path : str or path
        The file.
    most_bytes : int
        Most memory that the sketch may take; one that would take more is refused before any is taken.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from rocsteady.scale import Sketch, load_sketches
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Sketch().update([1, 0], [2.5, 1.5]).save(Path(folder) / "one.rks")
    ...     load_sketches(path).n_rows
    2
    """
    target = named_file(path)
    try:
        return Sketch.from_bytes(target.read_bytes(), most_bytes=most_bytes)
    except OSError as error:
        raise InputError("file_unreadable", f"{printable(target)} cannot be read: {error.strerror}") from error
    except InputError as error:
        raise InputError(error.code, f"{printable(target)}: {error}") from error
