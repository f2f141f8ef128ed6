"""Classifiers of a selection experiment: by name or as scikit-learn estimators, checked before the work begins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, InputError, require, some_values
from rocsteady._src.base.text import format_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.extras.lab.selection_data import FeatureRows
    from rocsteady._src.measures.requests import Request

PURPOSE = "selecting models"
NAMES = ("tree", "logistic", "forest", "bayes", "knn")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A classifier, how its scores are read, the parameters that hold a seed, and whether fit goes on from before."""

    name: str
    estimator: Any
    response: str
    seeds: tuple[str, ...]
    keeps_learning: bool = False


def read_classifiers(classifiers: Any) -> list[Candidate]:
    """Names, an estimator, a sequence or a mapping of either."""
    if isinstance(classifiers, Mapping):
        named = [(str(name), _made(value)) for name, value in classifiers.items()]
    elif isinstance(classifiers, (list, tuple)):
        named = [(_name_of(value), _made(value)) for value in classifiers]
    else:
        named = [(_name_of(classifiers), _made(classifiers))]
    repeated = [name for place, (name, _) in enumerate(named) if name in dict(named[:place])]
    if repeated or not named:
        what = f"the same name twice: {some_values(repeated)}" if repeated else "none"
        raise ArgumentError(
            "classifiers", f"classifiers must be named apart, by a dict of name to estimator; got {what}"
        )
    return [_candidate(name, estimator) for name, estimator in named]


def _name_of(value: Any) -> str:
    return value if isinstance(value, str) else type(value).__name__


def _made(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if value not in NAMES:
        text = f"there is no classifier {value!r}; names: {', '.join(NAMES)}; or pass a scikit-learn estimator"
        raise ArgumentError("classifier_unknown", text)
    for part in ("tree", "linear_model", "ensemble", "naive_bayes", "neighbors", "pipeline", "preprocessing"):
        require(f"sklearn.{part}", extra="sklearn", purpose=PURPOSE)
    return _by_name(value)


def _by_name(name: str) -> Any:
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    made: dict[str, Any] = {
        # Leaves of one row would give scores of 0 and 1 only.
        "tree": lambda: DecisionTreeClassifier(min_samples_leaf=5),
        "logistic": lambda: make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
        "forest": RandomForestClassifier,
        "bayes": GaussianNB,
        "knn": lambda: make_pipeline(StandardScaler(), KNeighborsClassifier(15)),
    }
    return made[name]()


def _candidate(name: str, estimator: Any) -> Candidate:
    if isinstance(estimator, type) or not (hasattr(estimator, "fit") and hasattr(estimator, "get_params")):
        text = f"{name!r} is no scikit-learn classifier (a {type(estimator).__name__}); pass an instance with fit"
        raise ArgumentError("classifier", text)
    response = next((door for door in ("predict_proba", "decision_function") if hasattr(estimator, door)), None)
    if response is None:
        text = f"classifier {name!r} has neither predict_proba nor decision_function, so it gives no scores to rank"
        raise ArgumentError("classifier_scores", text)
    parameters = [(key, key.rpartition("__")[2], value) for key, value in estimator.get_params(deep=True).items()]
    seeds = tuple(key for key, last, _ in parameters if last == "random_state")
    warm = any(value for _, last, value in parameters if last == "warm_start")
    return Candidate(name, estimator, response, seeds, keeps_learning=bool(warm))


def refuse_scores_without_probabilities(candidates: Sequence[Candidate], requests: Sequence[Request]) -> None:
    """Measures of probabilities need classifiers that give them."""
    wanting = [request.column for request in requests if _needs_probabilities(request)]
    without = [candidate.name for candidate in candidates if candidate.response != "predict_proba"]
    if wanting and without:
        raise ArgumentError(
            "needs_probabilities",
            f"{some_values(wanting)} judge probabilities, and classifier {some_values(without)} has no predict_proba; "
            "leave the measures out or wrap it in sklearn.calibration.CalibratedClassifierCV",
        )


def _needs_probabilities(request: Request) -> bool:
    return request.sheet.family == "probability" or request.sheet.name == "prob_auc"


def refuse_gaps(candidates: Sequence[Candidate], rows: FeatureRows) -> None:
    """Name the columns with missing values to whom cannot take them; whether one can is seen by trying."""
    for candidate in candidates if rows.gaps else ():
        try:
            fresh_copy(candidate).fit(rows.features, rows.positive.astype(int))
        except (ValueError, TypeError) as error:
            columns = ", ".join(f"{name!r} ({format_count(count)})" for name, count in list(rows.gaps.items())[:10])
            raise InputError(
                "features_missing",
                f"missing values in column {columns}, which classifier {candidate.name!r} does not take; fill them in, "
                "or put sklearn.impute.SimpleImputer before it in a pipeline",
            ) from error


def fresh_copy(candidate: Candidate) -> Any:
    """The classifier as it was given, untrained."""
    from sklearn.base import clone

    return clone(candidate.estimator)
