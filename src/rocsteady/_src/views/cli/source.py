"""From the options of a command to an evaluation."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from rocsteady._src.base.errors import ArgumentError, InputError, printable
from rocsteady._src.base.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.inputs.files import ScannedFiles, Wanted
    from rocsteady._src.results.remarks import Remark

NOBODY = "None"  # the label of censored rows where every row has an event
MEMORY = "4GB"
OTHER_WAYS = ("summed_by_engine", "bracketed_by_itself", "rounded_down")
SKETCHES = ("evaluate", "report")  # commands that have --sketch
OPENED = ExitStack()  # files that stay open until the command is done, which closes them


class Source(NamedTuple):
    """Where the rows of a command come from."""

    file: str
    label: str
    scores: list[str]
    weight: str | None
    id_column: str | None
    pos_label: str | None
    missing: str
    delimiter: str | None
    memory: str = MEMORY
    by: list[str] | None = None
    fold: str | None = None
    classes: str | None = None
    weight_type: Any = None
    repeat: str | None = None
    command: str = ""
    averaged: str | None = None
    absent: str = "undefined"
    labels: tuple[str, ...] = ()
    models: dict[str, list[str]] | None = None
    lower: tuple[str, ...] = ()
    time: str | None = None
    at: list[str] | None = None
    censored: str | None = None
    ipcw: str | None = None
    exact: bool = False

    @property
    def text_columns(self) -> tuple[str, ...]:
        """Columns that are not numbers by their meaning."""
        named = (*(self.labels or (self.label,)), self.id_column, *(self.by or ()), self.fold, self.repeat)
        return tuple(dict.fromkeys(name for name in named if name is not None))

    @property
    def wanted(self) -> Wanted:
        """The columns to read."""
        from rocsteady._src.inputs.files import Wanted
        from rocsteady._src.views.cli.columns import listed

        weights = () if self.weight is None else (self.weight,)
        times = () if self.time is None else (self.time, *(listed(self.ipcw) if self.ipcw else ()))
        return Wanted(numbers=(*self.scores, *weights, *times), labels=self.text_columns, weights=weights)

    @property
    def split(self) -> str | None:
        """The option that asks for more than one evaluation of two classes."""
        given = {
            "time": self.time,
            "labels": self.labels or None,
            "classes": self.classes,
            "by": self.by or None,
            "fold": self.fold,
        }
        return next((name for name, value in given.items() if value is not None), None)


def one_subject(id_column: str | None, cluster: str | None) -> str | None:
    """The column that names the subject of a row."""
    if cluster is not None and id_column not in (None, cluster):
        raise ArgumentError("cluster", "--id and --cluster name the subject of a row: give one column, not two")
    return cluster if cluster is not None else id_column


def with_weight_type(source: Source, weight_type: str | None, repeat: str | None = None) -> Source:
    """The source with its weights read as asked, where there are any, and with its repeats."""
    if repeat is not None and source.fold is None:
        raise ArgumentError("repeat", "--repeat names the repeats of a cross-validation: give --fold too")
    if weight_type is not None and source.weight is None:
        raise ArgumentError("weight_type", "--weight-type says how to read --weight, which is not given")
    return source._replace(weight_type=weight_type, repeat=repeat)


def judge(source: Source, **options: Any) -> Evaluation:
    """Read the columns, turn the positive label into the type that its column has, and evaluate.

    Files that do not fit stay open until the command ends.
    """
    result: Evaluation = judge_any(source, **options)
    if hasattr(result, "n_pos") and not (result.n_pos and result.n_neg):
        raise InputError("single_class", f"only one class is left to judge: {result.assumptions()}")
    return result


def judge_any(source: Source, **options: Any) -> Any:
    """The same with groups, folds or several classes: what :func:`rocsteady.evaluate` makes of them."""
    from rocsteady._src.inputs.files import ScannedFiles

    table, route = _opened(source)
    table, source = _turned(table, source)
    result = _scanned(source, table, options) if isinstance(table, ScannedFiles) else _in_memory(source, table, options)
    return _told(result, route) if route is not None and not _tells_its_way(result) else result


def _tells_its_way(result: Any) -> bool:
    """Whether groups did not fit, so that the remark on the way of the rows would be wrong."""
    return any(remark.code in OTHER_WAYS for remark in getattr(result, "remarks", ()))


def with_lower(source: Source, lower: list[str] | None) -> Source:
    """The source with columns of which a lower value means more positive: each one of its scores."""
    if lower and (source.classes is not None or source.labels):
        raise ArgumentError("lower", "--lower is about scores of two classes; leave it out")
    for name in lower or ():
        if name not in source.scores:
            raise ArgumentError("lower", f"--lower {printable(name)} is no --score; name one of them")
    return source._replace(lower=tuple(lower or ()))


def _turned(table: Any, source: Source) -> tuple[Any, Source]:
    """Table and source with scores negated of which a lower value means more positive; their names say so."""
    from rocsteady._src.inputs.files import ScannedFiles
    from rocsteady._src.inputs.files.direction import negated_columns, negated_files, negated_name

    if not source.lower:
        return table, source
    turned: Any = negated_files if isinstance(table, ScannedFiles) else negated_columns
    names = [negated_name(name) if name in source.lower else name for name in source.scores]
    return turned(table, source.lower), source._replace(scores=names, lower=())


def _opened(source: Source) -> tuple[Any, Remark | None]:
    """The table, and which way it came; of folds with the column "repeat" too, which evaluate refuses to merge."""
    from rocsteady._src.views.cli.load import open_table

    if source.fold is not None and source.repeat is None and source.file != "-":
        with suppress(InputError):  # there is no such column, or what is wrong is told below
            return OPENED.enter_context(open_table(source._replace(repeat="repeat")))
    return OPENED.enter_context(open_table(source))


def _told(result: Any, remark: Remark) -> Any:
    """The result with a remark on its rows; one of several classes has no place for it."""
    if hasattr(result, "remarks"):
        return replace(result, remarks=(*result.remarks, remark))
    return replace(result, overall=_told(result.overall, remark)) if hasattr(result, "overall") else result


def _in_memory(source: Source, table: dict[str, Any], options: dict[str, Any]) -> Any:
    import rocsteady as rs
    from rocsteady._src.inputs.files import typed_label
    from rocsteady._src.views.cli.columns import listed, scores_of

    labels = table[source.labels[0] if source.labels else source.label]
    given: dict[str, Any] = {"by": source.by or None, "fold": source.fold, "repeat": source.repeat}
    if source.labels:
        given["classes_averaged"] = None if source.averaged is None else listed(source.averaged)
        given["absent"] = source.absent
    elif source.classes is not None:
        given["classes"] = _class_labels(source.classes, labels)
        given["classes_averaged"] = None if source.averaged is None else _class_labels(source.averaged, labels)
        given["absent"] = source.absent
    if source.time is not None:
        given |= _of_times(source, labels)
        options = {name: options.get(name) for name in ("cluster",)} | {"level": options.get("level") or 0.95}
    elif source.classes is not None or source.labels:
        options = {name: options.get(name) for name in ("measures", "threshold", "level", "cluster", "auc_method")}
        options["level"], options["auc_method"] = options["level"] or 0.95, options["auc_method"] or "auto"
    asked: dict[str, Any] = {"missing": source.missing}
    asked |= {name: value for name, value in given.items() if value is not None or name == "censored"}
    return rs.evaluate(
        table,
        label=list(source.labels) or source.label,
        scores=scores_of(source),
        weight=source.weight,
        weight_type=source.weight_type,
        id=None if options.get("cluster") == source.id_column else source.id_column,
        pos_label=None if source.pos_label is None else typed_label(source.pos_label, labels),
        **asked,
        **options,
    )


def _of_times(source: Source, labels: Any) -> dict[str, Any]:
    """The column of times, the times to judge at, the label of rows without an event, and columns of weights."""
    from rocsteady._src.inputs.files import typed_label
    from rocsteady._src.views.cli.columns import listed
    from rocsteady._src.views.cli.options import numbers

    found: dict[str, Any] = {"time": source.time, "at": numbers(",".join(source.at), "at") if source.at else None}
    if source.censored is not None:
        every = source.censored == NOBODY and NOBODY not in {str(each) for each in labels}
        found["censored"] = None if every else typed_label(source.censored, labels)
    if source.ipcw is not None:
        found["ipcw"] = listed(source.ipcw)
    return found


def _class_labels(texts: str, labels: Any) -> list[Any]:
    """Classes between commas, as their column has them: class 2 of a column of numbers is 2, not 2.0."""
    from rocsteady._src.inputs.files import typed_label
    from rocsteady._src.views.cli.columns import listed

    found = [typed_label(text, labels) for text in listed(texts)]
    return [int(label) if isinstance(label, float) and label.is_integer() else label for label in found]


def _scanned(source: Source, files: ScannedFiles, options: dict[str, Any]) -> Any:
    """Evaluate files where they are; what needs rows in memory is refused with the way out."""
    from rocsteady._src.evaluation.evaluate_rows import evaluate_rows
    from rocsteady._src.inputs.files.scan import label_type, watching
    from rocsteady._src.ranked.lazy.lazy_rows import lazy_rows
    from rocsteady._src.views.cli.routes import other_way, surely_too_many, without_groups

    if source.split is not None or source.id_column is not None:
        from rocsteady._src.views.cli.distinct import distinct_source

        columns, source = distinct_source(source, files)
        return _in_memory(source, columns, options)
    rows = lazy_rows(
        files.relation,
        label=source.label,
        scores=source.scores,
        weight=source.weight,
        weight_type=source.weight_type,
        pos_label=None if source.pos_label is None else label_type(files, source.label, source.pos_label),
        missing=source.missing,  # type: ignore[arg-type]
        most_groups=files.most_groups,
    )
    asked: dict[str, Any] = {name: options.get(name) for name in ("measures", "threshold")}
    how = {name: options[name] for name in ("level", "n_resamples", "random_state", "auc_method") if name in options}
    with _in_words(source), files.checked():
        try:
            with watching(files.connection, "grouping"):
                result = None if surely_too_many(files, source) else evaluate_rows(rows, **asked)
        except InputError as error:
            if error.code not in ("too_many_groups", "memory_limit") or not other_way(source):
                raise
            result = None
        if result is None:
            return without_groups(source, rows, files, options)
    return result.with_intervals(**how) if options.get("intervals") else result


@contextmanager
def _in_words(source: Source) -> Iterator[None]:
    """What does not fit is refused with the options that this command has."""
    try:
        yield
    except InputError as error:
        if error.code not in ("too_many_groups", "memory_limit"):
            raise
        sketch = ", or bracket the values with --sketch 20" if source.command in SKETCHES else ""
        way_out = f"raise --memory, now {source.memory}{sketch}"
        known: Any = error.sentence  # "{told}; {way_out}", the latter for Python
        raise InputError(error.code, Sentence(known.template, **known.params | {"way_out": way_out})) from error
