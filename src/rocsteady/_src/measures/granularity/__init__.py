"""Granularity: what is left of a ROC curve when scores closer than delta cannot be told apart."""
