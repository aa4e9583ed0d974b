"""Means with intervals."""
