"""Options that would do nothing are refused: nobody should believe that they did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, printable

if TYPE_CHECKING:
    from pathlib import Path

    import typer

RESAMPLING = ("resamples", "seed")
OF_SITUATION = ("cost_fp", "cost_fn", "prevalence", "model", "threshold")
OF_INTERVALS = ("auc_method", *RESAMPLING)
OF_TIMES = ("at", "censored", "ipcw")
OF_RULES = {
    "value": ("sensitivity", "specificity", "precision"),
    "beta": ("f_beta",),
    "cost_fp": ("cost",),
    "cost_fn": ("cost",),
    "prevalence": ("cost",),
}


def check_evaluate(context: typer.Context, split: str | None) -> None:
    """Options of ``evaluate`` that do not go together."""
    given = context.params
    plain = () if given["intervals"] else ("intervals",)
    if given["sketch"] is not None:
        refuse_unused(context, "with --sketch, whose brackets hold for certain", "intervals", "level", *OF_INTERVALS)
    elif split == "labels":
        refuse_unused(context, "with several labels, whose intervals are by formula", "threshold", *plain, *RESAMPLING)
        refuse_unused(context, "with several labels", "classes")
    elif split == "classes":
        refuse_unused(context, "with --classes, which calls the class of the highest score", "threshold", "pos_label")
        refuse_unused(context, "with --classes, whose intervals are by formula", *plain, *RESAMPLING)
    elif split == "fold":
        refuse_unused(context, "with --fold, whose means come with intervals", *plain)
    elif plain:
        refuse_unused(context, "with --no-intervals", *OF_INTERVALS, *(() if split else ("level",)))
    _check_times(context, split, plain)
    many = split in ("classes", "labels")
    if not many:
        refuse_unused(context, "without --classes", "classes_averaged", "absent")
    if not many and given["measure"] and not _need_threshold(given["measure"]):
        refuse_unused(context, "with measures that have no threshold", "threshold")


def _check_times(context: typer.Context, split: str | None, plain: tuple[str, ...]) -> None:
    """Options of censored times, and those that these have not."""
    if split != "time":
        refuse_unused(context, "without --time", *OF_TIMES)
        return
    refuse_unused(context, "with --time, whose intervals are by formula", *plain, *OF_INTERVALS)
    refuse_unused(context, "with --time", "threshold", "measure", "by", "fold", "repeat", "classes", "sketch")


def check_compare(context: typer.Context, split: str | None) -> None:
    """Options of ``compare`` that do not go together."""
    if context.params["margin"] is None:
        refuse_unused(context, "without --margin", "alternative")
    else:
        _refuse_beside_margin(context)
    if split == "time":
        _refuse_beside_times(context)
    else:
        refuse_unused(context, "without --time", *OF_TIMES)
    if split in ("classes", "labels"):
        why = "with more than two classes or several labels, whose models are compared by Student's t"
        refuse_unused(context, why, "method", "simultaneous", "cutoffs", "threshold")
    elif split != "time":
        _check_two_classes(context, split)


def _check_two_classes(context: typer.Context, split: str | None) -> None:
    refuse_unused(context, "without --classes", "classes_averaged", "absent")
    if split == "fold":
        why = "with --fold, which compares learners by the corrected resampled t"
        refuse_unused(context, why, "method", "simultaneous", "cutoffs")
    elif split == "by":
        refuse_unused(context, "with --by; compare each group by itself", "cutoffs")
    if split is not None and not context.params["measure"]:
        refuse_unused(context, "with --by or --fold unless --measure names one that needs it", "threshold")
    if split is None and context.params["measure"] and len(context.params["measure"]) > 1:
        refuse_unused(context, "with several measures; compare by one", "cutoffs")


def _refuse_beside_times(context: typer.Context) -> None:
    """Models of censored rows are compared by one measure, with tests by the influence function."""
    why = "with --time, whose tests are by the influence function"
    refuse_unused(context, why, "method", "simultaneous", "cutoffs", "threshold", "margin")
    refuse_unused(context, "with --time", "by", "fold", "repeat", "classes", "classes_averaged", "absent")
    if len(context.params["measure"] or ()) > 1:
        raise ArgumentError("measure", "censored rows are compared by one measure: give --measure once")


def _refuse_beside_margin(context: typer.Context) -> None:
    """A margin is about the AUCs of all rows."""
    why = "with --margin, which is about the AUC of all rows"
    refuse_unused(context, why, "by", "fold", "repeat", "classes", "measure", "threshold", "simultaneous", "cutoffs")


def check_gaps(context: typer.Context, measure: str) -> None:
    """A threshold for a measure that has none."""
    from rocsteady._src.evaluation.groups.gaps import measures_named, needs_threshold

    if not any(needs_threshold(name) for name in measures_named(measure)):
        refuse_unused(context, "with measures that have no threshold", "threshold")


def _need_threshold(measures: list[str]) -> bool:
    from rocsteady._src.measures.requests import parse_requests

    requests = parse_requests(measures)
    return any("threshold" in each.sheet.params and "threshold" not in each.params for each in requests)


def check_report(context: typer.Context, output: Path) -> None:
    """Refuse a file that no report can be, and options that would not show in it."""
    from rocsteady._src.views.report.write import FORMATS

    sketched = context.params["sketch"] is not None
    pictures = [ending for ending, form in FORMATS.items() if form in ("png", "svg")]
    known = [ending for ending in FORMATS if not (sketched and ending in pictures)]
    if output.suffix.lower() not in known:
        what = "a report of a sketch" if sketched else "a report"
        raise ArgumentError("format", f"{what} is a file of {', '.join(known)}, got {printable(output)}")
    if output.suffix.lower() in pictures:
        refuse_unused(context, "in a picture, which shows curves only", *OF_SITUATION, *OF_INTERVALS)
    if context.params["kind"] is not None and output.suffix.lower() not in pictures:
        raise ArgumentError(
            "kind", f"--kind draws one chart in a file of {', '.join(pictures)}, got {printable(output)}"
        )
    if any(context.params[name] for name in ("by", "fold", "classes", "time")):
        refuse_unused(context, "with groups, folds, classes or times", "kind")
    if sketched:
        refuse_unused(context, "with --sketch", "kind", "level", "lower", *OF_SITUATION, *OF_INTERVALS)
    if context.params["classes"] is not None:
        refuse_unused(context, "with --classes, whose intervals are by formula", "pos_label", *RESAMPLING)
    if context.params["time"] is None:
        refuse_unused(context, "without --time", *OF_TIMES)
    else:
        refuse_unused(context, "with --time", "by", "fold", "repeat", "classes", *OF_INTERVALS)


def check_rules(context: typer.Context, rules: list[str] | None) -> None:
    """Refuse options of rules that are not asked for."""
    from rocsteady._src.measures.threshold_rules import takes_option

    for name, takers in OF_RULES.items():
        if rules and not any(takes_option(rule, name) for rule in rules):
            refuse_unused(context, f"without --rule {' or '.join(takers)}", name)


def check_laboratory(context: typer.Context) -> None:
    """Refuse what values, sweeps, or counts without a picture, do not ask for."""
    given = context.params
    if given["values"]:
        refuse_unused(context, "with --values", "by", "kind", "sweep", "tolerance")
    elif given["sweep"]:
        refuse_unused(context, "with --sweep", "by", "kind")
    elif given["plot"] is None:
        refuse_unused(context, "without --plot", "kind")


def refuse_unused(context: typer.Context, why: str, *names: str) -> None:
    """Refuse those of the named options that were given; ``why`` tells when they mean nothing."""
    flags = [_flag(option, context) for option in context.command.params if option.name in names]
    given = [flag for flag in flags if flag]
    if given:
        does, them = ("does", "it") if len(given) == 1 else ("do", "them")
        raise ArgumentError("unused_option", f"{', '.join(given)} {does} nothing {why}; leave {them} out")


def _flag(option: Any, context: typer.Context) -> str:
    """How an option was written; empty when it was not."""
    source = context.get_parameter_source(option.name)
    if source is None or source.name != "COMMANDLINE":
        return ""
    off = option.secondary_opts and context.params[option.name] is False
    return str(option.secondary_opts[0] if off else option.opts[0])
