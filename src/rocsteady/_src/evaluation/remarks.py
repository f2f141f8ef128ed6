"""What a reader should know about the rows of an evaluation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import RocsteadyWarning, warn
from rocsteady._src.base.text import format_count, format_digits, format_number
from rocsteady._src.measures.registry import remarks_on_scores
from rocsteady._src.measures.ties import tie_diagnostics
from rocsteady._src.ranked.lazy.rows import LazyRows

if TYPE_CHECKING:
    from rocsteady._src.inputs.tables import TableRows
    from rocsteady._src.measures.specs import Request
    from rocsteady._src.ranked import RankedScores

ONLY_NOTED = {"below_chance", "emerging", "grouped_by_engine"}


@dataclass(frozen=True, slots=True)
class Remark:
    """Something a reader of the numbers should know; ``model`` is None when it concerns all."""

    code: str
    model: str | None
    text: str

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {"code": self.code, "model": self.model, "text": self.text}

    def __str__(self) -> str:
        return self.text if self.model is None else f"{self.model}: {self.text}"


def remarks_on_evaluation(
    ranked: dict[str, RankedScores], rows: TableRows | LazyRows, requests: list[Request], *, clustered: bool
) -> list[Remark]:
    """Collect what a reader should know."""
    remarks = [Remark(code, model, text) for model, groups in ranked.items() for code, text in _oddities(groups)]
    if isinstance(rows, LazyRows):
        remarks.append(Remark("grouped_by_engine", None, rows.route(ranked)))
    if (repeats := rows.n_repeated_ids) and not clustered:
        text = f"{format_count(repeats)} rows repeat an id of column {rows.id!r}: rows are not independent"
        remarks.append(Remark("repeated_ids", None, text))
    emerging = [request.column for request in requests if request.sheet.emerging]
    if emerging:
        text = f"emerging, not yet accepted by the field: {', '.join(emerging)}"
        remarks.append(Remark("emerging", None, text))
    return remarks


def warn_of(remarks: list[Remark]) -> None:
    """Warn of what may mislead; the rest is only noted."""
    for remark in remarks:
        if remark.code not in ONLY_NOTED:
            warn(RocsteadyWarning(remark.code, str(remark)), stacklevel=5)


def _oddities(ranked: RankedScores) -> list[tuple[str, str]]:
    remarks = remarks_on_scores(ranked)
    if not (ranked.n_pos and ranked.n_neg):
        return remarks
    ties = tie_diagnostics(ranked)
    if ties.near_tied_pairs:
        apart, tied = (format_digits(area, 6) for area in (ties.auc, ties.auc_if_near_ties_tied))
        text = (
            f"{format_digits(ties.near_tied_pairs, 3)} of the opposite-class pairs differ by {ties.near_ulps} ulp or "
            f"less; they count as different (AUC {apart}); tied, AUC would be {tied}"
        )
        remarks.append(("near_ties", text))
    if ties.auc < 0.5:
        found, negated = map(format_number, (ties.auc, 1 - ties.auc))
        text = f"AUC {found} is below 0.5: if low scores mean positive, negate them (AUC {negated})"
        remarks.append(("below_chance", text))
    return remarks
