"""Tests of spots."""
