"""Names that R users type here, answered with those that they have here."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.unknown_options import CallError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Given = ParamSpec("Given")
Answer = TypeVar("Answer")
RESAMPLES = dict.fromkeys(("B", "R", "nboot", "n_iter", "reps", "times"), "n_resamples=")  # rms, boot, others
OF_632 = {
    **dict.fromkeys(("632", "0.632", ".632bootstrap", "boot632"), ".632"),
    **dict.fromkeys(("632+", "0.632+", "632plus", ".632plus"), ".632+"),
    **dict.fromkeys(("boot", "bootstrap", "optimism", "efron", "rms"), "harrell"),
}
PAIRS = "rs.validation.pool(list(zip(estimates, standard_errors)))"


def answers(names: Mapping[str, str]) -> Callable[[Callable[Given, Answer]], Callable[Given, Answer]]:
    """Refuse options by ``names`` of other programs with the ones that are meant."""

    def around(function: Callable[Given, Answer]) -> Callable[Given, Answer]:
        @functools.wraps(function)
        def answered(*args: Given.args, **kwargs: Given.kwargs) -> Answer:
            for name in kwargs:
                if name in names:
                    told = f"{function.__name__}() has no option {name!r}; did you mean {names[name]}?"
                    raise CallError("unknown_option", told)
            return function(*args, **kwargs)

        return answered

    return around


def takes_pairs(function: Callable[Given, Answer]) -> Callable[Given, Answer]:
    """Refuse estimates and their errors as two columns with the line that takes them."""

    @functools.wraps(function)
    def answered(*args: Given.args, **kwargs: Given.kwargs) -> Answer:
        if len(args) > 1:
            text = f"pool() takes one argument by position, of numbers a pair for each imputed data set: {PAIRS}"
            raise CallError("too_many_arguments", f"{text}; standard errors are the roots of mice's variances")
        return function(*args, **kwargs)

    return answered


def check_correction(method: str, choices: tuple[str, ...]) -> None:
    """Refuse a method that there is none of; a name from elsewhere is told with the one here."""
    meant = OF_632.get(method.lower().replace(" ", ""))
    if method not in choices:
        words = "{@method} must be one of {choices:list}, got {value!r}{meant}"
        told = "" if meant is None else f"; did you mean {meant!r}?"
        raise ArgumentError("method", Sentence(words, choices=choices, value=method, meant=told))
