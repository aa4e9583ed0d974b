"""Requests as msgspec types in, answers as msgspec types out; what is wrong gets a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec
from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from riverboat.errors import RiverboatError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from fastapi import APIRouter, FastAPI

T = TypeVar("T", bound=msgspec.Struct)


class Problem(msgspec.Struct, frozen=True):
    """Why there is no answer."""

    error: str
    """A sentence that names the bad value and what is allowed."""


def asked(kind: type[T]) -> Callable[..., Awaitable[T]]:
    """Return a dependency that reads a request's body."""
    decoder = msgspec.json.Decoder(kind, strict=False)

    async def read(request: Request) -> T:
        try:
            return decoder.decode(await request.body())
        except ClientDisconnect:
            raise HTTPException(413, "the request is larger than may be sent") from None
        except RecursionError:
            raise HTTPException(422, "the request is nested too deeply") from None
        except ValueError as error:
            allowed = ", ".join(kind.__struct_encode_fields__)
            fields = f"; fields are {allowed}" if "field `" in str(error) else ""
            raise HTTPException(422, f"{error}{fields}") from error

    read.__annotations__["request"] = Request
    _bodies[read] = kind
    return read


def answer(value: Any, code: int = 200) -> Response:
    """Return a struct, or a list of them, as JSON."""
    return Response(encoded(value), code, media_type="application/json")


def encoded(value: Any) -> bytes:
    """Return JSON; bytes of file names that are no UTF-8 are written as the commands do."""
    try:
        return _ENCODER.encode(value)
    except UnicodeEncodeError:
        return _ENCODER.encode(_shown(msgspec.to_builtins(value)))


def _shown(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode(errors="backslashreplace").decode()
    if isinstance(value, dict):
        return {_shown(key): _shown(each) for key, each in value.items()}
    return [_shown(each) for each in value] if isinstance(value, list | tuple) else value


_ENCODER = msgspec.json.Encoder()


def documented(
    kind: type[msgspec.Struct], *, many: bool = False
) -> dict[int | str, dict[str, Any]]:
    """Return what a route's page says of its answer."""
    found = _content(kind)
    if many:
        found = {"application/json": {"schema": {"type": "array", "items": _reference(kind)}}}
    wrong = {"description": "Refused, with a sentence", "content": _content(Problem)}
    return {200: {"description": "Answer", "content": found}, 400: wrong, 404: wrong}


def describe(app: FastAPI, routers: Sequence[APIRouter]) -> None:
    """Have the server describe its API by the structs that it reads and writes."""
    for router in routers:
        for route in (each for each in router.routes if isinstance(each, APIRoute)):
            for dependency in route.dependant.dependencies:
                if (kind := _bodies.get(dependency.call)) is not None:
                    body = {"required": True, "content": _content(kind)}
                    route.openapi_extra = {"requestBody": body}
    whole = app.openapi

    def openapi() -> dict[str, Any]:
        found = whole()
        _, schemas = msgspec.json.schema_components(_kinds, ref_template=f"{_PLACE}{{name}}")
        parts = found.get("components", {})
        return found | {"components": {"schemas": parts.get("schemas", {}) | schemas}}

    app.openapi = openapi  # type: ignore[method-assign]


def _content(kind: type[msgspec.Struct]) -> dict[str, Any]:
    return {"application/json": {"schema": _reference(kind)}}


def _reference(kind: type[msgspec.Struct]) -> dict[str, str]:
    _kinds[kind] = None
    return {"$ref": f"{_PLACE}{kind.__name__}"}


_PLACE: Final = "#/components/schemas/"
#: Types that the API's description has, and those of bodies by what reads them.
_kinds: Final[dict[type[msgspec.Struct], None]] = {}
_bodies: Final[dict[Any, type[msgspec.Struct]]] = {}


def tell_errors(app: FastAPI) -> None:
    """Have every error answered by a sentence."""

    async def refused(_: Request, error: Exception) -> Response:
        return answer(Problem(str(error)), 400)

    async def unread(_: Request, error: Exception) -> Response:
        return answer(Problem(_said(error)), 422)

    async def missing(_: Request, error: Exception) -> Response:
        if not isinstance(error, HTTPException):
            raise error
        return answer(Problem(str(error.detail)), error.status_code)

    app.add_exception_handler(RiverboatError, refused)
    app.add_exception_handler(msgspec.ValidationError, refused)
    app.add_exception_handler(RequestValidationError, unread)
    app.add_exception_handler(HTTPException, missing)


def _said(error: Exception) -> str:
    """What a request lacks, field by field."""
    if not isinstance(error, RequestValidationError):
        return str(error)
    places = []
    for each in error.errors():
        where = ".".join(str(part) for part in each["loc"][1:]) or "the request"
        places.append(f"{where}: {each['msg'].lower()}")
    return "; ".join(dict.fromkeys(places))
