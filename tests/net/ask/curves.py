"""Questions about whole curves, bands around them, calibration and reclassification."""

from __future__ import annotations

from typing import Any

import rocsteady as rs

from .words import options, verb

Table = dict[str, Any]
KINDS = {
    "roc": rs.roc_curve,
    "pr": rs.pr_curve,
    "pr-gain": rs.curves.pr_gain_curve,
    "det": rs.curves.det_curve,
    "gains": rs.gains_curve,
    "brier": rs.curves.brier_curve,
    "cost": rs.curves.cost_curve,
    "prob-roc": rs.prob_roc,
    "scored-roc": rs.scored_roc,
    "hull": rs.roc_hull,
    "smooth": rs.curves.smooth_roc,
    "binormal fit": rs.curves.binormal_fit,
    "granular": rs.granular_roc,
    "granularity": rs.curves.granularity_profile,
    "steps": rs.curves.roc_walk,
    "calibration": rs.calibration_curve,
    "prevalence": rs.inference.prevalence_curve,
}
TODAY = {"moments": "normal", "n_points": "grid", "interval_method": "limits", "new_data": "external"}


@verb("curve")
def curve(table: Table, of: str, score: str = "a", label: str = "y", **words: Any) -> Any:
    if words.get("method") == "moments":
        words["method"] = "normal"
    if of in ("scored-roc", "granularity", "calibration"):
        words = {TODAY.get(name, name): each for name, each in words.items()}
    words = {name: list(each) if isinstance(each, tuple) else each for name, each in words.items()}
    return KINDS[of](table[label], table[score], **options(table, words))


@verb("decision curve")
def decision(
    table: Table, scores: tuple[str, ...], label: str = "y", interval_method: str = "wald", **words: Any
) -> Any:
    held = {name: table[name] for name in scores}
    words = {name: list(each) if isinstance(each, tuple) else each for name, each in words.items()}
    return rs.decision_curve(table[label], held, intervals=interval_method, **options(table, words))


@verb("band")
def band(table: Table, score: str = "a", label: str = "y", **words: Any) -> Any:
    how = {name: list(each) if isinstance(each, tuple) else each for name, each in options(table, words).items()}
    return rs.roc_band(table[label], table[score], **how)


@verb("adjusted curve")
def adjusted(table: Table, covariates: tuple[str, ...], score: str = "a", label: str = "y", **words: Any) -> Any:
    how = options(table, words)
    return rs.inference.adjusted_roc(table[label], table[score], {name: table[name] for name in covariates}, **how)


@verb("curve of given points")
def given_points(table: Table, fpr: tuple[float, ...], tpr: tuple[float, ...], then: str = "curve") -> Any:
    if then == "classifiers":
        named = {str(place): point for place, point in enumerate(zip(fpr, tpr, strict=True))}
        found = rs.curves.roc_points(named)
        return found.to_dict() | {"youden": found.youden_j}
    return rs.curves.roc_from_points(list(fpr), list(tpr))


@verb("crossings")
def crossings(table: Table, first: str = "a", second: str = "b", label: str = "y") -> Any:
    one, other = (rs.roc_curve(table[label], table[name]) for name in (first, second))
    dominates = [rs.curves.dominates(one, other), rs.curves.dominates(other, one)]
    return rs.curves.crossings(one, other).to_dict() | {"dominates": dominates}


@verb("simplified curve")
def simplified(table: Table, of: str = "roc", score: str = "a", label: str = "y", max_deviation: float = 0.01) -> Any:
    return rs.curves.thin_curve(KINDS[of](table[label], table[score]), max_deviation)


@verb("read from a curve")
def read_from(table: Table, of: str, at: tuple[float, ...], score: str = "a", label: str = "y") -> Any:
    """What curves answer about a point: cost at a share, areas beside the diagonal, the threshold that F needs."""
    found = KINDS[of](table[label], table[score])
    match of:
        case "cost":
            return {"cost": [found.cost_at(each) for each in at]}
        case "pr-gain":
            return {"threshold": [found.threshold_for_f(each) for each in at], "best_for_f": found.best_for_f}
    return {"areas": list(found.diagonal_areas)}


@verb("bounds of AUC")
def bounds(table: Table, low: str, high: str, label: str = "y", **words: Any) -> Any:
    return rs.interval_auc(table[label], table[low], table[high], **options(table, words))


@verb("calibration")
def calibration(table: Table, score: str = "a", label: str = "y", new_data: bool = True, **words: Any) -> Any:
    return rs.calibration.calibration_summary(table[label], table[score], external=new_data, **options(table, words))


@verb("calibration test")
def calibration_test(table: Table, of: str, score: str = "a", label: str = "y", **words: Any) -> Any:
    if of == "spiegelhalter":
        return rs.calibration.spiegelhalter_test(table[label], table[score], **options(table, words))
    words = {{"n_bins": "n_groups", "new_data": "external"}.get(name, name): each for name, each in words.items()}
    return rs.calibration.hosmer_lemeshow(table[label], table[score], **options(table, words))


@verb("decomposition")
def decomposition(table: Table, of: str, score: str = "a", label: str = "y", **words: Any) -> Any:
    own = {"brier_score": rs.calibration.brier_decomposition, "log_loss": rs.calibration.log_loss_decomposition}[of]
    found = own(table[label], table[score], **options(table, words))
    return found.to_dict() | {"reliability": found.reliability, "resolution": found.resolution}


@verb("smooth calibration error")
def smooth_error(table: Table, score: str = "a", label: str = "y", **words: Any) -> Any:
    return rs.calibration.smooth_calibration_error(table[label], table[score], **options(table, words))


@verb("reclassification")
def reclassification(table: Table, of: str, old: str = "b", new: str = "a", label: str = "y", **words: Any) -> Any:
    own = {"nri": rs.net_reclassification, "idi": rs.integrated_discrimination, "table": rs.reclassification}[of]
    if "new_data" in words:
        words["external"] = words.pop("new_data")
    return own(table[label], table[old], table[new], **options(table, words))


@verb("prevalence")
def prevalence(table: Table, split: int, score: str = "a", label: str = "y", **words: Any) -> Any:
    """The share of positives among rows without labels: those after the first ``split``."""
    y, s = table[label][:split], table[score][:split]
    return rs.calibration.estimate_prevalence(y, s, table[score][split:], **words)


@verb("probabilities elsewhere")
def elsewhere(table: Table, source: float, target: float, score: str = "a") -> Any:
    return {"estimate": rs.calibration.shift_prevalence(table[score], here=source, there=target)}
