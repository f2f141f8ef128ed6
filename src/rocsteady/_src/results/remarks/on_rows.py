"""What remarks say about rows, labels, scores and weights, and about sketches of them."""

from __future__ import annotations

from rocsteady._src.results.remarks.noun import Told

ROWS = {
    "weights_assumed": Told(
        "weights taken as sampling weights; pass {weight_type='frequency'} if they count repeated rows",
        "Say how weights are to be read: sampling weights stand for other rows, frequency weights count equal ones.",
        page="weights were taken as sampling weights, which stand for other rows, and not as counts of equal rows",
    ),
    "infinite_scores": Told(
        "some scores are infinite: they rank above or below all finite ones",
        "Check where infinite scores come from; ranking measures take them, probabilities are never infinite.",
    ),
    "two_distinct_scores": Told(
        "2 distinct scores: these look like predicted labels, whose AUC equals the balanced accuracy; "
        "pass probabilities or decision values to judge the ranking",
        "Pass what `predict_proba` or `decision_function` returns, not what `predict` returns.",
    ),
    "no_range": Told(
        "all scores are equal: their range is 0, and what is divided by it is 0 by definition",
        "Look for what made the scores equal; mm1_auc, mm4_auc, mm6_auc and mm7_auc say nothing about such rows.",
    ),
    "near_ties": Told(
        "{pairs:digits3} of the opposite-class pairs differ by {ulps} ulp or less; they count as different "
        "(AUC {auc:digits6}); tied, AUC would be {tied:digits6}",
        "If the last bits of the scores are noise, round the scores before ranking them.",
    ),
    "rows_may_be_known": Told(
        "if a model was fitted on some of these rows, its values are too good; whether it was cannot be seen",
        "Evaluate rows that no model was fitted on, or cross-validate with `rs.crossval_evaluate_estimators`.",
    ),
    "below_chance": Told(
        "AUC {auc:number} is below 0.5: if low scores mean positive, negate them (AUC {negated:number})",
        "Check the positive label and the direction of the scores; nothing is turned round by itself.",
    ),
    "repeated_ids": Told(
        "{n:count} rows repeat an id of column {column!r}: rows are not independent",
        "Name the column of subjects as clusters, so that intervals count subjects and not rows.",
    ),
    "emerging": Told(
        "emerging, not yet accepted by the field: {measures:list}",
        "Report an accepted measure beside them.",
    ),
    "partial_area": Told(
        "{measure}: a perfect ranking has {most:setting}, chance {chance:setting}; standardised they have 1 and 0.5",
        "Read the area against these, or ask for the standardised one.",
    ),
    "grouped_by_engine": Told(
        "rows were grouped by {engine}, and at most {most:count} groups per model brought into memory",
        "Nothing: it tells where the work was done.",
    ),
    "rounded_down": Told(
        "more different scores than memory holds: they were rounded down to steps of {step}, at most {most:count} of a "
        "model; counts, rates and costs at the thresholds shown are exact, and what goes by the size of scores or by "
        "their order within a step is that of the rounded ones",
        "Raise the memory, or ask evaluate, whose brackets hold the values of the scores themselves.",
    ),
    "lines_of_rows": Told(
        "{rows:count} rows were counted by their engine as {lines:count} different lines: numbers of rows below are "
        "lines, and how often each occurs is its frequency weight",
        "Nothing: intervals and tests are those of the rows.",
    ),
    "summed_by_engine": Told(
        "more different scores than memory holds: ranks and sums were made by the engine, exact to the last row",
        "Nothing: it tells where the work was done.",
    ),
    "bracketed_by_itself": Told(
        "more different scores than memory holds: rows were counted in cells, and every value lies between its bounds; "
        "exact AUCs with their intervals take longer",
        "Nothing, if the digits suffice; else ask for exact values of the auc, or allow more memory.",
    ),
    "route": Told(
        "about {n:count} rows by estimate{way}",
        "Nothing: it tells where the work was done; allow more memory if there is more.",
    ),
    "undefined": Told(
        "{explanation}",
        "See the reason: on these rows the value has no meaning, and it is NaN.",
    ),
    "dong2013": Told(
        "definition 'dong2013' is not monotone in delta, depends on the class ratio and on the order of tied rows, and "
        "is no confidence band; {definition='consistent'} has none of these faults",
        "Take the default definition, unless the paper's own numbers are wanted.",
    ),
}
SKETCHES = {
    "outside_range": Told(
        "{n:count} of {total:count} rows lie outside the range: told apart only as below or above",
        "Give the sketch a range that holds all scores.",
    ),
    "crowded_cells": Told(
        "half of the rows crowd in {cells:count} of the steps of the range: the AUC is known to {width:number} only",
        "Count logits with a range of theirs, take more bits, or refine, which chooses cells from the data.",
    ),
    "width_not_met": Told(
        "the AUC is known to {width:number}, and {asked:setting} was asked for: cells and passes allow no more",
        "Allow more cells or passes, or rank the rows exactly.",
    ),
    "may_be_undefined": Told(
        "may be undefined (0/0) on these rows: which rows of the threshold's own cell are called positive is open",
        "Take a threshold between two cells, or more cells.",
    ),
}
