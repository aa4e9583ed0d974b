"""Consoles for tests of commands."""

import pytest

from riverboat.cli._output import console, status


@pytest.fixture(autouse=True)
def width_of_the_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Consoles ask for their width, whatever `COLUMNS` was when they were made."""
    for each in (console, status):
        monkeypatch.setattr(each, "_width", None)
