"""How sure: standard errors, intervals and bands of one model."""
