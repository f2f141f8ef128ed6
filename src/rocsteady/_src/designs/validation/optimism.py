"""validation.optimism: what a modelling procedure is worth on new rows, from the rows that it was made on."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, RocsteadyError, printable, some_values
from rocsteady._src.base.text import format_count
from rocsteady._src.base.typed import typed
from rocsteady._src.designs.folds.scores import labels_of_rows
from rocsteady._src.designs.validation.corrections import corrected, nothing_varies, shifted_ends
from rocsteady._src.designs.validation.procedures import Procedure
from rocsteady._src.designs.validation.resampled import MOST_WORDS, SLOPE, WHERE, Sample, judged, resample
from rocsteady._src.inference.intervals.normal import check_choice, check_level
from rocsteady._src.inference.intervals.replicate_ends import spread_of
from rocsteady._src.inference.resampling.resample import MOST_FAILED, fresh_seed
from rocsteady._src.inputs.arrays import read_column
from rocsteady._src.inputs.labels import other_label, positive_rows
from rocsteady._src.measures.requests import Request, parse_requests
from rocsteady._src.ranked import numbered
from rocsteady._src.results import Interval
from rocsteady._src.results.base import Origin
from rocsteady._src.results.remarks import Remark
from rocsteady._src.results.validation import OptimismCorrected

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.designs.validation.corrections import Correction
    from rocsteady._src.designs.validation.resampled import Judged, Resamples

    Array = NDArray[Any]

Method = Literal["harrell", ".632", ".632+"]
Ends = Literal["location-shifted", "two-stage"]
OF_PROBABILITIES = ("auc", "brier_score", "calibration_slope")
OF_SCORES = ("auc",)
FEWEST = 2
FEW_ROWS = 200  # below, intervals were measured to be short
FEW_SUBJECTS = 10
FEW_RESAMPLES = 100  # with which intervals were measured
OF_ALL = ("few_resamples_of_procedure", "short_two_stage")  # remarks on every interval


@typed
def optimism(
    estimator: Any,
    X: Any,  # noqa: N803 - as scikit-learn calls it
    y: object,
    *,
    measures: Any = None,
    n_resamples: int = 200,
    method: Method = "harrell",
    interval: Ends = "location-shifted",
    n_outer: int = 100,
    random_state: int | None = None,
    cluster: object = None,
    level: float = 0.95,
    pos_label: Any = None,
    n_jobs: int | None = None,
) -> OptimismCorrected:
    """What a model is worth on new rows, from the rows that it was made on: measures corrected for optimism.

    The procedure is run on all rows, and again on every resample. Harrell: the mean over resamples of what a model
    shows on its own resample less what it shows on all rows is the optimism, and is taken off. Efron's .632 mixes 0.368
    of the apparent value with 0.632 of the mean on the rows that a resample left out; .632+ weighs these by how much of
    the way to no information they lost, and is for procedures that fit their own rows (nearly) perfectly.

    Parameters
    ----------
    estimator : classifier of scikit-learn, or function
        The whole modelling procedure, with every step that looks at the outcome: an estimator, a pipeline or a search,
        which is cloned for each fit; or ``fit(X, y)``, which returns a model with ``predict_proba`` or
        ``decision_function``, or a function of X that gives scores of the positive class. Seeds that an estimator
        leaves open (``random_state=None``) are set, so that the same ``random_state`` gives the same numbers.
    X, y
        Features (array, table, sparse matrix or list of rows) and labels of two classes.
    measures : list, optional
        Names or functions of measures, as of :func:`rocsteady.evaluate`, and "calibration_slope". AUC, Brier score and
        calibration slope where scores are probabilities, else AUC.
    n_resamples : int
        Number of resamples: as many fits.
    method : {"harrell", ".632", ".632+"}
        How optimism is estimated.
    interval : {"location-shifted", "two-stage"}
        How ends are found. "two-stage" runs all of this again on ``n_outer`` resamples and takes percentiles of the
        corrected values: as many times as many fits, and it counts that the procedure itself varies.
    n_outer : int
        Resamples of the outer stage.
    random_state : int, optional
        Seed; drawn and recorded when absent.
    cluster : array-like, optional
        The subject of each row: whole subjects are drawn, and left out.
    level : float
        Confidence level.
    pos_label : optional
        The label of the positive class; needed unless labels are {0, 1}, {-1, 1} or booleans.
    n_jobs : int, optional
        How many fits run at the same time, in processes; it changes no number.

    Returns
    -------
    OptimismCorrected
        Apparent, training, test, optimism, corrected and interval of each measure; ``shrinkage`` is the mean
        calibration slope of the resamples' models on all rows (left out ones for .632 and .632+), where it was asked
        for. The interval is the corrected value with the spread, over the same draws of rows, of scores by models that
        had not seen their rows; docs/validation.md tells how often it held.

    References
    ----------
    Harrell, Lee and Mark (1996), Statistics in Medicine 15:361-387. Efron and Tibshirani (1997), JASA 92:548-560.
    Noma, Shinozaki, Iba, Teramukai and Furukawa (2021), Statistics in Medicine 40:5691-5701.

    Examples
    --------
    >>> import rocsteady as rs
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = make_classification(n_samples=100, n_features=10, flip_y=0.3, random_state=1)
    >>> found = rs.validation.optimism(LogisticRegression(), X, y, n_resamples=100, random_state=1)
    >>> found.measures
    ('auc', 'brier_score', 'calibration_slope')
    """
    check_choice("method", method, get_args(Method))
    check_choice("interval", interval, get_args(Ends))
    check_level(level)
    procedure = Procedure.of(estimator)
    for name, number in {"n_resamples": n_resamples, "n_outer": n_outer}.items():
        if number < FEWEST:
            raise ArgumentError(name, f"{name} must be {FEWEST} or more, got {number!r}")
    seed, sample = fresh_seed(random_state), _sample(X, y, cluster, pos_label)
    first, *streams = np.random.SeedSequence(seed).spawn(n_resamples + 1)
    final = _final(procedure, sample, np.random.default_rng(first))
    wanted = _wanted(measures, final)
    made = resample(procedure, sample, wanted, streams, n_jobs, out=method != "harrell")
    if len(made.failures) == n_resamples:
        raise InputError("resamples_failed", f"no resample has a model; the first says: {made.failures[0]}")
    place = WHERE.index("all rows" if method == "harrell" else "left out")
    facts: dict[str, Any] = {"level": level, "origin": sample.origin, "n_pos": int(sample.positive.sum())}
    facts["n_neg"] = sample.labels.size - facts["n_pos"]
    apparent, nothing = final.values(wanted).tolist(), final.without_information(wanted)
    found = [
        corrected(method, apparent[k], nothing[k], made.values[:, :, k], each.sheet) for k, each in enumerate(wanted)
    ]
    asked = (interval == "two-stage", n_outer, n_jobs)
    intervals = _intervals(procedure, sample, wanted, (method, place, seed), found, made, facts, asked)
    return OptimismCorrected(
        measures=tuple(each.column for each in wanted),
        apparent=np.array(apparent),
        training=np.array([each.training for each in found]),
        test=np.array([each.test for each in found]),
        intervals=tuple(intervals),
        method=method,
        scheme="rows" if sample.unit is None else "subjects",
        n_resamples=n_resamples,
        n_failed=len(made.failures),
        seed=seed,
        shrinkage=next((pair.test for pair, each in zip(found, wanted, strict=True) if each.sheet is SLOPE), None),
        warnings=(*_remarks(sample, made, method, found, wanted), *_of_all(intervals)),
        replicates=made.values[:, [0, place], :],
        **facts,
    )


def _final(procedure: Procedure, sample: Sample, rng: np.random.Generator) -> Judged:
    """The model of all rows; where there is none, an error of the user's own is the cause."""
    try:
        return judged(procedure, sample, rng)
    except RocsteadyError:
        raise
    except Exception as error:
        told = str(error).strip().partition("\n")[0].rstrip(" .:")
        words = printable(f"{type(error).__name__}: {told}", most=MOST_WORDS)
        text = f"the procedure failed on all {format_count(sample.labels.size)} rows, before any resample ({words})"
        raise InputError("fit_failed", f"{text}: let it fit and score X and y by itself first") from error


def _sample(features: Any, y: object, cluster: object, pos_label: Any) -> Sample:
    labels = labels_of_rows(y, features)
    distinct = list(dict.fromkeys(labels.tolist()))
    if len(distinct) != 2:
        text = f"y holds {format_count(len(distinct))} classes, {some_values(distinct)}"
        raise InputError("not_two_classes", f"{text}; a model of two classes is validated here")
    positive, label = positive_rows(labels, pos_label, "y")
    unit = None
    if cluster is not None:
        subjects, gap = read_column(cluster, "cluster")
        if subjects.size != labels.size or gap is not None:
            told = "holds missing values" if gap is not None else f"has {format_count(subjects.size)} rows"
            raise InputError(
                "cluster", f"cluster {told}; pass one subject for each of {format_count(labels.size)} rows"
            )
        unit = numbered(subjects)[1]
        if not unit.max(initial=0):
            text = "cluster holds one subject, so that every resample is the whole data"
            raise InputError("one_subject", f"{text}: two subjects at least are needed, or leave cluster out")
    origin = Origin(label, labels.size, neg_label=other_label(labels, positive, label, None))
    return Sample(features, labels, positive, unit, origin)


def _wanted(measures: Any, final: Judged) -> list[Request]:
    if measures is None:
        probable = final.distinct[0] >= 0 and final.distinct[-1] <= 1
        measures = OF_PROBABILITIES if probable else OF_SCORES
    named = [measures] if isinstance(measures, str) else list(measures)
    wanted: list[Request] = []
    for each in named:
        own = isinstance(each, str) and each.strip().lower().replace(" ", "_") in ("calibration_slope", "slope")
        wanted += [Request(SLOPE.name, SLOPE, {})] if own else parse_requests([each])
    if not wanted:
        raise ArgumentError("measures", "no measures were named: pass at least one, such as 'auc'")
    return list({each.column: each for each in wanted}.values())


def _interval(
    each: Request, found: Correction, values: Array, place: int, spread: Array, facts: dict[str, Any]
) -> Interval:
    """The interval of a measure; none where more than a tenth of the resamples have no value, or nothing varies."""
    lost, total = max(int(np.isnan(column).sum()) for column in (values[:, place], spread)), len(values)
    low, high, se = shifted_ends(found.corrected, spread, values[:, 1], facts["level"], each.sheet.bounds)
    told = [Remark("value_undefined_in_resamples", failed=lost, total=total)] if lost else []
    if lost > MOST_FAILED * total or math.isnan(low):
        low, high = math.nan, math.nan
        told = [_undefined(found, lost, total)]
    elif nothing_varies(spread) or (nothing_varies(values[:, 0]) and nothing_varies(values[:, place])):
        low, high, se = math.nan, math.nan, math.nan
        told = [Remark("nothing_varies_in_resamples", value=found.corrected)]
    else:
        told = [*_few(total), *told]
    how: dict[str, Any] = {"method": "location-shifted", "se": se, "warnings": tuple(told)}
    return Interval(found.corrected, low, high, **how, **facts)


def _undefined(found: Correction, lost: int, total: int) -> Remark:
    if math.isnan(found.apparent):
        return Remark("apparent_undefined")
    return Remark("resamples_undefined", failed=lost, total=total)


def _few(n_resamples: int) -> list[Remark]:
    few = n_resamples < FEW_RESAMPLES
    return [Remark("few_resamples_of_procedure", n=n_resamples, enough=FEW_RESAMPLES)] if few else []


def _intervals(
    procedure: Procedure,
    sample: Sample,
    wanted: Sequence[Request],
    how: tuple[str, int, int],
    found: Sequence[Correction],
    made: Resamples,
    facts: dict[str, Any],
    asked: tuple[bool, int, int | None],
) -> list[Interval]:
    """The interval of each measure, location-shifted or by a second stage of resamples."""
    method, place, seed = how
    twice, n_outer, n_jobs = asked
    if twice:
        outer = two_stage(procedure, sample, wanted, method, (len(made.values), n_outer, seed), n_jobs)
        return [_two_stage_ends(found[k], outer[:, k], facts) for k in range(len(wanted))]
    columns = [(made.values[:, :, k], place, made.spread[:, k]) for k in range(len(wanted))]
    return [_interval(each, found[k], *columns[k], facts) for k, each in enumerate(wanted)]


def _two_stage_ends(found: Correction, values: Array, facts: dict[str, Any]) -> Interval:
    """Percentiles of the values corrected in outer resamples; none where more than a tenth have none, or all agree."""
    lost, total, level = int(np.isnan(values).sum()), values.size, facts["level"]
    low, high, se = math.nan, math.nan, spread_of(values)
    if lost > MOST_FAILED * total or math.isnan(found.corrected):
        told = [_undefined(found, lost, total)]
    elif nothing_varies(values):
        se, told = math.nan, [Remark("nothing_varies_in_resamples", value=found.corrected)]
    else:
        low, high = np.nanquantile(values, [(1 - level) / 2, (1 + level) / 2]).tolist()
        told = [Remark("short_two_stage"), *_few(total)]
        told += [Remark("value_undefined_in_resamples", failed=lost, total=total)] if lost else []
    return Interval(found.corrected, low, high, method="two-stage", se=se, warnings=tuple(told), **facts)


def two_stage(
    procedure: Procedure,
    sample: Sample,
    wanted: Sequence[Request],
    method: str,
    sizes: tuple[int, int, int],
    n_jobs: Any,
) -> Array:
    """Corrected values of outer resamples, each with inner resamples of its own; a line each, NaN where none."""
    n_inner, n_outer, seed = sizes
    found = np.full((n_outer, len(wanted)), math.nan)
    for number, stream in enumerate(np.random.SeedSequence([seed, 2]).spawn(n_outer)):
        rng = np.random.default_rng(stream)
        drawn = sample.redrawn(rng)
        if drawn.positive.all() or not drawn.positive.any():
            continue
        try:
            final = judged(procedure, drawn, rng)
        except Exception:  # noqa: S112 - a fit of the user's that fails is a value that is missing
            continue
        made = resample(procedure, drawn, wanted, stream.spawn(n_inner), n_jobs, out=method != "harrell")
        apparent, nothing = final.values(wanted).tolist(), final.without_information(wanted)
        for k, each in enumerate(wanted):
            found[number, k] = corrected(method, apparent[k], nothing[k], made.values[:, :, k], each.sheet).corrected
    return found


def _of_all(intervals: Sequence[Interval]) -> list[Remark]:
    """What holds for every interval that there is, once."""
    return list(dict.fromkeys(each for one in intervals for each in one.warnings if each.code in OF_ALL))


def _remarks(
    sample: Sample, made: Resamples, method: str, found: Sequence[Correction], wanted: Sequence[Request]
) -> list[Remark]:
    told = [Remark("whole_procedure"), *([Remark("short_after_632")] if method == ".632+" else [])]
    n_rows, n_subjects = sample.labels.size, None if sample.unit is None else int(sample.unit.max()) + 1
    told += [Remark("few_rows_of_procedure", n=n_rows)] if n_rows < FEW_ROWS else []
    if n_subjects is not None and n_subjects < FEW_SUBJECTS:
        told.append(Remark("subjects_not_measured", n=n_subjects))
    if made.failures:
        total = len(made.values)
        told.append(Remark("fits_failed", failed=len(made.failures), total=total, first=made.failures[0]))
    perfect = [
        each for pair, each in zip(found, wanted, strict=True) if each.sheet.name == "auc" and pair.apparent == 1
    ]
    return [*told, *([Remark("perfect_in_training")] if perfect and method != ".632+" else [])]
