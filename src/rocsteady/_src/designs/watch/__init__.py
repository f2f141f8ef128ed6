"""Rows by the day they were scored: levels and changes that may be looked at every day, labels that come late."""
