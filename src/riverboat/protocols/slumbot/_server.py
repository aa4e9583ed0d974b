"""A local server with Slumbot's API and one of our bots.

Use it in tests, or to try a client without internet access. Seats alternate, stacks are reset.
"""

import json
import secrets
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Any, Final

from riverboat.arena import Chair, safe_move
from riverboat.cards import card_text
from riverboat.errors import ProtocolError, RiverboatError, one_line
from riverboat.game import Hand, catalogue

SPEC = catalogue("nolimit-200bb")
_MOST_BYTES: Final = 1 << 16
_MOST_SESSIONS: Final = 256  # each has its own bot, which may run in its own process
_PATHS: Final = ("/api/", "/slumbot/api/")


class _Session:
    """One client."""

    def __init__(self, bot: Any, seed: int) -> None:
        self.chair = Chair(bot, 60.0)
        self._seed, self._number = seed, 0
        self.hand: Hand | None = None
        self._old = ""
        self._total = 0

    @property
    def position(self) -> int:
        """The client's position: 0 is the big blind."""
        return self._number % 2

    def new_hand(self) -> dict[str, Any]:
        self._number += 1
        self.hand, self._old = Hand(SPEC, seed=self._seed + self._number), ""
        self.chair.tell(self.chair.hand_started, self.hand.view(self.position))
        return self._state()

    def act(self, move: str) -> dict[str, Any]:
        if self.hand is None or self.hand.actor is None:
            raise ProtocolError("no hand is being played: send new_hand to deal one")
        self._old = _line(self.hand)
        self.hand.do(move)
        return self._state()

    def _state(self) -> dict[str, Any]:
        hand, ours = self.hand, self.position
        assert hand is not None  # noqa: S101 - one was dealt
        while hand.actor == ours:
            view = hand.view(ours)
            move = self.chair.ask(view)
            hand.do(move if move in view.legal else safe_move(view))
        theirs = 1 - ours
        told = {
            "old_action": self._old,
            "action": _line(hand),
            "client_pos": ours,
            "hole_cards": _cards(hand.hole_cards(theirs)),
            "board": _cards(hand.view(theirs).board),
        }
        return told if hand.actor is not None else {**told, **self._end(hand, theirs)}

    def _end(self, hand: Hand, theirs: int) -> dict[str, Any]:
        winnings = hand.payoffs()[theirs]
        self._total += winnings
        self.chair.tell(self.chair.hand_over, hand.view(1 - theirs))
        return {
            "winnings": winnings,
            "won_pot": max(0, winnings),
            "bot_hole_cards": _cards(hand.hole_cards(1 - theirs)),
            "session_num_hands": self._number,
            "session_total": self._total,
        }


class SlumbotServer(ThreadingHTTPServer):
    """An HTTP server that runs until it is shut down.

    Parameters
    ----------
    make
        Function that creates the bot of a session from its random seed.
    host, port
        Address to listen on; port 0 selects a free port.
    seed
        Random seed of cards and bots.
    """

    daemon_threads = True

    def __init__(self, make: Any, host: str = "127.0.0.1", port: int = 0, seed: int = 0) -> None:
        super().__init__((host, port), _Handler)
        self._make, self._seed = make, seed
        self._sessions: dict[str, _Session] = {}
        self._lock = Lock()

    @property
    def address(self) -> str:
        """URL of the API."""
        host, port = self.server_address[:2]
        return f"http://{host!s}:{port}/slumbot/api"

    def answer(self, request: str, fields: dict[str, Any]) -> dict[str, Any]:
        """Answer one request."""
        with self._lock:
            token = fields.get("token")
            if request == "login":
                return {"token": self._open()}
            if request == "new_hand":
                if not isinstance(token, str) or token not in self._sessions:
                    token = self._open()
                return {**self._sessions[token].new_hand(), "token": token}
            if request != "act" or not isinstance(token, str) or token not in self._sessions:
                raise ProtocolError(f"{request[:40]!r} with this token is not a valid request")
            return {**self._sessions[token].act(str(fields.get("incr"))), "token": token}

    def _open(self) -> str:
        if len(self._sessions) >= _MOST_SESSIONS:
            raise ProtocolError(
                f"this server already has its maximum of {_MOST_SESSIONS} sessions: use the "
                "token of an open session, or restart the server"
            )
        token = secrets.token_hex(16)
        seed = self._seed + 1_000_000 * len(self._sessions)
        self._sessions[token] = _Session(self._make(seed), seed)
        return token


class _Handler(BaseHTTPRequestHandler):
    """Reads and writes JSON."""

    server: SlumbotServer

    def do_POST(self) -> None:
        """Answer a request."""
        try:
            length = int(self.headers.get("Content-Length", 0))
            if not 0 <= length <= _MOST_BYTES:
                raise ProtocolError("the request is too long")
            fields = json.loads(self.rfile.read(length) or b"{}")
            request = next(
                self.path[len(start) :] for start in _PATHS if self.path.startswith(start)
            )
            told, code = self.server.answer(request, fields), 200
        except RiverboatError as error:
            told, code = {"error_msg": one_line(str(error))}, 400
        except (ValueError, AttributeError, StopIteration):
            told, code = {"error_msg": "no request"}, 400
        body = json.dumps(told).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 - the base class's name
        """Log no requests."""


def _line(hand: Hand) -> str:
    """Write a line as the site does: every finished street ends with a slash."""
    line = hand.line
    missing = hand.street - line.count("/")
    folded = hand.finished and len(hand.live) == 1
    return line if folded else line + "/" * missing


def _cards(cards: tuple[int, ...]) -> list[str]:
    return [card_text(card) for card in cards]
