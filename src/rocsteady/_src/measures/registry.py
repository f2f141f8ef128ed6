"""A measure is one function plus a fact sheet; the decorator registers it and opens its two doors."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, RocsteadyWarning, Undefined, UndefinedWarning, warn
from rocsteady._src.measures.names import PAIRS, find, fold, keys_of, refuse_unknown
from rocsteady._src.measures.parameter_words import documented
from rocsteady._src.measures.plain_functions import of_ranked, one_number
from rocsteady._src.ranked import RankedScores, rank
from rocsteady._src.ranked.takes_ranked import TwoDoors, own_parameters, takes_ranked
from rocsteady._src.results.base import Bounded
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Callable

Better = Literal["higher", "lower", "neither"]

Drawn = Literal["rows", "within classes"]
Ends = Literal["percentile", "student", "corrected", "corrected log"]
WITHIN_CLASSES: Drawn = "within classes"

ROUNDING = 1e-12  # what sums of weights may be off by
RANK_INVARIANCES = ("order", "merge", "weights=repeats", "monotone")


@dataclass(frozen=True, slots=True)
class FactSheet:
    """What holds for a measure; read by tests, command line, docs and report.

    ``invariances`` lists laws that the test-suite checks: "order" of rows, "merge" of parts,
    "weights=repeats", "monotone" maps of the scores, "shift" and "scale" of all scores. ``label_swap`` tells the value
    after exchanging the classes: "1-x", "-x" or "x". ``ready`` lists what the formula takes besides ranked scores;
    ``ranker`` ranks rows for it. ``resampling`` tells what a bootstrap draws: "within classes" is for measures whose
    value stays the same when every row of one class is repeated, which the test-suite checks; "rows", the default, is
    right for all others, whose value moves with the share of positives, and safe for any. ``ends`` tells how
    replicates become an interval, as :func:`rocsteady.bootstrap_interval` describes: the way that held its level best,
    see docs/coverage.md. ``joins_negatives`` tells that the value stays the same when neighbouring groups of negatives
    alone are joined, as the test-suite checks; resamples of rare positives are then small. ``by_range`` tells that the
    value is 0 by definition where all scores are equal, since it divides by their range.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.auc.sheet
    FactSheet('auc', 'AUC', family 'ranking', higher is better)
    >>> rs.auc.sheet.bounds, rs.auc.sheet.chance, rs.auc.sheet.label_swap
    ((0, 1), 0.5, '1-x')
    """

    name: str
    label: str
    family: str
    better: Better
    bounds: tuple[float, float]
    formula: Callable[..., float]
    chance: float | None = None
    invariances: tuple[str, ...] = RANK_INVARIANCES
    label_swap: str | None = None
    undefined_when: tuple[str, ...] = ()
    needs_finite: bool = False
    params: dict[str, Any] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    reference: str = ""
    emerging: bool = False
    ready: tuple[type, ...] = ()
    resampling: Drawn = "rows"
    ends: Ends = "percentile"
    ranker: Callable[..., RankedScores] = rank
    joins_negatives: bool = False
    by_range: bool = False

    @property
    def summary(self) -> str:
        """The first sentence of the docstring."""
        return (inspect.getdoc(self.formula) or "").split("\n", 1)[0]

    @property
    def higher_is_better(self) -> bool | None:
        """Whether more is better; None where neither side is."""
        return {"higher": True, "lower": False}.get(self.better)

    def __repr__(self) -> str:
        better = "neither side" if self.better == "neither" else self.better
        return f"FactSheet({self.name!r}, {self.label!r}, family {self.family!r}, {better} is better)"

    def __reduce__(self) -> tuple[Any, ...]:
        """A registered sheet is pickled by its name: its formula hides behind the door of the same name."""
        found = REGISTRY.get(self.name)
        if found is not None and found.sheet is self:
            return _sheet_named, (self.name,)
        return FactSheet, tuple(getattr(self, part.name) for part in fields(self))

    def compute(self, ranked: RankedScores, **params: Any) -> float:
        """Value on ranked scores, silently; NaN with a reason where it is undefined."""
        for reason in self.undefined_when:
            if UNDEFINED_CHECKS[reason](ranked):
                return Undefined("empty" if not ranked.scores.size else reason)
        if self.needs_finite and ranked.has_infinite_scores:
            raise InputError(
                "infinite_scores", f"{self.name} uses score values and cannot take infinite ones; drop those rows"
            )
        value: float = self.of(ranked, **params)
        return value

    def of(self, data: Any, **params: Any) -> Any:
        """The formula on ranked scores or counts that have a value, within its bounds."""
        return self.settled(self.formula(data, **params))

    def settled(self, value: Any) -> Any:
        """The value, or its bound where rounding has carried it beyond."""
        low, high = self.bounds
        if isinstance(value, np.ndarray):
            settled = value.astype(np.result_type(value, high))
            if (above := value > high).any():
                settled[above & (value <= high + ROUNDING)] = high
            if (below := value < low).any():
                settled[below & (value >= low - ROUNDING)] = low
            return settled
        value = one_number(self.formula, value)
        bound = high if high < value <= high + ROUNDING else low if low > value >= low - ROUNDING else None
        if bound is None:
            return value
        if isinstance(value, Bounded):
            return Bounded(bound, error_bound=value.error_bound, method=value.method)
        return float(bound)


UNDEFINED_CHECKS: dict[str, Callable[[RankedScores], bool]] = {
    "empty": lambda ranked: not ranked.scores.size,
    "single_class": lambda ranked: not (ranked.n_pos and ranked.n_neg),
    "no_positives": lambda ranked: not ranked.n_pos,
}


def _sheet_named(name: str) -> FactSheet:
    return REGISTRY[name].sheet


class Measure(TwoDoors[float], Protocol):
    """A registered measure: call it with labels and scores, or with ranked scores.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.get_measure("AUC") is rs.auc, rs.auc.sheet.name
    (True, 'auc')
    """

    sheet: FactSheet


REGISTRY: dict[str, Measure] = {}
DECLARED: dict[str, Measure] = {}  # by every name and short form, folded


def measure(
    formula: object = None,
    *,
    label: str = "",
    better: Better | None = None,
    bounds: tuple[float, float] | None = None,
    family: str = "ranking",
    **facts: Any,
) -> Callable[[Callable[..., float]], Measure]:
    """Register ``formula(ranked, *, params) -> float`` and let it also take labels and scores.

    A formula of labels and scores, ``formula(y_true, y_score, *, sample_weight=None, params)``, may be given too.
    Registered again, as when a cell of a notebook is run twice, a formula takes the place of the first.

    Parameters
    ----------
    formula
        Left out: the function stands below the decorator, and what is given here is refused.
    label : str
        How it is called in sentences; it is found by this name too.
    better : {"higher", "lower", "neither"}
        Which values are better.
    bounds : (float, float)
        The lowest and the highest value there can be; infinity where there is none.
    family : str
        Where :func:`list_measures` lists it.
    **facts
        Others of :class:`FactSheet`, such as ``chance``, ``aliases`` or ``undefined_when``. A bootstrap draws all rows
        together unless ``resampling="within classes"`` says that the value does not depend on the share of positives.

    Examples
    --------
    >>> import rocsteady as rs
    >>> @rs.measure(label="Distinct", better="neither", bounds=(0, 1))
    ... def distinct_share(ranked):
    ...     return ranked.scores.size / ranked.n_rows_counted
    >>> distinct_share([1, 0, 1, 0], [0.9, 0.4, 0.4, 0.1])
    0.75
    """
    if formula is not None or better is None or bounds is None or not label:
        text = 'write @rs.measure(label="...", better="higher", bounds=(0, 1)) above the function'
        raise ArgumentError("measure_facts", text)

    def register(formula: Callable[..., float]) -> Measure:
        formula = of_ranked(formula)
        params = {parameter.name: parameter.default for parameter in own_parameters(formula)}
        sheet = FactSheet(formula.__name__, label, family, better, bounds, formula, params=params, **facts)
        _refuse_taken(sheet)
        door: Any = takes_ranked(_announcing(sheet), ready=sheet.ready, on_rows=_warner_of(sheet), ranker=sheet.ranker)
        door.sheet, door.__doc__ = sheet, documented(formula.__doc__, inspect.signature(door).parameters)
        REGISTRY[sheet.name] = door
        DECLARED.update(dict.fromkeys(keys_of(sheet), door))
        return REGISTRY[sheet.name]

    return register


def _refuse_taken(sheet: FactSheet) -> None:
    """Refuse a name that means something else already; the same function, defined anew, takes its own place."""
    for name, key in zip((sheet.name, *sheet.aliases), keys_of(sheet), strict=True):
        if key not in DECLARED:
            continue
        old, new = DECLARED[key].sheet.formula, sheet.formula
        if old.__module__.startswith("rocsteady."):
            text = f"{name!r} is built in, as {DECLARED[key].sheet.name}: give your measure another name"
            raise ArgumentError("measure_exists", text)
        if (old.__module__, old.__qualname__) != (new.__module__, new.__qualname__):
            text = f"a measure named {name!r} is registered already, from {old.__module__}: give yours another name"
            raise ArgumentError("measure_exists", text)


def _announcing(sheet: FactSheet) -> Callable[..., float]:
    """Compute and say why when the value is NaN."""

    def compute(data: Any, **params: Any) -> float:
        ready = not isinstance(data, RankedScores)
        value = sheet.of(data, **params) if ready else sheet.compute(data, **params)
        if isinstance(value, Undefined):
            warn_undefined(sheet.name, value)
        return value

    for name in ("__name__", "__qualname__", "__module__", "__doc__"):
        setattr(compute, name, getattr(sheet.formula, name))
    compute.__signature__ = inspect.signature(sheet.formula)  # type: ignore[attr-defined]
    return compute


def warn_undefined(name: str, value: Undefined) -> None:
    """Say once per call why a value is NaN."""
    warn(UndefinedWarning(value.reason, f"{name} is undefined: {value.explanation}"))


def _warner_of(sheet: FactSheet) -> Callable[[RankedScores], None] | None:
    return warn_of_scores if sheet.family == "ranking" else None


def has_no_range(ranked: RankedScores) -> bool:
    """Whether all scores are equal, in two or more rows."""
    return ranked.scores.size == 1 and ranked.origin.n_rows > 1


def warn_of_scores(ranked: RankedScores) -> None:
    """Say what rows handed to a ranking measure may not have meant."""
    for remark in remarks_on_scores(ranked):
        warn(RocsteadyWarning(remark.code, remark))


def remarks_on_scores(ranked: RankedScores) -> list[Remark]:
    """What is odd about the scores; costs nothing."""
    remarks = []
    if ranked.has_infinite_scores:
        remarks.append(Remark("infinite_scores"))
    if ranked.origin.n_rows > 4 and ranked.has_two_scores:
        remarks.append(Remark("two_distinct_scores"))
    return remarks


def find_measure(name: object) -> Measure | None:
    """A measure by its name or a short form, however they are spelled; None when there is none."""
    if not isinstance(name, str):  # callers tell what was handed in
        return None
    found: Measure | None = REGISTRY.get(name) or find(name, DECLARED, REGISTRY.values())
    return found


def get_measure(name: str) -> Measure:
    """Find a measure by its name or a short form; case, underscores and Greek letters do not matter.

    Parameters
    ----------
    name : str
        Such as "auc", "PR-AUC" or "mcc". One that is not known is refused, with names that are spelled much like it.

    Examples
    --------
    >>> import rocsteady as rs
    >>> [rs.get_measure(name).sheet.name for name in ("mm7AUC", "λAUC", "PR-AUC", "mcc")]
    ['mm7_auc', 'lambda_auc', 'pr_auc', 'matthews_correlation']
    """
    found = find_measure(name) if isinstance(name, str) else None
    if found is None:
        raise refuse_unknown(name, DECLARED)
    return found


def attribute_of_package(name: str) -> Measure:
    """A measure by whatever name the look-up takes, as ``rs.mm7AUC``; two at once are told apart."""
    found = None if name.startswith("_") else find_measure(name)
    if found is not None:
        return found
    why = f": {refuse_unknown(name, DECLARED)}" if fold(name) in PAIRS else ""
    raise AttributeError(f"module 'rocsteady' has no attribute {name!r}{why}", name=name)


def list_measures(family: str | None = None) -> list[FactSheet]:
    """Fact sheets of all measures, or of one family, in the order of registration.

    Parameters
    ----------
    family : str, optional
        Such as "ranking", "threshold" or "probability"; all measures when absent.

    Examples
    --------
    >>> import rocsteady as rs
    >>> [sheet.name for sheet in rs.list_measures("ranking")][:3]
    ['auc', 'gini', 'defective_pairs']
    """
    return [found.sheet for found in REGISTRY.values() if family is None or found.sheet.family == str(family)]
