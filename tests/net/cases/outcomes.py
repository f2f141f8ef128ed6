"""Right and wrong on the same rows: McNemar and its like, Cochran's Q, and graded answers of language models."""

from __future__ import annotations

from ..case import Case, cases, each

LINE = "inference/compare_outcomes"
METHODS = each("mcnemar-exact", "mcnemar-mid-p", "mcnemar", "mcnemar-corrected", "tango")
CASES: list[Case] = [
    *cases(
        "difference of right and wrong",
        "answers",
        LINE,
        models=("a", "b"),
        method=METHODS,
        interval_method=each("tango", "newcombe", "wald"),
    ),
    *cases(
        "difference of right and wrong",
        "answers",
        LINE,
        models=("a", "b"),
        method=METHODS,
        alternative=each("greater", "less"),
    ),
    *cases(
        "difference of right and wrong",
        "answers",
        LINE,
        models=("a", "b"),
        alternative=each("non-inferiority", "superiority", "equivalence"),
        margin=each(0.05, 0.2),
    ),
    *cases(
        "difference of right and wrong",
        "answers",
        LINE,
        models=("a", "b"),
        method=each("mcnemar-exact", "mcnemar", "tango"),
        cluster="cluster",
        level=each(None, 0.9),
    ),
    *cases("difference of right and wrong", "answers", LINE, models=("a", "a")),
    *cases("difference of right and wrong", "answers", LINE, models=("a", "b", "d"), method=METHODS),
    *cases("difference of right and wrong", "answers", LINE, models=("a", "b", "d"), baseline="b"),
    *cases("difference of right and wrong", "answers", LINE, models=("a", "b", "d"), cluster="cluster"),
    *cases(
        "answers of a language model",
        "answers",
        "trackers/read_lm_eval",
        "trackers/Answers",
        reader="lm_eval",
        unmatched="drop",
        metric={"sums": "acc", "products": "acc_norm"},
        filter="flexible-extract",
    ),
    *cases(
        "answers of a language model",
        "answers",
        "trackers/read_inspect",
        reader="inspect",
        scorer="match",
        unmatched=each(None, "drop"),
        partial=each("correct", "incorrect"),
    ),
    *cases("answers of a language model", "answers", "trackers/read_evaluate", reader="predictions"),
]
