"""Marks tests that fail or are meaningless under a sanitizer."""

import os

import pytest

__all__ = ["not_sanitized"]


def not_sanitized(reason: str) -> pytest.MarkDecorator:
    """Skip a test under `scripts/sanitize`, and say why."""
    return pytest.mark.skipif("RIVERBOAT_SANITIZE" in os.environ, reason=f"sanitized: {reason}")
