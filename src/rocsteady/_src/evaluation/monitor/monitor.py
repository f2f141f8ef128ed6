"""Has the model become worse? Rows day by day against a reference, with answers that hold at every look."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from rocsteady._src.base.checksums import KEY as CHECKSUM
from rocsteady._src.base.errors import ArgumentError, some_values
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.typed import typed
from rocsteady._src.designs.watch.measures import AT_THRESHOLD, OF_PROBABILITIES, WATCHED
from rocsteady._src.evaluation.monitor.asked_again import asked_again
from rocsteady._src.evaluation.monitor.days import one_day
from rocsteady._src.evaluation.monitor.judged import Asked, judged
from rocsteady._src.evaluation.monitor.reading import Columns, read_days, refuse_shared
from rocsteady._src.evaluation.monitor.references import reference_of
from rocsteady._src.evaluation.monitor.remembered import (
    begun,
    read_state,
    refuse_no_probabilities,
    state_given,
    with_days,
)
from rocsteady._src.inference.intervals.normal import check_level
from rocsteady._src.measures import get_measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.evaluation.monitor.remembered import Remembered
    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.results.monitor import MonitorResult

Method = Literal["auto", "exact"]
Control = Literal["familywise", "fdr"]


@typed
def monitor(
    table: Any,
    score: str | Sequence[str],
    *,
    label: str,
    day: str,
    reference: Any = None,
    segment: str | None = None,
    arrived: str | None = None,
    weight: str | None = None,
    measures: Any = "auc",
    threshold: float | None = None,
    probabilities: bool = False,
    margin: float | None = None,
    method: Method = "auto",
    alpha: float = 0.05,
    control: Control = "familywise",
    run_length: float | None = None,
    level: float = 0.95,
    matures: int = 0,
    label_timeout: int | None = None,
    every: int = 1,
    today: Any = None,
    state: Any = None,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> MonitorResult:
    """Watch a model over days: has it become worse than in the reference?

    Everything may be looked at every day. An alarm is false with a probability of at most ``alpha``, over all days,
    measures and segments that will ever be looked at together; see the page on watching for what is assumed and for
    measured rates. Rows count by the day they were scored. For an alarm, labels that have not come yet count as if they
    would speak for the model, so that the easy ones coming first make no drop; where they could raise one, or where the
    intervals lie below that of the reference, the answer is "cannot tell".

    Parameters
    ----------
    table : table, lazy table or dict of Sketch
        One row per case; or sketches by day, or by (day, segment), as :func:`rocsteady.scale.sketch_table` with
        ``by=`` makes them.
    score : str or list of str
        Column of scores, or several of them: models that are watched together and share ``alpha``.
    label, day : str
        Columns of labels (missing where they have not come) and of the day of scoring: a date, or a number.
    reference : int, pair of days, table or dict of Sketch
        What to compare with: the first days, so many; the days from one to another; or other rows with the same
        columns, of which ``day`` may be absent. Not needed where ``state`` holds one.
    segment : str, optional
        Column of segments, each of which is watched too.
    arrived : str, optional
        Column of the day on which a label came; labels that came after ``today`` are not known yet.
    weight : str, optional
        Column of sampling weights of rows.
    measures : str or list of str
        "auc", "recall", "false_positive_rate", "specificity", "precision", "accuracy", "prevalence", "brier_score",
        "calibration_gap"; other names of these too.
    threshold : float, optional
        A row is called positive where its score is at least this; for measures that need one.
    probabilities : bool
        Whether scores are meant as probabilities: then measures are expected without labels too, and calibration is
        tested as labels come.
    margin : float, optional
        A loss against the reference that is none yet. Without it an alarm means that something changed for the worse;
        with it that some days are below the reference by more than the margin, however else days vary.
    method : {"auto", "exact"}
        "exact" counts rows and assumes nothing about their distribution or number; it needs more of them to see a
        change. "auto" approximates by normal distributions, of blocks of days with rows enough.
    alpha : float
        Probability of a false alarm, ever.
    control : {"familywise", "fdr"}
        Of segments: "familywise" promises that there is no false alarm of any of them; "fdr" that whenever one looks
        at most the share alpha / 2 of those in alarm is false on average, which sees a change of many of them sooner.
    run_length : float, optional
        Promise this many days between false alarms on average instead, for each measure and segment.
    level : float
        Of intervals, which hold for all days, or all looks, together.
    matures : int
        Days that a label may take: younger days are shown and not judged.
    label_timeout : int, optional
        Labels that have not come so many days after their rows were scored will not come. Such rows count as never
        labelled: rows with a label stand for them, and they no longer keep the answer open. Their share is told.
    every : int
        Days that are taken together: 7 watches weeks, from Mondays.
    today : day, optional
        The day of the look; the last that occurs unless given.
    state : dict or path, optional
        What an earlier look remembered. A path that is not there yet begins a watch; :meth:`MonitorResult.save_state`
        writes it. A day may be given again as it was, or with more labels.
    pos_label, missing
        As in :func:`rocsteady.rank`; a missing label is one that has not come.

    Returns
    -------
    MonitorResult
        ``decision``, ``alarms``, ``found["auc"]``, ``drift``, ``calibration``, ``state()``, ``openmetrics()``.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> rng = np.random.default_rng(2)
    >>> day = np.repeat(np.arange(60), 200)
    >>> y = rng.random(day.size) < 0.3
    >>> table = {"y": y, "s": np.where(day < 45, 1.2, 0.6) * y + rng.normal(size=day.size), "day": day}
    >>> found = rs.monitor(table, "s", label="y", day="day", reference=30)
    >>> found.decision, found["auc"].change_day, found["auc"].alarm_day
    ('alarm', '45', '46')
    """
    again = asked_again(monitor, locals())
    models = _models(score)
    refuse_shared(table, models)
    names = _measures(measures, threshold)
    exact = method == "exact"
    _check(alpha, level, margin, run_length, (matures, every, label_timeout), exact=exact, names=names)
    _check_design(method, weight, control, run_length)
    rows = (day, segment, arrived, pos_label, every, missing, weight)
    probabilities = probabilities or any(name in OF_PROBABILITIES for name in names)
    before = state_given(state)
    held, now = read_state(before, models), None if today is None else one_day(today, "today")
    watches: dict[str | None, Remembered] = {}
    left_out = seen = 0
    for model in models:
        columns = Columns(label, model, *rows)
        settings = {"score": model, "label": label, "segment": segment, "every": every}
        settings |= {} if weight is None else {"weight": weight}
        found = read_days(table, columns, now)
        if probabilities:
            refuse_no_probabilities(found, model)
        asked = (threshold, probabilities, settings)
        begun_watch, after, left_out = _beginning(held.get(model), found, columns, reference, asked)
        watches[model if len(models) > 1 else None] = with_days(begun_watch, found, after)
        seen = _seen_before(begun_watch, found)
    counted = (left_out, seen, control, len(models), label_timeout)
    how = Asked(names, alpha, level, margin, exact, run_length, matures, *counted)
    read = None if state is None else {} if before is None else before
    return replace(judged(watches, how), asked=again, state_read=None if read is None else read.get(CHECKSUM, ""))


def _models(score: Any) -> tuple[str, ...]:
    names = (score,) if isinstance(score, str) else tuple(score)
    if not names or not all(isinstance(name, str) for name in names):
        raise ArgumentError("score", f"score is the name of a column, or a list of names, got {score!r}")
    if len(set(names)) < len(names):
        raise ArgumentError("score", f"each model is watched once, got {some_values(list(names))}")
    return names


def _check_design(method: str, weight: str | None, control: str, run_length: float | None) -> None:
    if control == "fdr" and run_length is not None:
        words = "{control='fdr'} goes with {alpha=}, and {run_length=} promises for each segment; leave one out"
        raise ArgumentError("control", Sentence(words))
    if method == "exact" and weight is not None:
        words = "an exact watch counts rows, which sampling weights do not: leave {weight=} out, or do not ask for it"
        raise ArgumentError("method", Sentence(words))


def _beginning(
    held: Remembered | None, found: Any, columns: Columns, reference: Any, asked: tuple[Any, bool, dict[str, Any]]
) -> tuple[Remembered, int | None, int]:
    """The watch as it was, or a new one from its reference; and after which day rows are watched."""
    threshold, probabilities, settings = asked
    if held is not None:
        if reference is not None:
            raise ArgumentError("reference", Sentence("the state holds its reference: leave {reference=} out"))
        plan = (held.plan.threshold, held.plan.probabilities, held.settings)
        if plan != asked:
            told = [f"{a!r} then, {b!r} now" for a, b in zip(plan, asked, strict=True) if a != b]
            raise ArgumentError("state", f"the state was made with other options: {'; '.join(told)}; begin a new watch")
        return held, held.after, 0
    if reference is None:
        words = "a watch compares with a reference: pass {reference=}, such as 30 for the first 30 days, or a table"
        raise ArgumentError("reference", Sentence(words))
    part, after, left_out = reference_of(found, reference, columns)
    if probabilities:
        refuse_no_probabilities(part, columns.score)
    started = begun(part, threshold, settings, probabilities=probabilities)
    started.after = after
    return started, after, left_out


def _seen_before(held: Remembered, found: Any) -> int:
    known = held.days.get("", {})
    return sum(day in known for day in found.counts.get("", {}))


def _measures(given: Any, threshold: float | None) -> tuple[str, ...]:
    listed = [given] if isinstance(given, str) else list(given)
    names = tuple(dict.fromkeys(_name(each) for each in listed))
    if not names:
        raise ArgumentError("measures", "no measures were named: pass at least one, such as 'auc'")
    needing = [name for name in names if name in AT_THRESHOLD]
    if needing and threshold is None:
        words = "{names} need a threshold: pass {threshold=}, which must have been settled before"
        raise ArgumentError("threshold", Sentence(words, names=", ".join(needing)))
    return names


def _name(given: Any) -> str:
    text = str(getattr(given, "name", given)).strip().lower().replace(" ", "_")
    name = text if text in WATCHED else None
    if name is None:
        try:
            name = get_measure(text).sheet.name
        except (ArgumentError, AttributeError):
            name = None
    if name not in WATCHED:
        raise ArgumentError("measures", f"{given!r} is not watched; there are {some_values(list(WATCHED), most=20)}")
    return name


def _check(
    alpha: float,
    level: float,
    margin: float | None,
    run_length: float | None,
    days: tuple[int, int, int | None],
    *,
    exact: bool,
    names: tuple[str, ...],
) -> None:
    check_level(level)
    if not 0 < alpha < 1:
        raise ArgumentError("alpha", f"alpha is a probability between 0 and 1, got {alpha}")
    if margin is not None and not 0 <= margin < 1:
        raise ArgumentError("margin", f"margin is a loss from 0 to 1, got {margin}")
    if run_length is not None and (run_length < 2 or exact or margin is not None):
        told = "run_length is a number of days, 2 or more, and is promised without margin and exact counts"
        raise ArgumentError("run_length", f"{told}, got {run_length}")
    matures, every, deadline = days
    if deadline is not None and deadline < 0:
        raise ArgumentError("label_timeout", Sentence("{label_timeout=} is 0 or more days, got {n}", n=deadline))
    if matures < 0 or every < 1:
        raise ArgumentError("matures", f"matures is 0 or more days and every 1 or more, got {matures} and {every}")
    if exact and "calibration_gap" in names:
        raise ArgumentError("method", "calibration_gap lies between -1 and 1 and has no exact counts; use 'auto'")
