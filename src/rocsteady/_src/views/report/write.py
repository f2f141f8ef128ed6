"""One door for all forms of the report: a page, its words as Markdown, its numbers as JSON, paper, pictures."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.atomic import whole_file, write_whole
from rocsteady._src.base.errors import ArgumentError, printable
from rocsteady._src.base.sentences import Option, Sentence
from rocsteady._src.evaluation.classes.called_models import CalledModels
from rocsteady._src.evaluation.classes.classes_by_fold import MulticlassFolds
from rocsteady._src.evaluation.classes.grouped import MulticlassGroups
from rocsteady._src.evaluation.classes.models import MulticlassModels
from rocsteady._src.evaluation.evaluation import Evaluation
from rocsteady._src.evaluation.evaluation_by_fold import FoldedEvaluation
from rocsteady._src.evaluation.labels.models import MultilabelModels
from rocsteady._src.evaluation.timed import TimedEvaluation
from rocsteady._src.results.multiclass import MulticlassEvaluation
from rocsteady._src.results.multilabel import MultilabelEvaluation
from rocsteady._src.results.readers import ReaderStudy
from rocsteady._src.views.report.build import build
from rocsteady._src.views.report.called_page import build_called
from rocsteady._src.views.report.class_models import build_models
from rocsteady._src.views.report.class_parts import build_parts
from rocsteady._src.views.report.classes import build_multiclass, checked_level
from rocsteady._src.views.report.folds import build_folded, pooled_words
from rocsteady._src.views.report.groups import build_grouped
from rocsteady._src.views.report.label_models import build_label_models
from rocsteady._src.views.report.label_page import build_labels
from rocsteady._src.views.report.options import Options, checked_options
from rocsteady._src.views.report.own_page import mark_of, marked, metadata, refuse_strangers
from rocsteady._src.views.report.page import to_html
from rocsteady._src.views.report.pictures import sheet
from rocsteady._src.views.report.readers_page import build_readers
from rocsteady._src.views.report.still_pictures import Drawer
from rocsteady._src.views.report.times_page import build_times
from rocsteady._src.views.report.words import to_json, to_markdown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    from rocsteady._src.evaluation.groups import GroupedEvaluation
    from rocsteady._src.views.report.document import Document

    OfParts: TypeAlias = MulticlassGroups | MulticlassFolds
    OfRows: TypeAlias = TimedEvaluation | ReaderStudy
    OfClasses: TypeAlias = MulticlassEvaluation | MulticlassModels | OfParts | MultilabelEvaluation | OfRows
    AnyEvaluation: TypeAlias = Evaluation | GroupedEvaluation | FoldedEvaluation | OfClasses

FORMATS = {".html": "html", ".htm": "html", ".md": "md", ".json": "json", ".png": "png", ".svg": "svg"}
OF_CLASSES = ("title", "level", "command")
OF_SEVERAL = (
    MulticlassEvaluation,
    MulticlassModels,
    MulticlassGroups,
    MulticlassFolds,
    MultilabelEvaluation,
    TimedEvaluation,
    ReaderStudy,
)


def write_report(
    result: AnyEvaluation,
    path: object,
    *,
    format: str | None = None,  # noqa: A002 - what people call it
    force: bool = False,
    **options: Any,
) -> Path:
    """Write a report whole or not at all; the form follows the file's ending unless ``format`` names it."""
    target = Path(str(path))
    form = format or FORMATS.get(target.suffix.lower())
    if form not in set(FORMATS.values()):
        raise ArgumentError("format", f"format must be one of html, md, json, png, svg, got {form or target.suffix!r}")
    mark = mark_of(result)
    force = refuse_strangers(target, mark, force=force)
    if form in ("png", "svg"):
        figure = _figure(result, **options)
        with whole_file(target, force=force) as temporary:
            figure.savefig(temporary, format=form, dpi=150, metadata=metadata(form, mark))
        return target
    write_whole(target, marked(_told(result, form, options), form, mark), force=force)
    return target


def _told(result: AnyEvaluation, form: str, options: dict[str, Any]) -> str:
    if form != "html":
        return {"md": to_markdown, "json": to_json}[form](document_of(result, **options))
    with Drawer() as drawer:
        return to_html(document_of(result, drawer.ask, **options), drawer)


def document_of(
    result: AnyEvaluation, draw: Callable[[Iterable[dict[str, Any]]], object] = list, /, **options: Any
) -> Document:
    """What the report of any evaluation says; bad options are refused before the work."""
    if isinstance(result, OF_SEVERAL):
        asked = _of_classes(options)
        command = asked.pop("command", None)
        page = _of_several(result, asked)
        return page if command is None else replace(page, command=printable(command, most=2000), supplied="")
    checked = _asked(result, options)
    if isinstance(result, Evaluation):
        return build(result, checked, draw)
    return build_folded(result, checked) if isinstance(result, FoldedEvaluation) else build_grouped(result, checked)


def _of_several(result: OfClasses, asked: dict[str, Any]) -> Document:
    if isinstance(result, TimedEvaluation):
        return build_times(result, **asked)
    if isinstance(result, ReaderStudy):
        return build_readers(result, **asked)
    if isinstance(result, MulticlassEvaluation):
        return build_multiclass(result, **asked)
    if isinstance(result, CalledModels):
        return build_called(result, **asked)
    if isinstance(result, MultilabelModels):
        return build_label_models(result, **asked)
    if isinstance(result, MulticlassModels):
        return build_models(result, **asked)
    return build_labels(result, **asked) if isinstance(result, MultilabelEvaluation) else build_parts(result, **asked)


def _asked(result: Evaluation | GroupedEvaluation | FoldedEvaluation, options: dict[str, Any]) -> Options:
    if isinstance(result, Evaluation):
        return checked_options(result, **options)
    _refuse_other_level(result, options)
    return checked_options(result.overall, **{**options, "level": result.level})


def _of_classes(options: dict[str, Any]) -> dict[str, Any]:
    """Options that mean something for more than two classes; others are refused unless they ask for nothing."""
    usual = asdict(Options())
    asked = {name: value for name, value in options.items() if name not in usual or value != usual[name]}
    for name in asked:
        if name not in OF_CLASSES:
            raise ArgumentError(
                name,
                f"such a report has no {name}; of classes, labels, times or readers it takes title and level",
            )
    return asked | {name: options[name] for name in ("level",) if name in options}


def _refuse_other_level(result: GroupedEvaluation | FoldedEvaluation, options: dict[str, Any]) -> None:
    """Tests and folds were judged at one level and by one method: a page does not mix two."""
    made_by = result.overall.auc_method
    if options.get("auc_method") not in (None, made_by):
        text = Sentence(
            "this evaluation has {auc_method}: evaluate again with {asked!r}",
            auc_method=Option("auc_method", (made_by,)),
            asked=options["auc_method"],
        )
        raise ArgumentError("auc_method", text)
    if options.get("level", result.level) != result.level:
        text = Sentence(
            "this evaluation has level {level:setting}: evaluate again with {asked}",
            level=result.level,
            asked=Option("level", (float(options["level"]),)),
        )
        raise ArgumentError("level", text)


def _figure(result: AnyEvaluation, **options: Any) -> Any:
    """Pictures; options are checked as those of a page are."""
    if isinstance(result, OF_SEVERAL):
        checked_level(result, _of_classes(options).get("level"))
        return result.plot().figure_
    asked = _asked(result, options)
    if isinstance(result, Evaluation):
        return sheet(result, asked)
    return sheet(result.overall, asked, pooled_words(result) if isinstance(result, FoldedEvaluation) else "")
