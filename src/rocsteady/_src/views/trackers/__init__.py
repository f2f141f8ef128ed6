"""Doors to trackers of experiments: numbers, pages and pictures of results in the form that each of them keeps."""
