"""Tests of the difference of any measure between two models, by bootstrap or permutation."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from rocsteady._src.base.errors import ArgumentError, refuse_one_class
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.comparison.advice import bootstrap_remarks, class_sizes, few_rows, permutation_remarks
from rocsteady._src.inference.comparison.hypotheses import PLAIN, check_alternative, in_words, judge, null_of
from rocsteady._src.inference.comparison.nested import nested_remarks
from rocsteady._src.inference.comparison.permute import permutation_p, permuted_pairs, permuted_samples
from rocsteady._src.inference.comparison.rounding import rounding, settled
from rocsteady._src.inference.comparison.samples import read_samples
from rocsteady._src.inference.comparison.subject_swaps import SubjectSwaps
from rocsteady._src.inference.intervals.measure_facts import draws_within_classes, sheet_of
from rocsteady._src.inference.intervals.normal import check_choice, check_level
from rocsteady._src.inference.intervals.replicate_ends import ends, spread_of
from rocsteady._src.inference.resampling.batches import in_batches
from rocsteady._src.inference.resampling.bootstrap import measure_function, ranks_only
from rocsteady._src.inference.resampling.draws import RowDraws
from rocsteady._src.inference.resampling.resample import (
    check_failures,
    fresh_seed,
    one_by_one,
    replicate_many,
    reweighted,
)
from rocsteady._src.inputs.weights import reading_remarks, weight_type_of
from rocsteady._src.measures.requests import parse_requests
from rocsteady._src.ranked import canonical_samples, in_canonical_order
from rocsteady._src.results import Resampling, TestResult
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.weights import WeightType
    from rocsteady._src.ranked import RankedScores, Rows

    Compute = tuple[Callable[[RankedScores], float], Callable[[RankedScores], float]]
    Sample = Callable[[np.random.Generator], list[float]]

SEED = 0  # of "auto", so that its answer is always the same


@typed
def compare_measure(
    measure: Any,
    y_true: object,
    first: object,
    second: object,
    *,
    method: Literal["auto", "bootstrap", "permutation"] = "auto",
    paired: bool = True,
    alternative: str = "two-sided",
    margin: float | None = None,
    level: float = 0.95,
    n_resamples: int = 2000,
    random_state: int | None = None,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    y_true_second: object = None,
    sample_weight_second: object = None,
    cluster_second: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    n_jobs: int | None = None,
    params: Mapping[str, Any] | None = None,
) -> TestResult:
    """Test whether two models differ in any measure.

    "bootstrap": rows are drawn and taken for both models (unpaired: each sample on its own), within classes or all
    together as :func:`rocsteady.bootstrap_interval` does for the measure; z is the difference over the standard
    deviation of its replicates, the interval holds their percentiles. "permutation":
    both models exchange their scores in randomly chosen rows (unpaired: samples exchange rows within classes, or
    whole subjects); p = (1 + as extreme) / (1 + permutations). Measures of ranks exchange ranks (unpaired: ranks at
    the pooled prevalence), so the models' scales may differ; other measures exchange scores, which must then share a
    scale. Nothing is sorted again. "auto" takes the bootstrap; for measures of ranks and fewer than 12 rows in a
    class (5 where classes are of like size), where the bootstrap rejects too often, p comes from permutations and the
    interval from the bootstrap. Measured sizes are in docs/coverage.md.

    Parameters
    ----------
    measure
        As in :func:`rocsteady.bootstrap_interval`.
    method : {"auto", "bootstrap", "permutation"}
        See above.
    y_true, first, second, paired, y_true_second, sample_weight_second, cluster_second, alternative, margin, level
        As in :func:`rocsteady.compare_auc`; a margin needs the bootstrap. "greater" is about the measure's value,
        whether or not higher is better.
    n_resamples, random_state, n_jobs
        Number of resamples, seed, threads; "auto" without a seed always takes the same.
    sample_weight, weight_type, cluster, pos_label, missing, params
        As in :func:`rocsteady.bootstrap_interval`.

    Returns
    -------
    TestResult

    Examples
    --------
    >>> import rocsteady as rs
    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> first, second = [8, 7, 6, 3, 5, 4, 2, 1], [8, 2, 7, 3, 6, 5, 4, 1]
    >>> test = rs.compare_measure("average_precision", y, first, second, method="permutation", random_state=1)
    >>> round(test.estimate, 4), round(test.pvalue, 3)
    (0.1488, 0.509)
    """
    check_choice("method", method, ("auto", "bootstrap", "permutation"))
    check_alternative(alternative, margin)
    check_level(level)
    if method == "permutation" and alternative not in PLAIN:
        raise ArgumentError(
            "margin", Sentence("a permutation test is about no difference at all; use {method='bootstrap'}")
        )
    samples = read_samples(
        y_true,
        first,
        second,
        paired=paired,
        y_true_second=y_true_second,
        sample_weight=sample_weight,
        sample_weight_second=sample_weight_second,
        cluster=cluster,
        cluster_second=cluster_second,
        pos_label=pos_label,
        missing=missing,
        weight_type=weight_type,
    )
    how: dict[str, Any] = {"weight_type": weight_type, "n_jobs": n_jobs, "params": params}
    how |= {"alternative": alternative, "level": level, "n_resamples": n_resamples}
    if method != "auto":
        seed = fresh_seed(random_state)
        return resampled_test(samples, measure, method=method, margin=margin, seed=seed, **how)
    return automatic_test(samples, measure, margin=margin, seed=random_state or SEED, **how)


def automatic_test(samples: list[Rows], measure: Any, *, margin: float | None = None, **how: Any) -> TestResult:
    """What "auto" takes, of models whose rows were read and ranked."""
    drawn = resampled_test(samples, measure, method="bootstrap", margin=margin, **how)
    few = any(few_rows(class_sizes(sample, how.get("weight_type"))) for sample in samples)
    if not few or how["alternative"] not in PLAIN or not ranks_only(measure):
        return replace(drawn, auto=True)
    swapped = resampled_test(samples, measure, method="permutation", **how)
    notes = (Remark("permuted_with_bootstrap"), *swapped.warnings)
    return replace(swapped, low=drawn.low, high=drawn.high, se=drawn.se, auto=True, warnings=notes)


def resampled_test(
    samples: list[Rows],
    measure: Any,
    *,
    method: str,
    alternative: str,
    level: float,
    seed: int,
    margin: float | None = None,
    n_resamples: int = 2000,
    weight_type: str | None = None,
    n_jobs: int | None = None,
    params: Mapping[str, Any] | None = None,
    params_second: Mapping[str, Any] | None = None,
) -> TestResult:
    """Test two models whose rows were read and ranked: on one sample, or each on its own.

    ``params_second`` are those of the second model, where they differ: its own threshold.
    """
    for each in samples:
        refuse_one_class(each.ranked[0].n_pos, each.ranked[0].n_neg, "a comparison needs")
    both, paired = (params, params if params_second is None else params_second), len(samples) == 1
    compute = measure_function(measure, both[0]), measure_function(measure, both[1])
    observed = _difference(compute, [ranked for sample in samples for ranked in sample.ranked])
    swaps, scheme = None, str(method)
    if method == "bootstrap":
        schemes = _schemes(samples, weight_type, apart=draws_within_classes(measure))
        many, scheme = _bootstrap(schemes, compute, measure, both), schemes[0].scheme
    else:
        ordered = [in_canonical_order(sample) for sample in samples]
        swaps = None if paired else SubjectSwaps.of(*(ordered[turn] for turn in canonical_samples(ordered)))
        many = one_by_one(_permutation(ordered, compute, swaps, weight_type, by_rank=ranks_only(measure)))
    values = replicate_many(many, n_resamples=n_resamples, seed=seed, n_jobs=n_jobs, what=method)[:, 0]
    found = _result(samples, observed, values, method, alternative, margin, level, seed, scheme)
    told = [_advice(each, method, alternative, weight_type, whole_auc=measure == "auc") for each in samples]
    told.insert(0, reading_remarks(samples[0].origin))
    told.append(nested_remarks(samples[0], (0, 1)) if paired else ())
    remarks = (*found.warnings, *(() if swaps is None else swaps.remarks()), *(text for each in told for text in each))
    return replace(found, warnings=tuple(dict.fromkeys(remarks)))


def _advice(
    sample: Rows, method: str, alternative: str, weight_type: str | None, *, whole_auc: bool
) -> tuple[Remark, ...]:
    if method == "bootstrap":
        return bootstrap_remarks(sample, alternative, weight_type, whole_auc=whole_auc)
    return permutation_remarks(sample, weight_type, whole_auc=whole_auc)


def _difference(compute: Compute, made: list[RankedScores]) -> float:
    """First minus second; what rounding alone can make of sums over all scores is none."""
    one, two = float(compute[0](made[0])), float(compute[1](made[1]))
    return settled(one - two, rounding(max(ranked.scores.size for ranked in made), one, two))


def _schemes(samples: list[Rows], weight_type: str | None, *, apart: bool) -> list[RowDraws]:
    kinds = [weight_type_of(sample.weights, weight_type) for sample in samples]
    return [
        RowDraws(sample, stratified=apart, frequency=kind == "frequency")
        for sample, kind in zip(samples, kinds, strict=True)
    ]


def _bootstrap(
    schemes: list[RowDraws], compute: Compute, measure: Any, params: tuple[Mapping[str, Any] | None, ...]
) -> Callable[[np.random.Generator, int], Iterable[Sequence[float]]]:
    turns = canonical_samples([scheme.rows for scheme in schemes])

    def one(rng: np.random.Generator) -> list[float]:
        drawn = {turn: reweighted(schemes[turn], schemes[turn].draw(rng)) for turn in turns}
        return [_difference(compute, [ranked for turn in sorted(drawn) for ranked in drawn[turn]])]

    known = len(schemes) == 1 and sheet_of(measure) is not None and params[0] == params[1]
    request = parse_requests([measure])[0] if known else None
    asked = [] if request is None else [(request.sheet, {**request.params, **(params[0] or {})})]
    both = in_batches(schemes[0], asked) if asked else None
    if both is None:
        return one_by_one(one)
    longest = max(ranked.scores.size for ranked in schemes[0].ranked)
    return lambda rng, size: [[settled(a - b, rounding(longest, a, b))] for a, b in both(rng, size).tolist()]


def _permutation(
    samples: list[Rows], compute: Compute, swaps: SubjectSwaps | None, weight_type: str | None, *, by_rank: bool
) -> Sample:
    kinds = [weight_type_of(sample.weights, weight_type) for sample in samples]
    frequency = all(kind == "frequency" for kind in kinds)
    if len(samples) == 1:
        permute = permuted_pairs(samples[0], by_rank=by_rank, frequency=frequency)
        return lambda rng: [_difference(compute, permute(rng))]
    turns = canonical_samples(samples)
    one, two = (samples[turn] for turn in turns)
    permute = permuted_samples(one, two, swaps, by_rank=by_rank, frequency=frequency)

    def sample(rng: np.random.Generator) -> list[float]:
        made = permute(rng)
        return [_difference(compute, [made[turn] for turn in turns])]

    return sample


def _result(
    samples: list[Rows],
    observed: float,
    values: NDArray[np.float64],
    method: str,
    alternative: str,
    margin: float | None,
    level: float,
    seed: int,
    scheme: str,
) -> TestResult:
    n_failed, remarks = check_failures(values)
    spread = spread_of(values)
    if method == "bootstrap":
        judged = judge(observed, spread, alternative, margin)
        statistic, pvalue, words = judged.statistic, judged.pvalue, judged.hypothesis
        low, high = ends("percentile", values, observed, level)
        remarks += judged.warnings
        if alternative == "two-sided" and (pvalue <= 1 - level) == (low <= 0 <= high):
            remarks.append(Remark("percentiles_hold_none" if pvalue <= 1 - level else "percentiles_leave_none"))
    else:
        statistic, words, low, high = observed, in_words(alternative), math.nan, math.nan
        pvalue, error = permutation_p(values, observed, alternative)
        remarks.append(Remark("monte_carlo_error", error=error))
    return TestResult(
        statistic=statistic,
        pvalue=pvalue,
        estimate=observed,
        low=low,
        high=high,
        alternative=alternative,
        method=f"{method}, {'paired' if len(samples) == 1 else 'unpaired'}",
        hypothesis=words,
        level=level,
        null=null_of(alternative, margin),
        se=spread,
        **facts_of(samples[0].ranked[0], samples[0].origin),
        warnings=tuple(remarks),
        resampling=Resampling(scheme, values.size, n_failed, seed, values),
    )
