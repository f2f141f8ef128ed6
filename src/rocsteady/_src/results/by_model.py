"""Results that hold models by name: they are counted and gone through as a mapping of them is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


class ByModel:
    """``len(result)`` models, whose names ``list(result)`` has.

    Examples
    --------
    >>> import rocsteady as rs
    >>> result = rs.evaluate([1, 1, 0, 0], {"a": [0.9, 0.4, 0.5, 0.1], "b": [0.9, 0.8, 0.2, 0.1]})
    >>> len(result), {name: result[name]["auc"] for name in result}
    (2, {'a': 0.75, 'b': 1.0})
    """

    __slots__ = ()
    models: Any

    def __iter__(self) -> Iterator[str]:
        return iter(self.models)

    def __len__(self) -> int:
        return len(self.models)

    def keys(self) -> tuple[str, ...]:
        """Names of the models, so that ``dict(result)`` has each of them by name."""
        return tuple(self.models)
