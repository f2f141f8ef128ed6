"""From tests of pairs of models to a comparison: p adjusted, a verdict, remarks; by whatever they were compared."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.inference.comparison.multiplicity import adjust_pvalues
from rocsteady._src.inference.comparison.verdict import verdict
from rocsteady._src.measures.registry import find_measure
from rocsteady._src.results import Comparison, PairComparison
from rocsteady._src.results.comparisons import Comparisons

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from rocsteady._src.results import GroupedComparison, Interval, TestResult
    from rocsteady._src.results.remarks import Remark

    Pairs = list[tuple[int, int]]


def chosen_pairs(names: Sequence[str], baseline: str | None) -> Pairs:
    """Places of the models to compare: all pairs, or each model and the baseline."""
    if len(names) < 2:
        words = "a comparison needs at least two models: add another to {scores=}"
        raise ArgumentError("one_model", Sentence(words))
    if baseline is None:
        return list(combinations(range(len(names)), 2))
    _refuse_unknown(names, [baseline])
    base = list(names).index(baseline)
    return [(other, base) for other in range(len(names)) if other != base]


def models_to_compare(
    names: Sequence[str], first: str | None, others: Sequence[str]
) -> tuple[str | None, tuple[str, ...]]:
    """The baseline and the models of ``compare(first, *others)``: one name is a baseline, several are the models."""
    if not others:
        return first, tuple(names)
    asked = [str(each) for each in (first, *others)]
    _refuse_unknown(names, asked)
    if len(set(asked)) < len(asked):
        raise ArgumentError("models", f"each model is compared once, got {', '.join(asked)}")
    return None, tuple(asked)


def measure_or_models(
    names: Collection[str], first: str | None, others: Sequence[str], baseline: str | None
) -> tuple[str | None, str | None, tuple[str, ...]]:
    """The measure, the baseline and the models of ``compare(first, *others)``, where a measure may stand first."""
    if others or (first is not None and first in names and baseline is None):
        base, chosen = models_to_compare(list(names), first, others)
        return None, base, chosen
    return first, baseline, tuple(names)


def _refuse_unknown(names: Sequence[str], asked: Sequence[str]) -> None:
    """Refuse what is no model; a measure is told where it goes."""
    for each in asked:
        if each not in names:
            is_measure = isinstance(each, str) and find_measure(each) is not None
            hint = f"; {each} is a measure: compare(measure={each!r})" if is_measure else ""
            raise ArgumentError("baseline", f"there is no model {each!r}; the models are {', '.join(names)}{hint}")


def compared(
    names: Sequence[str],
    tests: Sequence[TestResult],
    estimates: dict[str, Interval],
    *,
    what: str,
    baseline: str | None,
    level: float,
    facts: dict[str, Any],
    higher: bool | None = True,
    omnibus: TestResult | None = None,
    method: str | None = None,
    clustered: bool = False,
    remarks: tuple[Remark, ...] = (),
    n_rows: int | None = None,
    widest: float = math.inf,
    **shown: Any,
) -> Comparison:
    """The comparison of models by ``tests`` of the chosen pairs, in their order.

    ``n_rows`` is how many rows they rest on, where that is not all of them; ``widest`` is the largest difference that
    the measure can have.
    """
    pairs = adjusted_pairs(names, chosen_pairs(names, baseline), tests)
    rows = facts["origin"].n_rows if n_rows is None else n_rows
    worded: dict[str, Any] = {"n_rows": rows, "higher_is_better": higher, "widest": widest}
    return Comparison(
        measure=what,
        models=tuple(names),
        estimates=estimates,
        pairs=pairs,
        omnibus=omnibus,
        baseline=baseline,
        level=level,
        method=_in_words(method or _methods(pairs), clustered=clustered),
        verdict=verdict(pairs, estimates, level=level, what=what, **worded),
        **facts,
        warnings=tuple(dict.fromkeys([*remarks, *_remarks_on(pairs, omnibus, estimates)])),
        worded=worded,
        **shown,
    )


def widest_of(bounds: tuple[float, float]) -> float:
    """The largest difference of a measure with these bounds."""
    return bounds[1] - bounds[0]


def adjusted_together(found: Mapping[Any, Comparison]) -> dict[Any, Comparison]:
    """Comparisons of independent groups, with p-values and verdicts adjusted over the pairs of all of them."""
    pairs = [pair for each in found.values() for pair in each.pairs]
    pvalues = [pair.test.pvalue for pair in pairs]
    holm, bh = (adjust_pvalues(pvalues, method).tolist() for method in ("holm", "bh"))
    made = iter(replace(pair, p_holm=of_holm, p_bh=of_bh) for pair, of_holm, of_bh in zip(pairs, holm, bh, strict=True))
    return {name: _verdict_over(each, tuple(next(made) for _ in each.pairs), holm) for name, each in found.items()}


def _verdict_over(found: Comparison, pairs: tuple[PairComparison, ...], family: Sequence[float]) -> Comparison:
    """The same with other adjusted p-values, and the verdict that follows from them."""
    worded = {**found.worded, "family": tuple(family)}
    told = verdict(pairs, found.estimates, level=found.level, what=found.measure, **worded)
    return replace(found, pairs=pairs, verdict=told, worded=worded)


def adjusted_pairs(names: Sequence[str], chosen: Pairs, tests: Sequence[TestResult]) -> tuple[PairComparison, ...]:
    """Tests of pairs of models with p adjusted for their number."""
    pvalues = [test.pvalue for test in tests]
    holm, bh = adjust_pvalues(pvalues, "holm"), adjust_pvalues(pvalues, "bh")
    return tuple(
        PairComparison(names[i], names[j], test, float(p_holm), float(p_bh))
        for (i, j), test, p_holm, p_bh in zip(chosen, tests, holm, bh, strict=True)
    )


def _methods(pairs: tuple[PairComparison, ...]) -> str:
    """The methods that were used, each once."""
    return " and ".join(dict.fromkeys(pair.test.method.partition(",")[0] for pair in pairs))


def _in_words(method: str, *, clustered: bool) -> str:
    return ", ".join([method, "paired", *(["by cluster"] if clustered else [])])


def _remarks_on(
    pairs: tuple[PairComparison, ...], omnibus: TestResult | None, estimates: dict[str, Interval]
) -> list[Remark]:
    of_pairs = [text for pair in pairs for text in pair.test.warnings if not _alike(pair.test)]
    of_all = () if omnibus is None else omnibus.warnings
    return [*of_pairs, *of_all, *(text for each in estimates.values() for text in each.warnings)]


def _alike(test: TestResult) -> bool:
    """Whether the verdict says it already: no row tells the models apart."""
    return test.estimate == 0 and not test.se


def by_each_measure(names: Mapping[str, Any], compare: Callable[[Any], Comparison | GroupedComparison]) -> Comparisons:
    """A comparison for each measure by name, and p of all their tests adjusted together."""
    if not names:
        raise ArgumentError("measures", "measures must name at least one measure, such as ['auc']")
    found = {name: compare(measure) for name, measure in names.items()}
    pvalues = [pair.test.pvalue for each in found.values() for pair in each.pairs]
    return Comparisons(found, tuple(adjust_pvalues(pvalues, "holm").tolist()))


def one_or_several(measure: Any, measures: Any) -> None:
    """Refuse both ways to name what is compared."""
    if measure is not None and measures is not None:
        raise ArgumentError("measures", Sentence("pass {measure=} or {measures=}, not both"))
