"""Rows with a structure: classes, labels, folds."""
