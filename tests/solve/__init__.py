"""Tests of the CFR family."""
