"""Hostile tests take long: what is `hostile` is `slow`, too."""

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark before pytest selects by marks."""
    for item in items:
        if item.get_closest_marker("hostile"):
            item.add_marker(pytest.mark.slow)
