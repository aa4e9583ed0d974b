"""Tests of jobs on workers and of what the machine has."""
