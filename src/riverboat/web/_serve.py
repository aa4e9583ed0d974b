"""Starts the server: address, token, messages."""

from __future__ import annotations

import secrets
import socket
import threading
import webbrowser
from typing import TYPE_CHECKING, Final

import uvicorn
from platformdirs import user_data_path

from riverboat.errors import RiverboatError
from riverboat.files import locked
from riverboat.runs import ended_as_interrupted
from riverboat.web._app import make_app
from riverboat.web._guard import Access, hashed, is_loopback
from riverboat.web._house import House

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import FrameType

PORT: Final = 8765
_TRIED: Final = 50
_LAST_SECONDS: Final = 10  # for requests that have begun when the server ends


def serve(  # noqa: PLR0913 - options by keyword
    *,
    host: str = "127.0.0.1",
    port: int | None = None,
    folders: tuple[Path, ...] = (),
    data: Path | None = None,
    browser: bool = False,
    tell: Callable[[str], object] = print,
) -> None:
    """Serve until Ctrl-C.

    Parameters
    ----------
    host
        The address to listen on. Any but a loopback address needs a token, which is printed once.
    port
        The port; None = 8765, or the next free one.
    folders
        Folders of strategies and solutions.
    data
        Folder of tables and solves; None = a folder in the user's data folder.
    browser
        Whether to open a browser.
    tell
        Prints messages: the address, damaged files.

    Raises
    ------
    RiverboatError
        If another server uses the data folder or the port.
    """
    house = House(data or user_data_path("riverboat", appauthor=False) / "web", folders, tell)
    with locked(house.data / "server") as mine:
        if not mine:
            raise RiverboatError(_taken(house))
        _serve(house, _listen(host, port), host, browser)


def _serve(house: House, listener: socket.socket, host: str, browser: bool) -> None:
    """Serve a data folder that this process has locked."""
    number = listener.getsockname()[1]
    token = "" if is_loopback(host) else secrets.token_urlsafe(24)
    access = Access(hosts=_hosts(host, number), token_hash=hashed(token) if token else "")
    address = f"http://{_shown(host)}:{number}/"
    house.keep_address(address)  # without the token
    address += f"?token={token}" if token else ""
    house.tell(f"Riverboat is at {address} (Ctrl-C to stop)")
    if token:
        house.tell(
            "Other machines can reach this address: anybody with the token can play and solve here."
        )
    if browser:
        threading.Timer(0.5, webbrowser.open, (address,)).start()
    app = make_app(house, access)
    settings = uvicorn.Config(
        app,
        log_level="warning",
        ws_max_size=1 << 16,
        ws_per_message_deflate=False,  # costs more than it saves on one machine
        server_header=False,
        timeout_graceful_shutdown=_LAST_SECONDS,
    )
    with ended_as_interrupted():  # uvicorn raises the signal again after everything is saved
        _Server(settings, app.state.parts.end_requests).run(sockets=[listener])


class _Server(uvicorn.Server):
    """Ends the work of requests when the server is asked to end; uvicorn would wait for it."""

    def __init__(self, settings: uvicorn.Config, end: Callable[[], object]) -> None:
        super().__init__(settings)
        self._end = end

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Handle a signal."""
        self._end()
        super().handle_exit(sig, frame)


def _taken(house: House) -> str:
    """Return the error message if another server uses the data folder."""
    address = house.address()
    return (
        f"the data folder {str(house.data)!r} is used by another server"
        + (f" at {address}: open that address" if address else ": stop that server")
        + ", or name another folder with --data"
    )


def _listen(host: str, port: int | None) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    wanted = range(PORT, PORT + _TRIED) if port is None else (port,)
    for number in wanted:
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, number))
            listener.listen()  # a browser that comes early waits
        except OSError as error:
            listener.close()
            reason = error.strerror or error
            continue
        return listener
    taken = f"port {port}" if port is not None else f"ports {PORT} to {PORT + _TRIED - 1}"
    raise RiverboatError(f"cannot listen on {taken} of {host!r}: {reason}")


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _hosts(host: str, port: int) -> frozenset[str]:
    """Return the allowed values of the `Host` header."""
    names = {"127.0.0.1", "localhost", "[::1]"} if is_loopback(host) else {_shown(host)}
    if host in {"0.0.0.0", "::"}:  # noqa: S104 - compared, not listened on
        names |= {socket.gethostname(), "127.0.0.1", "localhost", *_addresses()}
    return frozenset(f"{name}:{port}" for name in names)


def _addresses() -> set[str]:
    """Return the IP addresses of this machine."""
    found = socket.getaddrinfo(socket.gethostname(), None)
    return {_shown(str(address[0])) for *_, address in found}
