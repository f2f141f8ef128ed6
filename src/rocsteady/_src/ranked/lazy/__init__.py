"""Rows that stay in the engine that holds them; only counts leave it."""
