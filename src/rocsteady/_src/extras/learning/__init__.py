"""Learning by AUC: train for the order of positives and negatives, without touching P*N pairs."""
