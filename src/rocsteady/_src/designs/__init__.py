"""Rows with a structure: classes, folds."""
