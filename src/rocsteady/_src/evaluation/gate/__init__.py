"""The gate: may a candidate replace a baseline? Conditions, evidence for each, and one decision."""
