"""What hostile tests share."""

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is `hostile` as `slow`, too, before pytest selects by marks."""
    for item in items:
        if item.get_closest_marker("hostile"):
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def quick_folder() -> Iterator[Path]:
    """A folder in memory where there is one: each text may be written to a file."""
    memory = Path("/dev/shm")  # noqa: S108 - a folder of its own within it
    with TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as folder:
        yield Path(folder)
