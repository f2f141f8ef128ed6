"""Sketches of several models and groups, and which parts of the data they count: what one file holds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from rocsteady._src.base.atomic import named_file, write_whole
from rocsteady._src.base.errors import ArgumentError, InputError, printable, some_values
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count, format_digits, text_table
from rocsteady._src.base.typed import typed
from rocsteady._src.results.base import DIRECTION, Result
from rocsteady._src.results.pictures import Forest, Line
from rocsteady._src.scale.sketch import Sketch
from rocsteady._src.scale.sketch_bytes import MOST_EXPANDED
from rocsteady._src.scale.sketches_bytes import decode_file, encode_file, unsound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from os import PathLike
    from pathlib import Path

    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.scale import BracketedEvaluation
    from rocsteady._src.scale.sketch_groups import Group

Read = TypeVar("Read")
MOST_SHOWN = 50
LONGEST_PART = 200


class Sketches(Result):
    """Sketches by group and model, and the parts of the data that they count, each once.

    Parts may be counted by many machines and merged by one, in any order; a part that was counted before is refused,
    so that a merge may be tried again. ``save`` writes a file that :func:`rocsteady.scale.load_sketches` reads.

    Parameters
    ----------
    sketches : Sketch, or dict of Sketch by model
        Counted rows.
    part : str
        What these rows are called, such as "2026-11-17/north": no other part has this name.

    Examples
    --------
    >>> from rocsteady.scale import Sketch, Sketches
    >>> monday = Sketches(Sketch().update([1, 0, 1], [0.9, 0.4, 0.7]), part="monday")
    >>> tuesday = Sketches(Sketch().update([1, 0], [0.3, 0.4]), part="tuesday")
    >>> week = monday.merge(tuesday)
    >>> week
    Sketches(2 parts, 5 rows; model)
    >>> week.merge(monday)
    Traceback (most recent call last):
    rocsteady.errors.InputError: the part 'monday' was counted before, so its rows would count twice; leave it out, ...
    """

    def __init__(self, sketches: Sketch | Mapping[str, Sketch], *, part: str) -> None:
        found = {"model": sketches} if isinstance(sketches, Sketch) else dict(sketches)
        if not found or not all(isinstance(sketch, Sketch) for sketch in found.values()):
            raise ArgumentError("sketches", "pass a sketch, or a dict of sketches by model")
        self._hold({(): found}, tuple(found), (), {checked_part(part): next(iter(found.values())).n_rows}, 0)

    def _hold(
        self,
        groups: dict[Group, dict[str, Sketch]],
        models: tuple[str, ...],
        by: tuple[str, ...],
        parts: dict[str, int],
        n_ungrouped: int,
    ) -> None:
        self._groups, self.models, self.by = groups, models, by
        self._parts, self.n_ungrouped = parts, n_ungrouped

    @classmethod
    def of_groups(
        cls,
        groups: dict[Group, dict[str, Sketch]],
        *,
        models: Sequence[str],
        by: Sequence[str] = (),
        parts: Mapping[str, int],
        n_ungrouped: int = 0,
    ) -> Sketches:
        """Hold sketches by group that were counted together."""
        made = cls.__new__(cls)
        made._hold(groups, tuple(models), tuple(by), dict(parts), n_ungrouped)  # noqa: SLF001 - its own
        return made

    @property
    def parts(self) -> dict[str, int]:
        """Names of the parts that were counted, with their rows."""
        return dict(self._parts)

    @property
    def groups(self) -> list[Group]:
        """Values of the columns ``by``, as text, in order."""
        return sorted(self._groups)

    @property
    def n_rows(self) -> int:
        """Rows counted."""
        return sum(next(iter(found.values())).n_rows for found in self._groups.values())

    def __getitem__(self, model: str) -> Sketch:
        """The sketch of a model over all groups."""
        if model not in self.models:
            raise ArgumentError("model", f"there is no model {model!r}; models: {some_values(self.models, most=20)}")
        first, *others = (self._groups[group][model] for group in self.groups)
        return first.merge(*others)

    def group(self, *values: object) -> dict[str, Sketch]:
        """Sketches of one group by model; ``values`` as the columns ``by`` have them, or as text."""
        from rocsteady._src.scale.sketch_groups import group_text

        wanted = tuple(group_text(value) for value in values)
        if wanted not in self._groups:
            known = some_values([", ".join(group) for group in self.groups], most=10)
            raise ArgumentError("group", f"there is no group {', '.join(wanted)!r} of {', '.join(self.by)}; {known}")
        return dict(self._groups[wanted])

    def over(self, *by: str) -> Sketches:
        """The same rows by fewer of the columns, such as by day over all segments.

        Examples
        --------
        >>> import polars as pl
        >>> from rocsteady.scale import sketch_table
        >>> rows = {"y": [1, 0, 1, 0], "s": [4, 3, 2, 1], "day": [1, 1, 2, 2], "site": ["a", "b", "a", "a"]}
        >>> found = sketch_table(pl.LazyFrame(rows), label="y", score="s", by=["day", "site"], part="all")
        >>> found.groups, found.over("day").groups
        ([('1', 'a'), ('1', 'b'), ('2', 'a')], [('1',), ('2',)])
        """
        absent = [name for name in by if name not in self.by]
        if absent:
            raise ArgumentError("by", f"rows were not counted by {some_values(absent)}, but by {some_values(self.by)}")
        places, merged = [self.by.index(name) for name in by], dict[tuple[str, ...], dict[str, Sketch]]()
        for group in self.groups:
            _absorb(merged, tuple(group[place] for place in places), self._groups[group])
        return self.of_groups(merged, models=self.models, by=by, parts=self._parts, n_ungrouped=self.n_ungrouped)

    def merge(self, *others: Sketches, known: Literal["refuse", "skip"] = "refuse") -> Sketches:
        """A new object with the rows of all; a part that two of them count is refused, or skipped where all are known.

        Parameters
        ----------
        *others : Sketches
            Of the same models, columns ``by`` and settings.
        known : {"refuse", "skip"}
            What to do with one all of whose parts were counted before: with "skip" a merge can be tried again.
        """
        return merged_sketches((self, *others), known=known)

    def absorb(self, other: Sketches, *, known: Literal["refuse", "skip"] = "refuse") -> bool:
        """Count the rows of another here too, all or none of them; False where it was skipped."""
        twice = [part for part in other.parts if part in self._parts]
        if twice and known == "skip" and len(twice) == len(other.parts):
            return False
        if twice:
            _refuse_twice(twice, other)
        self._refuse_unlike(other)
        for group in other.groups:
            _absorb(self._groups, group, other.group(*group))
        self._parts |= other.parts
        self.n_ungrouped += other.n_ungrouped
        return True

    def _refuse_unlike(self, other: Sketches) -> None:
        for name, mine, theirs in (("models", self.models, other.models), ("by", self.by, other.by)):
            if mine != theirs:
                text = f"the files differ in {name}: {some_values(mine) or 'none'} and {some_values(theirs) or 'none'}"
                raise ArgumentError("merge_settings", f"{text}; make all of them alike")
        first = next(iter(self._groups.values()), {})
        for group in other.groups:
            found = other.group(*group)
            for model, sketch in self._groups.get(group, first).items():
                sketch.refuse_unlike(found[model])

    def evaluate(self, measures: Any = None, *, threshold: float | None = None) -> BracketedEvaluation:
        """All models over all groups: every measure with its bracket."""
        from rocsteady._src.scale.evaluate_sketches import evaluate_sketches

        sketches = {model: self[model] for model in self.models}
        return evaluate_sketches(sketches, measures=measures, threshold=threshold)

    def to_bytes(self) -> bytes:
        """The bytes of a file, the same whatever the order in which parts were merged."""
        groups = self.groups
        header = {
            "by": list(self.by),
            "models": list(self.models),
            "groups": [list(group) for group in groups],
            "parts": self._parts,
            "n_ungrouped": self.n_ungrouped,
        }
        return encode_file(header, [self._groups[group][model].to_bytes() for group in groups for model in self.models])

    @classmethod
    def from_bytes(cls, data: bytes, *, most_bytes: int = MOST_EXPANDED) -> Sketches:
        """Read what ``to_bytes`` wrote; ``most_bytes`` bounds the memory that all of its sketches take."""
        header, packed = decode_file(data)
        models, groups = tuple(header["models"]), [tuple(group) for group in header["groups"]]
        if len(set(groups)) != len(groups) or len(set(models)) != len(models) or not models:
            raise unsound("a group or a model stands in it twice, or there is none")
        found: dict[Group, dict[str, Sketch]] = {}
        for place, group in enumerate(groups):
            there = packed[place * len(models) : (place + 1) * len(models)]
            read = (Sketch.from_bytes(each, most_bytes=most_bytes) for each in there)  # type: ignore[arg-type]
            found[group] = dict(zip(models, read, strict=True))
            most_bytes -= sum(sketch.n_bytes for sketch in found[group].values())
        rest = {"parts": header["parts"], "n_ungrouped": header["n_ungrouped"]}
        return cls.of_groups(found, models=models, by=header["by"], **rest)

    def save(self, path: str | PathLike[str], *, force: bool = False) -> Path:
        """Write a file, whole or not at all; the usual ending is .rks."""
        target = named_file(path)
        write_whole(target, self.to_bytes(), force=force)
        return target

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: what was counted, and the AUC of every group and model with its bracket."""
        columns = self._columns()
        lines = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        told = {"parts": self.parts, "by": list(self.by), "models": list(self.models), "groups": lines}
        return told | {"n_ungrouped": self.n_ungrouped, "notes": self.notes()}

    def _picture(self) -> Forest:
        lines = [
            Line(" ".join([*group, model]), area.estimate, area.low, area.high, certain=True)
            for group in self.groups
            for model in self.models
            for area in (self._groups[group][model].auc(),)
        ]
        title = (f"AUC by {', '.join(self.by)}" if self.by else "AUC",)
        return Forest(title, "Between the ends for certain; no confidence interval", tuple(lines))

    def _columns(self) -> Table:
        return self.columns()

    def columns(self, level: float | None = None) -> Table:
        """Columns of ``to_frame``; with ``level`` the ends of confidence intervals of the AUC beside its bracket."""
        lines = [(group, model, self._groups[group][model]) for group in self.groups for model in self.models]
        areas = [sketch.auc() for _, _, sketch in lines]
        columns: Table = {name: [group[place] for group, _, _ in lines] for place, name in enumerate(self.by)}
        columns |= {"model": [model for _, model, _ in lines], "rows": [sketch.n_rows for *_, sketch in lines]}
        columns |= {"positives": [s.n_pos for *_, s in lines], "negatives": [s.n_neg for *_, s in lines]}
        columns |= {"auc": [area.estimate for area in areas], "low": [area.low for area in areas]}
        columns |= {"high": [area.high for area in areas], "exact": [area.exact for area in areas]}
        if level is None:
            return columns
        sure = [_interval(sketch, level) for *_, sketch in lines]
        return columns | {"interval_low": [low for low, _ in sure], "interval_high": [high for _, high in sure]}

    def notes(self) -> list[str]:
        """What holds for all of it."""
        without = f"; {format_count(self.n_ungrouped)} rows without a group left out" if self.n_ungrouped else ""
        first = next((found[self.models[0]] for found in self._groups.values()), None)
        label = "" if first is None else f"positive label {printable(first.origin.pos_label)}; "
        return [
            f"{_counted(len(self._parts), 'part')}: {some_values(self._parts, most=5)}{without}",
            f"{label}{DIRECTION}; the AUC of these rows lies between low and high, for certain",
        ]

    def __str__(self) -> str:
        columns = self.columns()
        names = list(columns)
        rows = [list(row) for row in zip(*columns.values(), strict=True)]
        cells = [[format_digits(cell, 6) if isinstance(cell, float) else str(cell) for cell in row] for row in rows]
        more = (
            [f"... {format_count(len(rows) - MOST_SHOWN)} more lines in to_frame()"] if len(rows) > MOST_SHOWN else []
        )
        return "\n".join([text_table(names, cells[:MOST_SHOWN]), *more, *self.notes()])

    def __repr__(self) -> str:
        by = f" by {', '.join(self.by)}: {_counted(len(self._groups), 'group')}" if self.by else ""
        rows = f"{_counted(len(self._parts), 'part')}, {_counted(self.n_rows, 'row')}"
        return f"Sketches({rows}; {', '.join(printable(model) for model in self.models)}{by})"

    def __eq__(self, other: object) -> bool:
        return self.to_bytes() == other.to_bytes() if isinstance(other, Sketches) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return Sketches.from_bytes, (self.to_bytes(),)


@typed
def load_sketches(path: str | PathLike[str], *, most_bytes: int = MOST_EXPANDED) -> Sketches:
    """Read a file that :meth:`Sketches.save` wrote.

    Parameters
    ----------
    path : str or path
        The file.
    most_bytes : int
        Most memory that its sketches may take; one that would take more is refused before any is taken.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from rocsteady.scale import Sketch, Sketches, load_sketches
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Sketches(Sketch().update([1, 0], [2.5, 1.5]), part="one").save(Path(folder) / "one.rks")
    ...     load_sketches(path).parts
    {'one': 2}
    """
    return read_file(path, lambda data: Sketches.from_bytes(data, most_bytes=most_bytes))


def read_file(path: str | PathLike[str], read: Callable[[bytes], Read]) -> Read:
    """What ``read`` makes of the bytes of a file; refusals name it."""
    target = named_file(path)
    try:
        data = target.read_bytes()
    except OSError as error:
        raise InputError("file_unreadable", f"{printable(target)} cannot be read: {error.strerror}") from error
    try:
        return read(data)
    except InputError as error:
        raise InputError(error.code, f"{printable(target)}: {error}") from error


def merged_sketches(files: Iterable[Sketches], *, known: Literal["refuse", "skip"] = "refuse") -> Sketches:
    """One object of many, read one after another; see :meth:`Sketches.merge`."""
    if known not in ("refuse", "skip"):
        raise ArgumentError("known", f"known must be 'refuse' or 'skip', got {known!r}")
    made: Sketches | None = None
    for each in _checked(files):
        if made is None:
            made = Sketches.of_groups({}, models=each.models, by=each.by, parts={})
        made.absorb(each, known=known)
    if made is None:
        raise ArgumentError("sketches", "there is nothing to merge; name at least one file of sketches")
    return made


def _checked(files: Iterable[Sketches]) -> Iterator[Sketches]:
    for each in files:
        if not isinstance(each, Sketches):
            raise ArgumentError("merge_type", f"only files of sketches can be merged, got {type(each).__name__}")
        yield each


def checked_part(part: object) -> str:
    """Refuse what is no name of a part."""
    if not isinstance(part, str) or not 0 < len(part) <= LONGEST_PART:
        raise ArgumentError("part", f"a part is named by text of at most {LONGEST_PART} characters, got {part!r}")
    return part


def _interval(sketch: Sketch, level: float) -> tuple[float, float]:
    """Ends of the interval of a group's AUC; NaN where it has one class alone."""
    if not (sketch.n_pos and sketch.n_neg):
        return math.nan, math.nan
    found = sketch.auc_interval(level=level)
    return found.low, found.high


def _absorb(groups: dict[Group, dict[str, Sketch]], group: Group, found: Mapping[str, Sketch]) -> None:
    if group not in groups:
        groups[group] = {model: sketch.blank() for model, sketch in found.items()}
    for model, sketch in found.items():
        groups[group][model].absorb(sketch)


def _refuse_twice(twice: list[str], other: Sketches) -> None:
    named = (
        f"the part {some_values(twice, most=3)} was" if len(twice) == 1 else f"{format_count(len(twice))} parts were"
    )
    if len(twice) < len(other.parts):
        way = "merge the parts that are new by themselves, since the file counts others with them"
        raise InputError("part_twice", f"{named} counted before, so its rows would count twice; {way}")
    text = "{named} counted before, so its rows would count twice; leave it out, or pass {known='skip'}"
    raise InputError("part_twice", Sentence(text, named=named))


def _counted(count: int, what: str) -> str:
    return f"{format_count(count)} {what}{'' if count == 1 else 's'}"
