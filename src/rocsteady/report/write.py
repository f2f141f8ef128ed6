"""One door for all forms of the report: a page, its words as Markdown, its numbers as JSON, a sheet of pictures."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocsteady.atomic import refuse_existing, whole_file, write_whole
from rocsteady.curves import det_curve, gains_curve, pr_curve, roc_curve
from rocsteady.errors import ArgumentError, printable
from rocsteady.evaluation import Evaluation
from rocsteady.folded import FoldedEvaluation
from rocsteady.report.build import Options, build
from rocsteady.report.classes import build_multiclass
from rocsteady.report.folds import build_folded
from rocsteady.report.groups import build_grouped
from rocsteady.report.page import to_html
from rocsteady.report.words import to_json_data, to_markdown
from rocsteady.results.multiclass import MulticlassEvaluation

if TYPE_CHECKING:
    from typing import TypeAlias

    from rocsteady.report.document import Document
    from rocsteady.subgroups import GroupedEvaluation

    AnyEvaluation: TypeAlias = Evaluation | GroupedEvaluation | FoldedEvaluation | MulticlassEvaluation

FORMATS = {".html": "html", ".htm": "html", ".md": "md", ".json": "json", ".png": "png", ".pdf": "pdf", ".svg": "svg"}
OF_CLASSES = ("title", "level")


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
        raise ArgumentError(
            "format", f"format must be one of html, md, json, png, pdf, svg, got {form or target.suffix!r}"
        )
    refuse_existing(target, force=force)
    if form in ("png", "pdf", "svg"):
        figure = _figure(result)
        with whole_file(target, force=force) as temporary:
            figure.savefig(temporary, format=form, dpi=150)
        return target
    document = document_of(result, **options)
    if form == "html":
        text = to_html(document)
    elif form == "md":
        text = to_markdown(document)
    else:
        text = json.dumps(to_json_data(document), allow_nan=False, ensure_ascii=False, indent=1) + "\n"
    write_whole(target, text, force=force)
    return target


def document_of(result: AnyEvaluation, **options: Any) -> Document:
    """What the report of any evaluation says."""
    if isinstance(result, MulticlassEvaluation):
        return build_multiclass(result, **_of_classes(options))
    if isinstance(result, Evaluation):
        return build(result, Options(**options))
    _refuse_other_level(result, options)
    asked = Options(**{**options, "level": result.level})
    return build_folded(result, asked) if isinstance(result, FoldedEvaluation) else build_grouped(result, asked)


def _of_classes(options: dict[str, Any]) -> dict[str, Any]:
    """Options that mean something for more than two classes; others are refused unless they ask for nothing."""
    usual = asdict(Options())
    asked = {name: value for name, value in options.items() if name not in usual or value != usual[name]}
    for name in asked:
        if name not in OF_CLASSES:
            raise ArgumentError(name, f"a report of more than two classes has no {name}; it takes title and level")
    return asked | {name: options[name] for name in ("level",) if name in options}


def _refuse_other_level(result: GroupedEvaluation | FoldedEvaluation, options: dict[str, Any]) -> None:
    """Tests and folds were judged at one level: a page does not mix two."""
    if options.get("level", result.level) != result.level:
        text = f"this evaluation has level {result.level:g}: evaluate again with level={options['level']:g}"
        raise ArgumentError("level", text)


def _figure(result: AnyEvaluation) -> Any:
    if isinstance(result, MulticlassEvaluation):
        return result.plot().figure_
    return _sheet(result if isinstance(result, Evaluation) else result.overall)


def _sheet(result: Evaluation) -> Any:
    from rocsteady.plots.sheet import draw_sheet

    kinds = {"ROC": roc_curve, "Precision and recall": pr_curve, "Cumulative gains": gains_curve, "DET": det_curve}
    curves = {kind: {model: draw(ranked) for model, ranked in result.ranked.items()} for kind, draw in kinds.items()}
    verdict = result.compare().verdict[0] if len(result.models) > 1 else ""
    return draw_sheet(curves, printable(verdict).replace("$", r"\$"))
