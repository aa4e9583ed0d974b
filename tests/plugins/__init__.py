"""Tests of what other packages add."""
