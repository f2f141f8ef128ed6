"""What rows in memory and rows that stay in their engine have in common: who asks need not know which they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from rocsteady._src.ranked.lazy.probabilities import LazyPair
    from rocsteady._src.ranked.placements import PlacementSums
    from rocsteady._src.ranked.rows import Rows
    from rocsteady._src.ranked.scores import RankedScores
    from rocsteady._src.results import Origin
    from rocsteady._src.results.remarks import Remark


class AnyRows(Protocol):
    """Rows that were read, or that an engine reads when it is asked."""

    @property
    def label(self) -> str | None:
        """The column of labels, where its name is known."""
        ...

    @property
    def id(self) -> str | None:
        """The column that names the subject of a row."""
        ...

    @property
    def n_subjects(self) -> int:
        """How many different subjects there are."""
        ...

    @property
    def n_repeated_ids(self) -> int:
        """How many rows repeat an id that another row has before."""
        ...

    def repeated_ids(self, most: int) -> list[Any]:
        """Some of the ids that repeat."""
        ...

    def rank(self) -> dict[str, RankedScores]:
        """Groups of every model."""
        ...

    def rank_in_order(self) -> dict[str, RankedScores]:
        """Groups that know the order of tied rows, as far as anybody does."""
        ...

    def of_models(self, *models: str) -> Rows | None:
        """The rows with some of the models; None where they are not in memory."""
        ...

    def paired(self, ranked: dict[str, RankedScores]) -> AnyModels:
        """What a comparison of all models needs."""
        ...

    def engine_pair(self, ranked: Mapping[str, RankedScores], old: str, new: str) -> LazyPair | None:
        """Sums over the probabilities of two models that the engine makes; None where rows are in memory."""
        ...

    def route(self, ranked: dict[str, RankedScores]) -> Remark | None:
        """Which way the numbers came, where that is worth telling."""
        ...


class AnyModels(Protocol):
    """Models on the same rows, each ranked."""

    @property
    def names(self) -> tuple[str, ...]:
        """What the models are called."""
        ...

    @property
    def ranked(self) -> tuple[RankedScores, ...]:
        """Their groups."""
        ...

    @property
    def origin(self) -> Origin:
        """Where the numbers come from."""
        ...

    @property
    def weights(self) -> NDArray[Any] | None:
        """The weight of each row; None when every row counts once, or as often as its frequency."""
        ...

    @property
    def clusters(self) -> NDArray[np.int64] | None:
        """The number of each row's subject, if it has one."""
        ...

    @property
    def n_clusters(self) -> int:
        """Number of different subjects."""
        ...

    def alike(self, first: int, second: int) -> bool:
        """Whether two models group the rows alike."""
        ...

    def in_memory(self) -> Rows | None:
        """The rows themselves; None where they stay in their engine."""
        ...

    def called(self, places: Mapping[str, int]) -> Rows | None:
        """Rows whose calls are known, from these groups of each model on; None where no table is at hand."""
        ...

    def placement_sums(self) -> PlacementSums:
        """What the covariance of the areas follows from, of rows that are counted."""
        ...


def rows_by_unit(rows: AnyRows, model: str, *, subjects: bool, sampled: bool) -> Rows | None:
    """Rows of a model where these are more than groups: with their subjects, or each a unit of its sampling weight."""
    found = rows.of_models(model) if subjects or sampled else None
    return found if found is None or subjects else found.without_subjects().by_row()
