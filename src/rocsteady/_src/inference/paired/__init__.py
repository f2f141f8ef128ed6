"""Two or more models on the same rows, each row right or wrong: tests, intervals, relative predictive values."""
