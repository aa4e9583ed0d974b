"""Tests of jobs and trainings on the nodes of a Ray cluster."""
