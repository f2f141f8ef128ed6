"""A short hash of groups: the same for equal values of any type, in any container or engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.exact import blocks
from rocsteady._src.ranked.sortkeys import beyond_float

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray


def fingerprint(*arrays: NDArray[Any]) -> str:
    """Hash of the values of some arrays."""
    import hashlib

    digest = hashlib.blake2b(digest_size=8)
    for array in arrays:
        for part in _canonical(array):
            digest.update(part)
    return digest.hexdigest()


def _canonical(array: NDArray[Any]) -> Iterator[Any]:
    """The same bytes for equal values of any type: doubles where they hold every value, ratios where not."""
    if not _known_doubles(array):
        values = array.tolist()
        if not all(map(_is_double, values)):
            yield "\n".join(map(_as_ratio, values)).encode()
            return
    for part in blocks(array.size):
        yield array[part].astype("<f8") + 0.0


def _known_doubles(array: NDArray[Any]) -> bool:
    if array.dtype.kind == "b":
        return True
    if array.dtype.kind in "iu":
        return not (array.size and beyond_float(array))
    return bool(array.dtype.kind == "f" and array.dtype.itemsize <= 8)


def _is_double(value: Any) -> bool:
    try:
        return bool(float(value) == value)
    except OverflowError:
        return False


def _as_ratio(value: Any) -> str:
    if abs(value) == np.inf:
        return str(float(value))
    top, bottom = value.as_integer_ratio() if hasattr(value, "as_integer_ratio") else (int(value), 1)
    return f"{top}/{bottom}"
