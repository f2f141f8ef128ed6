"""Diagnostic studies: truth known of some rows only, and covariates that move scores."""
