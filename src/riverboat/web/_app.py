"""The server put together: pages, the API of version 1, sockets."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from anyio import to_thread
from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

from riverboat import __version__
from riverboat.web._answers import describe, tell_errors
from riverboat.web._guard import Access, Guard
from riverboat.web._pages import page_routes
from riverboat.web._parts import Parts
from riverboat.web._routes import ROUTES

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from riverboat.web._house import House


def make_app(house: House, access: Access) -> FastAPI:
    """Return the server as an ASGI application."""
    parts = Parts(house)

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
        description=f"Riverboat {__version__}: play, study and solve hold'em.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
    )
    tell_errors(app)
    routers = [routes(parts) for routes in ROUTES]
    describe(app, routers)
    for router in routers:
        app.include_router(router, prefix="/api/v1")
    app.include_router(page_routes())
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    app.add_middleware(Guard, access=access)
    return app
