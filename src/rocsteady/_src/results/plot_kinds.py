"""``result.plot.roc()`` beside ``result.plot(kind="roc")``: kinds of pictures as names, as pandas has them."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Method = TypeVar("Method", bound="Callable[..., Any]")
OTHER_KINDS = {
    "precision_recall": "pr",
    "prc": "pr",
    "reliability": "calibration",
    "cumulative_gains": "gains",
}


def no_such_kind(kind: object, kinds: Iterable[str]) -> str:
    """What is said of a kind of picture that an evaluation does not have."""
    return f"there is no picture {kind!r}; kinds: {', '.join(kinds)}"


class by_kind:  # noqa: N801 - a decorator
    """Let a method ``plot(ax, *, kind)`` be called as ``plot.kind(ax)`` too."""

    def __init__(self, *kinds: str) -> None:
        self._kinds = kinds

    def __call__(self, method: Method) -> Method:
        return cast("Method", _Plot(method, self._kinds))


class _Plot:
    """A method that has its kinds as attributes when it is looked up on a result."""

    def __init__(self, method: Callable[..., Any], kinds: tuple[str, ...]) -> None:
        self.method, self.kinds = method, kinds
        self.__doc__ = method.__doc__

    def __get__(self, result: Any, owner: type | None = None) -> Any:
        return self.method if result is None else _Bound(self, result)


class _Bound:
    """The method of one result."""

    def __init__(self, plot: _Plot, result: Any) -> None:
        self._plot, self._result = plot, result
        self.__doc__ = plot.method.__doc__

    def __call__(self, *args: Any, **options: Any) -> Any:
        if args and isinstance(args[0], str):
            kind, args = self._kind(args[0]), args[1:]
            if "ax" in options or args:
                options["kind"] = kind
            else:
                args = (kind,)
        if isinstance(options.get("kind"), str):
            options["kind"] = self._kind(options["kind"])
        return self._plot.method(self._result, *args, **options)

    def _kind(self, name: str) -> str:
        """The kind that is meant: upper case and other words are known."""
        folded = name.lower().replace("-", "_").replace(" ", "_")
        kind = OTHER_KINDS.get(folded, folded)
        return kind if kind in self._plot.kinds else name

    def __getattr__(self, name: str) -> Any:
        kind = self._kind(name)
        if kind not in self._plot.kinds:
            raise AttributeError(no_such_kind(name, self._plot.kinds), name=name)
        return functools.partial(self, kind=kind)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._plot.kinds]
