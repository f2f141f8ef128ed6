"""Answers of several models to the same questions, read from files of other libraries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, printable, some_values
from rocsteady._src.base.text import format_count, format_number, text_table
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.paired.outcomes import compare_outcomes
from rocsteady._src.inputs.answers import side_by_side
from rocsteady._src.inputs.answers.inspect_logs import log_files, read_log
from rocsteady._src.inputs.answers.lm_eval import read_samples, sample_files
from rocsteady._src.inputs.answers.predictions import read_predictions
from rocsteady._src.results.base import Result

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from rocsteady._src.base.frames import Table
    from rocsteady._src.inputs.answers import Graded, SideBySide
    from rocsteady._src.results import Comparison
    from rocsteady._src.results.displays import Display
    from rocsteady._src.results.paired import OutcomeTest

MOST_TASKS = 20


@dataclass(frozen=True, slots=True, eq=False)
class Answers(Result):
    """Which questions each model had right: one row per question, in the order of the first model's file.

    ``right[model]`` has a truth value per row. ``task``, ``question`` and ``epoch`` say which row it is.

    Examples
    --------
    >>> import rocsteady as rs
    >>> new, old = ({"predictions": said, "references": "abcd"} for said in ("abcx", "axxx"))
    >>> print(rs.trackers.read_evaluate({"new": new, "old": old}))
    task  answers     new     old
    task        4  0.7500  0.2500
    4 questions of 1 task; compared row by row
    """

    question: NDArray[Any]
    task: NDArray[Any]
    epoch: NDArray[np.int64]
    right: dict[str, NDArray[np.bool_]]
    n_unmatched: int = 0
    n_ungraded: int = 0

    @property
    def cluster(self) -> str | None:
        """What hangs together: the task where there are several, else the question that was asked repeatedly."""
        if len(set(self.task)) > 1:
            return "task"
        return "question" if np.any(self.epoch != self.epoch[0]) else None

    def compare(
        self, *models: str, baseline: str | None = None, cluster: str | None = "auto", **how: Any
    ) -> Comparison | OutcomeTest:
        """Compare shares of right answers on the same questions, by :func:`rocsteady.compare_outcomes`.

        Parameters
        ----------
        *models : str
            Two models: the first less the second, with ``alternative`` and ``margin``. All pairs when absent.
        baseline : str, optional
            Compare each model to this one.
        cluster : {"auto", "task", "question"} or None
            What is drawn anew as a whole: tasks where there are several, else questions that were asked repeatedly;
            None takes each row as independent.
        **how
            Other options of :func:`rocsteady.compare_outcomes`.
        """
        known = {"auto": self.cluster, "task": "task", "question": "question", None: None}
        if cluster not in known:
            raise ArgumentError("cluster", f"cluster must be 'auto', 'task', 'question' or None, got {cluster!r}")
        by = known[cluster]
        subjects = None if by is None else getattr(self, by).tolist()
        unknown = [model for model in models if model not in self.right]
        if unknown or len(models) not in (0, 2):
            text = f"name two models of {some_values(self.right)}, or none for all pairs"
            raise ArgumentError("models", text)
        if models:
            first, second = (self.right[model] for model in models)
            test: OutcomeTest = compare_outcomes(first, second, cluster=subjects, **how)
            return test
        pairs: Comparison = compare_outcomes(dict(self.right), cluster=subjects, baseline=baseline, **how)
        return pairs

    def plot(self, ax: Axes | None = None, *, publication: bool = False) -> Display:
        """Draw the shares of right answers with their differences, as :meth:`compare` finds them."""
        return self.compare().plot(ax, publication=publication)

    def _brief(self) -> str:
        shares = [
            f"{printable(model, most=30)} {format_number(float(right.mean()))}"
            for model, right in list(self.right.items())[:3]
        ]
        return f"share right: {', '.join(shares)}; {format_count(self.task.size)} answers"

    def _columns(self) -> Table:
        again = {"epoch": self.epoch.tolist()} if self.cluster == "question" or np.any(self.epoch != 1) else {}
        rows = {"task": self.task.tolist(), "question": self.question.tolist(), **again}
        return {**rows, **{model: right.tolist() for model, right in self.right.items()}}

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Header and rows for reading: the share right of each model, by task."""
        tasks = list(dict.fromkeys(self.task.tolist()))
        rows = [self._line(printable(task, most=60), self.task == task) for task in tasks[:MOST_TASKS]]
        total = [self._line("all", np.ones(self.task.size, dtype=bool))] if len(tasks) > 1 else []
        return ["task", "answers", *map(printable, self.right)], rows + total

    def _line(self, name: str, rows: NDArray[np.bool_]) -> list[str]:
        shares = [format_number(float(right[rows].mean())) for right in self.right.values()]
        return [name, format_count(int(rows.sum())), *shares]

    def notes(self) -> list[str]:
        """How many questions and tasks, what is compared, and what was left out."""
        n_tasks = len(set(self.task))
        by = {None: "row by row", "task": "by task", "question": "by question"}[self.cluster]
        n_questions = len(set(zip(self.task, self.question, strict=True)))
        times = f", asked {format_count(self.task.size)} times in all" if n_questions < self.task.size else ""
        rows = (
            f"{format_count(n_questions)} questions of {format_count(n_tasks)} task{'s' if n_tasks > 1 else ''}{times}"
        )
        more = [f"{format_count(n_tasks - MOST_TASKS)} more tasks are not shown"] if n_tasks > MOST_TASKS else []
        counts = {"answers to questions that not all models have": self.n_unmatched}
        counts |= {"questions without a grade": self.n_ungraded}
        left = ", ".join(f"{format_count(count)} {what}" for what, count in counts.items() if count)
        return [f"{rows}; compared {by}", *more, *([f"left out: {left}"] if left else [])]

    def __str__(self) -> str:
        return "\n".join([text_table(*self.cells()), *self.notes()])


@typed
def read_lm_eval(
    models: object,
    *,
    metric: str | Mapping[str, str] | None = None,
    filter: str | None = None,  # noqa: A002 - the word of the harness
    unmatched: str = "raise",
    missing: str = "raise",
) -> Answers:
    """Read samples of lm-evaluation-harness (``--log_samples``): which questions each model had right.

    Parameters
    ----------
    models : mapping or path
        ``{"new": path, "old": path}``; a path is a file ``samples_*.jsonl``, several of them, a folder, or the file
        ``results_*.json`` of a run. A folder alone has one folder per model, as the harness writes them.
    metric : str or mapping of task to str, optional
        Which metric says what is right, such as "acc"; needed where a task has several.
    filter : str, optional
        Which filter's answers, such as "strict-match", where a task has several.
    unmatched : {"raise", "drop"}
        What to do with questions that not all models have.
    missing : {"raise", "drop"}
        What to do with questions without a grade.

    Returns
    -------
    Answers
        Joined by task and ``doc_id``; another ``doc_hash`` under the same is refused.

    Examples
    --------
    >>> import rocsteady as rs
    >>> answers = rs.trackers.read_lm_eval({"new": "out/new", "old": "out/old"}, metric="acc")  # doctest: +SKIP
    >>> print(answers.compare("new", "old"))  # doctest: +SKIP
    """
    if not isinstance(metric, Mapping):
        _check_word("metric", metric, ", or one for each task")
    _check_word("filter", filter)
    if isinstance(models, Mapping):
        files = {str(model): sample_files(given) for model, given in models.items()}
    else:
        files = {}
        for path in sample_files(models):
            files.setdefault(path.resolve().parent.name, []).append(path)
    read = {
        model: [each for path in paths for each in read_samples(path, metric, filter)] for model, paths in files.items()
    }
    return _answers(side_by_side(dict(read), unmatched, missing))


@typed
def read_inspect(
    models: object,
    *,
    scorer: str | None = None,
    partial: str = "raise",
    unmatched: str = "raise",
    missing: str = "raise",
) -> Answers:
    """Read logs of inspect, ``.eval`` or ``.json``: which samples each model had right.

    Parameters
    ----------
    models : mapping or path
        ``{"new": path, "old": path}``; a path is a log, several, or a folder of logs. A path alone: models are named
        as the logs name them.
    scorer : str, optional
        Whose scores; needed where samples have several.
    partial : {"raise", "right", "wrong"}
        What partly right answers (P) count as. No answer (N) is wrong, as inspect counts it.
    unmatched : {"raise", "drop"}
        What to do with samples that not all models have.
    missing : {"raise", "drop"}
        What to do with samples without a score, such as those that ended in an error.

    Returns
    -------
    Answers
        Joined by task, sample id and epoch.

    Examples
    --------
    >>> import rocsteady as rs
    >>> answers = rs.trackers.read_inspect({"new": "logs/new", "old": "logs/old"}, scorer="match")  # doctest: +SKIP
    >>> print(answers.compare(baseline="old"))  # doctest: +SKIP
    """
    _check_word("scorer", scorer)
    read: dict[str, list[Graded]] = {}
    listed = models.items() if isinstance(models, Mapping) else [(None, models)]
    for model, given in listed:
        for path in log_files(given):
            said, graded = read_log(path, scorer, partial)
            read.setdefault(said if model is None else str(model), []).extend(graded)
    return _answers(side_by_side(dict(read), unmatched, missing))


@typed
def read_evaluate(
    models: Mapping[str, Any],
    *,
    right: Callable[[Any, Any], Any] | None = None,
    unmatched: str = "raise",
    missing: str = "raise",
) -> Answers:
    """Read predictions and references, as Hugging Face's ``evaluate`` takes them: which each model had right.

    Parameters
    ----------
    models : mapping
        For each model a mapping with ``predictions`` and ``references``, and if wanted ``ids`` and ``tasks``; or a JSON
        file with such lists, a JSON lines file with ``prediction`` and ``reference``, or what ``code_eval`` gives back
        for each problem. A summary, such as an accuracy, has no questions and is refused.
    right : callable, optional
        ``right(prediction, reference)`` says whether an answer is right; equal ones are when absent.
    unmatched : {"raise", "drop"}
        What to do with ids that not all models have.
    missing : {"raise", "drop"}
        What to do with answers of which ``right`` is None.

    Returns
    -------
    Answers
        Joined by id, or by place where there are no ids.

    Examples
    --------
    >>> import rocsteady as rs
    >>> new = {"predictions": [1, 0, 1, 1], "references": [1, 0, 0, 1]}
    >>> old = {"predictions": [0, 0, 1, 1], "references": [1, 0, 0, 1]}
    >>> print(rs.trackers.read_evaluate({"new": new, "old": old}).compare("new", "old"))
    +0.2500 [-0.3624, +0.6994] (0.95 level), p = 1.000 (mcnemar-exact, interval by tango, paired);
    alternative: first and second differ
    4 rows: both 2, only first 1, only second 0, neither 1
    """
    if not isinstance(models, Mapping):
        raise ArgumentError("models", f"predictions by model are expected, got {type(models).__name__}")
    if right is not None and not callable(right):
        raise ArgumentError(
            "right", f"right must be a function of prediction and reference, got {type(right).__name__}"
        )
    read = {str(model): read_predictions(given, str(model), right) for model, given in models.items()}
    return _answers(side_by_side(dict(read), unmatched, missing))


def _check_word(name: str, value: object, more: str = "") -> None:
    if value is not None and not isinstance(value, str):
        raise ArgumentError(name, f"{name} must be a name{more}, got {type(value).__name__}")


def _answers(read: SideBySide) -> Answers:
    return Answers(*read)
