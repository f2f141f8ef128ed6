"""A page on this machine: drop a file, say what its columns are, read the decision."""
