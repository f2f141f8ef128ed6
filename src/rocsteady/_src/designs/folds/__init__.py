"""Cross-validation: AUC over folds, learners compared, fold curves averaged, fold counts added."""
