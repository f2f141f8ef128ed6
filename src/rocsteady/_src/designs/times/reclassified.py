"""Net reclassification and integrated discrimination at a time: an old model's risks against a new one's."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError
from rocsteady._src.base.text import format_setting
from rocsteady._src.base.typed import typed
from rocsteady._src.designs.times.brier import read_risks, risk_of
from rocsteady._src.designs.times.known_at import checked_times, known_at_each
from rocsteady._src.designs.times.trust import at_a_time
from rocsteady._src.inference.intervals.normal import check_level
from rocsteady._src.probabilities.reclassification.two_models import checked_cutoffs, direction, wald
from rocsteady._src.results import IntegratedDiscrimination, NetReclassification

if TYPE_CHECKING:
    from rocsteady._src.designs.times.influenced import Influenced
    from rocsteady._src.designs.times.known_at import KnownAt
    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.weights import WeightType
    from rocsteady._src.results import Estimate

MOVES = ("up_events", "down_events", "up_nonevents", "down_nonevents")


@typed
def net_reclassification_at(
    time: object,
    event: object,
    old: object,
    new: object,
    *,
    at: float,
    cutoffs: object = None,
    ipcw: object = None,
    level: float = 0.95,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    censored: Any = 0,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> NetReclassification:
    """Net reclassification improvement at a time: who had the event by then should move up, the others down.

    Rows that were censored before stand for nobody; the others weigh by the inverse probability of being watched
    (Uno and others 2013). What docs/reclassification.md says against this measure holds here too: a new model that is
    badly calibrated may gain by it.

    Parameters
    ----------
    time, event
        As in :func:`rocsteady.times.brier_at`.
    old, new : array-like
        Risks by the time, in [0, 1].
    at : float
        The time.
    cutoffs : sequence of float, optional
        Limits of risk categories; any change counts when absent.
    ipcw, level, sample_weight, weight_type, cluster, censored, pos_label, missing
        As in :func:`rocsteady.times.brier_at`.

    Returns
    -------
    NetReclassification
        Total, among events and among nonevents, with intervals by the influence function.

    References
    ----------
    Uno, Tian, Cai, Kohane and Wei (2013), Statistics in Medicine 32:2430-2442.

    Examples
    --------
    >>> import rocsteady as rs
    >>> days, died = [5, 8, 12, 20, 21, 30, 31, 40], [1, 1, 0, 1, 1, 0, 1, 0]
    >>> old, new = [0.5, 0.4, 0.4, 0.5, 0.6, 0.2, 0.3, 0.2], [0.8, 0.9, 0.4, 0.6, 0.2, 0.3, 0.5, 0.1]
    >>> round(rs.times.net_reclassification_at(days, died, old, new, at=25).nri.estimate, 4)
    0.1212
    """
    asked: dict[str, Any] = {"sample_weight": sample_weight, "weight_type": weight_type, "cluster": cluster}
    asked |= {"censored": censored, "pos_label": pos_label, "missing": missing}
    limits = None if cutoffs is None else checked_cutoffs(cutoffs)
    known = _known(time, event, (old, new), at, level, ipcw, asked)
    moved = direction(risk_of(known.rows, "old"), risk_of(known.rows, "new"), limits).astype(np.float64)
    events, nonevents = known.share(moved, known.case), known.share(-moved, known.control)
    shares = [
        known.share((moved == way).astype(np.float64), among).value
        for among in (known.case, known.control)
        for way in (1, -1)
    ]
    total = _sum(events, nonevents)
    parts: dict[str, Any] = dict(
        zip(("nri", "events", "nonevents"), _estimates((total, events, nonevents), level), strict=True)
    )
    moves: dict[str, Any] = dict(zip(MOVES, shares, strict=True))
    return NetReclassification(**parts, **moves, cutoffs=limits, **_facts(known))


@typed
def integrated_discrimination_at(
    time: object,
    event: object,
    old: object,
    new: object,
    *,
    at: float,
    ipcw: object = None,
    level: float = 0.95,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    censored: Any = 0,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> IntegratedDiscrimination:
    """Integrated discrimination improvement at a time: the gain in mean risk of cases less that of controls.

    Parameters
    ----------
    time, event
        As in :func:`rocsteady.times.brier_at`.
    old, new : array-like
        Risks by the time, in [0, 1].
    at : float
        The time.
    ipcw, level, sample_weight, weight_type, cluster, censored, pos_label, missing
        As in :func:`rocsteady.times.brier_at`.

    Returns
    -------
    IntegratedDiscrimination
        With intervals by the influence function.

    References
    ----------
    Uno, Tian, Cai, Kohane and Wei (2013), Statistics in Medicine 32:2430-2442.

    Examples
    --------
    >>> import rocsteady as rs
    >>> days, died = [5, 8, 12, 20, 21, 30, 31, 40], [1, 1, 0, 1, 1, 0, 1, 0]
    >>> old, new = [0.5, 0.4, 0.4, 0.5, 0.6, 0.2, 0.3, 0.2], [0.8, 0.9, 0.4, 0.6, 0.2, 0.3, 0.5, 0.1]
    >>> round(rs.times.integrated_discrimination_at(days, died, old, new, at=25).idi.estimate, 4)
    0.0333
    """
    asked: dict[str, Any] = {"sample_weight": sample_weight, "weight_type": weight_type, "cluster": cluster}
    asked |= {"censored": censored, "pos_label": pos_label, "missing": missing}
    known = _known(time, event, (old, new), at, level, ipcw, asked)
    both = [risk_of(known.rows, model) for model in ("old", "new")]
    (old_case, old_control), (new_case, new_control) = (
        (known.share(risk, known.case), known.share(risk, known.control)) for risk in both
    )
    events, nonevents = new_case - old_case, old_control - new_control
    before, after = old_case - old_control, new_case - new_control
    ratio = after.value / before.value if before.value else math.nan
    relative = _of(after, ratio, (after.pulls - ratio * before.pulls) / before.value if before.value else after.pulls)
    total = _sum(events, nonevents)
    parts: dict[str, Any] = dict(
        zip(("idi", "events", "nonevents"), _estimates((total, events, nonevents), level), strict=True)
    )
    parts["relative"] = wald(relative.value, relative.se**2, level, null=1.0, df=relative.df)
    slopes: dict[str, Any] = {"relative_change": ratio - 1, "slope_old": before.value, "slope_new": after.value}
    return IntegratedDiscrimination(**parts, **slopes, **_facts(known))


def _known(
    time: object,
    event: object,
    risks: tuple[object, object],
    at: float,
    level: float,
    ipcw: object,
    asked: dict[str, Any],
) -> KnownAt:
    check_level(level)
    times, _ = checked_times(at)
    rows, _ = read_risks(time, event, {"old": risks[0], "new": risks[1]}, times, asked)
    known = known_at_each(rows, times, ipcw)[0]
    if not (known.case.any() and known.control.any()):
        which = "no row had the event" if not known.case.any() else "no row is known to be without the event"
        raise InputError("no_cases_or_controls", f"at {format_setting(at)} {which}; ask for another time")
    return known


def _sum(one: Influenced, two: Influenced) -> Influenced:
    return _of(one, one.value + two.value, one.pulls + two.pulls)


def _of(like: Influenced, value: float, pulls: Any) -> Influenced:
    return type(like)(like.rows, value, pulls, like.remarks)


def _estimates(found: tuple[Influenced, ...], level: float) -> list[Estimate]:
    return [wald(each.value, each.se**2, level, df=each.df) for each in found]


def _facts(known: KnownAt) -> dict[str, Any]:
    counts = {"n_pos": int(known.rows.counted(known.case)), "n_neg": int(known.rows.counted(known.control))}
    return {**counts, "origin": known.rows.origin, "warnings": (*known.rows.remarks, *at_a_time(known, math.nan))}
