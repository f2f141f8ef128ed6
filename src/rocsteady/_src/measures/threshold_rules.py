"""Rules that choose a threshold: by name, options in brackets, any threshold measure, or a function of the counts."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, is_number, is_text_of_number, printable, some_values
from rocsteady._src.base.near_names import near_names
from rocsteady._src.base.sentences import Option, Sentence
from rocsteady._src.base.text import format_number, format_setting, format_threshold
from rocsteady._src.measures.confusion import Confusion
from rocsteady._src.measures.costs import cost_rule
from rocsteady._src.measures.names import fold
from rocsteady._src.measures.registry import FactSheet, find_measure, list_measures
from rocsteady._src.measures.requests import parse_call
from rocsteady._src.measures.rule import EXACT_ULPS, Rule, check_share
from rocsteady._src.measures.rule_functions import function_rule

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    Given = str | Callable[..., Any]

HELD_AT = re.compile(r"(\w[\w ]*?)\s*(>=|<=|=)\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)")
BEST_OF_ALL = ("auto", "automatic", "best", "max", "maximum", "optimal", "optimise", "optimize", "optimum", "tuned")
BEST_BY_WHAT = (
    "{rule} by what? Name it: 'youden' (sensitivity and specificity alike), 'f1', 'mcc', 'accuracy', "
    "'cost(cost_fn=5)' (a missed positive costs five false alarms), 'precision(value=0.9)' or 'sensitivity(value=0.9)' "
    "(at least so much); any threshold measure of {rs.list_measures('threshold')} is a rule too"
)
ULPS_OF_MEASURES = 16  # rounding of roots and quotients of sums of weights


def read_rule(rule: Any, options: Mapping[str, Any] | None = None) -> Rule:
    """What a rule seeks, by name, as ``name(option=value)``, as a measure or as a function of the counts.

    Examples
    --------
    >>> read_rule("precision(value=0.9)").criterion, read_rule("mcc").criterion
    ('largest recall with precision >= 0.9', 'largest MCC')
    >>> read_rule("precision=0.9").criterion, read_rule("fpr <= 0.1").criterion
    ('largest recall with precision >= 0.9', 'largest recall with false positive rate <= 0.1')
    """
    rule, options = split_rule(rule, options)
    sheet = getattr(rule, "sheet", None)
    if isinstance(sheet, FactSheet):
        return _of_sheet(sheet, sheet.name, options)
    if not isinstance(rule, str):
        return function_rule(rule, options)
    own = next((name for name in RULES if fold(name) == fold(rule)), None)
    if own is not None:
        return _own(own, options)
    found = find_measure(rule)
    if found is None:
        raise _unknown(rule)
    return _of_sheet(found.sheet, rule, options)


def split_rule(rule: Any, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
    """A rule without its brackets, and the options in them and beside them."""
    if not (isinstance(rule, str) or callable(rule)):
        raise ArgumentError("rule", f"a rule is a name or a function of the counts, got {some_values([rule])}")
    name, inside = _read_text(rule.strip()) if isinstance(rule, str) else (rule, {})
    twice = [each for each in inside if each in (options or {})]
    if twice:
        raise ArgumentError(
            "rule_options", f"{', '.join(twice)} stands in the rule {rule!r} and beside it: give it once"
        )
    return name, {**inside, **(options or {})}


def _read_text(rule: str) -> tuple[str, dict[str, Any]]:
    """Name and options of ``precision(value=0.9)``, which may be written as ``precision=0.9`` or ``precision>=0.9``."""
    held = HELD_AT.fullmatch(rule)
    if held is None:
        return parse_call(rule)
    name, sign, value = held.groups()
    found = find_measure(name)
    lower = found is not None and found.sheet.better == "lower"
    if sign != "=" and found is not None and (sign == "<=") != lower:
        side = "at most" if lower else "at least"
        raise ArgumentError(
            "rule", f"a rule keeps {name} {side} a value, and {printable(rule)} asks for the other side"
        )
    return name, {"value": float(value)}


def takes_option(rule: str, option: str) -> bool:
    """Whether a rule knows an option that its brackets do not give yet.

    Examples
    --------
    >>> takes_option("precision", "value"), takes_option("f1", "value"), takes_option("cost(cost_fn=5)", "cost_fp")
    (True, False, True)
    """
    name, inside = split_rule(rule)
    if option in inside:
        return False
    own = next((each for each in RULES if fold(each) == fold(name)), None)
    found = find_measure(name)
    measure = MEASURE_OF.get(own or "", own) if found is None else found.sheet.name
    if option == "value":
        return measure in TRADED and set(_with_value(measure, inside)) != {"value"}
    own = RULE_OF.get(measure or "", measure) if own is None else own
    return own in RULES and option in inspect.signature(RULES[own]).parameters


def must_be_held(rule: str) -> bool:
    """Whether a rule says nothing without a value."""
    found = find_measure(split_rule(rule)[0])
    return takes_option(rule, "value") and found is not None and found.sheet.name in (*HELD, *AT_AN_END)


def _unknown(rule: str) -> ArgumentError:
    if fold(rule) in BEST_OF_ALL:
        return ArgumentError("rule", Sentence(BEST_BY_WHAT, rule=some_values([rule])))
    if is_text_of_number(rule):
        return ArgumentError("rule", f"{some_values([rule])} is text: pass the number itself, {rule.strip()}")
    near = near_names(rule, [*RULES, *(sheet.name for sheet in list_measures("threshold"))], most=2)
    text = Sentence(
        "there is no rule {rule}{near}; rules: {rules:list}, any threshold measure of {rs.list_measures('threshold')}, "
        "or a function of the counts",
        rule=some_values([rule]),
        near=f" (did you mean {' or '.join(near)}?)" if near else "",
        rules=[*RULES, "precision(value=0.9)"],
    )
    return ArgumentError("rule", text)


def _own(name: str, options: dict[str, Any]) -> Rule:
    make, options = RULES[name], _with_value(MEASURE_OF.get(name, name), options)
    try:
        inspect.signature(make).bind(**options)
    except TypeError as error:
        raise _refuse_options(name, options, list(inspect.signature(make).parameters)) from error
    return make(**options)


def _of_sheet(sheet: FactSheet, called: str, options: dict[str, Any]) -> Rule:
    """A measure held at a value, or the best of it; one that is best at an end of the scores must be held."""
    name = RULE_OF.get(sheet.name, sheet.name)
    if name in RULES:
        return _own(name, options)
    if Confusion not in sheet.ready:
        text = "{called} is no measure at a threshold; {rs.list_measures('threshold')} lists those that are"
        raise ArgumentError("rule", Sentence(text, called=some_values([called])))
    options = _with_value(sheet.name, options)
    if "value" in options:
        return _held(sheet, options)
    if sheet.name in AT_AN_END:
        raise _refuse_options(sheet.name, options, ["value"])
    return _best(sheet, options)


def _with_value(measure: str, options: dict[str, Any]) -> dict[str, Any]:
    """The rate to be held may be given under its own name."""
    if measure not in TRADED or "value" in options:
        return options
    own = [name for name in options if (found := find_measure(name)) is not None and found.sheet.name == measure]
    return {"value" if name in own else name: value for name, value in options.items()} if len(own) == 1 else options


def _refuse_options(rule: str, options: Mapping[str, Any], known: list[str]) -> ArgumentError:
    wrong = [name for name in options if name not in known]
    if wrong:
        known = [*known, *(["value"] if rule in TRADED and "value" not in known else [])]
        text = f"rule {rule!r} has no option {', '.join(wrong)}; it has: {', '.join(known) or 'none'}"
        if all(name.startswith("cost_") for name in wrong):
            told = Sentence("{text}; name the rule itself with {rule}", text=text, rule=Option("rule", ("cost",)))
            return ArgumentError("rule_options", told)
        rate = next((name for name in wrong if (found := find_measure(name)) and found.sheet.name in TRADED), None)
        if rate is not None:
            held = {"rule": Option("rule", (rate,)), "value": Option("value", (options[rate],))}
            return ArgumentError(
                "rule_options", Sentence("{text}; hold a rate with {rule} and {value}", text=text, **held)
            )
        return ArgumentError("rule_options", text)
    called = f"{rule}(value=0.9)"
    such = Option("threshold", (called,), written=called)
    told = Sentence("rule {rule!r} needs the rate to be held, such as {such}", rule=rule, such=such)
    return ArgumentError("rule_options", told)


def _best(sheet: FactSheet, options: dict[str, Any]) -> Rule:
    """The largest value of a measure, or the smallest where lower is better."""
    if sheet.better == "neither":
        raise ArgumentError("rule", f"{sheet.name} is neither better high nor low, and chooses no threshold")
    unknown = [name for name in options if name not in sheet.params or name == "threshold"]
    if unknown:
        raise _refuse_options(sheet.name, options, [name for name in sheet.params if name != "threshold"])
    lower = sheet.better == "lower"

    def objective(counts: Confusion) -> NDArray[Any]:
        values = np.asarray(sheet.of(counts, **options), dtype=np.float64)
        return -values if lower else values

    told = "".join(f", {name} {format_setting(value)}" for name, value in options.items() if is_number(value))
    side = "smallest" if lower else "largest"
    unmet = f"{sheet.name} is undefined at every threshold of these scores"
    size = 1.0 if sheet.bounds[0] < 0 else 0.0  # such measures subtract
    return Rule(
        sheet.name,
        f"{side} {_in_sentence(sheet.label)}{told}",
        objective,
        minimised=lower,
        size=lambda _: size,
        ulps=ULPS_OF_MEASURES,
        unmet=lambda _: unmet,
    )


def _in_sentence(label: str) -> str:
    """A label of words begins small; F1 and MCC stay as they are."""
    letters = label[1:].replace(" ", "")
    return label.lower() if letters.isalpha() and letters.islower() else label


def _held(sheet: FactSheet, options: dict[str, Any], called: str | None = None) -> Rule:
    """The best of one measure where another reaches a value."""
    called = sheet.name if called is None else called
    if sheet.name not in TRADED or set(options) != {"value"}:
        known = ["value"] if sheet.name in TRADED else [name for name in sheet.params if name != "threshold"]
        raise _refuse_options(called, options, known)
    value = options["value"]
    if sheet.bounds[1] <= 1:
        check_share(value)
    elif not (is_number(value) and value >= 0):
        raise ArgumentError("share", f"{called} is a number >= 0, got {value!r}")
    lower, traded = sheet.better == "lower", TRADED[sheet.name]

    def objective(counts: Confusion) -> NDArray[Any]:
        held = np.asarray(sheet.of(counts), dtype=np.float64)
        with np.errstate(invalid="ignore"):
            allowed = held <= value if lower else held >= value
        return np.where(allowed, np.asarray(getattr(counts, traded), dtype=np.float64), np.nan)

    def unmet(counts: Confusion) -> str:
        values = np.asarray(sheet.of(counts), dtype=np.float64)
        if np.isnan(values).all():
            return f"{called} is undefined at every threshold of these scores"
        place = int(np.nanargmin(values) if lower else np.nanargmax(values))
        most, side = ("most", "lowest") if lower else ("least", "highest")
        at = format_threshold(counts.threshold[place])
        text = f"no threshold has a {called} of at {most} {format_setting(value)}"
        return f"{text}: the {side} is {format_number(values[place])}, at {at}; ask for that, or choose another rule"

    sign = "<=" if lower else ">="
    criterion = f"largest {traded} with {called.replace('_', ' ')} {sign} {format_setting(value)}"
    return Rule(called, criterion, objective, unmet=unmet)


def _youden() -> Rule:
    return Rule("youden", "largest TPR - FPR", lambda counts: np.asarray(counts.youden_j), size=lambda _: 1.0)


def _closest_topleft() -> Rule:
    def objective(counts: Confusion) -> NDArray[Any]:
        return np.asarray(-np.hypot(counts.false_positive_rate, counts.false_negative_rate))

    return Rule("closest_topleft", "smallest distance to the corner (0, 1)", objective, minimised=True)


def _sensitivity(*, value: float) -> Rule:
    return _held(_sheet("recall"), {"value": value}, "sensitivity")


def _specificity(*, value: float) -> Rule:
    return _held(_sheet("specificity"), {"value": value})


def _f_beta(*, beta: float = 1.0) -> Rule:
    return _best(_sheet("f_beta"), {"beta": beta})


def _breakeven() -> Rule:
    """As many called positive as are positive: then FP = FN, and precision equals recall."""

    def objective(counts: Confusion) -> NDArray[Any]:
        rows = counts.tp[0] + counts.fp[0] + counts.fn[0] + counts.tn[0]
        return np.asarray(-np.abs(counts.fp - counts.fn) / rows)

    told = "smallest difference of the shares called positive and positive (precision = recall where 0)"
    return Rule("breakeven", told, objective, minimised=True, size=lambda _: 1.0, ulps=EXACT_ULPS)


def _sheet(name: str) -> FactSheet:
    found = find_measure(name)
    if found is None:
        raise KeyError(printable(name))
    return found.sheet


RULES: dict[str, Callable[..., Rule]] = {
    "youden": _youden,
    "closest_topleft": _closest_topleft,
    "sensitivity": _sensitivity,
    "specificity": _specificity,
    "f_beta": _f_beta,
    "cost": cost_rule,
    "breakeven": _breakeven,
}
RULE_OF = {"youden_j": "youden", "recall": "sensitivity"}
MEASURE_OF = {rule: measure for measure, rule in RULE_OF.items()}
HELD = ("recall", "specificity")
AT_AN_END = ("false_positive_rate", "false_negative_rate")
# What is best where a measure reaches a value: the rate that suffers when the threshold moves to hold it.
TRADED = {
    "recall": "specificity",
    "false_negative_rate": "specificity",
    "negative_predictive_value": "specificity",
    "false_omission_rate": "specificity",
    "negative_likelihood_ratio": "specificity",
    "specificity": "recall",
    "false_positive_rate": "recall",
    "precision": "recall",
    "false_discovery_rate": "recall",
    "positive_likelihood_ratio": "recall",
}
