"""Fuzzers: random cases by number, each checked against a slow exact answer or for a well-worded refusal.

``python -m fuzz --seconds 60 --seed 1`` runs all families in turn; ``python -m fuzz hostile 123`` repeats one case.
"""
