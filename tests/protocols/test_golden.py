"""Sessions that were recorded once: the same is said to the same words.

`RIVERBOAT_WRITE_SESSIONS=1 pytest tests/protocols/test_golden.py` records them anew; do that only
in a commit that says what changed. What the real engines said is in other files, which stay.
"""

import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from protocols.test_mit2017 import Engine, as_move, text
from riverboat.arena import Chair, play_hand
from riverboat.bots import make_bot
from riverboat.game import Hand, catalogue
from riverboat.protocols.client import Player, Transcript, read_transcript
from riverboat.protocols.lines import LinesBot
from riverboat.protocols.mit2017 import Mit2017Player
from riverboat.protocols.slumbot import Api, SlumbotServer, play

DATA = Path(__file__).parent / "data"
HANDS = 40


class Mit2017Session:
    """A match with a stand-in of that engine, told line by line."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._ours = Mit2017Player(Player(make_bot("random", seed=1)))

    def _say(self, line: str) -> tuple[str, ...]:
        answers = self._ours.hear(line)
        self._transcript.heard(line)
        for answer in answers:
            self._transcript.said(answer)
        return answers

    def play(self) -> None:
        """Play a match."""
        draw, bank = random.Random(3), 0
        self._say(f"NEWGAME us them 200 2 {HANDS} 20.0")
        for number in range(HANDS):
            engine = Engine(number, ours=number % 2)
            self._hand(engine, f"{bank} {-bank}", number, draw)
            bank += engine.hand.payoffs()[engine.ours]
            self._say(f"HANDOVER {bank} {-bank} {engine.fields()} 19.5")
        self._say("REQUESTKEYVALUES 1000")

    def _hand(self, engine: Engine, banks: str, number: int, draw: random.Random) -> None:
        hand, button = engine.hand, str(engine.ours == 0).lower()
        hole = " ".join(text(hand.hole_cards(engine.ours)))
        self._say(f"NEWHAND {number + 1} {button} {hole} {banks} 19.5")
        while hand.actor is not None:
            legal = hand.legal()
            move = draw.choice(list(legal))
            if hand.actor == engine.ours:
                told = engine.legal()
                line = f"GETACTION {hand.pot} {engine.fields()} {len(told)} {' '.join(told)} 19.5"
                (answer,) = self._say(line)
                move = next(each for each in as_move(answer) if each and each in legal)
            engine.do(move)


def record_slumbot(transcript: Transcript) -> None:
    """Play some hands against a server of ours, without a wire."""
    with SlumbotServer(lambda seed: make_bot("random", seed), seed=1) as server:

        class Direct(Api):
            def post(self, request: str, fields: dict[str, Any]) -> dict[str, Any]:
                sent = fields | ({"token": self.token} if self.token else {})
                answer = {**server.answer(request, sent), "token": "recorded"}
                transcript.heard(json.dumps(answer))
                transcript.said(json.dumps([request, fields]))
                self.token = next(iter(server._sessions))
                return answer

        play(Direct("http://localhost"), Player(make_bot("random", seed=2)), HANDS)


class RecordedLink:
    """A bot that draws, on the other side of JSON lines."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript, self._draw = transcript, random.Random(1)
        self._answer = ""

    def send(self, line: str) -> None:
        """Take a line, and have an answer ready."""
        self._transcript.said(line)
        said = json.loads(line)
        if said["type"] == "hello":
            self._answer = '{"type": "ready", "version": 1, "hears": true}'
        if said["type"] == "act":
            legal = said["view"]["legal"]
            moves = [
                word for word, key in (("f", "fold"), ("k", "check"), ("c", "call")) if legal[key]
            ]
            moves += [f"b{amount}" for amount in legal["bet"] or ()]
            self._answer = json.dumps({"type": "move", "move": self._draw.choice(moves)})

    def receive(self, seconds: float = 0.0) -> str:
        """Return the answer."""
        del seconds
        self._transcript.heard(self._answer)
        return self._answer

    def close(self) -> None:
        """Do nothing."""


def play_lines(link: Any) -> None:
    """Play some hands with a bot on the other side of a link."""
    chairs = [Chair(LinesBot(lambda: link, seed=3), 60.0), Chair(make_bot("random", 5), 60.0)]
    for number in range(HANDS // 2):
        hand = Hand(catalogue("nolimit-100bb"), seed=number)
        seated = chairs if number % 2 else chairs[::-1]
        play_hand(hand, seated, tell=True)
    assert not chairs[0].errors


RECORDERS: dict[str, Callable[[Transcript], None]] = {
    "mit2017": lambda transcript: Mit2017Session(transcript).play(),
    "slumbot": record_slumbot,
    "lines": lambda transcript: play_lines(RecordedLink(transcript)),
}


def lines_of(name: str) -> list[str]:
    """Read a session; record it first where that is asked for."""
    path = DATA / f"{name}.txt"
    if "RIVERBOAT_WRITE_SESSIONS" in os.environ:
        path.unlink(missing_ok=True)
        with Transcript(path) as transcript:
            RECORDERS[name](transcript)
    return path.read_text(encoding="utf-8").splitlines()


def recorded(name: str) -> list[tuple[str, tuple[str, ...]]]:
    return read_transcript(lines_of(name))


def test_mit_2017() -> None:
    ours = Mit2017Player(Player(make_bot("random", seed=1)))
    for line, answers in recorded("mit2017"):
        assert ours.hear(line) == answers
    assert len(ours.player.won) == HANDS
    assert not ours.player.chair.errors


def test_slumbot() -> None:
    told = [(json.loads(line), json.loads(sent)) for line, (sent,) in recorded("slumbot")]

    class Recorded(Api):
        def post(self, request: str, fields: dict[str, Any]) -> dict[str, Any]:
            answer, sent = told.pop(0)
            assert [request, fields] == sent
            return dict(answer)

    player = Player(make_bot("random", seed=2))
    played = play(Recorded("http://localhost"), player, HANDS)
    assert not told
    assert not player.chair.errors
    assert all(each.hand().payoffs()[each.seat] == each.winnings for each in played)


def test_json_lines() -> None:
    lines = lines_of("lines")

    class Recorded:
        def send(self, line: str) -> None:
            assert f"> {line}" == lines.pop(0)

        def receive(self, seconds: float = 0.0) -> str:
            del seconds
            mark, said = lines[0][:2], lines.pop(0)[2:]
            assert mark == "< "
            return said

        def close(self) -> None: ...

    play_lines(Recorded())
    assert not lines
