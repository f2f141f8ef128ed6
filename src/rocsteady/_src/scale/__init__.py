"""Sketches: counts of scores in cells, from which every number comes with a bound that holds."""
