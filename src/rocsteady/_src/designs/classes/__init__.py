"""More than two classes: one column of scores per class."""
