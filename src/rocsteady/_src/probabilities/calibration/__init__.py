"""Are the scores probabilities that can be believed? Curves, decompositions, tests and their uncertainty."""
