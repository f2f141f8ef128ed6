"""Does choosing models by this measure give better models? The experiment of many splits and bootstrapped models."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, require
from rocsteady._src.base.progress import progress_bar
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.threads import workers
from rocsteady._src.base.typed import typed
from rocsteady._src.extras.lab.selection_classifiers import (
    PURPOSE,
    read_classifiers,
    refuse_gaps,
    refuse_scores_without_probabilities,
)
from rocsteady._src.extras.lab.selection_data import read_rows
from rocsteady._src.extras.lab.selection_split import Plan, SplitResult, check_sizes, run_split
from rocsteady._src.extras.lab.selection_stats import (
    SAME,
    corrected_test,
    detectable_difference,
    picks_of,
    spearman_rows,
)
from rocsteady._src.inference.comparison.multiplicity import adjust_pvalues
from rocsteady._src.measures.requests import Request, parse_requests
from rocsteady._src.ranked import rank
from rocsteady._src.results import MeasureSelection, ModelSelection, Origin
from rocsteady._version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

FEW = 10
DEFAULT_MEASURES = (
    "auc",
    "lambda_auc(delta=0.1)",
    "rho_auc",
    "scored_auc",
    "softened_auc",
    "soft_auc",
    "mm4_auc",
    "mm7_auc",
)


@typed
def select_models(
    data: Any,
    classifiers: Any = "tree",
    measures: Sequence[Any] | None = None,
    *,
    label: Any = None,
    pos_label: Any = None,
    n_splits: int = 40,
    n_bootstraps: int = 100,
    sizes: tuple[float, float, float] = (0.6, 0.2, 0.2),
    reference: Any = "auc",
    level: float = 0.95,
    random_state: int | None = None,
    n_jobs: int = 1,
    progress: Callable[[float], object] | bool = True,
) -> ModelSelection:
    """Let measures choose among models on validation rows, and see how good their choices are on test rows.

    Each split divides the rows at random, within classes, into train, validation and test. Every classifier is trained
    on each of ``n_bootstraps`` bootstrap samples of train. Every measure picks the model that it likes best on
    validation, and the pick's test AUC is recorded. Where several models share the best value, the mean of their test
    AUCs counts: what a pick at random among them would give on average.

    Differences to picking by the ``reference`` are tested with a t-test corrected for the overlap of the splits
    (:func:`rocsteady.lab.corrected_test` with the rows of train and test), and adjusted by Holm over the measures.

    Parameters
    ----------
    data : pair (X, y), table, path or str
        Arrays or a DataFrame with labels; a table (pandas, polars, pyarrow, dict) with ``label``; a file (CSV, TSV,
        JSON lines, Parquet) with ``label``; ``"breast_cancer"``, ``"digits"``, ``"iris"`` or ``"wine"`` of
        scikit-learn; ``"openml:NAME"`` or ``"openml:NAME@VERSION"``, which needs a connection. Text columns of tables
        become 0/1 columns, and the result says so; a DataFrame in a pair is handed to the classifier as it is.
    classifiers : estimator, str, list or dict
        scikit-learn classifiers, or names: "tree", "logistic", "forest", "bayes", "knn". With several, each is
        trained on every bootstrap sample and the measures choose among all models.
    measures : list, optional
        As in :func:`rocsteady.evaluate`. By default AUC and those AUC variants which look at the scores.
    label : str, optional
        Column of labels of a table or file.
    pos_label : optional
        The positive label. With more than two labels it stands against the rest.
    n_splits, n_bootstraps : int
        Random divisions of the rows, and bootstrap samples in each.
    sizes : tuple of float
        Shares of train, validation and test.
    reference : str
        The measure to compare with.
    level : float
        Level of the intervals.
    random_state : int, optional
        Seed; drawn and reported unless given. The result does not depend on ``n_jobs``.
    n_jobs : int
        Processes; -1 for one per core, -2 for one fewer.
    progress : bool or function
        Show a progress bar on a terminal, or call a function with the share done.

    Returns
    -------
    ModelSelection

    Examples
    --------
    >>> from rocsteady.lab import select_models
    >>> found = select_models(
    ...     "breast_cancer", "tree", ["auc", "scored_auc"], n_splits=5, n_bootstraps=10, random_state=0
    ... )
    >>> [row.measure for row in found.rows], found.n_splits, found.seed
    (['auc', 'scored_auc'], 5, 0)
    """
    require("sklearn", extra="sklearn", purpose=PURPOSE)
    _check_numbers(n_splits, n_bootstraps, level)
    requests = _requests(measures, reference)
    candidates = read_classifiers(classifiers)
    refuse_scores_without_probabilities(candidates, requests)
    rows = read_rows(data, label=label, pos_label=pos_label)
    refuse_gaps(candidates, rows)
    plan = Plan(rows, tuple(candidates), tuple(requests), check_sizes(sizes), n_bootstraps, _seed(random_state))
    plan.counts()
    results = _run(plan, n_splits, n_jobs, progress)
    return _summarised(plan, results, _requests([reference], reference)[0].column, level)


def _check_numbers(n_splits: int, n_bootstraps: int, level: float) -> None:
    for name, value in (("n_splits", n_splits), ("n_bootstraps", n_bootstraps)):
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
            raise ArgumentError(name, f"{name} must be a whole number from 1 on, got {value!r}")
    if not 0 < level < 1:
        raise ArgumentError("level", f"level must lie between 0 and 1, got {level!r}")


def _requests(measures: Sequence[Any] | None, reference: Any) -> list[Request]:
    """The reference first; parameters are tried on two rows, so that a wrong one is refused before the work."""
    asked = [measures] if isinstance(measures, str) else DEFAULT_MEASURES if measures is None else measures
    requests = [request for request in parse_requests([reference, *asked]) if request.sheet.name != "base_rate"]
    tiny = rank([1, 0], [0.75, 0.25])
    for request in requests:
        if request.sheet.better == "neither":
            raise ArgumentError("measure_direction", f"{request.column} has no better direction to pick models by")
        if "threshold" in {**request.sheet.params} and request.params.get("threshold") is None:
            text = f"{request.column} needs a threshold: write {request.sheet.name}(threshold=0.5)"
            raise ArgumentError("threshold", text)
        request.sheet.compute(tiny, **request.params)
    return requests


def _seed(random_state: int | None) -> int:
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(random_state, bool) or not isinstance(random_state, (int, np.integer)) or random_state < 0:
        raise ArgumentError(
            "random_state",
            Sentence(
                "{@random_state} must be a whole number from 0 on, got {random_state!r}", random_state=random_state
            ),
        )
    return int(random_state)


def versions() -> dict[str, str]:
    """Versions on which the numbers depend."""
    sklearn = require("sklearn", extra="sklearn", purpose=PURPOSE)
    return {"rocsteady": __version__, "scikit-learn": sklearn.__version__, "numpy": np.__version__}


def _run(plan: Plan, n_splits: int, n_jobs: int, progress: Callable[[float], object] | bool) -> list[SplitResult]:
    """Results of all splits, in their order."""
    done: dict[int, SplitResult] = {}
    with _reporter(progress) as report:
        for result in _computed(plan, n_splits, n_jobs):
            done[result.split] = result
            report(len(done) / n_splits)
    return [done[split] for split in range(n_splits)]


def _reporter(progress: Callable[[float], object] | bool) -> AbstractContextManager[Callable[[float], object]]:
    from contextlib import nullcontext

    if callable(progress):
        return nullcontext(progress)
    return progress_bar("splits") if progress else nullcontext(lambda _: None)


class _Stopped(BaseException):
    """Nobody wants the rest of the results."""


def _computed(plan: Plan, n_splits: int, n_jobs: int) -> Iterator[SplitResult]:
    """Results as they come; leaving the loop stops the processes."""
    if n_jobs == 1 or n_splits < 2:
        yield from (run_split(plan, split) for split in range(n_splits))
        return
    joblib = require("joblib", extra="sklearn", purpose="several processes")
    parallel = joblib.Parallel(n_jobs=min(_processes(n_jobs), n_splits), return_as="generator_unordered")
    results = parallel(joblib.delayed(run_split)(plan, split) for split in range(n_splits))
    try:
        for result in results:  # noqa: UP028 - "yield from" would close the results itself, with a warning
            yield result
    finally:
        with suppress(_Stopped):  # close() would have joblib warn that work is cancelled, which is what we want
            results.throw(_Stopped())


def _processes(n_jobs: int) -> int:
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, (int, np.integer)) or n_jobs == 0:
        raise ArgumentError("n_jobs", f"n_jobs is a number of processes, or -1 for one per core; got {n_jobs!r}")
    return workers(int(n_jobs))


def _summarised(plan: Plan, results: list[SplitResult], reference: str, level: float) -> ModelSelection:
    measures = tuple(request.column for request in plan.requests)
    validation = np.stack([result.validation for result in results])
    test_auc = np.stack([result.test_auc for result in results])
    signs = np.array([1.0 if request.sheet.better == "higher" else -1.0 for request in plan.requests])
    goodness = validation * signs[:, None]
    picks, n_tied, pick_auc = (np.stack(each) for each in zip(*map(picks_of, goodness, test_auc), strict=True))
    spearman = np.stack([spearman_rows(values, areas) for values, areas in zip(goodness, test_auc, strict=True)])
    counts = plan.counts()
    sizes = {"n_train": sum(counts["train"]), "n_test": sum(counts["test"]), "level": level}
    rows = _rows(measures, measures.index(reference), pick_auc, n_tied, spearman, sizes)
    return ModelSelection(
        rows=rows,
        measures=measures,
        reference=reference,
        classifiers={each.name: each.response for each in plan.candidates},
        data=plan.rows.name,
        seed=plan.seed,
        n_bootstraps=plan.n_bootstraps,
        counts=counts,
        random_auc=float(test_auc.mean()),
        best_auc=float(test_auc.max(axis=1).mean()),
        level=level,
        origin=Origin(plan.rows.pos_label, plan.rows.positive.size),
        versions=versions(),
        notes=(*plan.rows.notes, *_notes(plan, picks), *_without_spread(rows)),
        validation=validation,
        test_auc=test_auc,
        picks=picks,
        pick_auc=pick_auc,
        n_tied=n_tied,
    )


def _rows(
    measures: tuple[str, ...], first: int, pick_auc: Array, n_tied: Array, spearman: Array, sizes: dict[str, Any]
) -> tuple[MeasureSelection, ...]:
    away = pick_auc - pick_auc[:, first : first + 1]
    away[np.abs(away) <= SAME] = 0.0  # means of tied models, but for rounding
    tests = [corrected_test(away[:, place], **sizes) for place in range(len(measures))]
    nan = float("nan")
    pvalues = [nan if place == first else test.pvalue for place, test in enumerate(tests)]
    holm = adjust_pvalues(pvalues)
    rows = []
    for place, (measure, test) in enumerate(zip(measures, tests, strict=True)):
        correlation = corrected_test(spearman[:, place], **sizes)
        own = place == first
        rows.append(
            MeasureSelection(
                measure=measure,
                test_auc=float(np.nanmean(pick_auc[:, place])) if (n_tied[:, place] > 0).any() else nan,
                difference=test.estimate,
                low=0.0 if own else test.low,
                high=0.0 if own else test.high,
                statistic=nan if own else test.statistic,
                pvalue=pvalues[place],
                pvalue_holm=float(holm[place]),
                detectable=nan
                if own
                else detectable_difference(float(test.se or nan), int(test.df or 0), sizes["level"]),
                spearman=correlation.estimate,
                spearman_low=max(correlation.low, -1.0),
                spearman_high=min(correlation.high, 1.0),
                n_ties=int((n_tied[:, place] > 1).sum()),
                n_splits=int((n_tied[:, place] > 0).sum()),
            )
        )
    return tuple(rows)


def _without_spread(rows: tuple[MeasureSelection, ...]) -> list[str]:
    """Why a difference has no interval, where it was the same in every split."""
    alike = [row.measure for row in rows if row.n_splits > 1 and math.isnan(row.low)]
    told = "the difference is the same in every split, so that its interval is undefined, and p unless it is 0"
    return [f"{', '.join(alike)}: {told}"] if alike else []


def _notes(plan: Plan, picks: Array) -> list[str]:
    least = min(min(pair) for part, pair in plan.counts().items() if part != "train")
    notes = []
    for place, request in enumerate(plan.requests):
        absent = int((picks[:, place] < 0).sum())
        if absent:
            notes.append(f"{request.column} is undefined for every model of {absent} splits, which it sits out")
    if least < FEW:
        notes.append(
            f"only {least} rows of a class in a validation or test part: picks and their test AUC vary much by chance"
        )
    return notes
