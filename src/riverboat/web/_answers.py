"""Requests as msgspec types in, answers as msgspec types out; what is wrong gets a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from riverboat.errors import RiverboatError
from riverboat.web._models import model_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from fastapi import FastAPI, Request

__all__ = ["Problem", "answer", "asked", "documented", "encoded", "tell_errors"]

T = TypeVar("T", bound=msgspec.Struct)


class Problem(msgspec.Struct, frozen=True):
    """Why there is no answer."""

    error: str
    """A sentence that names the bad value and what is allowed."""


def asked(kind: type[T]) -> Callable[..., Awaitable[T]]:
    """Return a dependency that reads a request's body."""

    async def read(body: Any) -> T:
        return msgspec.convert(body.model_dump(exclude_unset=True), kind)

    read.__annotations__["body"] = model_of(kind)
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
    model = model_of(kind)
    wrong = {"model": model_of(Problem)}
    return {200: {"model": list[model] if many else model}, 400: wrong, 404: wrong}  # type: ignore[valid-type]


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
