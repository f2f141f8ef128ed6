"""Brier score and log loss are sums over rows: an engine adds them up, whatever the number of different scores."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import refuse_outside
from rocsteady._src.ranked.lazy.fetch import fetch_one
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.scale import Bracket

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.ranked.lazy.lazy_rows import LazyRows
    from rocsteady._src.scale.sketch_reading import Reading

LOSSES = ("brier_score", "log_loss")
EPSILON = 2.0**-52


def summed_losses(rows: LazyRows, sketches: dict[str, Reading], losses: Sequence[str]) -> dict[str, dict[str, Bracket]]:
    """Losses by model, in one query; each between ends that rounding of sums in any order does not pass."""
    import narwhals as nw

    base, wanted = rows.base(), dict[str, Any]()
    for place in range(len(rows.columns.scores)):
        score = nw.col(f"key{place}").cast(nw.Float64)
        of_pos, of_neg = (nw.col(side).cast(nw.Float64) for side in ("of_pos", "of_neg"))
        wanted |= {f"low{place}": score.min(), f"high{place}": score.max()}
        squares = of_pos * (1 - score) * (1 - score) + of_neg * score * score
        given = nw.when(nw.col("of_pos") > 0).then(score).otherwise(1 - score)  # to what happened
        logs = nw.when(given > 0).then(given).otherwise(nw.lit(1.0)).log() * (of_pos + of_neg) * -1.0
        wanted |= {f"brier_score{place}": squares.sum(), f"log_loss{place}": logs.sum()}
        wanted[f"never{place}"] = nw.when(given > 0).then(nw.lit(0)).otherwise(nw.lit(1)).sum()
    found = fetch_one(base.select(**wanted))
    made: dict[str, dict[str, Bracket]] = {}
    for place, (name, sketch) in enumerate(sketches.items()):
        refuse_outside(found[f"low{place}"], found[f"high{place}"], f"{' and '.join(losses)} needs probabilities")
        endless = {"log_loss": bool(found[f"never{place}"])}
        made[name] = {
            loss: _bracket(sketch, loss, math.inf if endless.get(loss) else float(found[f"{loss}{place}"]))
            for loss in losses
        }
    return made


def _bracket(sketch: Reading, loss: str, total: float) -> Bracket:
    """The mean; a sum of n terms that are not negative is off by at most n roundings, and each term by a few."""
    n = sketch.n_pos + sketch.n_neg
    mean = total / n
    off = 0.0 if math.isinf(mean) else (n + 8) * EPSILON * mean + 4 * EPSILON
    return Bracket(
        estimate=mean,
        low=max(mean - off, 0.0),
        high=mean + off,
        level=1.0,
        method="sum by the engine",
        **facts_of(sketch),
        measure=loss,
        exact=math.isinf(mean),
    )
