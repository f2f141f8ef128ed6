"""Two or more models, or language models, whose answers are right or wrong: no labels, no scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.paired.mcnemar import Asked
from rocsteady._src.inference.paired.right_answers import RightAnswers
from rocsteady._src.inputs.given import all_names, is_table
from rocsteady._src.inputs.outcomes import read_outcomes
from rocsteady._src.inputs.tables import columns_of_models
from rocsteady._src.ranked.lazy.cells import counted_cells
from rocsteady._src.ranked.lazy.columns import find_columns, is_lazy
from rocsteady._src.ranked.numbering import numbered
from rocsteady._src.results.base import Origin

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from rocsteady._src.inference.paired.mcnemar import Ends, Method
    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.outcomes import Outcomes
    from rocsteady._src.results import Comparison
    from rocsteady._src.results.paired import OutcomeTest


@overload
def compare_outcomes(first: object, second: None = None, **how: Any) -> Comparison: ...


@overload
def compare_outcomes(first: object, second: ArrayLike, **how: Any) -> OutcomeTest: ...


@typed  # type: ignore[misc]  # the two above name only what tells the results apart
def compare_outcomes(
    first: object,
    second: object = None,
    *,
    method: Method = "mcnemar-exact",
    interval: Ends = "tango",
    alternative: str = "two-sided",
    margin: float | None = None,
    level: float = 0.95,
    cluster: object = None,
    baseline: str | None = None,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> OutcomeTest | Comparison:
    """Test whether two models have another share of the same rows right: McNemar's test, with an interval.

    A row is a question, a case or a patient; each model has it right or wrong. Only rows on which they disagree tell
    them apart. Measured sizes and coverage are in docs/paired.md.

    Parameters
    ----------
    first, second : array-like
        What each model has right: True and False, 1 and 0, or two values of which ``pos_label`` means right. A table
        or a mapping of models to such columns goes alone and gives a :class:`Comparison` of all pairs, with Holm's p
        and, of three models or more, Cochran's Q.
    method : {"mcnemar-exact", "mcnemar-mid-p", "mcnemar", "mcnemar-corrected", "tango"}
        "mcnemar-exact": the rows that models disagree on are coins; never rejects too often, and is timid where they
        are few. "mcnemar-mid-p" counts the outcome that was seen by half: close to the level, rarely above it.
        "mcnemar" is the chi-square (b - c)^2 / (b + c), "mcnemar-corrected" that with a continuity correction.
        "tango" is the score test, the same without a margin, and the one that takes margins.
    interval : {"tango", "newcombe", "wald"}
        Of the difference: Tango's score (1998); Newcombe's Wilson intervals put together with their correlation
        (1998, method 10); Wald's is too short for few rows, and is here to check what others print.
    alternative, margin
        As in :func:`rocsteady.compare_auc`; a margin goes with "tango".
    level : float
        Confidence level of the two-sided interval.
    cluster : array-like, optional
        The subject of each row, when rows of one are not independent: a task, a prompt, a patient; or the name of such
        a column of a table. McNemar's tests then let models change places in whole subjects, which is exact again; and
        the chi-square has the squares of what subjects add (Yang, Sun and Hardin 2010). Intervals are those of as many
        independent rows as would tell the difference as surely, with Student's t.
    baseline : str, optional
        Of a table: compare each model to this one; all pairs when absent.
    pos_label : optional
        The value that means right, where it is not 1 or True.
    missing : {"raise", "drop"}
        Refuse rows that lack an answer, or drop them for all models and count them.

    Returns
    -------
    OutcomeTest
        A :class:`TestResult`: ``estimate`` is the share of the first less that of the second. ``statistic`` is the
        number of rows that only the first has right, for exact and mid-p tests; else chi-square, or Tango's z.
        ``detectable`` is the difference that such rows find 4 times in 5.

    References
    ----------
    McNemar (1947), Psychometrika 12:153-157. Tango (1998), Statistics in Medicine 17:891-908. Newcombe (1998),
    Statistics in Medicine 17:2635-2650. Yang, Sun and Hardin (2010), Statistics in Medicine 29:2656-2665.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> first, second = np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], [319, 78, 22, 32], axis=0).T
    >>> print(rs.compare_outcomes(first, second, method="mcnemar"))
    +0.1242 [+0.0827, +0.1673] (0.95 level), p < 0.001 (mcnemar, interval by tango, paired);
    alternative: first and second differ
    451 rows: both 319, only first 78, only second 22, neither 32; a difference of 0.062 would be found 4 times in 5
    """
    asked = Asked(method, interval, alternative, margin, level).checked(by_subject=cluster is not None)
    if second is None and is_table(first) and is_lazy(first):
        answers = _counted(first, cluster, pos_label, missing)
    else:
        columns, cluster = _columns(first, second, cluster)
        answers = _answers(read_outcomes(columns, cluster, pos_label, missing))
    if second is not None:
        return answers.test("first", "second", asked)
    if alternative != "two-sided":
        words = "several models are compared two-sided; pass two columns for {alternative='non-inferiority'} and others"
        raise ArgumentError("alternative", Sentence(words))
    return answers.compare("share right", baseline, asked)


def _answers(read: Outcomes, weights: Any = None, **counted: int) -> RightAnswers:
    clusters = None if read.subject is None else numbered(read.subject)[1]
    known: dict[str, Any] = {"n_rows": read.n_rows, "n_dropped": read.n_dropped} | counted
    return RightAnswers(read.right, weights, clusters, {"origin": Origin(read.pos_label, **known)})


def _counted(table: object, cluster: object, pos_label: Any, missing: Missing) -> RightAnswers:
    """The same of a lazy table, whose engine counts the rows that agree in all columns."""
    by = [] if cluster is None else [cluster]
    if not all(isinstance(name, str) for name in by):
        raise ArgumentError("cluster", "a lazy table comes first: name its column of subjects")
    models = [name for name in all_names(table) if name not in by]
    columns = find_columns(table, label=models[0], scores=(), by=[*models[1:], *map(str, by)])
    cells = counted_cells(columns, columns.keys(), pos_label, missing)
    subjects = cells.values.pop(str(by[0])) if by else None
    read = read_outcomes(cells.values, subjects, pos_label, "raise")
    return _answers(read, cells.weights, n_rows=cells.n_rows, n_dropped=cells.n_dropped)


def _columns(first: object, second: object, cluster: object) -> tuple[dict[str, Any], object]:
    if second is not None:
        return {"first": first, "second": second}, cluster
    if not is_table(first):
        text = "a second column is missing: pass two columns of right and wrong, or a table with one per model"
        raise ArgumentError("second", text)
    columns = columns_of_models(first)
    if isinstance(cluster, str):
        if cluster not in columns:
            raise ArgumentError("cluster", f"there is no column {cluster!r} in the table of outcomes")
        cluster = columns.pop(cluster)
    return columns, cluster
