"""From replicates of a measure to its interval, with what went wrong, and where such intervals are too short."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rocsteady._src.inference.intervals.at_bound import AGREE, low_end_at_bound
from rocsteady._src.inference.intervals.measure_facts import bounds_with
from rocsteady._src.inference.intervals.replicate_ends import Shape, ends, remarks_on_ends, spread_of
from rocsteady._src.inference.intervals.undercoverage import short_of_first_rows, short_of_measure
from rocsteady._src.inference.resampling.batches import in_batches
from rocsteady._src.inference.resampling.resample import MOST_FAILED, count_failures, replicate, replicate_many, sampler
from rocsteady._src.inputs.weights import reading_remarks
from rocsteady._src.results import Interval, Resampling
from rocsteady._src.results.base import facts_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from rocsteady._src.inference.resampling.draws import Draws
    from rocsteady._src.measures.registry import FactSheet
    from rocsteady._src.ranked import RankedScores

    Asked = tuple[FactSheet, Mapping[str, Any]]


def intervals_by_resampling(
    draws: Draws, asked: Sequence[Asked], level: float, seed: int, n_resamples: int
) -> list[Interval]:
    """Intervals of some measures of one model, all from the same resamples."""
    values = replicates_of(draws, asked, n_resamples=n_resamples, seed=seed)
    how: dict[str, Any] = {"scheme": draws.scheme, "seed": seed, "fewest": draws.fewest}
    how["units"] = draws.units
    estimates = [float(sheet.compute(draws.ranked[0], **params)) for sheet, params in asked]
    return [
        interval_of_replicates(wanted, draws.ranked[0], estimates[column], values[:, column], level, **how)
        for column, wanted in enumerate(asked)
    ]


def replicates_of(
    draws: Draws, asked: Sequence[Asked], *, n_resamples: int, seed: int, n_jobs: int | None = None
) -> NDArray[np.float64]:
    """A line for each resample: the measures of the first model, then of the next."""
    how: dict[str, Any] = {"n_resamples": n_resamples, "seed": seed, "n_jobs": n_jobs}
    many = in_batches(draws, asked)
    if many is not None:
        return replicate_many(many, **how)
    sample = sampler(draws, lambda made: [sheet.compute(each, **params) for each in made for sheet, params in asked])
    return replicate(sample, **how)


def interval_of_replicates(
    asked: Asked,
    ranked: RankedScores,
    estimate: float,
    values: Any,
    level: float,
    *,
    scheme: str,
    seed: int,
    fewest: int,
    units: str = "rows",
) -> Interval:
    """The default interval of a measure; without ends, and with the reason, where too many replicates are undefined."""
    sheet, params = asked
    n_failed, remarks = count_failures(values)
    remarks = [*reading_remarks(ranked.origin), *remarks]
    low = high = se = math.nan
    if n_failed <= MOST_FAILED * values.size:
        se = spread_of(values)
        low, high = ends(sheet.ends, values, estimate, level, Shape(bounds_with(sheet, params), fewest))
        bounded = low_end_at_bound(sheet, params, ranked, estimate, fewest, level) if high - low <= AGREE else None
        low, told = (low, remarks_on_ends(low, high, estimate, values)) if bounded is None else bounded
        remarks += told
        short = short_of_measure(sheet, ranked, fewest, units)
        remarks += short or short_of_first_rows(sheet, params, ranked, estimate)
    return Interval(
        estimate,
        low,
        high,
        level,
        f"bootstrap {sheet.ends}",
        se=se,
        **facts_of(ranked),
        warnings=tuple(remarks),
        resampling=Resampling(scheme, values.size, n_failed, seed, values),
    )
