"""Attacks: what strangers could send, and what must hold afterwards."""
