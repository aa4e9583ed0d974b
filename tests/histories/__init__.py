"""Tests of the hand histories."""
