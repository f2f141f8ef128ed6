"""Several models of several labels, by themselves, in groups and in folds."""
