"""Decision curves: is it worth acting on a model at a threshold, compared with treating all, none, or another model?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, is_number, refuse_one_class
from rocsteady._src.base.text import format_threshold
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.comparison.hypotheses import check_alternative, result_of
from rocsteady._src.inference.intervals.normal import check_choice, check_level, quantile_of
from rocsteady._src.inference.resampling.draws import GroupDraws, RowDraws
from rocsteady._src.inference.resampling.resample import fresh_seed, replicate
from rocsteady._src.inference.units.row_means import mean_of_rows
from rocsteady._src.inference.units.units import Units
from rocsteady._src.inputs.reals import real_numbers
from rocsteady._src.inputs.weights import reading_remarks, summed
from rocsteady._src.measures.probability import probabilities_of
from rocsteady._src.probabilities.calibration.brier import paired_result
from rocsteady._src.probabilities.calibration.read_probabilities import of_probabilities, read_probabilities
from rocsteady._src.probabilities.net_benefit_limits import Called, called_apart
from rocsteady._src.ranked import RankedScores, Rows, count_rows, in_canonical_order, rank, refuse_more_than_one
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.calibration import DecisionCurves
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.weights import WeightType
    from rocsteady._src.results import TestResult

    Array = NDArray[Any]

ONE_MODEL = "model"
FEW_CALLED = 20
FEW_EVENTS = 10


class Models(NamedTuple):
    """Models by name; ``rows`` is None for groups that were ranked before; ``draws`` makes the resampling scheme."""

    ranked: dict[str, RankedScores]
    rows: Rows | None
    weight_type: str | None
    draws: Callable[[bool], GroupDraws | RowDraws]

    @property
    def first(self) -> RankedScores:
        """Any of them: classes and origin are the same for all."""
        return next(iter(self.ranked.values()))

    @property
    def counted(self) -> bool:
        """Whether groups suffice: no subjects, and weights are numbers of rows."""
        return self.rows is None or (self.rows.clusters is None and self.weight_type != "sampling")


@typed
def decision_curve(
    y_true: object,
    scores: object = None,
    *,
    thresholds: object = None,
    prevalence: float | None = None,
    level: float = 0.95,
    intervals: Literal["mid-p", "wald", "bootstrap"] = "mid-p",
    n_resamples: int = 1000,
    random_state: int | None = None,
    n_jobs: int | None = None,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> DecisionCurves:
    """Net benefit of acting on a model, over thresholds: true positives less false positives at their going rate.

    Who acts at a probability of t or more, holds a false positive to be worth t / (1 - t) true positives. Net
    benefit = TP/n - FP/n * t / (1 - t), in true positives per row; a row is positive when score >= t. The limits put
    together those of the shares that make it, and hold with few events too. O(distinct scores) once ranked.

    Parameters
    ----------
    y_true, sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`.
    scores : array-like or mapping of array-likes
        Probabilities, of one model or of several by name.
    thresholds : array-like, optional
        In [0, 1); 0.01, 0.02, ..., 0.99 unless given. Choose those that somebody might act on.
    prevalence : float, optional
        Share of positives where the model will be used, when these rows have another, as in case-control studies.
    level : float
        Confidence level, of each threshold by itself.
    intervals : {"mid-p", "wald", "bootstrap"}
        "mid-p" puts together the mid-p limits of the share of rows that are called and of the precision, or with
        ``prevalence`` of recall and false positive rate; of subjects and sampling weights, as many independent rows
        as tell the net benefit as surely. "wald" takes the net benefit as a normal mean over rows: too short with few
        events. Bootstrap percentiles draw rows, or subjects, for all models alike; within classes when prevalence is
        given.
    n_resamples, random_state, n_jobs
        For "bootstrap".
    weight_type, cluster
        As in :func:`rocsteady.auc_interval`.

    Returns
    -------
    DecisionCurves
        ``net_benefit``, ``low``, ``high``, ``standardized``, ``interventions_avoided`` by model; ``treat_all``,
        ``treat_none``; has ``plot`` and ``to_frame``, one row per model and threshold. ``warnings`` count events where
        they are few.

    References
    ----------
    Vickers and Elkin (2006), Medical Decision Making 26:565-574. Vickers et al. (2008), BMC Medical Informatics and
    Decision Making 8:53.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, score = [1, 1, 0, 1, 0, 0, 0, 0], [0.9, 0.7, 0.6, 0.4, 0.4, 0.2, 0.1, 0.1]
    >>> curve = rs.decision_curve(y, score, thresholds=[0.2, 0.5])
    >>> curve.net_benefit["model"].tolist(), curve.treat_all.round(4).tolist()
    ([0.28125, 0.125], [0.2188, -0.25])
    """
    check_choice("intervals", intervals, ("mid-p", "wald", "bootstrap"))
    check_level(level)
    cuts = _thresholds(thresholds)
    options = {"sample_weight": sample_weight, "cluster": cluster, "pos_label": pos_label, "missing": missing}
    models = _read(y_true, scores, options | {"weight_type": weight_type})
    if intervals == "bootstrap" and models.rows is not None:  # so that sums do not depend on how rows came
        models = models._replace(rows=in_canonical_order(models.rows))
    found = {name: _net_benefit(models, name, cuts, prevalence) for name in models.ranked}
    if intervals == "mid-p":
        limits = _joint_limits(models, cuts, prevalence, level, {name: se for name, (_, se) in found.items()})
        how: dict[str, Any] = {"method": "mid-p"}
    elif intervals == "wald":
        reach = {name: quantile_of(level) * se for name, (_, se) in found.items()}
        limits = [{name: mean + sign * reach[name] for name, (mean, _) in found.items()} for sign in (-1, 1)]
        how = {"method": "wald"}
    else:
        seed = fresh_seed(random_state)
        limits = _bootstrap(models, cuts, prevalence, level, n_resamples, seed, n_jobs)
        how = {"method": "bootstrap percentile", "n_resamples": n_resamples, "seed": seed}
    benefit = {name: mean for name, (mean, _) in found.items()}
    how |= {"low": limits[0], "high": limits[1], "level": level, "warnings": _remarks(models, cuts, intervals)}
    return _result(models, cuts, benefit, _prevalence(models.first, prevalence), how)


def _remarks(models: Models, cuts: Array, intervals: str) -> tuple[Remark, ...]:
    """Count events where they are few; say where Wald's and bootstrap limits miss false positives still to come."""
    events = float(models.first.n_pos) if models.rows is None else Units.of(models.rows).count(models.rows.positive)
    remarks = [*reading_remarks(models.first.origin), *_few_events(events)]
    for name, ranked in models.ranked.items():
        tp, fp = ranked.called_from(_places(ranked, cuts, name))
        called = tp + fp
        few = cuts[called < FEW_CALLED]
        if few.size and ranked.counts_rows and intervals != "mid-p":
            remarks.append(Remark("few_called", name, enough=FEW_CALLED, n=few.size, start=few.min()))
    return tuple(remarks)


def _few_events(events: float) -> tuple[Remark, ...]:
    return (Remark("few_events_decided", events=events),) if events < FEW_EVENTS else ()


def _joint_limits(
    models: Models, cuts: Array, prevalence: float | None, level: float, errors: dict[str, Array]
) -> list[dict[str, Array]]:
    """Limits by model that the shares behind the net benefit give."""
    ends = {}
    for name, ranked in models.ranked.items():
        tp, fp = (counts.astype(np.float64) for counts in ranked.called_from(_places(ranked, cuts, name)))
        n_pos, n_neg = (np.full(cuts.size, float(side)) for side in (ranked.n_pos, ranked.n_neg))
        called = Called(tp, fp, n_pos, n_neg, cuts / (1 - cuts))
        if models.rows is not None and not models.counted:
            rows = models.rows
            each = 1.0 if models.weight_type != "sampling" else rows.n_rows / float(ranked.n_rows_counted)
            called = Called(tp * each, fp * each, n_pos * each, n_neg * each, called.odds)
            units = rows.n_rows if rows.clusters is None else rows.n_clusters
            called = called.worth(errors[name], units, prevalence)
        ends[name] = called.limits(quantile_of(level), prevalence)
    return [{name: found[side] for name, found in ends.items()} for side in (0, 1)]


def _result(
    models: Models, cuts: Array, benefit: dict[str, Array], prevalence: float, how: dict[str, Any]
) -> DecisionCurves:
    """Add what follows from the net benefit."""
    odds = cuts / (1 - cuts)
    treat_all = prevalence - (1 - prevalence) * odds
    share = prevalence or math.nan
    return DecisionCurves(
        thresholds=cuts,
        net_benefit=benefit,
        standardized={name: value / share for name, value in benefit.items()},
        interventions_avoided={
            name: 100 * (value - treat_all) / np.where(odds > 0, odds, np.nan) for name, value in benefit.items()
        },
        treat_all=treat_all,
        treat_none=np.zeros(cuts.size),
        prevalence=prevalence,
        **facts_of(models.first),
        **how,
    )


@typed
def compare_net_benefit(
    y_true: object,
    first: object,
    second: object,
    *,
    threshold: float,
    prevalence: float | None = None,
    alternative: str = "two-sided",
    margin: float | None = None,
    level: float = 0.95,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> TestResult:
    """Test whether two models differ in net benefit at one threshold, on the same rows.

    The difference is a mean over the rows that only one of the models calls positive. Its interval puts together
    Wilson's limits of the shares behind it: of rows that are called differently, of positives among these, and of those
    that the first model calls, in either class. p is that of the level at which the interval reaches the null. The
    threshold must be chosen before looking at these rows. O(n log n).

    Parameters
    ----------
    y_true : array-like
        Labels.
    first, second : array-like
        Probabilities from both models.
    threshold : float
        In [0, 1); positive means score >= threshold.
    prevalence
        As in :func:`rocsteady.decision_curve`.
    alternative, margin, level
        As in :func:`rocsteady.compare_auc`, about first minus second.
    sample_weight, weight_type, cluster, pos_label, missing
        As in :func:`rocsteady.inference.compare_brier`.

    Returns
    -------
    TestResult

    Examples
    --------
    >>> import rocsteady as rs
    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> first, second = [0.9, 0.8, 0.7, 0.4, 0.3, 0.3, 0.2, 0.1], [0.6, 0.7, 0.4, 0.6, 0.3, 0.4, 0.6, 0.2]
    >>> test = rs.calibration.compare_net_benefit(y, first, second, threshold=0.35)
    >>> round(test.estimate, 4), round(test.pvalue, 4)
    (0.1346, 0.3)
    """
    check_alternative(alternative, margin)
    check_level(level)
    cut = _thresholds([threshold])
    columns = {"first": first, "second": second}
    options: dict[str, Any] = {"sample_weight": sample_weight, "cluster": cluster, "weight_type": weight_type}
    rows = read_probabilities(y_true, columns, pos_label=pos_label, missing=missing, **options)
    _check_prevalence(prevalence, *rows.class_weights)
    difference = _row_values(rows, "first", cut[0]) - _row_values(rows, "second", cut[0])
    found = mean_of_rows(difference, rows, prevalence=prevalence)
    method = f"paired net benefit at {format_threshold(threshold)}"
    few = count_rows(rows, difference != 0)
    extra = _few_events(Units.of(rows).count(rows.positive))
    extra += (Remark("few_called_differently", n=few),) if 0 < few < FEW_CALLED else ()
    alike = not few and np.array_equal(rows.doubles_of("first"), rows.doubles_of("second"))
    if alike or not math.isfinite(found.se):
        return paired_result(difference, found, rows, alternative, margin, level, method, extra)
    apart = called_apart(difference, rows, found, float(cut[0] / (1 - cut[0])), prevalence)
    facts: dict[str, Any] = {**dict(zip(("n_pos", "n_neg"), rows.class_weights, strict=True)), "origin": rows.origin}
    return result_of(apart, alternative, margin, level, method, remarks=extra, **facts)


def _thresholds(thresholds: object) -> NDArray[np.float64]:
    if thresholds is None:
        return np.arange(1, 100) / 100
    cuts = real_numbers(thresholds, "thresholds")
    if cuts.ndim != 1 or not cuts.size or not ((cuts >= 0) & (cuts < 1)).all():
        raise ArgumentError("thresholds", "thresholds must be probabilities from 0 up to but without 1")
    return cuts


def _read(y_true: object, scores: object, options: dict[str, Any]) -> Models:
    if isinstance(y_true, RankedScores):
        refuse_more_than_one(scores, *(options[name] for name in ("sample_weight", "cluster", "pos_label")))
        groups = rank(y_true, weight_type=options["weight_type"])
        if not groups.counts_rows:
            raise InputError("weights_summed", summed("a decision curve"))
        return Models({ONE_MODEL: groups}, None, None, lambda stratified: GroupDraws(groups, stratified=stratified))
    rows = of_probabilities(y_true) if isinstance(y_true, Rows) else _probabilities(y_true, scores, options)
    kind, ranked = rows.reading, rows.rank()

    def draws(stratified: bool) -> GroupDraws | RowDraws:
        if len(ranked) == 1 and rows.clusters is None and kind != "sampling":
            return GroupDraws(next(iter(ranked.values())), stratified=stratified)
        return RowDraws(rows, stratified=stratified, frequency=kind == "frequency")

    return Models(ranked, rows, kind, draws)


def _probabilities(y_true: object, scores: object, options: dict[str, Any]) -> Rows:
    columns = scores if isinstance(scores, Mapping) else {ONE_MODEL: scores}
    if not columns or scores is None:
        raise ArgumentError("no_models", "no scores were given: the mapping is empty, or the argument is missing")
    return read_probabilities(y_true, columns, **options)


def _prevalence(ranked: RankedScores, prevalence: float | None) -> float:
    _check_prevalence(prevalence, ranked.n_pos, ranked.n_neg)
    return float(ranked.n_pos / ranked.n_rows_counted) if prevalence is None else prevalence


def _check_prevalence(prevalence: float | None, n_pos: float, n_neg: float) -> None:
    if not n_pos + n_neg:
        raise InputError("empty", "there are no rows")
    if prevalence is None:
        return
    if not (is_number(prevalence) and 0 < prevalence < 1):
        raise ArgumentError("prevalence", f"prevalence must lie between 0 and 1, got {prevalence!r}")
    refuse_one_class(n_pos, n_neg, "a given prevalence needs")


def _net_benefit(models: Models, name: str, cuts: Array, prevalence: float | None) -> tuple[Array, Array]:
    """Net benefit and its standard error at each threshold."""
    ranked = models.ranked[name]
    _check_prevalence(prevalence, ranked.n_pos, ranked.n_neg)
    if models.rows is not None and not models.counted:
        rows, kind = models.rows, models.weight_type
        found = [mean_of_rows(_row_values(rows, name, cut), rows, kind, prevalence) for cut in cuts]
        return np.array([each.mean for each in found]), np.array([each.se for each in found])
    tp, fp = (counts.astype(np.float64) for counts in ranked.called_from(_places(ranked, cuts, name)))
    odds = cuts / (1 - cuts)
    pos, neg = np.float64(ranked.n_pos), np.float64(ranked.n_neg)
    n = pos + neg
    with np.errstate(divide="ignore", invalid="ignore"):
        if prevalence is None:
            mean = (tp - odds * fp) / n
            squares = tp * (1 - mean) ** 2 + fp * (odds + mean) ** 2 + (n - tp - fp) * mean**2
            return mean, np.sqrt(squares / (n * (n - 1)))
        mean = prevalence * tp / pos - (1 - prevalence) * odds * fp / neg
        from_pos = tp * (pos - tp) / pos**2 / (pos - 1)
        from_neg = odds**2 * fp * (neg - fp) / neg**2 / (neg - 1)
        return mean, np.sqrt(prevalence**2 * from_pos + (1 - prevalence) ** 2 * from_neg)


def _places(ranked: RankedScores, cuts: Array, name: str) -> NDArray[np.int64]:
    """First group called positive at each threshold."""
    return probabilities_of(ranked, name).searchsorted(cuts)


def _row_values(rows: Rows, name: str, cut: float) -> Array:
    """What each row adds: 1 for a true positive, minus the odds for a false one."""
    return np.where(rows.doubles_of(name) >= cut, np.where(rows.positive, 1.0, -cut / (1 - cut)), 0.0)


def _bootstrap(
    models: Models,
    cuts: Array,
    prevalence: float | None,
    level: float,
    n_resamples: int,
    seed: int,
    n_jobs: int | None,
) -> list[dict[str, Array]]:
    """Percentiles of the net benefits of resampled rows, the same rows for all models."""
    draws = models.draws(prevalence is not None)
    places = [_places(ranked, cuts, name) for name, ranked in models.ranked.items()]
    odds = cuts / (1 - cuts)

    def sample(rng: np.random.Generator) -> Any:
        drawn = zip(draws.draw(rng), places, strict=True)
        return np.concatenate([_drawn_benefit(weights, at, odds, prevalence) for weights, at in drawn])

    values = replicate(sample, n_resamples=n_resamples, seed=seed, n_jobs=n_jobs, what="decision curve")
    tails = np.quantile(values, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return [dict(zip(models.ranked, np.split(tail, len(models.ranked)), strict=True)) for tail in tails]


def _drawn_benefit(weights: tuple[Array, Array], places: Array, odds: Array, prevalence: float | None) -> Array:
    sums = [np.concatenate([[0], side.cumsum()]) for side in weights]
    tp, fp = (through[-1] - through[places] for through in sums)
    pos, neg = (through[-1] for through in sums)
    if prevalence is None:
        benefit: Array = (tp - odds * fp) / (pos + neg)
        return benefit
    return np.asarray(prevalence * tp / pos - (1 - prevalence) * odds * fp / neg)
