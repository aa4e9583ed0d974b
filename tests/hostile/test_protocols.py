"""A hundred thousand broken messages for each client: it answers, or says what is wrong."""

import contextlib
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from riverboat.bots import make_bot
from riverboat.errors import ProtocolError
from riverboat.game import Hand, catalogue
from riverboat.protocols.acpc import AcpcBot, AcpcPlayer
from riverboat.protocols.client import Dialect, Player, TimeBank, read_transcript
from riverboat.protocols.lines import LinesBot
from riverboat.protocols.mit import VARIANTS, MitPlayer
from riverboat.protocols.mit2017 import Mit2017Player
from riverboat.protocols.slumbot import Api, play

pytestmark = pytest.mark.hostile

DATA = Path(__file__).parents[1] / "protocols" / "data"
MESSAGES = 100_000
SIGNS = "0123456789:|/,;_- rcfkbdshTJQKA\x00\xff\N{BULLET}\t"
MIT2017 = [
    "NEWGAME us them 200 2 100 20.0",
    "NEWHAND 1 false As Kd 0 0 20.0",
    "GETACTION 6 0 3 POST:1:them POST:2:us RAISE:4:them 3 FOLD CALL RAISE:6:200 20.0",
    "GETACTION 8 3 2c 3d 4h 2 CALL:us DEAL:FLOP 3 CHECK DISCARD:As DISCARD:Kd 20.0",
    "GETACTION 8 3 2c 3d 4h 2 DISCARD:As:9h:us DISCARD:them 2 CHECK BET:2:196 20.0",
    "HANDOVER -4 4 3 2c 3d 4h 3 CHECK:us BET:10:them FOLD:us 20.0",
    "REQUESTKEYVALUES 1000",
]


def broken(draw: random.Random, line: str) -> str:
    """Return a line with one to three faults, or none."""
    for _ in range(draw.choice((0, 1, 1, 2, 3))):
        place, kind = draw.randrange(len(line) + 1), draw.randrange(5)
        if kind == 0:
            line = line[:place] + draw.choice(SIGNS) + line[place:]
        elif kind == 1:
            line = line[:place] + line[place + 1 :]
        elif kind == 2:
            line = line[:place]
        elif kind == 3:
            line += line[place:]
        else:
            line = line[:place] + draw.choice(SIGNS) * draw.choice((1, 3, 30)) + line[place + 1 :]
    return line


def heard(name: str) -> list[str]:
    told = read_transcript((DATA / f"{name}.txt").read_text().splitlines())
    return [line for line, _ in told if line]


def player() -> Player:
    return Player(make_bot("random", seed=1), bank=TimeBank(1000))


CLIENTS: dict[str, tuple[Callable[[], Dialect], Callable[[], list[str]], str]] = {
    "acpc": (
        lambda: AcpcPlayer(player(), catalogue("nolimit-200bb")),
        lambda: heard("acpc_nolimit_2p"),
        r"VERSION:2\.0\.0|.*:([fc]|r[0-9]+)",
    ),
    **{
        f"mit {year}": (
            lambda year=year: MitPlayer(player(), VARIANTS[year]),  # type: ignore[misc]
            lambda year=year: heard(f"mit_{year}"),  # type: ignore[misc]
            r"[FCK]|[RAD][0-9]+",
        )
        for year in ("2023", "2024", "2025", "2026", "husky")
    },
    "mit 2017": (
        lambda: Mit2017Player(player()),
        lambda: MIT2017,
        r"FOLD|CALL|CHECK|FINISH|(BET|RAISE):[0-9]+|DISCARD:[2-9TJQKA][cdhs]",
    ),
}


@pytest.mark.parametrize("name", CLIENTS)
def test_broken_lines(name: str) -> None:
    make, lines, words = CLIENTS[name]
    draw, known, client = random.Random(name), lines(), make()
    refused = 0
    for number in range(MESSAGES):
        order = draw.random() < 0.1  # and sometimes in the wrong order
        line = draw.choice(known) if order else known[number % len(known)]
        try:
            answers = client.hear(broken(draw, line))
        except ProtocolError:
            refused += 1
            answers = client.shrug(line)
        assert all(re.fullmatch(words, answer, re.DOTALL) for answer in answers)
        if client.over or number % 5000 == 0:
            client = make()
    assert MESSAGES // 10 < refused < MESSAGES


def test_broken_answers_of_players() -> None:
    draw, hand = random.Random(1), Hand(catalogue("nolimit-200bb"), seed=1)
    view = hand.view(0)

    class Link:
        said = ""

        def send(self, line: str) -> None:
            self.said = line

        def receive(self, seconds: float = 0.0) -> str:
            del seconds
            return broken(draw, f"{self.said}:r400") if self.said else "VERSION:2.0.0"

        def close(self) -> None:
            self.said = ""

    for _ in range(MESSAGES // 10):
        with contextlib.suppress(ProtocolError):
            assert AcpcBot(Link).act(view) in view.legal


def test_broken_json_lines() -> None:
    draw, view = random.Random(1), Hand(catalogue("nolimit-200bb"), seed=1).view(0)

    class Link:
        said = '{"type": "ready", "version": 1}'

        def send(self, line: str) -> None:
            if '"act"' in line:
                self.said = broken(draw, '{"type": "move", "move": "b400"}')

        def receive(self, seconds: float = 0.0) -> str:
            del seconds
            return self.said

        def close(self) -> None: ...

    bot = LinesBot(Link, seed=1)
    for _ in range(MESSAGES):
        with contextlib.suppress(ProtocolError):
            assert isinstance(bot.act(view), str)


def test_broken_answers_of_a_server() -> None:
    draw = random.Random(1)
    state = {
        "old_action": "", "action": "b200c/kk/", "client_pos": 0, "hole_cards": ["Ah", "Kd"],
        "board": ["2c", "7d", "9h", "Ts"], "token": "abc",
    }  # fmt: skip
    over = {**state, "action": "b200f", "board": [], "winnings": -100, "baseline_winnings": 1.5}

    class Broken(Api):
        def post(self, request: str, fields: dict[str, Any]) -> dict[str, Any]:
            del request, fields
            text = broken(draw, json.dumps(draw.choice((state, over))))
            try:
                found = json.loads(text)
            except ValueError as error:
                raise ProtocolError("no JSON") from error
            if not isinstance(found, dict):
                raise ProtocolError("no object")
            return found

    ours = Player(make_bot("fish", seed=1))
    for _ in range(MESSAGES):
        with contextlib.suppress(ProtocolError):
            play(Broken("http://localhost"), ours, 1)
    assert not ours.chair.errors
