"""Several models of more than two classes, by themselves, in groups and in folds."""
