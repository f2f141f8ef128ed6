"""Rows that arrive day by day, judged against a reference at every look."""
