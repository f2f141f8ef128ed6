"""Rows that stayed where an evaluation was saved: their groups are known, and sums over pairs of models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from rocsteady._src.base.errors import InputError
from rocsteady._src.ranked.lazy.paired import LazyModels

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocsteady._src.ranked.placements import PlacementSums
    from rocsteady._src.ranked.scores import RankedScores
    from rocsteady._src.results import Origin


@dataclass(frozen=True, slots=True, eq=False)
class SavedRows:
    """What a file knows of the rows: groups of every model, and placements of pairs where rows count as they are."""

    groups: dict[str, RankedScores]
    sums: PlacementSums | None
    origin: Origin
    n_subjects: int = 0
    clustered: bool = False
    label: str | None = None
    bounds: Mapping[tuple[int, int], Any] | None = None

    @property
    def id(self) -> None:
        """Rows are not known by name."""
        return

    @property
    def n_repeated_ids(self) -> int:
        """None: see ``id``."""
        return 0

    def repeated_ids(self, most: int) -> list[Any]:
        """None: see ``id``."""
        return []

    def rank(self) -> dict[str, RankedScores]:
        """Groups of every model."""
        return self.groups

    def rank_in_order(self) -> dict[str, RankedScores]:
        """Groups of every model; the order of tied rows is not known."""
        return self.groups

    def of_models(self, *models: str) -> None:
        """The rows are not in the file; subjects and sampling weights cannot do without."""
        if self.clustered:
            self._refuse("intervals by subject")

    def paired(self, ranked: dict[str, RankedScores]) -> LazyModels:
        """Sums over pairs of models, as they were saved."""
        if self.sums is None:
            self._refuse("comparing models by subject or with sampling weights")
        chosen = [place for place, name in enumerate(self.groups) if name in ranked]
        renumbered = {old: new for new, old in enumerate(chosen)}
        of_pos, of_neg = (
            {(renumbered[i], renumbered[j]): total for (i, j), total in side.items() if {i, j} <= set(chosen)}
            for side in self.sums.products
        )
        known = (
            None
            if self.bounds is None
            else {
                (renumbered[i], renumbered[j]): bound for (i, j), bound in self.bounds.items() if {i, j} <= set(chosen)
            }
        )
        return LazyModels(tuple(ranked), tuple(ranked.values()), lambda: (of_pos, of_neg), self.origin, bounds=known)

    def engine_pair(self, ranked: Mapping[str, RankedScores], old: str, new: str) -> NoReturn:
        """Reclassification needs each row's two probabilities."""
        self._refuse("reclassification")

    def route(self, ranked: dict[str, RankedScores]) -> None:
        """Nothing is worth telling of groups as they were."""

    def _refuse(self, what: str) -> NoReturn:
        text = "this evaluation was read from a file, which holds groups of equal scores and no rows"
        raise InputError("rows_absent", f"{text}: {what} needs them; evaluate the rows again")
