"""Tests of spots on a graphics card; those that need no card run everywhere."""
