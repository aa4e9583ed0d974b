"""The ASGI application: its state, the pages, version 1 of the API, and sockets."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from anyio import to_thread
from fastapi import APIRouter, FastAPI
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response

from riverboat import __version__
from riverboat.errors import DamagedFileError, RiverboatError, in_words
from riverboat.learn import History
from riverboat.web._answers import describe, handle_errors
from riverboat.web._files_02 import convert_jobs
from riverboat.web._guard import Access, Guard
from riverboat.web._luck import Luck
from riverboat.web._luck_file import LuckFile
from riverboat.web._matches import Matches
from riverboat.web._reviews import Reviews
from riverboat.web._routes import ROUTES
from riverboat.web._sessions import Sessions
from riverboat.web._shelf import Shelf
from riverboat.web._solves import Solves
from riverboat.web._tables import Tables
from riverboat.web._turns import Searches
from riverboat.web._work import RequestWork

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from riverboat.web._house import House
    from riverboat.web._table import Table


#: Each page also needs a module in `router.js` and a link in `index.html`.
PAGES: Final = (
    *("home", "play", "sessions", "study", "solve", "matches"),
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


class Parts:
    """The state that the routes share."""

    def __init__(self, house: House, access: Access) -> None:
        self.house, self.access = house, access
        self.shelf = Shelf((*house.folders, house.room("solves")))
        self.searches = Searches()
        self.work = RequestWork()
        #: Checking whether a tree is too large takes seconds and gigabytes: one at a time.
        self.trees = RequestWork(at_once=1, seconds=60.0)
        self.tables = Tables(house, self.searches, self.shelf)
        scores = LuckFile(house.room("luck"))
        self.sessions = Sessions(house.room("tables"), scores)
        self.luck = Luck(house.room("luck"), self.shelf, self.sessions, scores)
        self.matches = Matches(house.room("matches"), self.shelf)
        self.solves = Solves(house, self.searches)
        self.reviews = Reviews(house.room("reviews"), self.shelf)
        self.jobs = self.matches, self.solves, self.reviews, self.luck

    def begin(self) -> None:
        """Restore what earlier servers left; damaged files are set aside."""
        convert_jobs(self.house)
        self.tables.restore()
        for jobs in self.jobs:
            jobs.restore(self.house.set_aside)
        self._check_answers()

    def history(self) -> History:
        """Open the answers of the trainer."""
        return History(self.house.room("drill") / "drill.sqlite3", self.house.data)

    def _check_answers(self) -> None:
        """Set the trainer's file aside if it is damaged."""
        path = self.house.room("drill") / "drill.sqlite3"
        if not path.exists():
            return
        try:
            notice = self.history().notice
        except RiverboatError as error:
            if isinstance(error.__cause__, DamagedFileError):  # not a newer version
                self.house.set_aside(path, in_words(error))
        else:
            if notice:
                self.house.tell(notice)

    def end_requests(self) -> None:
        """End the work of requests. Signal handlers may call it."""
        self.work.end()
        self.trees.end()

    def end(self) -> None:
        """Save everything for the next server."""
        self.tables.suspend()
        for jobs in self.jobs:
            jobs.end()

    def seat(self, number: str) -> tuple[Table, int]:
        """Return the table and the chair of an id."""
        try:
            return self.tables.seat(number)
        except KeyError:
            raise HTTPException(404, f"there is no table {number[:40]!r}") from None


def make_app(house: House, access: Access) -> FastAPI:
    """Return the server as an ASGI application."""
    parts = Parts(house, access)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        parts.begin()
        tidy = asyncio.create_task(parts.tables.tidy())
        yield
        tidy.cancel()
        await to_thread.run_sync(parts.end)

    app = FastAPI(
        title="Riverboat",
        version="1",
        description=f"Riverboat {__version__}: play, study and solve poker.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
    )
    app.state.parts = parts
    handle_errors(app)
    subjects = [routes(parts) for routes in ROUTES]
    describe(app, [kind for routes in subjects for kind in routes.kinds])
    for routes in subjects:
        app.include_router(routes.router, prefix="/api/v1")
    app.include_router(_page_routes())
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    app.add_middleware(Guard, access=access, invited=parts.tables.invited)
    return app


def _page_routes() -> APIRouter:
    """Return the routes of pages and their files."""
    routes = APIRouter(include_in_schema=False)
    folder = files("riverboat.web") / "pages"
    names = {each.name for each in folder.iterdir() if PurePath(each.name).suffix in _KINDS}

    @routes.get("/")
    @routes.get("/{name}")
    async def page(name: str = "home") -> Response:
        """Return the document of all pages; its scripts draw the page of the address."""
        content, code = (folder / "index.html").read_bytes(), 200 if name in PAGES else 404
        return Response(content, code, media_type=_KINDS[".html"])

    @routes.get("/static/{name}")
    async def static(name: str) -> Response:
        """Return a script, a style sheet or an image."""
        if name not in names:  # never a path, and no name that the system refuses
            raise HTTPException(404, f"there is no file {name[:40]!r}")
        kind = _KINDS["." + name.rpartition(".")[2]]
        content = (folder / name).read_bytes()
        return Response(content, media_type=kind, headers={"cache-control": "no-cache"})

    return routes
