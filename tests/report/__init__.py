"""Tests of reports: words, templates, writers."""
