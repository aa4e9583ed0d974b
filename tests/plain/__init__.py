"""Tests of riverboat.plain."""
