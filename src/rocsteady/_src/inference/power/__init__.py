"""How many rows a comparison needs."""
