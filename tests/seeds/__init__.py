"""The seeds reproduced."""
