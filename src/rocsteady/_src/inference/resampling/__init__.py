"""Draws of the rows and what measures make of them."""
