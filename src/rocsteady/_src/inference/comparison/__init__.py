"""Tests between models."""
