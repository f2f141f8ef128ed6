"""Censored outcomes: labels that have a time, and rows that were watched for a while only."""
