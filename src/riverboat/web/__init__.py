"""Web server: pages to play, study and solve, and an HTTP API for programs."""

from riverboat.web._app import make_app
from riverboat.web._guard import Access, hashed
from riverboat.web._house import House
from riverboat.web._serve import serve

__all__ = ["Access", "House", "hashed", "make_app", "serve"]
