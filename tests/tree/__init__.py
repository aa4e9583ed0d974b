"""Tests of the betting tree."""
