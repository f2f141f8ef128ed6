"""The operating point: one rate where another is held, and thresholds that keep a promise on new rows."""
