"""The variance of a mean of contributions by row, by weight or by subject."""
