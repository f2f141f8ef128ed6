"""Resampling: many draws, each turned into values by a statistic; reproducible whatever the number of threads."""

from __future__ import annotations

import math
import os
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError
from rocsteady._src.base.progress import progress_bar
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.threads import workers
from rocsteady._src.ranked import RankedScores
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from rocsteady._src.inference.resampling.draws import Draw, Draws

    Array = NDArray[np.float64]
    Statistic = Callable[[list[RankedScores]], Sequence[float]]
    _Job = tuple[int, np.random.SeedSequence]

BLOCK = 50
LONG_RESAMPLE = 0.002
MOST_FAILED, SOME_FAILED = 0.10, 0.01
MOST_LEFT_OUT = 4000


def fresh_seed(random_state: int | None) -> int:
    """The seed asked for, or one from the system's entropy, to be recorded."""
    if random_state is None:
        return int(np.random.SeedSequence().entropy) % 2**63  # type: ignore[arg-type]
    if isinstance(random_state, (int, np.integer)) and random_state >= 0:
        return int(random_state)
    raise ArgumentError(
        "random_state",
        Sentence(
            "{@random_state} must be a whole number >= 0 or None, got {random_state!r}", random_state=random_state
        ),
    )


def reweighted(draws: Draws, drawn: Draw) -> list[RankedScores]:
    """Ranked scores with new weights; scores that nobody drew are left out."""
    made = []
    for groups, weights in zip(draws.ranked, drawn, strict=True):
        kept = (weights[0] != 0) | (weights[1] != 0)
        scores, pos, neg = (part.compress(kept) for part in (groups.scores, *weights))
        made.append(RankedScores.trusted(scores, pos, neg, groups.origin))
    return made


def sampler(draws: Draws, statistic: Statistic) -> Callable[[np.random.Generator], Sequence[float]]:
    """Draw, re-weight, compute."""
    return lambda rng: statistic(reweighted(draws, draws.draw(rng)))


def replicate(
    sample: Callable[[np.random.Generator], Sequence[float]],
    *,
    n_resamples: int,
    seed: int,
    n_jobs: int | None = None,
    what: str = "bootstrap",
) -> Array:
    """Values of each resample, one line per resample; NaN where undefined."""
    how: dict[str, Any] = {"n_resamples": n_resamples, "seed": seed, "n_jobs": n_jobs, "what": what}
    return replicate_many(one_by_one(sample), **how)


def one_by_one(
    sample: Callable[[np.random.Generator], Sequence[float]],
) -> Callable[[np.random.Generator, int], list[Sequence[float]]]:
    """Many resamples of a function that makes one."""
    return lambda rng, size: [sample(rng) for _ in range(size)]


def replicate_many(
    many: Callable[[np.random.Generator, int], Iterable[Sequence[float]]],
    *,
    n_resamples: int,
    seed: int,
    n_jobs: int | None = None,
    what: str = "bootstrap",
) -> Array:
    """The same from a function of many resamples at once.

    Resamples come in blocks, each with a random stream of its own, so that threads change nothing.
    """
    if not isinstance(n_resamples, (int, np.integer)) or n_resamples < 1:
        raise ArgumentError(
            "n_resamples",
            Sentence("{@n_resamples} must be a whole number above 0, got {n_resamples!r}", n_resamples=n_resamples),
        )
    sizes = [min(BLOCK, n_resamples - start) for start in range(0, n_resamples, BLOCK)]
    streams = np.random.SeedSequence(seed).spawn(len(sizes))

    def block(job: _Job) -> list[Sequence[float]]:
        size, stream = job
        return [*many(np.random.Generator(np.random.SFC64(stream)), size)]

    jobs = list(zip(sizes, streams, strict=True))
    values: list[Sequence[float]] = []
    with progress_bar(what) as report:
        for done, part in enumerate(_parts(block, jobs, n_jobs), start=1):
            values += part
            report(done / len(jobs))
    return np.array(values, dtype=np.float64)


def _parts(
    block: Callable[[_Job], list[Sequence[float]]], jobs: list[_Job], n_jobs: int | None
) -> Iterator[list[Sequence[float]]]:
    """Blocks in their order: the first alone, and the others in threads where it shows that resamples take long.

    Threads with short ones wait for each other's turn at the interpreter longer than they work.
    """
    began = perf_counter()
    first = block(jobs[0])
    long = perf_counter() - began > LONG_RESAMPLE * jobs[0][0]
    yield first
    asked = (min(4, os.cpu_count() or 1) if long else 1) if n_jobs is None else workers(n_jobs)
    n_threads = min(asked, len(jobs) - 1)
    if n_threads <= 1:
        yield from map(block, jobs[1:])
        return
    pool = ThreadPoolExecutor(n_threads)
    try:
        yield from pool.map(block, jobs[1:])
    finally:
        pool.shutdown(cancel_futures=True)  # an interrupt does not wait for the blocks that have not begun


def count_failures(values: Array) -> tuple[int, list[Remark]]:
    """Undefined replicates: a remark above 1%; above 10% it says that there is no interval."""
    failed = int(np.isnan(values).sum())
    share = failed / values.size
    if share > MOST_FAILED:
        return failed, [Remark("resamples_undefined", failed=failed, total=values.size)]
    return failed, [Remark("resamples_left_out", failed=failed, total=values.size)] if share > SOME_FAILED else []


def check_failures(values: Array) -> tuple[int, list[Remark]]:
    """Count undefined replicates: a remark above 1%, an error above 10%."""
    failed, remarks = count_failures(values)
    if failed > MOST_FAILED * values.size:
        raise InputError("resamples_failed", f"the measure is {remarks[0]}; more rows of the smaller class help")
    return failed, remarks


def left_out_values(draws: Draws, statistic: Statistic, *, seed: int) -> list[tuple[Array, NDArray[np.int64], int]]:
    """Values with one unit left out, per stratum: values, how many units each stands for, stratum size.

    Above a few thousand units a random part of them is tried.
    """
    n_ways = draws.n_left_out()
    share = min(1.0, MOST_LEFT_OUT / max(n_ways, 1))
    tried = np.random.default_rng(seed).random(n_ways) < share
    found: list[list[tuple[float, int]]] = [[] for _ in draws.strata]
    for way, chosen in zip(draws.left_out(), tried, strict=True):
        if chosen:
            found[way.stratum].append((float(statistic(reweighted(draws, way.draw))[0]), way.times))
    return [
        (np.array([value for value, _ in ways]), np.array([times for _, times in ways], dtype=np.int64), size)
        for ways, size in zip(found, draws.strata, strict=True)
    ]


def acceleration(left_out: list[tuple[Array, NDArray[np.int64], int]]) -> float:
    """Skewness constant of BCa for samples drawn stratum by stratum (Efron 1987; Davison and Hinkley 1997, 5.3)."""
    cubes = squares = 0.0
    for values, times, size in left_out:
        if size < 2 or not (values.size and np.isfinite(values).all()):
            continue
        scale = size / times.sum()
        influence = (size - 1) * (np.average(values, weights=times) - values)
        cubes += scale * float(times @ influence**3) / size**3
        squares += scale * float(times @ influence**2) / size**2
    return cubes / (6 * squares**1.5) if squares > 0 else 0.0


def jackknife_variance(left_out: list[tuple[Array, NDArray[np.int64], int]]) -> float:
    """Sum over strata of (n - 1)/n sum of squared deviations of the left-out values."""
    total = 0.0
    for values, times, size in left_out:
        if size < 2 or not np.isfinite(values).all():
            return math.nan
        scale = size / times.sum()
        spread = values - np.average(values, weights=times)
        total += scale * (size - 1) / size * float(times @ spread**2)
    return total
