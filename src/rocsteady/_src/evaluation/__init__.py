"""evaluate and the objects it returns."""
