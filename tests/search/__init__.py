"""Tests of riverboat.evaluate."""
