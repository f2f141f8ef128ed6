"""What everything stands on: errors, words and numbers as text, exact sums, geometry, files written whole."""
