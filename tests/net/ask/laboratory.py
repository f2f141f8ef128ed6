"""Questions to the laboratory of measures, and to models that are trained for a measure."""

from __future__ import annotations

from typing import Any

import numpy as np

import rocsteady as rs

from .words import matrix, measure, measures, options, verb

Table = dict[str, Any]
SETS = "1.0p 0.9p 0.7p 0.4n 0.2n 0.0n\n0.9p 0.8n 0.6p 0.5n 0.3n\n0.95p 0.75p 0.6n 0.55p 0.2n 0.1n"


def _sets(words: dict[str, Any]) -> Any:
    """The three sets, with the steps that make many of each."""
    how: dict[str, Any] = {
        name: words.pop(name) for name in ("margin_steps", "range_steps", "distribution", "noise") if name in words
    }
    how |= {"seed": words.pop("seed")} if "seed" in words else {}
    source = rs.lab.parse_sets(SETS)
    return rs.lab.generate(source, **how) if how else source


@verb("errors of measures")
def errors(table: Table, of: tuple[str, ...], by: str | None = None, **words: Any) -> Any:
    """How often a correctly ranked set is valued below an incorrectly ranked one."""
    found = rs.lab.count_errors(_sets(words), measures(of), **words)
    held = {"n_sets": found.n_sets, "n_correct": found.n_correct}
    if by is not None:
        broken = found.breakdown(by)
        return held | {
            "errors": {name: list(each) for name, each in zip(broken.measures, np.asarray(broken.errors), strict=True)}
        }
    return held | {"errors": {row.measure: row.errors for row in found.rows}}


@verb("errors of order")
def order_errors(table: Table, of: tuple[str, ...], **words: Any) -> Any:
    return rs.lab.count_order_errors(_sets(words), measures(of), **words)


@verb("values of sets")
def values(table: Table, of: tuple[str, ...], **words: Any) -> Any:
    return rs.lab.set_values(_sets(words), measures(of)).to_dict()


@verb("sweep of a parameter")
def sweep(table: Table, of: str, grid: dict[str, tuple[float, ...]], **words: Any) -> Any:
    found = rs.lab.sweep(_sets(words), measure(of), **words, **{name: list(each) for name, each in grid.items()})
    return {"errors": found.errors, "n_sets": found.n_sets, "n_correct": found.n_correct}


@verb("labellings")
def labellings(table: Table, size: int, n: int, seed: int) -> Any:
    return {"labellings": rs.lab.sample_labellings(size, n, seed=seed).astype(int)}


@verb("functions of a difference")
def functions(table: Table, **words: Any) -> Any:
    found = rs.lab.difference_functions(**{"n" if name == "n_points" else name: each for name, each in words.items()})
    return {"d": found.d, **found.values}


@verb("binormal simulation")
def simulation(table: Table, **words: Any) -> Any:
    return rs.lab.simulate_binormal(**{{"seed": "random_state"}.get(name, name): each for name, each in words.items()})


@verb("selection of models")
def selection(table: Table, splits: int, bootstraps: int, of: tuple[str, ...], **words: Any) -> Any:
    x = matrix(table, ("x1", "x2", "x3"))
    how = {{"seed": "random_state"}.get(name, name): each for name, each in words.items()}
    classifiers = list(how.pop("classifiers", ("tree",)))
    given = {"n_splits": splits, "n_bootstraps": bootstraps, "progress": False, "n_jobs": 1}
    found = rs.lab.select_models((x, table["y"]), classifiers, measures(of), **given, **how)
    held = found.to_dict()
    return {name: each for name, each in held.items() if name not in ("data", "classifiers")}


@verb("corrected test")
def corrected(table: Table, differences: tuple[float, ...], n_train: int, n_test: int, **words: Any) -> Any:
    return rs.lab.corrected_test(list(differences), n_train=n_train, n_test=n_test, **words)


@verb("example")
def example(table: Table, of: str, **words: Any) -> Any:
    """Sums over the columns of example data, which show that they are the same."""
    match of:
        case "loans":
            made = rs.examples.loans(**words)
            return {name: float(np.sum(made[name])) for name in made if np.asarray(made[name]).dtype.kind in "biuf"}
        case "credit":
            x, y = rs.examples.credit(**words)
            return {"x": np.sum(x, axis=0), "y": int(np.sum(y))}
        case "binormal":
            y, s = rs.examples.binormal(words["n"], np.random.default_rng(words["seed"]))
            return {"y": int(np.sum(y)), "s": float(np.sum(s))}
    return {str(name): [float(np.sum(y)), float(np.sum(s))] for name, (y, s) in rs.examples.score_sets().items()}


@verb("loss over pairs")
def loss(table: Table, score: str = "a", label: str = "y", **words: Any) -> Any:
    found, gradient = rs.learning.pairwise_loss_and_gradient(table[score], table[label], **options(table, words))
    return {"loss": float(found), "gradient": gradient}


@verb("objective of boosting")
def objective(table: Table, library: str, score: str = "a", **words: Any) -> Any:
    """The gradient and the curvature that a booster is handed."""
    if library == "lightgbm":
        own = rs.learning.lightgbm_objective(**words)
        gradient, curvature = own(table["y"].astype(float), table[score])
    else:
        own = rs.learning.xgboost_objective(**words)
        gradient, curvature = own(table["y"].astype(float), table[score])
    return {"gradient": gradient, "curvature": curvature}


@verb("classifier")
def classifier(table: Table, weight: str | None = None, **words: Any) -> Any:
    """A linear model that is trained for the AUC."""
    x = matrix(table, ("x1", "x2", "x3"))
    fitted = rs.learning.AUCClassifier(**words, random_state=0).fit(
        x, table["y"], **({"sample_weight": table[weight]} if weight else {})
    )
    return {"weights": fitted.coef_, "intercept": fitted.intercept_, "probability": fitted.predict_proba(x)[:8, 1]}
