"""The pages: one document, its scripts and its styles."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.responses import Response

#: A page is a name here, a module of `pages` in `router.js`, and a link in `index.html`.
PAGES: Final = (
    *("play", "study", "solve", "matches"),
    *("review", "trainer", "charts", "watch"),
    "docs",
)
_KINDS: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
}


def page_routes() -> APIRouter:
    """Return the routes of pages and their files."""
    routes = APIRouter(include_in_schema=False)
    folder = files("riverboat.web") / "pages"

    @routes.get("/")
    @routes.get("/{name}")
    async def page(name: str = "play") -> Response:
        """A page: all of them are one document, and the address says what it shows."""
        if name not in PAGES:
            raise HTTPException(
                404, f"there is no page {name[:40]!r}: pages are {', '.join(PAGES)}"
            )
        return Response((folder / "index.html").read_bytes(), media_type=_KINDS[".html"])

    @routes.get("/static/{name}")
    async def static(name: str) -> Response:
        """A script, a style or a picture."""
        found = folder / name
        kind = _KINDS.get("." + name.rpartition(".")[2])
        if kind is None or "/" in name or not found.is_file():
            raise HTTPException(404, f"there is no file {name[:40]!r}")
        return Response(found.read_bytes(), media_type=kind, headers={"cache-control": "no-cache"})

    return routes
