"""Tables of the sources, computed again with the package's public functions; each is run by ``python -m``."""
