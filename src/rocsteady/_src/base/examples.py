"""Example data, made by seeded code: nobody's rows, the same everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.text import format_count
from rocsteady._src.base.typed import typed

if TYPE_CHECKING:
    from numpy.typing import NDArray

SEED = 20260103
FIRST = 5
HOW_TO_FRAME = "a dict of lists: pd.DataFrame(table) makes a DataFrame of it"


class ExampleTable(dict[str, list[Any]]):
    """Columns by name, as a plain ``dict`` of lists holds them; it shows its first rows, and says how many there are.

    Examples
    --------
    >>> ExampleTable(day=[1, 2, 3], score=[0.5, 0.25, 1.0]).head(2)
    day  score
      1    0.5
      2   0.25
    2 rows; a dict of lists: pd.DataFrame(table) makes a DataFrame of it
    """

    def head(self, n: int = FIRST) -> ExampleTable:
        """The first rows."""
        return ExampleTable({name: column[:n] for name, column in self.items()})

    def __repr__(self) -> str:
        shown = [[str(each) for each in (name, *column[:FIRST])] for name, column in self.items()]
        wide = [max(map(len, cells), default=0) for cells in shown]
        rows = ["  ".join(map(str.rjust, row, wide)) for row in zip(*shown, strict=True)]
        n = len(next(iter(self.values()), []))
        first = f", of which {FIRST} are shown" if n > FIRST else ""
        return "\n".join([*rows, f"{format_count(n)} rows{first}; {HOW_TO_FRAME}"])

    def __missing__(self, name: object) -> NoReturn:
        raise KeyError(f"there is no column {name!r}; the columns are {', '.join(self)}")

    def __getattr__(self, name: str) -> NoReturn:
        call = "()" if name in ("describe", "info", "sample", "tail") else ""
        hint = f"; it is a dict of lists: pd.DataFrame(table).{name}{call}" if not name.startswith("_") else ""
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{hint}")


@typed
def loans(n: int = 2000, seed: int = SEED) -> ExampleTable:
    """Loans with a default label and five models of differing quality, two of them with many ties.

    Parameters
    ----------
    n : int
        How many loans, 1 or more.
    seed : int
        Of the draws: the same rows each time, and others for another seed.

    Examples
    --------
    >>> from rocsteady.examples import loans
    >>> table = loans()
    >>> len(table["defaulted"]), sorted(set(table["grade"]))
    (2000, [1, 2, 3, 4, 5, 6, 7])
    """
    if n < 1:
        raise ArgumentError("n", f"n must be a number of rows, 1 or more, got {n}")
    rng = np.random.default_rng(seed)
    risk = rng.normal(size=n)
    shock = rng.normal(size=n)
    defaulted = (risk + shock > 1.35).astype(np.int64)
    seen = 0.9 * risk + 0.3 * rng.normal(size=n)
    logistic = _probability(1.3 * seen + 0.15 * rng.normal(size=n) - 1.8)
    boosted = _probability(1.6 * risk + 0.35 * shock + 0.35 * rng.normal(size=n) - 2.0)
    scorecard = np.round(50 + 12 * seen + 4 * rng.normal(size=n)).astype(np.int64)
    grade = np.clip(np.digitize(0.7 * risk + 0.8 * rng.normal(size=n), [-1.5, -0.7, 0.0, 0.6, 1.2, 1.8]) + 1, 1, 7)
    columns = {
        "loan": np.arange(1, n + 1),
        "defaulted": defaulted,
        "boosted": np.round(boosted, 6),
        "logistic": np.round(logistic, 6),
        "scorecard": scorecard,
        "grade": grade,
        "coin": np.round(rng.random(n), 6),
    }
    return ExampleTable({name: column.tolist() for name, column in columns.items()})


def _probability(logit: Any) -> Any:
    return 1 / (1 + np.exp(-logit))


@typed
def credit(n: int = 600, seed: int = SEED) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Credit-like features of n people (income, debt, age, late payments) and whether they failed to pay.

    Half of them did. The truth is not linear: debt matters most where income is low, and age in the middle.

    Parameters
    ----------
    n : int
        How many people, 1 or more.
    seed : int
        Of the draws: the same rows each time, and others for another seed.

    Examples
    --------
    >>> from rocsteady.examples import credit
    >>> X, y = credit()
    >>> X.shape, int(y.sum())
    ((600, 4), 300)
    """
    if n < 1:
        raise ArgumentError("n", f"n must be a number of rows, 1 or more, got {n}")
    rng = np.random.default_rng(seed)
    income, debt = rng.normal(size=6 * n), rng.normal(size=6 * n)
    age, late = rng.uniform(20, 70, size=6 * n), rng.poisson(0.8, size=6 * n)
    logit = -0.4 * income + 0.9 * debt * (income < 0.3) + 0.5 * late + 1.2 * (np.abs(age - 45) > 15) - 1.0
    failed = rng.random(6 * n) < _probability(logit)
    chosen = np.concatenate([np.flatnonzero(failed)[: n // 2], np.flatnonzero(~failed)[: n - n // 2]])
    chosen = rng.permutation(chosen)
    return np.column_stack([income, debt, age, late])[chosen], failed[chosen].astype(np.int64)


def binormal(n: int, rng: np.random.Generator) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Labels and scores of n positives, N(0.65, 0.2^2), and n negatives, N(0.45, 0.2^2): figure 3 of the gROC paper.

    Parameters
    ----------
    n : int
        How many of each class: there are 2 n rows.
    rng : numpy.random.Generator
        What draws the scores.

    Examples
    --------
    >>> y, s = binormal(1000, np.random.default_rng(0))
    >>> y.sum(), s.size
    (np.int64(1000), 2000)
    """
    return np.repeat([1, 0], n), np.concatenate([rng.normal(0.65, 0.2, n), rng.normal(0.45, 0.2, n)])


SCORE_SETS = """
 1: 1.00p 1.00p 1.00p 0.00n 0.00n 0.00n
 2: 0.97p 0.95p 0.92p 0.09n 0.06n 0.05n
 3: 0.94p 0.94p 0.94p 0.58n 0.58n 0.58n
 4: 0.94p 0.88p 0.82p 0.61n 0.59n 0.55n
 5: 0.90p 0.70p 0.60p 0.40n 0.10n 0.00n
 6: 1.00p 1.00p 1.00p 0.90n 0.90n 0.90n
 7: 0.60p 0.57p 0.56p 0.54n 0.52n 0.51n
 8: 0.95p 0.83p 0.77n 0.75p 0.69n 0.40n
 9: 0.61p 0.61p 0.61p 0.60n 0.60n 0.60n
10: 1.00p 0.80n 0.60p 0.25n 0.20p 0.00n
11: 1.00p 0.90n 0.65n 0.56p 0.43p 0.00n
12: 0.61n 0.61n 0.61n 0.60p 0.60p 0.60p
13: 1.00p 1.00p 1.00p 1.00n 1.00n 1.00n
14: 0.90n 0.77p 0.65n 0.56p 0.43p 0.22n
15: 1.00n 1.00n 1.00n 0.00p 0.00p 0.00p
"""


def score_sets() -> dict[int, tuple[list[int], list[float]]]:
    """The fifteen small score sets of the thesis on AUC variants: number to labels and scores.

    Examples
    --------
    >>> from rocsteady.examples import score_sets
    >>> score_sets()[8]
    ([1, 1, 0, 1, 0, 0], [0.95, 0.83, 0.77, 0.75, 0.69, 0.4])
    """
    sets = {}
    for line in SCORE_SETS.strip().splitlines():
        number, _, items = line.partition(":")
        labels = [int(item.endswith("p")) for item in items.split()]
        sets[int(number)] = (labels, [float(item[:-1]) for item in items.split()])
    return sets
