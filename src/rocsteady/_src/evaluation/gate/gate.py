"""May a candidate replace a baseline: pass, fail, or cannot tell."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.typed import typed
from rocsteady._src.evaluation.gate.committed import read_committed
from rocsteady._src.evaluation.gate.evidence import Resamples
from rocsteady._src.evaluation.gate.in_engine import EngineTable, ReadSample, read_lazy
from rocsteady._src.evaluation.gate.judge import Plan, judged, of_gate, remarks_of, rows_of_gate
from rocsteady._src.evaluation.gate.samples import grouped, named, of_arrays
from rocsteady._src.evaluation.gate.terms import (
    check_confidence,
    columns_of,
    goal_terms,
    margin_terms,
    read_terms,
    settled_thresholds,
)
from rocsteady._src.evaluation.gate.words import verdict, with_sentence
from rocsteady._src.inference.power.predictor import check_share
from rocsteady._src.results.gate import GateResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.evaluation.gate.terms import Term
    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.weights import WeightType

LEVEL, POWER = 0.95, 0.8


@typed
def gate(
    y_true: object,
    baseline: object = None,
    candidate: object = None,
    *,
    measure: Any = "auc",
    margin: Any = None,
    goals: Any = None,
    conditions: Any = None,
    label: str | None = None,
    by: Any = None,
    threshold: Any = None,
    level: float | None = None,
    power: float = POWER,
    paired: bool = True,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    y_true_second: object = None,
    sample_weight_second: object = None,
    cluster_second: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    n_resamples: int = 2000,
    random_state: int = 0,
) -> GateResult:
    """Decide whether a candidate may replace a baseline: "pass", "fail" or "cannot tell".

    A pass is shown, not assumed: every condition holds at the confidence ``level``, so that a candidate that breaks one
    passes with a probability of at most 1 - level, however many conditions there are. A fail is shown too: the opposite
    of some condition, at Bonferroni's share of the level. All else is "cannot tell", with the number of rows that would
    decide. Measured rates of false passes and false fails are on the page on the gate.

    Parameters
    ----------
    y_true : array-like or table
        Labels; or a table, with ``label`` and the names of its columns for all else. A lazy table, of DuckDB, Polars,
        Spark, Dask or Ibis, stays where it is for differences of AUCs and of shares at thresholds, and for goals; for
        other conditions its different rows are counted by the engine and brought into memory.
    baseline, candidate : array-like or str
        Scores of the model in use and of the one that may replace it. Goals alone need no baseline.
    measure : str, measure, or list of them
        What the candidate must not lose, such as "auc", "brier_score", "tpr_at(fpr=0.01)".
    margin : float or list of float
        The loss that would still do, for all measures or for each: 0.01 lets an AUC fall by less than 0.01. 0 asks the
        candidate to be better, -0.02 to be better by more than 0.02. For measures where lower is better a loss is a
        rise. What no value can lose, such as 1 of an AUC, is refused; from 0.2 on there is a warning.
    goals : str or list of str, optional
        What the candidate must reach by itself: "auc >= 0.80", "brier_score <= 0.1 with 90% confidence".
    conditions : path or list, optional
        A committed TOML file, or records with the same keys as its entries: ``measure`` and one of ``margin``,
        ``at_least`` and ``at_most``; ``by``, ``threshold``, ``level``, ``name``.
    label : str, optional
        Column of labels of a table; ``baseline``, ``candidate``, ``sample_weight``, ``cluster`` and ``by`` are then
        names of its columns.
    by : array-like, str or list of str, optional
        Groups of rows: every condition has to hold for all rows and within each group.
    threshold : float or dict, optional
        For measures that need one: a number for both models, or ``{"baseline": 0.3, "candidate": 0.4}``. It must have
        been settled before; rules are refused.
    level : float, optional
        Confidence of each condition, one-sided; 0.95 unless given here or in the file.
    power : float
        Probability of a decision that the number of rows is told for.
    paired : bool
        False: the candidate was scored on a sample of its own, given by ``y_true_second``.
    sample_weight, weight_type, cluster
        As in :func:`rocsteady.auc_interval`.
    y_true_second, sample_weight_second, cluster_second
        Labels, weights and subjects of the candidate's sample, or with ``label`` its table.
    pos_label, missing
        As in :func:`rocsteady.rank`.
    n_resamples, random_state
        For measures without a formula; the same seed gives the same decision.

    Returns
    -------
    GateResult
        ``decision``, ``passed``, ``conditions``, ``verdict``, ``rows_needed``.

    Examples
    --------
    >>> import rocsteady as rs
    >>> table = rs.examples.loans(400)
    >>> found = rs.gate(table, "logistic", "boosted", label="defaulted", margin=0.01, goals="auc >= 0.85")
    >>> found.decision, [condition.decision for condition in found.conditions]
    ('pass', ['pass', 'pass'])
    >>> print(rs.gate(table, "boosted", "logistic", label="defaulted", margin=0.01).verdict[0])
    fail: logistic must not replace boosted: its condition does not hold
    """
    asked = Asked(by, threshold, level, label, baseline, candidate, pos_label, sample_weight, cluster)
    asked, committed = asked.with_file(conditions)
    confidence = check_confidence(LEVEL if asked.level is None else asked.level)
    terms = _terms(measure, margin, goals, committed, asked)
    second = {"y_true": y_true_second, "sample_weight": sample_weight_second, "cluster": cluster_second}
    how = {"pos_label": asked.pos_label, "missing": missing, "weight_type": weight_type}
    samples = _samples(y_true, asked, second, terms, how, paired=paired)
    resamples = Resamples(n_resamples, random_state)
    found = decide(
        [each.rows for each in samples],
        terms,
        asked.names,
        confidence,
        check_share("power", power),
        resamples,
        paired=paired,
    )
    told = tuple(dict.fromkeys(remark for each in samples for remark in each.told))
    return replace(found, origin=samples[0].origin, warnings=(*found.warnings, *told))


@dataclass(frozen=True, slots=True)
class Asked:
    """What may stand in a call or in a committed file."""

    by: Any
    threshold: Any
    level: float | None
    label: str | None
    baseline: Any
    candidate: Any
    pos_label: Any
    sample_weight: Any
    cluster: Any

    def with_file(self, conditions: Any) -> tuple[Asked, list[Any]]:
        """Together with what a committed file says, and the conditions."""
        settings, found = read_committed(conditions)
        merged = {name: getattr(self, name) for name in self.__dataclass_fields__}
        for name, value in settings.items():
            if merged[name] is not None and merged[name] != value:
                text = f"{name} is {merged[name]!r} in the call and {value!r} in the file of conditions: say it once"
                raise ArgumentError(name, text)
            merged[name] = value
        return Asked(**merged), found

    @property
    def names(self) -> tuple[str | None, str]:
        """What both models are called."""
        held = [each if isinstance(each, str) else None for each in (self.baseline, self.candidate)]
        return (None if self.baseline is None else held[0] or "baseline"), held[1] or "candidate"


def _terms(measure: Any, margin: Any, goals: Any, conditions: list[Any], asked: Asked) -> list[Term]:
    groups = columns_of(asked.by) if asked.label is not None else ("by",) if asked.by is not None else ()
    shared: dict[str, Any] = {"by": groups, "thresholds": settled_thresholds(asked.threshold)}
    found = [] if margin is None else margin_terms(measure, margin, **shared)
    found += [] if goals is None else goal_terms(goals, **shared)
    found += read_terms(conditions, **shared)
    if not found or (margin is None and measure != "auc"):
        words = "a gate needs {margin=}, the loss that would still do, such as 0.01; or {goals=}, such as 'auc >= 0.80'"
        raise ArgumentError("margin", Sentence(words))
    if asked.candidate is None:
        raise ArgumentError("candidate", Sentence("a gate needs the scores of a candidate: pass {candidate=}"))
    if asked.baseline is None and any(term.goal is None for term in found):
        raise ArgumentError("baseline", Sentence("a margin is kept towards a baseline: pass {baseline=}"))
    return found


def _samples(
    y_true: Any, asked: Asked, second: dict[str, Any], terms: Sequence[Term], how: dict[str, Any], *, paired: bool
) -> list[ReadSample]:
    """One sample with the candidate before the baseline; or the candidate's, then the baseline's."""
    scores = {"candidate": asked.candidate, "baseline": asked.baseline}
    models = {name: column for name, column in scores.items() if column is not None}
    rows = {"sample_weight": asked.sample_weight, "cluster": asked.cluster}
    by = list(dict.fromkeys(column for term in terms for column in term.by))
    if paired:
        if any(each is not None for each in second.values()):
            raise ArgumentError("paired", "a second sample is for paired=False; models of the same rows share them")
        return [_read(y_true, models, rows, asked, by, how, terms, paired=True)]
    if second["y_true"] is None or asked.baseline is None:
        raise ArgumentError("y_true_second", "two samples: pass y_true_second, the candidate's labels, or its table")
    own = {name: second[name] for name in rows}
    if asked.label is not None:
        own = {name: rows[name] if own[name] is None else own[name] for name in rows}
    elif any((own[name] is None) != (rows[name] is None) for name in rows):
        raise ArgumentError("sample_weight_second", "weights and subjects are needed of both samples, or of neither")
    if by and asked.label is None:
        words = "groups of two samples are columns of two tables: pass these with {label=} and {y_true_second=}"
        raise ArgumentError("by", Sentence(words))
    candidates = _read(second["y_true"], {"candidate": asked.candidate}, own, asked, by, how, terms, paired=False)
    return [candidates, _read(y_true, {"baseline": asked.baseline}, rows, asked, by, how, terms, paired=False)]


def _read(
    table: Any,
    models: dict[str, Any],
    rows: dict[str, Any],
    asked: Asked,
    by: list[str],
    how: dict[str, Any],
    terms: Sequence[Term],
    *,
    paired: bool,
) -> ReadSample:
    if asked.label is None:
        return ReadSample.of(of_arrays(table, models, rows, asked.by if by else None).read(**how))
    given = named(table, asked.label, models, rows, by)
    if isinstance(given.table, EngineTable):
        return read_lazy(given.table, given, terms, how, paired=paired)
    return ReadSample.of(given.read(**how))


def decide(
    samples: Sequence[Any],
    terms: Sequence[Term],
    names: tuple[str | None, str],
    level: float,
    power: float,
    resamples: Resamples,
    *,
    paired: bool = True,
) -> GateResult:
    """The gate of rows that were read."""
    work: list[tuple[Term, Sequence[Any], Any]] = []
    for term in terms:
        work.append((term, samples, None))
        if term.by:
            work += [(term, parts, group) for group, parts in grouped(samples, term.by).items()]
    plan = Plan(len(work), level, power, resamples)
    found = tuple(with_sentence(judged(term, rows, plan, group), names, term) for term, rows, group in work)
    decision = of_gate(found)
    needed = rows_of_gate(found, sum(rows.origin.n_rows for rows in samples))
    weights = samples[0].class_weights
    return GateResult(
        decision=decision,
        conditions=found,
        verdict=verdict(decision, found, names, needed, power),
        baseline=names[0],
        candidate=names[1],
        level=level,
        paired=paired,
        power=power,
        n_pos=weights[0],
        n_neg=weights[1],
        origin=samples[0].origin,
        rows_needed=needed,
        warnings=remarks_of(found),
    )
