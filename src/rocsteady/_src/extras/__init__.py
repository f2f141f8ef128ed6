"""The laboratory of measures, and learning by AUC."""
