"""A server without a network for each test that asks for one."""

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

    from riverboat.web import House

# What `make test-browser` brings.
if any(importlib.util.find_spec(name) is None for name in ("fastapi", "httpx2")):
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture
def house(tmp_path: Path) -> "House":
    """Where the server of a test keeps things."""
    from riverboat.web import House  # noqa: PLC0415 - an extra

    return House(tmp_path / "data")


@pytest.fixture
def client(house: "House") -> Iterator["TestClient"]:
    """A client of a running server."""
    from web_client import client_of  # noqa: PLC0415 - needs the extra

    with client_of(house) as found:
        yield found
