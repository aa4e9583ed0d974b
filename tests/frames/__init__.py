"""Tests of results as tables."""
