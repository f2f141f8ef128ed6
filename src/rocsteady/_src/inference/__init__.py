"""How sure one can be: units, intervals, bands, resampling, comparisons, power."""
