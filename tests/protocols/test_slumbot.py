"""Slumbot's API: our client against a server of ours, and servers that fail."""

import json
import math
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cli.typed import riverboat
from riverboat.bots import make_bot
from riverboat.errors import ProtocolError
from riverboat.protocols.client import Player
from riverboat.protocols.slumbot import (
    Api,
    LostAnswerError,
    PlayedHand,
    SlumbotServer,
    hand_of,
    play,
    summed,
)


@pytest.fixture
def server() -> Iterator[SlumbotServer]:
    """A server with a bot that draws."""
    with SlumbotServer(lambda seed: make_bot("random", seed), seed=1) as made:
        thread = threading.Thread(target=made.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def test_a_session(server: SlumbotServer, tmp_path: Path) -> None:
    record = tmp_path / "hands.jsonl"
    player = Player(make_bot("random", seed=3))
    played = play(Api(server.address), player, 20, record)
    assert not player.chair.errors
    assert [each.client_pos for each in played[:4]] == [1, 0, 1, 0]
    for each in played:
        hand = each.hand()
        assert hand.settled
        assert hand.payoffs()[each.seat] == each.winnings
    assert sum(player.won) == pytest.approx(sum(each.winnings for each in played) / 100)
    assert len({each.token for each in played}) == 1
    found = summed(played)
    assert found.hands == 20
    assert found.raw.mean == pytest.approx(10 * sum(each.winnings for each in played) / 20)
    assert found.baseline is None


def test_a_stopped_session_goes_on(server: SlumbotServer, tmp_path: Path) -> None:
    record = tmp_path / "hands.jsonl"
    first = play(Api(server.address), Player(make_bot("fish", seed=3)), 5, record)
    with record.open("ab") as file:
        file.write(b'{"action": "b2')  # it was killed here
    again = play(Api(server.address), Player(make_bot("fish", seed=3)), 8, record)
    assert again[:5] == first
    assert len({each.token for each in again}) == 1
    assert len(record.read_text().splitlines()) == 8


def test_a_session_that_the_site_has_forgotten_begins_anew(tmp_path: Path) -> None:
    record = tmp_path / "hands.jsonl"
    sent: list[object] = []

    class Forgetful(Api):
        def post(self, request: str, fields: dict[str, Any]) -> dict[str, Any]:
            sent.append(self.token)
            if self.token == "old":  # noqa: S105 - no password
                raise ProtocolError(f"{request} was refused: no such token {fields}")
            return self._checked(request, {**OVER, "token": "new"})

    record.write_bytes(msgspec.json.encode(PlayedHand("f", 1, "7c2s", "", "", -50, None, "old")))
    with record.open("a") as file:
        file.write("\n")
    played = play(Forgetful("http://localhost"), Player(make_bot("fold", seed=1)), 3, record)
    assert [each.token for each in played] == ["old", "new", "new"]
    assert sent == ["old", None, "new"]


def test_a_server_has_so_many_sessions(
    server: SlumbotServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("riverboat.protocols.slumbot._server._MOST_SESSIONS", 2)
    first, _ = (server.answer("login", {})["token"] for _ in range(2))
    for request in ("login", "new_hand"):
        with pytest.raises(ProtocolError, match="maximum of 2 sessions"):
            server.answer(request, {})
    assert server.answer("new_hand", {"token": first})["token"] == first


@pytest.mark.slow
def test_aivat_is_for_bots_that_are_known(server: SlumbotServer) -> None:
    bot = make_bot("fish", seed=1)
    played = play(Api(server.address), Player(bot), 3)
    known = summed(played, bot)
    assert known.aivat is not None
    assert summed(played, make_bot("killer", seed=1)).aivat is None


OVER = {
    "action": "f", "client_pos": 1, "hole_cards": ["7c", "2s"], "board": [],
    "bot_hole_cards": ["Ah", "Ad"], "winnings": -50, "baseline_winnings": 0, "token": "a",
}  # fmt: skip


def test_the_baseline_is_taken_as_it_is() -> None:
    class Told(Api):
        def post(self, request: str, fields: dict[str, Any]) -> dict[str, Any]:
            del request, fields
            return self._checked("new_hand", OVER)

    played = play(Told("http://localhost"), Player(make_bot("fold", seed=1)), 2)
    found = summed(played)
    assert found.baseline is not None
    assert (found.raw.mean, found.baseline.mean) == (-500.0, 0.0)


def test_lines_of_theirs() -> None:
    hand = hand_of("b200c/kb600b1800c/kk/", ["Ah", "Kd"], 0, ["2c", "7d", "9h", "Ts", "Js"])
    assert (hand.actor, hand.pot, hand.street) == (1, 4000, 3)
    assert hand_of("b20000c///", ["Ah", "Kd"], 1).finished
    for wrong in ("x", "b", "ff", "b200c/kk/kk/kkk"):
        with pytest.raises(ProtocolError):
            hand_of(wrong, ["Ah", "Kd"], 0)


# ---- Servers that fail ------------------------------------------------------------------------


class Failing(ThreadingHTTPServer):
    """Answers with what it was given, one after the other."""

    daemon_threads = True

    def __init__(self, *answers: tuple[int, bytes]) -> None:
        super().__init__(("127.0.0.1", 0), Answering)
        self.answers = list(answers)


class Answering(BaseHTTPRequestHandler):
    """Says the next answer."""

    server: Failing

    def do_POST(self) -> None:
        """Answer."""
        self.rfile.read(int(self.headers["Content-Length"]))
        code, body = self.server.answers.pop(0)
        if not code:
            self.connection.close()
            return
        self.send_response(code)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 - so it is called
        """Say nothing."""


def asked(
    *answers: tuple[int, bytes], request: str = "new_hand", tries: int = 5
) -> tuple[Any, Api, list[float]]:
    pauses: list[float] = []
    with Failing(*answers) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        api = Api(f"http://127.0.0.1:{server.server_address[1]}", tries=tries, sleep=pauses.append)
        try:
            found: Any = api.post(request, {})
        except ProtocolError as error:
            found = error
        server.shutdown()
        thread.join()
    return found, api, pauses


GOOD = (200, b'{"token": "abc"}')


def test_what_fails_is_sent_again_later_and_later() -> None:
    found, api, pauses = asked((503, b""), (200, b"<html>"), (429, b""), GOOD)
    assert found == {"token": "abc"}
    assert (api.token, api.again, api.requests) == ("abc", 3, 1)
    assert pauses == [0.5, 1.0, 2.0]


@pytest.mark.parametrize("answer", [(0, b""), (502, b""), (504, b""), (200, b"<html>")])
def test_a_move_that_may_have_been_made_is_not_sent_again(answer: tuple[int, bytes]) -> None:
    found, api, pauses = asked(answer, GOOD, request="act")
    assert isinstance(found, LostAnswerError)
    assert (api.again, pauses) == (0, [])


def test_a_move_that_was_not_made_is_sent_again() -> None:
    found, api, _ = asked((503, b""), (429, b""), GOOD, request="act")
    assert (found, api.again) == ({"token": "abc"}, 2)
    refused = Api("http://127.0.0.1:9", tries=2, sleep=lambda _: None)
    with pytest.raises(ProtocolError, match="act failed 2 times"):
        refused.post("act", {})


def test_a_hand_whose_answer_is_lost_is_given_up(server: SlumbotServer, tmp_path: Path) -> None:
    """The server made the move, and the line broke before it could say so."""

    class Broken(Api):
        def _wait(self) -> None:
            self.sends = getattr(self, "sends", 0) + 1

        def _checked(self, request: str, answer: dict[str, Any]) -> dict[str, Any]:
            if request == "act" and self.sends % 7 == 0:
                raise LostAnswerError("cut")
            return super()._checked(request, answer)

    api, record = Broken(server.address), tmp_path / "hands.jsonl"
    played = play(api, Player(make_bot("random", seed=3)), 20, record)
    assert len(played) == len(record.read_text().splitlines()) == 20
    assert api.lost > 0
    assert all(each.hand().payoffs()[each.seat] == each.winnings for each in played)


def test_it_is_given_up_in_the_end() -> None:
    found, _, pauses = asked(*[(502, b"")] * 3, tries=3)
    assert "new_hand failed 3 times, the last: HTTP 502" in str(found)
    assert len(pauses) == 2


def test_refusals_are_told_at_once() -> None:
    found, _, pauses = asked((400, json.dumps({"error_msg": "Illegal bet"}).encode()))
    assert str(found) == "new_hand was refused: Illegal bet"
    assert pauses == []
    assert "HTTP 404" in str(asked((404, b""))[0])


def test_the_interval_is_kept() -> None:
    pauses: list[float] = []
    api = Api("http://127.0.0.1:9", interval=100.0, tries=1, sleep=pauses.append)
    for _ in range(2):
        with pytest.raises(ProtocolError):
            api.post("new_hand", {})
    assert len(pauses) == 1
    assert 90 < pauses[0] <= 100


def test_an_address_that_is_none() -> None:
    with pytest.raises(ProtocolError, match="is not an address"):
        Api("file:///etc/passwd")


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"action": 3},
        {"action": "", "client_pos": 2},
        {"action": "", "client_pos": 0, "hole_cards": ["Ah"]},
        {"action": "", "client_pos": 0, "hole_cards": ["Ah", "Kd"], "winnings": "much"},
        {"action": "", "client_pos": 0, "hole_cards": ["Ah", "Kd"], "winnings": math.nan},
        {"action": "", "client_pos": 0, "hole_cards": ["Ah", "Kd"], "winnings": 10**400},
        {"action": "", "client_pos": 0, "hole_cards": ["Ah", "Ah"]},
        {"action": "", "client_pos": 0, "hole_cards": ["Ah", "Kd"], "board": "2c"},
        {"action": "", "client_pos": 0, "hole_cards": ["Ah", "Kd"]},  # it is not our turn
    ],
)
def test_answers_that_are_none(state: dict[str, Any]) -> None:
    class Told(Api):
        def post(self, request: str, fields: dict[str, Any]) -> dict[str, Any]:
            del request, fields
            return state

    with pytest.raises(ProtocolError):
        play(Told("http://localhost"), Player(make_bot("fish", seed=1)), 1)


def test_the_command(server: SlumbotServer, tmp_path: Path) -> None:
    words = ["join", "slumbot", "--address", server.address, "--bot", "fish", "--seed", "1"]
    words += ["--hands", "6", "--interval", "0", "--record", str(tmp_path / "hands.jsonl")]
    told = json.loads(riverboat(*words, "--json").stdout)
    assert (told["hands"], told["errors"], told["sent_again"], told["hands_lost"]) == (6, {}, 0, 0)
    assert set(told["mbb_per_hand"]) == {
        "as played", "all-in hands at expectation", "the site's baseline", "AIVAT",
    }  # fmt: skip
    assert "as played" in riverboat(*words).stdout


@pytest.mark.parametrize("head", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"])
def test_an_answer_in_endless_pieces_is_cut(head: bytes) -> None:
    """A byte at a time, of the header or of the body: each within the limit of a piece."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        ended = threading.Event()

        def serve() -> None:
            connected, _ = server.accept()
            with connected, suppress(OSError):
                connected.sendall(head)
                while not ended.wait(0.02):
                    connected.sendall(b"X")

        thread = threading.Thread(target=serve)
        thread.start()
        told: list[str] = []
        address = f"http://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(ProtocolError, match="failed 1 times"):
            Api(address, tries=1, seconds=0.3, tell=told.append).post("new_hand", {})
        ended.set()
        thread.join()


def test_an_unreachable_site_is_told_at_once() -> None:
    told: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}"
    with pytest.raises(ProtocolError, match="failed 3 times"):
        Api(address, tries=3, sleep=lambda _: None, tell=told.append).post("new_hand", {})
    [sentence] = told
    assert "did not answer new_hand" in sentence
    assert "trying again" in sentence
