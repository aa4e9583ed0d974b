"""Typed routes, sockets, and error messages of the API."""

from __future__ import annotations

import asyncio
import inspect
import re
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from anyio import to_thread
from fastapi import APIRouter, Depends, Request, WebSocketDisconnect
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from riverboat.errors import RiverboatError
from riverboat.settings import allowed
from riverboat.web._guard import CUT

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from fastapi import FastAPI, WebSocket

    from riverboat.runs import Observed

F = TypeVar("F", bound="Callable[..., Any]")
_PER_SECOND: Final = 20  # messages of one page
_BURST: Final = 60
_PLACE: Final = "#/components/schemas/"


class Problem(msgspec.Struct, frozen=True):
    """An error."""

    error: str
    """A message that names the invalid value and what is allowed."""


def answer(value: Any, code: int = 200) -> Response:
    """Return a struct, or a list of them, as JSON."""
    return Response(_encoded(value), code, media_type="application/json")


def _encoded(value: Any) -> bytes:
    """Encode as JSON; file names that are not UTF-8 are escaped as in the commands."""
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


_ENCODER: Final = msgspec.json.Encoder()


# ---- Routes


class Routes:
    """Routes of one subject, each a function from a request to a response.

    A parameter that is a struct is the body of the request; other parameters are parts of the
    address. The function returns a struct or a list of structs, which is sent as JSON; `kind` is
    its type if the annotation does not name it. A plain function runs on a thread.
    """

    def __init__(self, subject: str) -> None:
        self.router = APIRouter(tags=[subject])
        #: Structs of requests and responses.
        self.kinds: dict[type[msgspec.Struct], None] = {Problem: None}

    def get(self, path: str, kind: Any = None) -> Callable[[F], F]:
        """Add a route that changes nothing."""
        return partial(self._add, "GET", path, kind)

    def post(self, path: str, kind: Any = None) -> Callable[[F], F]:
        """Add a route that has a body or changes something."""
        return partial(self._add, "POST", path, kind)

    def delete(self, path: str, kind: Any = None) -> Callable[[F], F]:
        """Add a route that deletes something."""
        return partial(self._add, "DELETE", path, kind)

    def _add(self, method: str, path: str, kind: Any, function: F) -> F:
        async def endpoint(**given: Any) -> Response:
            if inspect.iscoroutinefunction(function):
                result = await function(**given)
            else:
                result = await to_thread.run_sync(partial(function, **given))
            return result if isinstance(result, Response) else answer(result)

        signature = inspect.signature(function, eval_str=True)
        kind = kind or signature.return_annotation
        by_name = inspect.Parameter.KEYWORD_ONLY
        parameters = [each.replace(kind=by_name) for each in signature.parameters.values()]
        described: dict[str, Any] = {}
        for place, each in enumerate(parameters):
            if _is_struct(each.annotation):
                parameters[place] = each.replace(default=Depends(_reader(each.annotation)))
                content = self._content(each.annotation)
                described["openapi_extra"] = {"requestBody": {"required": True, "content": content}}
        if kind is Response:
            described["response_class"] = Response
        else:
            wrong = {
                "description": "Refused, with a message",
                "content": self._content(Problem),
            }
            right = {"description": "Answer", "content": self._content(kind)}
            described["responses"] = {200: right, 400: wrong, 404: wrong}
        endpoint.__signature__ = signature.replace(  # type: ignore[attr-defined]
            parameters=parameters, return_annotation=Response
        )
        endpoint.__doc__ = function.__doc__
        name = function.__name__
        self.router.add_api_route(path, endpoint, methods=[method], name=name, **described)
        return function

    def _content(self, kind: Any) -> dict[str, Any]:
        """Describe a struct, or a list of them."""
        many = get_origin(kind) is list
        struct = get_args(kind)[0] if many else kind
        self.kinds[struct] = None
        schema: dict[str, Any] = {"$ref": f"{_PLACE}{struct.__name__}"}
        return {
            "application/json": {"schema": {"type": "array", "items": schema} if many else schema}
        }


def _is_struct(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _reader(kind: type[msgspec.Struct]) -> Callable[[Request], Awaitable[msgspec.Struct]]:
    """Return a dependency that decodes the body of a request."""
    decoder = msgspec.json.Decoder(kind, strict=False)

    async def read(request: Request) -> msgspec.Struct:
        try:
            return decoder.decode(await request.body())
        except ClientDisconnect:
            why = request.scope.get(CUT) or "the request is larger than the server accepts"
            raise HTTPException(408 if CUT in request.scope else 413, why) from None
        except RecursionError:
            raise HTTPException(422, "the request is nested too deeply") from None
        except ValueError as error:
            known = ", ".join(kind.__struct_encode_fields__)
            whole = "field `" in str(error) and " - at `$" not in str(error)
            fields = f"; allowed fields: {known}" if whole else ""
            raise HTTPException(422, f"{_sentence(error, kind)}{fields}") from error

    read.__annotations__["request"] = Request
    return read


_LENGTH: Final = re.compile(r"length (<=|>=) (\d+)")
_LIMITS: Final = {"<=": "at most", ">=": "at least"}


def _sentence(error: ValueError, kind: type[msgspec.Struct]) -> str:
    """Return why a body was refused, without the decoder's notation."""
    text, _, place = str(error).partition(" - at `$")
    name, types = place.strip("`."), get_type_hints(kind, include_extras=True)
    if text.startswith(("Expected ", "Invalid ")) and name in types:
        return f"{name} must {_wanted(text, types[name])}"
    if not text.startswith(("Expected ", "Invalid ", "Object ")):
        return text  # of settings, or of JSON itself
    text = text.replace("`", "")
    return f"{name}: {text[:1].lower()}{text[1:]}" if name else text


def _wanted(text: str, kind: Any) -> str:
    """Return what a field must be or have."""
    length = _LENGTH.search(text)
    if length is None:
        return f"be {allowed(kind).replace('yes or no', 'true or false')}"
    unit = "entries" if "array" in text else "characters"
    return f"have {_LIMITS[length[1]]} {length[2]} {unit}"


def describe(app: FastAPI, kinds: Sequence[type[msgspec.Struct]]) -> None:
    """Add the structs of requests and responses to the OpenAPI description."""
    whole = app.openapi

    def openapi() -> dict[str, Any]:
        api = whole()
        _, schemas = msgspec.json.schema_components(kinds, ref_template=f"{_PLACE}{{name}}")
        parts = api.get("components", {})
        return api | {"components": {"schemas": parts.get("schemas", {}) | schemas}}

    app.openapi = openapi  # type: ignore[method-assign]


# ---- Errors


_LONGEST: Final = 500  # characters of a message


def problem_of(message: object) -> Problem:
    """Return an error; a message that repeats a long request is cut."""
    text = str(message)
    return Problem(text if len(text) <= _LONGEST else f"{text[: _LONGEST - 4]} ...")


def handle_errors(app: FastAPI) -> None:
    """Answer every error with a `Problem`."""

    async def refused(_: Request, error: Exception) -> Response:
        return answer(problem_of(error), 400)

    async def unread(_: Request, error: Exception) -> Response:
        return answer(problem_of(_invalid_fields(error)), 422)

    async def missing(_: Request, error: Exception) -> Response:
        if not isinstance(error, HTTPException):
            raise error
        return answer(problem_of(error.detail), error.status_code)

    app.add_exception_handler(RiverboatError, refused)
    app.add_exception_handler(msgspec.ValidationError, refused)
    app.add_exception_handler(RequestValidationError, unread)
    app.add_exception_handler(HTTPException, missing)


def _invalid_fields(error: Exception) -> str:
    """Describe the invalid fields of a request."""
    if not isinstance(error, RequestValidationError):
        return str(error)
    places = []
    for each in error.errors():
        where = ".".join(str(part) for part in each["loc"][1:]) or "the request"
        places.append(f"{where}: {each['msg'].lower()}")
    return "; ".join(dict.fromkeys(places))


# ---- Sockets


async def follow(
    socket: WebSocket,
    thing: Observed,
    state: Callable[[], msgspec.Struct],
    handle: Callable[[str], Awaitable[None]] | None = None,
) -> None:
    """Send a state at once and after every change, until the page closes.

    Parameters
    ----------
    socket
        An accepted socket.
    thing
        The table or job that is observed.
    state
        Returns the state to send.
    handle
        Handles a message from the page; an error is sent to that page only.
    """
    event, loop = asyncio.Event(), asyncio.get_running_loop()

    def changed() -> None:
        with suppress(RuntimeError):  # the server has stopped
            loop.call_soon_threadsafe(event.set)

    thing.observe(changed)
    listener = asyncio.create_task(_listen(socket, handle))
    try:
        while not listener.done():
            event.clear()
            if thing.gone:
                await socket.close(1008, thing.gone)
                return
            await _send(socket, state())
            waiter = asyncio.create_task(event.wait())
            await asyncio.wait({waiter, listener}, return_when=asyncio.FIRST_COMPLETED)
            waiter.cancel()
    except (WebSocketDisconnect, RuntimeError):
        pass  # the page was closed while the state was sent
    finally:
        listener.cancel()
        thing.unobserve(changed)


async def _send(socket: WebSocket, value: Any) -> None:
    await socket.send_text(_encoded(value).decode())


async def _listen(socket: WebSocket, handle: Callable[[str], Awaitable[None]] | None) -> None:
    """Handle the messages of a page; a page that sends too many is disconnected."""
    left, at = float(_BURST), time.monotonic()
    with suppress(WebSocketDisconnect):
        while True:
            text = await _text(socket)
            now = time.monotonic()
            left, at = min(_BURST, left + (now - at) * _PER_SECOND) - 1, now
            if left < 0:
                await socket.close(1008, f"at most {_PER_SECOND} messages per second are allowed")
                return
            if handle is None:
                continue
            try:
                await handle(text)
            except (RiverboatError, msgspec.MsgspecError) as error:
                await _send(socket, problem_of(error))
            except RecursionError:
                await _send(socket, Problem("the message is nested too deeply"))


async def _text(socket: WebSocket) -> str:
    """Receive a text message; a binary message, which pages never send, becomes an empty text."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    return str(message.get("text") or "")
