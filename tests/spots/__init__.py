"""Tests of the spot solver."""
