"""What remarks say about tests between models."""

from __future__ import annotations

from rocsteady._src.results.remarks.noun import Told

NAMED = "Take the method that is named, or more rows."
NOT_CERTAIN = "Do not read a width of zero as certainty: more rows may disagree."

TESTS = {
    "few_for_contrasts": Told(
        "{n:number} independent rows of the smaller class are few: below {enough} the covariance of AUCs is "
        "itself uncertain",
        "Take more rows of the smaller class, or compare two models at a time by the score test.",
    ),
    "bound_needs_rows": Told(
        "only about {n:digits2} rows are misranked, and the rows are not in memory: interval and p-value may be closer "
        "than those of the rows, whose bound holds for any distribution",
        "Compare the models on rows in memory.",
    ),
    "gate_few_differ": Told(
        "about {rows:digits2} rows carry the difference between the models: the bounds are as wide as so few tell",
        "Look at the rows that differ; more rows like them decide.",
    ),
    "gate_unchanged": Told(
        "predictions unchanged: no {what} differs on {rows:count} rows; a change in fewer than {share:share} of "
        "{whose} may go unnoticed",
        "If both columns come from one model there is nothing to decide; else more rows notice smaller shares.",
    ),
    "gate_unseen": Told(
        "the pass takes it that rows not seen change like those seen: if {share:share} of {whose} failed, which these "
        "rows may miss, {measure} would be off by up to {loss:digits2}, beyond the limit",
        "Take more rows, or a limit that allows for it, where a failure on a few rows is possible.",
    ),
    "gate_largest_loss": Told(
        "a log loss has no bound: it is taken that no row's changes by more than {most:digits3}, as probabilities "
        "between {low:digits2} and {high:digits2} do, which are those seen",
        "Clip the probabilities of both models to a range that is known; one that is close to 0 or 1 can cost more.",
    ),
    "gate_large_margin": Told(
        "a margin of {margin:setting} in {measure} lets nearly everything pass: is it meant in percent?",
        "Write the loss that would still do, such as 0.01 for one point of 100.",
    ),
    "gate_goal_turned": Told(
        "a {better} {measure} is better, and the goal asks for {asks}: a worse model passes it more easily",
        "Turn the sign of the goal, unless values that are too good are what it is to catch.",
    ),
    "gate_alike": Told(
        "no row tells the two models apart; as far as so many rows can show, their AUCs differ by less than "
        "{reach:digits2}",
        "If both columns are scores of the same model there is nothing to decide; else more rows tell more.",
    ),
    "delong_rejects": Told(
        "{rows:count} rows in the smaller class: DeLong's test rejects too often; {better}",
        NAMED,
    ),
    "delong_rejects_inside": Told(
        "{rows:digits3} rows inside the range of the partial area: DeLong's test rejects too often; {better}",
        NAMED,
    ),
    "delong_rejects_with_margin": Told(
        "{rows:count} rows in the smaller class and an AUC of {auc:number}: DeLong's test with a margin rejects too "
        "often; {better}",
        NAMED,
    ),
    "margin_rejects": Told(
        "{rows:count} rows in the smaller class and an AUC of {auc:number}: the margin is kept if the classes spread "
        "alike; if the smaller one spreads more, p may be {pvalue:p}, and such tests at 5% rejected in up to 14% of "
        "samples that they should not have",
        "Look whether positives and negatives spread alike; if not, take the larger p. More rows settle it.",
    ),
    "goal_rejects": Told(
        "{rows:count} rows in the smaller class and a goal of {goal:number}: p is that of classes as they spread here; "
        "if the smaller one spreads more, p may be {pvalue:p}, and such tests at 5% rejected in up to 10% of samples "
        "whose AUC was the goal",
        "Look whether positives and negatives spread alike; if not, take the larger p. More rows settle it.",
    ),
    "few_inside_both": Told(
        "{rows:digits2} rows expected inside the range of the partial area: 95% intervals of the difference held it in "
        "21% to 99% of such samples, and tests rejected in up to 8% with heavy ties; a wider range rests on more rows",
        "Take a wider range of the partial area, or more rows.",
    ),
    "bootstrap_rejects": Told(
        "{rows:count} rows in the smaller class and an AUC of {auc:number}: the bootstrap rejects too often, and its "
        "interval is too short; {better}",
        NAMED,
    ),
    "percentiles_leave_none": Told(
        "the interval leaves out 0 and the test does not reject: the interval is made of percentiles, the test of "
        "their standard deviation; where rows are few percentiles leave out 0 too often, so go by p",
        "Go by p, which kept its level where percentiles did not.",
    ),
    "percentiles_hold_none": Told(
        "the test rejects and the interval holds 0: the interval is made of percentiles, the test of their standard "
        "deviation; they differ this close to the level, so take neither as certain",
        "Take it as undecided; more rows, or more resamples, settle it.",
    ),
    "bootstrap_short": Told(
        "{rows:count} rows in the smaller class and an AUC of {auc:number}: the bootstrap rejects as it should, but "
        "its interval is too short; {better}",
        NAMED,
    ),
    "permutation_rejects": Told(
        "{rows:count} rows in the smaller class, an AUC of {auc:number} and tied scores: the permutation test rejects "
        "a little too often; {better}",
        NAMED,
    ),
    "joined_rejects": Told(
        "{rows:count} rows in the smaller class and an AUC of {auc:number}: joined intervals reject too often; "
        "{better}",
        NAMED,
    ),
    "omnibus_rejects": Told(
        "{rows:count} rows in the smaller class for {models:count} models: the test of all at once rejects too often; "
        "use {rs.compare_models(method='auto')}",
        NAMED,
    ),
    "omnibus_undefined": Told(
        "too few rows for {models:count} models: the test of all at once is undefined",
        "Compare fewer models at once, or take more rows.",
    ),
    "omnibus_certain": Told(
        "a difference does not vary in these rows; no width is not certainty: see the pairs",
        NOT_CERTAIN,
    ),
    "difference_unvarying": Told(
        "the difference does not vary in these rows; no width is not certainty: use {method='auto'}",
        "Take the default method.",
    ),
    "difference_no_variance": Told(
        "the variance of the difference is undefined: fewer than two independent units in a class",
        "Take more rows of the smaller class.",
    ),
    "models_alike": Told(
        "no row tells the models apart: the difference is 0, and its interval has no width",
        "Check that the two models are not the same.",
    ),
    "difference_none": Told(
        "the difference is 0 in every row: the interval has no width",
        "Nothing: the two models do not differ in these rows.",
    ),
    "monte_carlo_error": Told(
        "Monte Carlo error of p: {error:number}",
        "Ask for more resamples where p is close to what decides.",
    ),
    "permuted_with_delong": Told(
        "p by permutation; the interval is that of delong-t, and need not agree with p",
        "Report both with their methods.",
    ),
    "permuted_with_bootstrap": Told(
        "p by permutation; the interval is the bootstrap's, and need not agree with p",
        "Report both with their methods.",
    ),
    "maybe_nested": Told(
        "the two models' predictions correlate {r:number3}: if one is nested in the other and both were fitted on "
        "these rows, AUC tests hardly ever reject and NRI rejects too often; use the likelihood-ratio test of the fit, "
        "or new rows",
        "Test nested models where they were fitted by the likelihood ratio, or judge both on new rows.",
    ),
    "subjects_stay": Told(
        "{n:count} of {total:count} subjects have no partner with as many positives and negatives in the other sample "
        "and do not change places: the test is weaker for it",
        "Nothing: the test holds its level; take DeLong's test if power matters.",
    ),
    "costs_not_compared": Told(
        "costs are compared without intervals: rows that stay in an engine or a saved file do not tell which rows "
        "two models call differently",
        "Bring the rows into memory.",
    ),
    "splits_alike": Told(
        "the learners are alike in every split: the difference is 0, and its interval is undefined, since equal splits "
        "show no spread",
        "Check that the two learners are not the same.",
    ),
    "splits_agree": Told(
        "the difference is the same in every split: its interval and p are undefined, since equal splits show no "
        "spread",
        "Take more splits, or larger test parts.",
    ),
    "difference_same_by_row": Told(
        "the difference does not vary over these rows: its interval and p are undefined",
        "Take more rows, or the default method.",
    ),
    "splits_too_few": Told(
        "fewer than two splits have a difference: its interval and p are undefined",
        "Take more splits.",
    ),
    "too_few_groups": Told(
        "fewer than two groups have an AUC with a variance above 0",
        "Merge groups, or take more rows of each.",
    ),
    "groups_left_out": Told(
        "{n:count} of {total:count} groups have no AUC with a variance above 0 and are left out",
        "Merge groups, or take more rows of each.",
    ),
    "outcomes_alike": Told(
        "both have the same rows right: p is 1, and the interval holds the differences that so few rows leave open",
        "Check that the two models are not the same; more rows make the interval shorter.",
    ),
    "outcome_interval_disagrees": Told(
        "the test ({method}) and the interval ({interval}) are made in different ways and disagree about no difference "
        "this close to the level: take neither as certain",
        "Take it as undecided, or say before you look which of the two decides.",
    ),
    "relative_value_undefined": Told(
        "the relative {value} is undefined: a model calls no row so, or none of them rightly",
        "Take a threshold that calls some rows of each kind.",
    ),
    "relative_value_few": Told(
        "few calls of a model are right, or few are wrong (the fewest: {rows:count}): the interval of the relative "
        "{value} puts together Wilson's limits of its parts",
        "Take more rows: the interval is wide where so few decide it.",
    ),
}
