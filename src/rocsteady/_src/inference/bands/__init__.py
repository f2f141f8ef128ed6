"""Bands around curves, and smooth curves."""
