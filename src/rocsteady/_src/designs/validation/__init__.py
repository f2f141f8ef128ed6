"""Internal validation: what a modelling procedure is worth on new rows, and results pooled over imputed data."""
