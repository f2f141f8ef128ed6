"""Tests between the AUCs, or partial AUCs, of two models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, get_args

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.comparison.automatic import SEED
from rocsteady._src.inference.comparison.hypotheses import check_alternative
from rocsteady._src.inference.comparison.measure import compare_measure
from rocsteady._src.inference.comparison.samples import named_samples, read_samples, refuse_of_lazy
from rocsteady._src.inference.comparison.two_areas import Asked, paired_test, unpaired_test
from rocsteady._src.inference.intervals.normal import check_choice, check_level
from rocsteady._src.inference.units.components import Area
from rocsteady._src.inference.units.spread import areas_of
from rocsteady._src.inputs.weights import sampled, weight_type_of
from rocsteady._src.ranked.lazy.columns import is_lazy
from rocsteady._src.ranked.lazy.lazy_rows import named_rows
from rocsteady._src.ranked.lazy.paired import compared_models

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.weights import WeightType
    from rocsteady._src.ranked import AnyModels, Rows
    from rocsteady._src.results import TestResult

Method = Literal["auto", "delong", "delong-t", "score", "newcombe", "bootstrap", "permutation"]
ONLY_WHOLE = ("newcombe", "score")
RESAMPLED = ("bootstrap", "permutation")


@typed
def compare_auc(
    y_true: object,
    first: object,
    second: object,
    *,
    method: Method = "auto",
    paired: bool = True,
    alternative: str = "two-sided",
    margin: float | None = None,
    level: float = 0.95,
    fpr_range: tuple[float, float] | None = None,
    tpr_range: tuple[float, float] | None = None,
    standardize: bool = False,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    y_true_second: object = None,
    sample_weight_second: object = None,
    cluster_second: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    n_resamples: int = 2000,
    random_state: int | None = None,
    label: str | None = None,
) -> TestResult:
    """Test whether two models differ in AUC, or in a partial AUC.

    Paired: both models scored the same rows. Unpaired: two independent samples. Every method but the last two follows
    from DeLong's covariance, O(n log n). Measured sizes, coverage and power are in docs/coverage.md.

    Parameters
    ----------
    y_true : array-like
        Labels.
    first, second : array-like
        Scores of both models; higher means more positive.
    method : {"auto", "delong-t", "score", "delong", "newcombe", "bootstrap", "permutation"}
        "auto" takes "delong-t"; or "score" where a class has fewer than four rows, or where the smaller class times
        1 - AUC is below 3, with a margin below 10; or "permutation" for a partial area that rests on fewer than three
        rows. Where few rows tell the models apart, as with two nearly perfect ones or a candidate that fails on few
        rows, p and interval are no smaller and no closer than a bound that holds for any distribution allows ("with
        gaffke"). The result names what was taken.
        "delong-t": t = (AUC1 - AUC2) / se with Satterthwaite's degrees of freedom. "delong": the same as z, Welch's t
        for independent samples, as other software has it. "score": the variance is that under the hypothesis, so
        that intervals are skewed where an AUC is close to 1, and have a width at 1. "newcombe" joins Newcombe's
        intervals of both AUCs, see :func:`rocsteady.auc_interval`; timid where the models are nearly alike. See
        :func:`rocsteady.compare_measure` for the last two.
    paired : bool
        False treats the samples as independent.
    alternative : {"two-sided", "greater", "less", "superiority", "non-inferiority", "equivalence"}
        About first minus second. The last three need ``margin``: first > second + margin, first > second - margin,
        and a difference between -margin and margin (two one-sided tests).
    margin : float, optional
        The difference that matters, above 0; for the last three alternatives, and refused with the others.
    level : float
        Confidence level of the two-sided interval of the difference.
    fpr_range, tpr_range, standardize
        For partial areas, as in :func:`rocsteady.partial_auc`.
    sample_weight, weight_type, cluster
        As in :func:`rocsteady.auc_interval`.
    y_true_second, sample_weight_second, cluster_second : array-like, optional
        Labels, weights and subjects of the second sample when ``paired=False``; the samples share no subject. Without
        labels of its own the second sample has those of the first, and its weights and subjects.
    pos_label, missing
        As in :func:`rocsteady.rank`; rows incomplete in either model are dropped for both.
    n_resamples, random_state
        For "bootstrap" and "permutation".
    label : str, optional
        Column of labels, when a table comes first and ``first``, ``second``, ``sample_weight`` and ``cluster`` name
        columns of it; the rows of a lazy table are paired by its own engine.

    Returns
    -------
    TestResult
        ``statistic, pvalue``, and ``estimate, low, high`` of first minus second. Identical models give 0 and p = 1.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> first, second = [8, 7, 6, 3, 5, 4, 2, 1], [8, 2, 7, 3, 6, 5, 4, 1]
    >>> print(rs.compare_auc(y, first, second))
    +0.2500 [-0.5176, +0.8195] (0.95 level), p = 0.609 (score with gaffke, paired, chosen by auto);
    alternative: first and second differ
    >>> print(rs.compare_auc(y, first, second, method="delong"))
    +0.2500 [-0.1501, +0.6501] (0.95 level), p = 0.221 (delong, paired); alternative: first and second differ
    """
    check_choice("method", method, get_args(Method))
    check_alternative(alternative, margin)
    check_level(level)
    area = Area(fpr_range, tpr_range, standardize)
    asked = Asked(area, method, alternative, margin, level, weight_type, n_resamples, random_state or SEED)
    rows: dict[str, Any] = {
        "y_true_second": y_true_second,
        "sample_weight": sample_weight,
        "sample_weight_second": sample_weight_second,
        "cluster": cluster,
        "cluster_second": cluster_second,
        "pos_label": pos_label,
        "missing": missing,
    }
    if label is not None and is_lazy(y_true):
        refuse_of_lazy(rows, weight_type, paired=paired, method=method)
        lazy = named_rows(y_true, (first, second), label, sample_weight, pos_label, missing, weight_type)
        return paired_test(areas_of(compared_models(lazy), area, weight_type), (0, 1), asked)
    if label is not None:
        y_true, first, second, rows = named_samples(y_true, label, first, second, rows, paired=paired)
    if method == "bootstrap" or method == "permutation":  # noqa: PLR1714 - so that types narrow
        return compare_measure(
            "auc" if area.whole else area.value,
            y_true,
            first,
            second,
            method=method,
            paired=paired,
            alternative=alternative,
            margin=margin,
            level=level,
            weight_type=weight_type,
            n_resamples=n_resamples,
            random_state=random_state,
            **rows,
        )
    samples = read_samples(y_true, first, second, paired=paired, weight_type=weight_type, **rows)
    check_method(samples, asked)
    found = [areas_of(sample, area, weight_type) for sample in samples]
    return paired_test(found[0], (0, 1), asked) if paired else unpaired_test(found, asked)


def areas_test(samples: list[Rows], *, level: float) -> TestResult:
    """The test of the whole AUCs that "auto" takes: of both models on one sample, or on two independent samples."""
    weight_type = samples[0].origin.weight_type
    asked = Asked(level=check_level(level), weight_type=weight_type)
    found = [areas_of(sample, Area(), weight_type) for sample in samples]
    return paired_test(found[0], (0, 1), asked) if len(found) == 1 else unpaired_test(found, asked)


def tests_with_margin(
    models: AnyModels,
    pairs: Sequence[tuple[int, int]],
    *,
    alternative: str,
    margin: float,
    method: Method,
    level: float,
) -> list[TestResult]:
    """One test for each pair of models on the same rows: superiority, non-inferiority or equivalence by a margin."""
    check_alternative(alternative, margin)
    if method in RESAMPLED:
        raise ArgumentError("method", Sentence("{method} has no test with a margin here; use 'auto'", method=method))
    weight_type = models.origin.weight_type
    asked = Asked(Area(), method, alternative, margin, check_level(level), weight_type)
    check_method([models], asked)
    areas = areas_of(models, asked.area, weight_type)
    return [paired_test(areas, pair, asked) for pair in pairs]


def check_method(samples: Sequence[AnyModels], asked: Asked) -> None:
    """Refuse joined intervals, the variance under the hypothesis and resampling of what they do not know."""
    check_choice("method", asked.method, get_args(Method))
    if asked.method in ONLY_WHOLE and not asked.area.whole:
        raise ArgumentError(
            "method", Sentence("{method} is about whole AUCs; use {method='auto'}", method=asked.method)
        )
    if asked.method in RESAMPLED and samples[0].in_memory() is None:
        text = f"{asked.method} needs the rows, which stay in their engine; bring them into memory, or take 'auto'"
        raise ArgumentError("method", text)
    if asked.method != "newcombe":
        return
    if any(each.clusters is not None for each in samples):
        raise ArgumentError("method", Sentence("newcombe is about independent rows; use {method='auto' or 'delong-t'}"))
    if any(_sampled(each, asked.weight_type) for each in samples):
        raise ArgumentError("method", Sentence("{sampled}, or use {method='auto'}", sampled=sampled("newcombe")))


def _sampled(sample: AnyModels, weight_type: str | None) -> bool:
    return weight_type_of(sample.weights, weight_type) == "sampling"
