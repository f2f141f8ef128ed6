"""Options that several commands share."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import typer

from rocsteady._src.base.errors import ArgumentError, printable
from rocsteady._src.base.written_numbers import number_of
from rocsteady._src.views.cli.render import Format

File = Annotated[
    str,
    typer.Argument(
        help="CSV, TSV, Parquet, JSON-lines or .xlsx file, a quoted pattern, or - for standard input in one of "
        "the first four."
    ),
]
Label = Annotated[str, typer.Option("--label", help="Column of labels.")]
Labels = Annotated[
    str,
    typer.Option(
        "--label", "--labels", help="Column of labels; a,b,c: several labels of a row, with a --score for each."
    ),
]
ModelScores = Annotated[
    list[str],
    typer.Option(
        "--score",
        help="Column of scores; once per model. Higher means more positive. With --classes or --labels one per class "
        "or label: --score p,q,r, of several models --score lr=p,q,r --score gb=s,t,u.",
    ),
]
Scores = Annotated[
    list[str], typer.Option("--score", help="Column of scores; once per model. Higher means more positive.")
]
Lower = Annotated[
    list[str] | None,
    typer.Option("--lower", help="A --score of which lower means more positive: negated, and called -name."),
]
Weight = Annotated[str | None, typer.Option("--weight", help="Column of row weights.")]
WeightType = Annotated[
    str | None,
    typer.Option("--weight-type", help="How intervals read weights: sampling, or frequency, which counts rows."),
]
PosLabel = Annotated[str | None, typer.Option("--pos-label", help="Label of the positive class, unless 1 or true.")]
Missing = Annotated[
    str, typer.Option("--missing", help="raise: refuse incomplete rows; drop: leave them out, counted.")
]
Delimiter = Annotated[str | None, typer.Option("--delimiter", help="Of text files; comma for CSV, tab for TSV.")]
Memory = Annotated[
    str, typer.Option("--memory", help="Files that need more are grouped on disk by DuckDB, within this limit.")
]
OutputFormat = Annotated[Format, typer.Option("--format", help="How to print.")]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="Write to this file instead of printing.")]
Thresholds = Annotated[
    list[str] | None,
    typer.Option(
        "--threshold",
        help="A number, or a rule: youden, f1, 'precision(value=0.9)', 'cost(fn=5)'; or once per model, as model=f1.",
    ),
]
Kind = Annotated[
    str | None,
    typer.Option("--kind", help="One chart alone, in a .png or .svg: roc, pr, det, gains or calibration."),
]
OpenModel = Annotated[
    str | None, typer.Option("--model", help="Open the page with this model; the cheapest if absent.")
]
OpenThreshold = Annotated[
    float | None, typer.Option("--threshold", help="Open the page at this threshold; the cheapest if absent.")
]
Level = Annotated[float, typer.Option("--level", help="Confidence level of intervals.")]
AucMethod = Annotated[
    str,
    typer.Option(
        "--auc-method",
        help="How intervals of areas are made: auto, wilson, logit, delong, newcombe, hanley-mcneil or bootstrap.",
    ),
]
TestMethod = Annotated[
    str,
    typer.Option(
        "--method",
        help="Test between models: auto, delong-t, score, delong, newcombe, bootstrap, permutation; at a threshold "
        "mcnemar-exact, mcnemar-mid-p, mcnemar, mcnemar-corrected, tango.",
    ),
]
Simultaneous = Annotated[
    bool, typer.Option("--simultaneous", help="Intervals of differences that hold all at once; else each by itself.")
]
Cluster = Annotated[
    str | None, typer.Option("--cluster", help="Column naming the subject of a row, where subjects repeat.")
]
Force = Annotated[bool, typer.Option("--force", help="Replace an existing output file.")]
IdColumn = Annotated[str | None, typer.Option("--id", help="Column naming the subject of a row.")]
Seed = Annotated[int, typer.Option("--seed", help="Of the resamples.")]


By = Annotated[
    list[str] | None,
    typer.Option("--by", help="Column of groups, such as a site: each by itself, and tests; again for combinations."),
]
Fold = Annotated[str | None, typer.Option("--fold", help="Column of the folds of a cross-validation.")]
Repeat = Annotated[
    str | None, typer.Option("--repeat", help="Column of the repeats of a cross-validation; with --fold and --id.")
]
Time = Annotated[
    str | None,
    typer.Option("--time", help="Column of times of censored rows; --label says whether the event came."),
]
At = Annotated[
    list[str] | None, typer.Option("--at", help="With --time: times to judge at, such as 365,1825, or once for each.")
]
Censored = Annotated[
    str | None,
    typer.Option(
        "--censored",
        help="With --time and competing events: the label of rows without any; 0. None: all have one.",
    ),
]
Ipcw = Annotated[
    str | None,
    typer.Option("--ipcw", help="With --at: columns of weights for the censoring, one for each time, such as w1,w2."),
]
Classes = Annotated[
    str | None,
    typer.Option(
        "--classes", help='More than two classes, such as cat,dog,"a, b": the class of each --score, in order.'
    ),
]
ClassesAveraged = Annotated[
    str | None, typer.Option("--classes-averaged", help="The --classes that averages are over; all if absent.")
]
Absent = Annotated[
    str, typer.Option("--absent", help="Averages over --classes without rows: undefined; skip: over the others, named.")
]


def numbers(text: str, option: str = "cutoffs") -> list[float]:
    """Numbers between commas."""
    try:
        return [number_of(part, option) for part in text.split(",")]
    except ArgumentError:
        raise
    except ValueError:
        raise ArgumentError(option, f"--{option} must be numbers between commas, got {text!r}") from None


def between_commas(names: list[str] | None) -> list[str] | None:
    """Names that were given one by one, or between commas, which brackets protect.

    Examples
    --------
    >>> between_commas(["auc,partial_auc(fpr_range=(0, 0.2))", "f1"])
    ['auc', 'partial_auc(fpr_range=(0, 0.2))', 'f1']
    """
    if names is None:
        return None
    parts = [part.strip() for name in names for part in re.split(r",(?![^(]*\))", name)]
    return [part for part in parts if part]


def known_measures(names: list[str] | None) -> list[str] | None:
    """Refuse a measure that does not exist before anything is read."""
    from rocsteady._src.measures.requests import parse_requests

    names = between_commas(names)
    parse_requests(names or ())
    return names


def measures_asked(names: list[str] | None, classes: str | None) -> list[str] | None:
    """The same of two classes or of more, which have measures of their own."""
    from rocsteady._src.designs.classes.names import asked_measures

    if classes is None:
        return known_measures(names)
    names = between_commas(names)
    return list(asked_measures(names)) if names else None


def named_by(measures: list[str] | None) -> dict[str, Any]:
    """What to compare by, as the library takes it: one measure, or a list of several."""
    if measures and len(measures) > 1:
        return {"measures": measures}
    return {"measure": measures[0] if measures else None}


def given_thresholds(texts: list[str] | None, models: list[str]) -> Any:
    """A number or a rule for all models, or one for each, written as ``model=0.3``; checked before anything is read."""
    from rocsteady._src.measures.best_threshold import number_or_rule

    if not texts:
        return None
    named: dict[str, Any] = {}
    for text in texts:
        model = max((name for name in models if text.startswith(f"{name}=")), key=len, default=None)
        if model is None and len(texts) == 1:
            return number_or_rule(text)
        if model is None or model in named:
            wrong = "names no --score" if model is None else "is the second of its model"
            told = "give --threshold once for all models, or once per model as --threshold model=0.3"
            raise ArgumentError("threshold", f"--threshold {printable(text)} {wrong}; {told}")
        named[model] = number_or_rule(text.removeprefix(f"{model}="))
    return named
