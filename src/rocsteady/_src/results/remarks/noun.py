"""Remarks: what a reader of a result should know, as a code with parameters that each door puts into words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.sentences import Sentence, joined, rendered

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocsteady._src.base.errors import Undefined
    from rocsteady._src.base.sentences import Door


@dataclass(frozen=True, slots=True)
class Told:
    """What a code says, and what to do about it; ``shell`` and ``page`` where these need other words.

    Templates are those of :mod:`rocsteady._src.base.sentences`.
    """

    says: str
    do: str
    shell: str | None = None
    page: str | None = None

    def template(self, door: str) -> str:
        """The words of a door."""
        other = {"shell": self.shell, "page": self.page}.get(door)
        return self.says if other is None else other


class Remark(Sentence):
    """Something a reader of the numbers should know: text, with the ``code`` and ``params`` that it is made of.

    ``model`` is whom it concerns, None when it concerns all. The page of remarks lists the codes.

    Examples
    --------
    >>> remark = Remark("few_resamples", n=200)
    >>> remark, remark.code, remark.params
    ('200 resamples: the ends are uncertain themselves; use 2000 or more', 'few_resamples', {'n': 200})
    """

    __slots__ = ("code", "model")
    code: str
    model: str | None

    def __new__(cls, code: str, /, model: str | None = None, **params: Any) -> Remark:
        """Make one; the words come from the table of remarks."""
        from rocsteady._src.results.remarks.table import TOLD

        made = super().__new__(cls, _about(model) + TOLD[code].says, **_with_model(model, params))
        assert isinstance(made, Remark)  # noqa: S101 - for the type checker
        made.code, made.model, made.params = code, model, params
        return made

    @property
    def text(self) -> Remark:
        """What is said, without whom it concerns."""
        return self if self.model is None else Remark(self.code, **self.params)

    def about(self, model: str) -> Remark:
        """The same of one model."""
        return Remark(self.code, model, **self.params)

    def said(self, door: Door) -> str:
        """The remark in the words of a door."""
        from rocsteady._src.results.remarks.table import TOLD

        template = _about(self.model) + TOLD[self.code].template(door.name)
        return rendered(template, _with_model(self.model, self.params), door)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {"code": self.code, "model": self.model, "text": str(self.text)}

    def __reduce__(self) -> tuple[Any, ...]:
        return _remade, (self.code, self.model, self.params)


def noted(remark: str, *about: str) -> Sentence:
    """A remark as a line below a table: with whom and what it is about.

    Examples
    --------
    >>> noted(Remark("hooked"), "model", "auc")
    'note: model: auc: the fitted curve dips below the chance line at one end (a hook)'
    """
    return joined(": ", ["note", *about, remark])


def together(remarks: Iterable[Remark]) -> list[Remark]:
    """Remarks that say the same of several models as one of all of them.

    Examples
    --------
    >>> together([Remark("hooked", "a"), Remark("hooked", "b")])
    ['a, b: the fitted curve dips below the chance line at one end (a hook)']
    """
    whom: dict[Remark, list[str]] = {}
    for remark in remarks:
        whom.setdefault(remark.text, []).extend([] if remark.model is None else [remark.model])
    return [remark.about(", ".join(models)) if models else remark for remark, models in whom.items()]


def remark_in(note: str) -> tuple[tuple[str, ...], Remark] | None:
    """Whom and what a line is about, and the remark that it ends with; None where it has none.

    Examples
    --------
    >>> remark_in(noted(Remark("hooked"), "model", "auc"))
    (('model', 'auc'), 'the fitted curve dips below the chance line at one end (a hook)')
    """
    if isinstance(note, Remark):
        return (() if note.model is None else (note.model,)), note.text
    parts = list(note.params.values()) if isinstance(note, Sentence) else []
    if not parts or note.template != ": ".join(f"{{{name}}}" for name in note.params):  # type: ignore[attr-defined]
        return None
    found = remark_in(parts[-1])
    if found is None:
        return None
    before = map(str, parts[parts[0] == "note" : -1])
    return (*before, *found[0]), found[1]


def undefined_because(value: Undefined) -> Remark:
    """Why a value is NaN."""
    return Remark("undefined", reason=value.reason, explanation=value.explanation)


def _remade(code: str, model: str | None, params: dict[str, Any]) -> Remark:
    return Remark(code, model, **params)


def _about(model: str | None) -> str:
    return "" if model is None else "{model}: "


def _with_model(model: str | None, params: dict[str, Any]) -> dict[str, Any]:
    return params if model is None else {"model": model, **params}
