"""Results that say how sure: intervals and tests."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from rocsteady.results.base import Origin, Result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Array = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Resampling(Result):
    """How a resampling went; the same seed gives the same replicates, whatever the number of threads.

    ``distribution`` holds the replicates, NaN where the value was undefined, which ``n_failed`` counts.
    """

    scheme: str
    n_resamples: int
    n_failed: int
    seed: int
    distribution: Array = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, without the replicates."""
        return {item.name: getattr(self, item.name) for item in fields(self) if item.name != "distribution"}


@dataclass(frozen=True, slots=True, eq=False)
class Interval(Result):
    """An estimate with its confidence interval; ``warnings`` say when to trust another method more.

    Unpack as ``low, high``.
    """

    estimate: float
    low: float
    high: float
    level: float
    method: str
    se: float | None = None
    n_pos: Any = None
    n_neg: Any = None
    origin: Origin | None = None
    warnings: tuple[str, ...] = ()
    resampling: Resampling | None = None

    def __iter__(self) -> Iterator[float]:
        """Unpack as ``low, high``."""
        return iter((self.low, self.high))

    def __str__(self) -> str:
        return f"{self.estimate:.4f} [{self.low:.4f}, {self.high:.4f}] ({self.level:.4g} level, {self.method})"


@dataclass(frozen=True, slots=True, eq=False)
class TestResult(Result):
    """A test; unpack as ``statistic, pvalue``.

    ``estimate`` is first minus second where two models meet, with its interval at ``level``; ``hypothesis`` is the
    alternative in words.
    """

    __test__ = False  # for pytest, which collects classes of such names

    statistic: float
    pvalue: float
    estimate: float
    low: float
    high: float
    alternative: str
    method: str
    hypothesis: str = ""
    level: float = 0.95
    se: float | None = None
    df: float | None = None
    n_pos: Any = None
    n_neg: Any = None
    origin: Origin | None = None
    warnings: tuple[str, ...] = ()
    resampling: Resampling | None = None

    def __iter__(self) -> Iterator[float]:
        """Unpack as ``statistic, pvalue``."""
        return iter((self.statistic, self.pvalue))

    def __str__(self) -> str:
        ends = f" [{self.low:+.4f}, {self.high:+.4f}] ({self.level:.4g} level)" if not math.isnan(self.low) else ""
        return f"{self.estimate:+.4f}{ends}, p = {self.pvalue:.4g} ({self.method}): {self.hypothesis}"
