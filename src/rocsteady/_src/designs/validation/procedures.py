"""A modelling procedure: an estimator that is cloned, or a function that fits; and the scores that it then gives."""

from __future__ import annotations

import inspect
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, require, some_values
from rocsteady._src.base.text import format_count
from rocsteady._src.inputs.estimators import RESPONSES, scores_of_class

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]
    Scores = NDArray[np.float64]

MOST_SEED, SEED = 2**31, "random_state"


def check_procedure(model: Any) -> None:
    """Refuse what can be neither cloned and fitted nor called."""
    if inspect.isclass(model) and hasattr(model, "fit"):
        raise ArgumentError("estimator", f"pass an estimator, not its class: {model.__name__}()")
    if hasattr(model, "fit"):
        require("sklearn.base", extra="sklearn", purpose="validation.optimism() of an estimator")
    elif not callable(model):
        told = some_values([model])
        raise ArgumentError("estimator", f"pass an estimator of scikit-learn, or a function fit(X, y), got {told}")


@dataclass(frozen=True, slots=True, eq=False)
class Procedure:
    """An estimator that was never fitted, with the names of seeds that it leaves open; or a function that fits."""

    model: Any
    opened: tuple[str, ...] = ()

    @classmethod
    def of(cls, model: Any) -> Procedure:
        """Cloned once: a copy of what was never fitted is a clone, without asking for its parameters each time."""
        check_procedure(model)
        if not hasattr(model, "fit"):
            return cls(model)
        from sklearn.base import clone

        made = clone(model)
        known = made.get_params(deep=True) if hasattr(made, "get_params") else {}
        return cls(made, tuple(name for name, value in known.items() if name.endswith(SEED) and value is None))

    def fitted(self, features: Any, labels: Array, rng: np.random.Generator) -> Any:
        """The model of these rows; seeds that an estimator leaves open are drawn from ``rng``."""
        if not hasattr(self.model, "fit"):
            return self.model(features, labels)
        made = deepcopy(self.model)
        seeds = {name: int(rng.integers(MOST_SEED)) for name in self.opened}
        if list(seeds) == [SEED]:
            setattr(made, SEED, seeds[SEED])
        elif seeds:
            made.set_params(**seeds)
        return made.fit(features, labels)


def scores_by(model: Any, features: Any, n_rows: int, pos_label: Any) -> Scores:
    """The score of the positive class of each row, by what a procedure made."""
    response = next((name for name in RESPONSES if hasattr(model, name)), None)
    if response is None and not callable(model):
        text = f"the fit gave {type(model).__name__}, which has no {' nor '.join(RESPONSES)} and is no function of X"
        raise ArgumentError("response", f"{text}; return such a model, or a function that scores rows")
    values = np.asarray(model(features) if response is None else getattr(model, response)(features), np.float64)
    if response is not None and (values.ndim == 2 or hasattr(model, "classes_")):
        values = _of_positive(values, model, pos_label)
    if values.shape != (n_rows,):
        text = f"the model gives scores of shape {values.shape} for {format_count(n_rows)} rows"
        raise InputError("scores_shape", f"{text}; one number per row is needed, of the positive class")
    if np.isnan(values).any():
        raise InputError("missing_values", f"the model gives no score for {format_count(np.isnan(values).sum())} rows")
    return values


def _of_positive(values: Scores, model: Any, pos_label: Any) -> Scores:
    classes = getattr(model, "classes_", None)
    if classes is None:
        raise ArgumentError("classes", f"{type(model).__name__} has no classes_, which say what its columns are")
    known = np.asarray(classes).tolist()
    if pos_label not in known or len(known) != 2:
        text = f"the model knows the classes {some_values(known)}, where {some_values([pos_label])} and one other are"
        raise InputError("class_not_trained", f"{text} needed: give the fit rows of both")
    return scores_of_class(values, known, pos_label)


def taken(features: Any, rows: NDArray[np.intp]) -> Any:
    """Some rows of an array, a table, a sparse matrix or a list."""
    if hasattr(features, "iloc"):
        return features.iloc[rows]
    if hasattr(features, "tocsr"):
        return features.tocsr()[rows]
    if hasattr(features, "take") and hasattr(features, "column_names"):
        return features.take(rows)
    if type(features) is np.ndarray:
        return features.take(rows, axis=0)  # five times as quick as indexing by rows
    return features[rows] if hasattr(features, "shape") else [features[row] for row in rows.tolist()]
