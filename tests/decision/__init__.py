"""Tests of one decision for all hands."""
