"""A client of a server without a network."""

from fastapi.testclient import TestClient

from riverboat.web import Access, House, make_app

HOST = "localhost:8765"


def client_of(house: House, **access: object) -> TestClient:
    """Return a client of a new server; enter it to start the server."""
    settings = Access(hosts=frozenset({HOST}), **access)  # type: ignore[arg-type]
    return TestClient(make_app(house, settings), base_url=f"http://{HOST}")
