"""Columns that belong together: several labels of a row, and one column of scores per class or label and model."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, printable, some_values
from rocsteady._src.base.text import format_count

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocsteady._src.views.cli.source import Source

BETWEEN = " _.-:/"
PART = re.compile(r'\s*"((?:[^"]|"")*)"\s*(?=,|\Z)|([^,]*)')


def listed(text: str) -> list[str]:
    """Names between commas; one that holds a comma itself stands in double quotes, as in a CSV file.

    Examples
    --------
    >>> listed("cat, dog"), listed('"iris, blue",other')
    (['cat', 'dog'], ['iris, blue', 'other'])
    """
    found, place = [], 0
    while place <= len(text):
        part = PART.match(text, place)
        quoted, plain = part.groups() if part else (None, "")
        found.append(plain.strip() if quoted is None else quoted.replace('""', '"'))
        place = (part.end() if part else place) + 1
    return found


def joined_names(names: Iterable[str]) -> str:
    """Names as :func:`listed` reads them.

    Examples
    --------
    >>> joined_names(["iris, blue", 'the "other"']), listed(joined_names(['"a"', " b", "c,d", "e=f"]))
    ('"iris, blue",the "other"', ['"a"', ' b', 'c,d', 'e=f'])
    """
    return ",".join(_quoted(name) for name in names)


def _quoted(name: str) -> str:
    plain = name and name == name.strip() and not name.startswith('"') and not set(",=") & set(name)
    return name if plain else '"' + name.replace('"', '""') + '"'


def with_models(source: Source, file_columns: list[str] | None = None) -> Source:
    """The source with its labels and models told apart: ``--label a,b,c`` and ``--score lr=p,q,r --score gb=s,t,u``."""
    labels = _labels(source, file_columns)
    source = source._replace(labels=labels)
    if source.classes is None and not labels:
        return source
    wanted = len(labels) if labels else len(listed(source.classes or ""))
    named, columns = _named(source.scores)
    if len(columns) == wanted and not named:
        return source._replace(scores=columns)
    if (named and any(len(each) != wanted for each in named.values())) or len(columns) % wanted:
        what = "labels" if labels else "classes"
        text = f"{format_count(len(columns))} columns of scores for {format_count(wanted)} {what}"
        told = "name one column per class, in the same order; of several models as --score name=column,column,..."
        raise ArgumentError("scores", f"{text}: {told}")
    return source._replace(scores=columns, models=named or _by_prefix(columns, wanted))


def _labels(source: Source, file_columns: list[str] | None) -> tuple[str, ...]:
    """Columns of several labels: names between commas, unless a column is called so."""
    if "," not in source.label:
        return ()
    if file_columns is None and source.file != "-":
        from rocsteady._src.views.cli.load import columns_in

        file_columns = columns_in(source.file, source.delimiter)
    if file_columns is not None and source.label in file_columns:
        return ()
    return tuple(listed(source.label))


def _named(scores: list[str]) -> tuple[dict[str, list[str]], list[str]]:
    """Models with their columns where each is written ``name=column,...``, and all columns one after another."""
    named: dict[str, list[str]] = {}
    columns: list[str] = []
    for text in scores:
        name, found, rest = ("", "", "") if text.lstrip().startswith('"') else text.partition("=")
        own = listed(rest if found else text)
        if found and name in named:
            raise ArgumentError("scores", f"--score names the model {printable(name)} twice")
        if found:
            named[name] = own
        columns += own
    if named and len(named) < len(scores):
        raise ArgumentError("scores", f"name every model, or none: --score {some_values(named)}= beside others without")
    return named, columns


def _by_prefix(columns: list[str], wanted: int) -> dict[str, list[str]]:
    """Models by what the names of their columns begin with, where that tells them apart."""
    parts = [columns[first : first + wanted] for first in range(0, len(columns), wanted)]
    names = [_start(part).rstrip(BETWEEN) for part in parts]
    if not all(names) or len(set(names)) < len(names):
        names = [f"model {place + 1}" for place in range(len(parts))]
    return dict(zip(names, parts, strict=True))


def _start(names: list[str]) -> str:
    """What all names begin with."""
    first, last = min(names), max(names)
    return next((first[:place] for place, char in enumerate(first) if last[place : place + 1] != char), first)


def measures_of(names: list[str] | None, source: Source) -> list[str] | None:
    """Measures that were asked for, refused before anything is read where there is none of that name."""
    from rocsteady._src.views.cli.options import between_commas, measures_asked

    if source.split == "time":
        return between_commas(names) or None  # of this evaluation, which knows its columns
    if not source.labels:
        return measures_asked(names, source.classes)
    from rocsteady._src.designs.labels.names import asked_of_labels

    listed = between_commas(names)
    return list(asked_of_labels(listed, source.labels)) if listed else None


def scores_of(source: Source) -> Any:
    """The columns of scores as the library takes them."""
    return source.scores if source.models is None else source.models


def compared_models(judged: Any, baseline: str | None, how: dict[str, Any]) -> Any:
    """Models of more than two classes, or of several labels, compared; one alone is told how to name several."""
    if not hasattr(judged, "compare") or not getattr(judged, "named", True):
        text = "a comparison needs at least two models: give one column per class for each"
        raise ArgumentError("one_model", f"{text}, as --score lr=p,q,r --score gb=s,t,u")
    return judged.compare(baseline=baseline, **how)
