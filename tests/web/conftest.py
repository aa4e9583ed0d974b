"""A server without a network for each test that asks for one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="pages need riverboat[web]")
pytest.importorskip("httpx2", reason="tests of pages need httpx2")

from fastapi.testclient import TestClient

from riverboat.web import House
from web_client import client_of


@pytest.fixture
def house(tmp_path: Path) -> House:
    """Where the server of a test keeps things."""
    return House(tmp_path / "data")


@pytest.fixture
def client(house: House) -> Iterator[TestClient]:
    """A client of a running server."""
    with client_of(house) as found:
        yield found
