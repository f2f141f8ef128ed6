"""What a page opens with, and the line that makes it again once its reader has typed something else."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import printable
from rocsteady._src.evaluation.decision_elsewhere import course_at
from rocsteady._src.results.cases import of_cases
from rocsteady._src.views.report.document import Opened
from rocsteady._src.views.report.records import safe

if TYPE_CHECKING:
    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.results.decision import Decision
    from rocsteady._src.views.report.names import Style
    from rocsteady._src.views.report.options import Options

    Look = dict[str, Style]

TYPED = ("cost_fp", "cost_fn", "prevalence", "model", "threshold")  # what a reader of a page may type
LONGEST = 2000


def opened(result: Evaluation, decided: Decision, options: Options, look: Look) -> Opened | None:
    """The model and threshold that were asked for; None where the page opens with what it advises."""
    if options.model is None and options.threshold is None:
        return None
    model = decided.model if options.model is None else options.model
    course = course_at(result, decided, model, options.threshold)
    cells = course.cells(decided.cases, decided.decimals)
    return Opened(look[model].name, safe(course.threshold), *cells[1:-1])


def in_words(shown: Opened | None, decided: Decision) -> list[str]:
    """The same as a sentence, for all forms of a report."""
    if shown is None:
        return []
    happens = f"{shown.found} found, {shown.missed} missed, {shown.false_alarms} false alarms, cost {shown.cost}"
    return [f"As asked: {shown.model} at {shown.shown}: of {of_cases(decided.cases)} {happens}"]


def untyped(options: Options) -> Options:
    """Options without what a reader may type."""
    nothing: dict[str, Any] = dict.fromkeys(TYPED)
    return replace(options, **nothing)


def line_parts(options: Options, line: str, look: Look) -> dict[str, Any] | None:
    """The line without what a reader may type, what of that was asked for, and models by the names of the page.

    None where the line was too long to be told whole.

    Examples
    --------
    >>> from rocsteady._src.views.report.options import Options
    >>> line_parts(Options(cost_fn=5, command="rocsteady report a.csv --cost-fn=5 --label y"), "", {})["start"]
    'rocsteady report a.csv --label y'
    """
    whole = options.command if options.command is not None else line
    if len(whole) > LONGEST or printable(whole, most=LONGEST) != whole:
        return None
    shell = options.command is not None
    asked = {name: safe(getattr(options, name)) for name in TYPED if getattr(options, name) is not None}
    names = {style.name: model for model, style in look.items() if printable(model, most=48) == str(model)}
    told = {name: shlex.quote(str(model)) if shell else repr(model) for name, model in names.items()}
    if "model" in asked:
        asked["model"] = look[options.model].name if options.model in look else None
    start = _without(options.command or "") if shell else line.removesuffix(")")
    return {"shell": shell, "start": start, "asked": asked, "models": told}


def _without(command: str) -> str:
    """A command without the options that are written anew."""
    words, kept = shlex.split(command), list[str]()
    flags = [f"--{name.replace('_', '-')}" for name in TYPED]
    place = 0
    while place < len(words):
        name, equals, _ = words[place].partition("=")
        if name not in flags:
            kept.append(words[place])
        elif not equals:
            place += 1  # its value is a word of its own
        place += 1
    return shlex.join(kept)
