"""Tests of card abstractions."""
