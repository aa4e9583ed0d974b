"""Preflop charts."""
