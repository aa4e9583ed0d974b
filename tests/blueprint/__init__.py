"""Tests of strategy files and of the tools on them."""
