"""Recipes: the seeds reproduced."""
