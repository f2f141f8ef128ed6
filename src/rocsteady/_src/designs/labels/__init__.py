"""Several labels of a row, each there or not."""
