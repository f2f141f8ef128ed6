"""Scores as probabilities: calibration, reclassification, decisions."""
