"""What remarks say about cross-validation, more than two classes, and groups."""

from __future__ import annotations

from rocsteady._src.results.remarks.noun import Told

ONE_CLASS = "{lost:count} of {total:count} folds have one class and so no AUC: {named}"

FOLDS = {
    "one_class_folds": Told(
        ONE_CLASS + "; stratify the folds or make fewer, leave them out with {undefined='drop'}, or take "
        "{method='pooled'}",
        "Stratify the folds, make fewer, or judge the rows of all folds at once.",
        page=ONE_CLASS + "; stratify the folds or make fewer, leave them out, or take {method='pooled'}",
    ),
    "one_class_folds_dropped": Told(
        ONE_CLASS + "; left out of the mean, as asked for",
        "Nothing: it was asked for. Stratified folds lose none.",
    ),
    "single_row_of_fold": Told(
        "a fold has a single row of a class: how such rows spread is unknown, and the interval rests on a model",
        "Make fewer folds.",
    ),
    "fold_without_variance": Told(
        "a fold has a single row of a class, which has no variance of its own; make fewer folds, or use "
        "{method='auto'}",
        "Make fewer folds, or take the default method.",
    ),
    "no_log_odds": Told(
        "an AUC of 0 or 1 has no place on the log-odds scale, so there is no interval; use {method='auto'}",
        "Take the default method.",
    ),
    "folds_agree": Told(
        "the fold AUCs do not vary, which is not certainty: use {method='auto'}",
        "Take the default method.",
    ),
    "short_over_folds": Told(
        "{rows:count} rows in the smaller class and an AUC of {auc:number}: 95% intervals by {method} held it in less "
        "than 92% of such samples{ (docs/crossval.md)}; use {method='auto'}",
        "Take the default method.",
    ),
    "short_difference_over_folds": Told(
        "{rows:count} rows in the smaller class and an AUC of {auc:number}: 95% intervals by influence held less than "
        "92% of such differences{ (docs/crossval.md)}; {method='auto'} did better",
        "Take the default method.",
    ),
    "no_row_tells_apart": Told(
        "no row tells the models apart; no width is not certainty",
        "Do not read a width of zero as certainty.",
    ),
    "threshold_of_folds": Told(
        "the threshold was chosen on scores of all folds, which different models gave; a model trained anew on all "
        "rows may need another",
        "Choose the threshold of the final model on rows that it was not trained on.",
    ),
    "rows_repeated": Told(
        "{n:count} repeats: every row is counted {n:count} times, which rates do not mind",
        "Nothing: rates are the same.",
    ),
    "folds_come_again": Told(
        "folds come again {n:count} times in the same order, each time with as many rows of each class: if these are "
        "repeats, their folds are merged here and every row is counted {n:count} times; pass {repeat=} and {id=}",
        "Name the column of repeats, and that of rows, if the table holds repeats of a cross-validation.",
    ),
    "flat_places": Told(
        "at {n:count} of {total:count} places all folds have the same rate; no width there is not certainty",
        "Do not read a width of zero as certainty.",
    ),
    "subjects_in_folds": Told(
        "{n} subjects have rows in more than one fold of a repeat: their models had seen other rows of those they are "
        "tested on, which makes them look better; keep subjects together with GroupKFold",
        "Split by subject, with GroupKFold or StratifiedGroupKFold.",
    ),
}
CLASSES = {
    "few_of_ordered_class": Told(
        "the smallest class has {n:count} rows: below {enough} the variance itself is uncertain, and intervals are "
        "wider than they need be",
        "Take more rows of that class.",
    ),
    "no_spread_of_ordered": Told(
        "all or none of the rows stand in order, or a class has one row: nothing tells how the value would vary",
        "Take more rows.",
    ),
    "class_absent": Told(
        "no row is of class {classes}: it has no area, so neither has an average over all classes; average over the "
        "others with {absent='skip'}, or leave its column out",
        "Average over the classes that have rows, or leave the column of that class out.",
    ),
    "absent_skipped": Told(
        "no row is of class {classes}: averages are over the other {n:count}, as asked for",
        "Nothing: it was asked for. Such averages are not those of rows that have all classes.",
    ),
    "order_of_classes": Told(
        "{measure} takes the classes in the order {classes}, that of the alphabet",
        "If they have another order, such as low, medium, high, give them so with {classes=...}.",
    ),
    "columns_by_position": Told(
        "the columns of scores have no names and were taken as {classes}, the sorted labels; by its column class "
        "{worst} ranks worse than by chance, as where columns stand in another order: name it with {classes=...}",
        "Give the classes in the order of the columns, or columns with names.",
    ),
    "classes_chosen": Told(
        "averages are over {classes} of {n:count} classes, as asked for; accuracy, kappas, log loss and Brier score "
        "are not averages over classes and count all",
        "Nothing: it was asked for.",
    ),
    "class_absent_in_part": Told(
        "{part}: no row is of class {classes}: areas and recalls have no average over all classes there",
        "Average over the classes that have rows, merge the part with another, or stratify the folds.",
    ),
    "absent_skipped_in_part": Told(
        "{part}: no row is of class {classes}: averages there are over the others, as asked for",
        "Beware of comparing parts that average over different classes.",
    ),
    "few_of_class_in_fold": Told(
        "the smallest class has {rows:count} of the rows of a fold: 95% intervals of means over such folds held it "
        "in as few as 89% of samples",
        "Make fewer folds, or stratify them.",
    ),
    "few_of_label_in_fold": Told(
        "a label is had, or lacked, by {rows:count} of the rows of a fold: its numbers rest on few, "
        "and 95% intervals of means over such folds held the truth in as few as 92% of samples",
        "Make fewer folds, or stratify them by the rarest label.",
    ),
    "label_of_one_class_in_part": Told(
        "{part}: every row has the label, or none has: {labels}: there is no macro average there",
        "Skip such labels, merge the part with another, or stratify the folds.",
    ),
    "label_skipped_in_part": Told(
        "{part}: every row has the label, or none has: {labels}: averages there are over the others, as asked for",
        "Beware of comparing parts that average over different labels.",
    ),
    "label_skipped": Told(
        "every row has the label, or none has: {labels}; averages are over the others, as asked for",
        "Beware of comparing averages over different labels.",
    ),
    "labels_chosen": Told(
        "averages are over {labels} of {n:count} labels, as asked for",
        "Nothing: it was asked for.",
    ),
    "label_of_one_class": Told(
        "every row has the label, or none has: {labels}; without both there is no AUC, nor a macro average over it; "
        "leave the column out of labels and scores to average over the others",
        "Leave the column of that label out.",
    ),
    "scores_not_probabilities": Told(
        "the scores of a row do not sum to 1: areas of classes need no more than an order of the rows, but the micro "
        "average and the called class compare scores of different classes",
        "Pass probabilities, or do not read the micro average and the called classes.",
    ),
    "single_row_of_class": Told(
        "a class has a single row: how such rows spread is unknown, and the interval rests on a model",
        "Take more rows of that class.",
    ),
    "rows_all_agree": Told(
        "all rows agree ({name} {value:setting}): a width of zero is not certainty; use {method='auto'}",
        "Take the default method.",
    ),
    "few_misranked_on_average": Told(
        "about {n:digits2} rows of a class are misranked: where 1% to 5% of the rows of each class fail, 95% intervals "
        "of averages held the truth in 89% to 93% of samples",
        "Take more rows of each class, or read the intervals of single classes, which are wider where few rows fail.",
    ),
    "few_of_smallest_class": Told(
        "only {rows} rows in the smallest class: 95% intervals held the truth in fewer than 95% of such samples; use "
        "{method='auto'}",
        "Take the default method.",
    ),
    "few_for_p": Told(
        "only {rows} rows in the smallest class: p is approximate",
        "Only more rows help.",
    ),
    "few_of_label_for_p": Told(
        "only {rows:count} rows have the rarest label, or lack the commonest: tests of average precision at 5% found a "
        "difference in up to 6.9% of samples without one; they kept their level with {enough} or more",
        "Do not lean on a p just below the level, or compare AUCs, whose tests keep it.",
    ),
    "no_spread_of_classes": Told(
        "no spread, or fewer than two units in a class: the interval is undefined",
        "Take more rows of the smallest class.",
    ),
    "no_interval_of": Told(
        "no interval of the {what}: {why}",
        "See the reason.",
    ),
    "no_interval_of_more": Told(
        "no interval of {n:count} more, for such reasons",
        "See the reasons of the others.",
    ),
    "tied_calls": Told(
        "{n:count} {rows} several highest scores: the first of these classes was called",
        "Nothing, unless many rows are tied: then scores of more digits help.",
    ),
}
GROUPS = {
    "one_class_group": Told(
        "group {group}: {n_pos:count} positive, {n_neg:count} negative rows: not tested",
        "Merge the group with another, or take more rows.",
    ),
    "untested_group": Told(
        "group {group}: an AUC has no variance to test with (all pairs alike, or one row of a class)",
        "Merge the group with another, or take more rows.",
    ),
    "small_group": Told(
        "group {group}: fewer than {enough} rows of one class: values and intervals are rough, and tests find too many "
        "differences",
        "Merge the group with another, or take more rows.",
    ),
    "resampled_groups": Told(
        "the smallest class of a group has {rows:count} rows: p-values by {method}, adjusted over {tests:count} "
        "comparisons, found a difference in up to 14% of samples without one, where 5% were promised",
        "Merge small groups, or compare AUCs, or shares of rows by {method='mcnemar-exact'}: those tests hold.",
    ),
    "between_groups": Told(
        "AUC {whole:number} of all rows, {inside:number} within groups: part of the ranking is between groups, not "
        "within them",
        "Report the AUC within groups too.",
    ),
}
