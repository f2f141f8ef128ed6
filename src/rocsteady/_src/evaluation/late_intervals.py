"""Intervals that are made when somebody looks: resamples of what is not shown cost nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, ItemsView, Iterator, KeysView, ValuesView

    from rocsteady._src.results import Interval

    OfModel = dict[str, Interval]


class LateIntervals(dict[str, "OfModel"]):
    """A dict of intervals by model that ``make`` fills at the first look."""

    def __init__(self, make: Callable[[], dict[str, OfModel]]) -> None:
        super().__init__()
        self._make: Callable[[], dict[str, OfModel]] | None = make

    def _filled(self) -> None:
        if self._make is not None:
            made, self._make = self._make(), None
            self.update(made)

    def __getitem__(self, model: str) -> OfModel:
        self._filled()
        return super().__getitem__(model)

    def __contains__(self, model: object) -> bool:
        self._filled()
        return super().__contains__(model)

    def __iter__(self) -> Iterator[str]:
        self._filled()
        return super().__iter__()

    def __len__(self) -> int:
        self._filled()
        return super().__len__()

    def __eq__(self, other: object) -> bool:
        self._filled()
        return super().__eq__(other)

    __hash__ = None

    def __repr__(self) -> str:
        self._filled()
        return super().__repr__()

    def get(self, model: str, otherwise: Any = None) -> Any:
        """As of a dict."""
        self._filled()
        return super().get(model, otherwise)

    def items(self) -> ItemsView[str, OfModel]:  # type: ignore[override]
        """As of a dict."""
        self._filled()
        return super().items()

    def keys(self) -> KeysView[str]:  # type: ignore[override]
        """As of a dict."""
        self._filled()
        return super().keys()

    def values(self) -> ValuesView[OfModel]:  # type: ignore[override]
        """As of a dict."""
        self._filled()
        return super().values()

    def copy(self) -> dict[str, OfModel]:
        """A plain dict."""
        return dict(self.items())

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (self.copy(),)
