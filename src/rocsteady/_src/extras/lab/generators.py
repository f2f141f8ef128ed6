"""Many score sets from few, lazily."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, is_number, short
from rocsteady._src.base.text import format_count
from rocsteady._src.base.typed import typed
from rocsteady._src.extras.lab.sets import ScoreSets, as_sets
from rocsteady._src.extras.lab.steps import Steps, check_all_labellings, check_sampled_labellings, sampled_labellings

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_STEPS = 10**7  # their factors are held at once
MOST_SETS = 2**62


@typed
def generate(
    sets: Any,
    *,
    margin_steps: int | None = None,
    range_steps: int | None = None,
    distribution: bool | int = False,
    noise: float = 0.0,
    seed: int | None = None,
) -> ScoreSets:
    """Make many score sets of few: shrink margins, narrow ranges, add noise, exchange labels, in this order.

    With k steps a set becomes k: itself, and copies with the factors 1 - h/k, h = 1 .. k - 1. Margin shrinking moves
    the lowest positive and the highest negative towards their middle and keeps the extremes; it applies where the
    highest score is positive and the lowest negative, other sets are kept once. Range narrowing draws all scores
    towards the middle of the range.

    Parameters
    ----------
    sets : ScoreSets or list of (labels, scores)
        The sources. What ``generate`` has made can be given again for a later step.
    margin_steps, range_steps : int, optional
        Number of sets that each becomes; None leaves the step out.
    distribution : bool or int
        True: all 2^L - 2 labellings of every set of L scores, up to L = 20. A number: so many labellings, namely
        the L - 1 correct ones and others near them, see ``sample_labellings``. They replace the labels.
    noise : float
        Standard deviation of normal noise added to every score.
    seed : int, optional
        Of noise and sampled labellings. Drawn and kept when absent.

    Returns
    -------
    ScoreSets
        Nothing is made yet: they are made in batches, the same ones each time.

    Examples
    --------
    >>> import rocsteady as rs
    >>> source = rs.lab.parse_sets("1.0p 0.8p 0.6p 0.4n 0.2n 0.0n")
    >>> len(rs.lab.generate(source, margin_steps=30, range_steps=100, distribution=True))
    186000
    """
    found = as_sets(sets)
    asked = Steps(
        margin=_steps("margin_steps", margin_steps),
        range=_steps("range_steps", range_steps),
        noise=_noise(noise),
        labellings=_labellings(distribution),
        seed=_seed(seed),
    )
    _check_order(found.steps, asked)
    for size in found.sizes if asked.labellings is not None else ():
        if asked.labellings:
            check_sampled_labellings(size, asked.labellings)
        else:
            check_all_labellings(size)
    made = found.with_steps(_joined(found.steps, asked))
    if made.n_sets > MOST_SETS:
        text = (
            f"these steps make {short(made.n_sets)} sets of {format_count(made.n_sources)}; "
            "take fewer steps or labellings"
        )
        raise ArgumentError("too_many_sets", text)
    return made


@typed
def sample_labellings(size: int, n: int, *, seed: int = 0) -> NDArray[np.bool_]:
    """Labellings of ``size`` ordered scores: the size - 1 correct ones, then others drawn near them.

    Labellings drawn evenly would hold next to no correct ones, and incorrect ones that no measure confuses with them.
    So each of the others starts from a correct labelling with an evenly drawn number of positives, and s positives
    exchange labels with s negatives, where s = 1, 2, 3, ... has the chances 1/2, 1/4, 1/8, ...

    Parameters
    ----------
    size : int
        How many scores a set has, 2 or more.
    n : int
        How many labellings, ``size`` or more: the correct ones are always among them.
    seed : int
        Of the others: the same each time, and others for another seed.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.lab.sample_labellings(4, 5).astype(int).tolist()[:3]
    [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0]]
    """
    if size < 2:
        raise ArgumentError("size", f"a set needs at least 2 scores, got {size!r}")
    found: NDArray[np.bool_] = sampled_labellings(size, n, seed)
    return found


def _steps(name: str, value: int | None) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise ArgumentError(name, f"{name} must be a whole number, 1 or more, got {value!r}")
    if value > MOST_STEPS:
        raise ArgumentError(name, f"{name} must be {format_count(MOST_STEPS)} or fewer, got {short(value)}")
    return int(value)


def _noise(value: float) -> float:
    if not (is_number(value) and 0 <= value < math.inf):
        raise ArgumentError("noise", f"noise must be a standard deviation, 0 or more, got {value!r}")
    return float(value)


def _labellings(distribution: bool | int) -> int | None:
    if isinstance(distribution, (bool, np.bool_)):
        return 0 if distribution else None
    if not isinstance(distribution, (int, np.integer)) or distribution < 1:
        text = f"distribution is True, False or a number of labellings to sample, got {distribution!r}"
        raise ArgumentError("distribution", text)
    return int(distribution)


def _seed(seed: int | None) -> int:
    if seed is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
        raise ArgumentError("seed", f"seed must be a whole number, 0 or more, got {seed!r}")
    return int(seed)


def _place(steps: Steps, *, first: bool) -> int:
    """Where the first or last of the steps stands in the order; -1 or 4 when there are none."""
    present = [bool(steps.margin), bool(steps.range), bool(steps.noise), steps.labellings is not None]
    places = [place for place, there in enumerate(present) if there]
    if first:
        return places[0] if places else 4
    return places[-1] if places else -1


def _check_order(done: Steps, asked: Steps) -> None:
    if _place(done, first=False) >= _place(asked, first=True):
        text = f"these sets have steps already ({done}); the order is margin, range, noise, labellings: use one call"
        raise ArgumentError("step_order", text)


def _joined(done: Steps, asked: Steps) -> Steps:
    labellings = done.labellings if asked.labellings is None else asked.labellings
    seed = done.seed if done.noise else asked.seed
    return Steps(done.margin or asked.margin, done.range or asked.range, done.noise or asked.noise, labellings, seed)
