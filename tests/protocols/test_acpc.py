"""ACPC's protocol: states, our player, our dealer, and sessions recorded at the real dealer."""

import os
import random
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from riverboat.arena import Chair, play_match
from riverboat.bots import make_bot
from riverboat.errors import GameError, ProtocolError
from riverboat.game import GameSpec, Hand, catalogue
from riverboat.protocols.acpc import AcpcBot, AcpcPlayer, deal, remote
from riverboat.protocols.acpc._states import action_of, hand_of, read_state, state_line
from riverboat.protocols.client import (
    Joined,
    LineLink,
    Player,
    connect,
    join,
    listen,
    read_transcript,
)

DATA = Path(__file__).parent / "data"
NOLIMIT = catalogue("nolimit-200bb")
THREE = catalogue("nolimit-200bb", players=3)
GAMES = {
    "nolimit_2p": NOLIMIT,
    "limit_2p": catalogue("limit"),
    "nolimit_3p": catalogue("nolimit-200bb", players=3),
}
#: What the real dealer's SCORE line said of the recorded sessions, chips of player 1.
SCORES = {"nolimit_2p": 3609, "limit_2p": -475, "nolimit_3p": -7068}


@pytest.mark.parametrize("name", GAMES)
def test_recorded_sessions_get_the_same_answers(name: str) -> None:
    player = Player(make_bot("random", seed=1))
    ours = AcpcPlayer(player, GAMES[name])
    told = read_transcript((DATA / f"acpc_{name}.txt").read_text().splitlines())
    assert len(told) > 100
    for line, answers in told:
        assert (ours.hear(line) if line else ours.greet()) == answers
    assert not player.chair.errors
    chips = sum(player.won) * GAMES[name].big_blind
    assert chips == pytest.approx(SCORES[name], abs=0.5 * len(player.won))


@pytest.mark.parametrize("spec", GAMES.values())
def test_states_are_read_as_they_are_written(spec: GameSpec) -> None:
    draw = random.Random(5)
    for seed in range(60):
        hand = Hand(spec, seed=seed)
        while hand.actor is not None:
            hand.do(draw.choice(list(hand.legal())))
            for seat in range(spec.players):
                line = state_line(hand, seat, seed)
                again = hand_of(spec, read_state(line))
                assert again.line == hand.line
                assert again.view(seat).board == hand.view(seat).board
                assert state_line(again, seat, seed) == line


def test_lines_of_the_protocol_page() -> None:
    # Section 6.2 of the protocol's description: position 1 of two, turn.
    hand = hand_of(NOLIMIT, read_state("MATCHSTATE:1:0:cc/r250c/:|TdAs/2c8c3h/9c"))
    assert hand.view(0).hole_text == "TdAs"
    assert (hand.actor, hand.pot, hand.line) == (1, 500, "ck/b150c")
    over = hand_of(NOLIMIT, read_state("MATCHSTATE:0:3:r20000c///:AhAd|TdAs/2c8c3h/9c/Qh"))
    assert over.payoffs() == (-20000, 20000)


@pytest.mark.parametrize(
    "line",
    [
        "MATCHSTATE",
        "MATCHSTATE:0:0:c",
        "MATCHSTATE:5:0::|TdAs",
        "MATCHSTATE:0:0:x:TdAs|",
        "MATCHSTATE:0:0::TdAs",
        "MATCHSTATE:0:0::TdTd|",
        "MATCHSTATE:0:0:ff:TdAs|",
        "MATCHSTATE:0:0::TdAs|:c",
        "STATE:0:f:5h7c|AhTh:50|-50:a|b",
    ],
)
def test_wrong_lines_are_told(line: str) -> None:
    ours = AcpcPlayer(Player(make_bot("fish", seed=1)), NOLIMIT)
    with pytest.raises(ProtocolError):
        ours.hear(line)


def test_comments_are_skipped() -> None:
    ours = AcpcPlayer(Player(make_bot("fish", seed=1)), NOLIMIT)
    assert ours.hear("# a comment") == ours.hear("; another") == ours.hear("") == ()


def test_a_state_that_comes_again_is_answered_again_and_counted_once() -> None:
    ours = AcpcPlayer(Player(make_bot("fish", seed=1)), NOLIMIT)
    line = "MATCHSTATE:1:0::|TdAs"
    assert ours.hear(line) == ours.hear(line) == (f"{line}:c",)
    for _ in range(2):
        ours.hear("MATCHSTATE:1:0:cr300f:|TdAs")
    assert ours.player.won == [-1.0]


def test_what_their_rules_allow_and_ours_do_not() -> None:
    # A short all-in opens the betting again there: it is read as the nearest thing.
    spec = catalogue("nolimit-200bb", players=3).replace(stacks=(20000, 450, 20000))
    hand = hand_of(spec, read_state("MATCHSTATE:0:0:r300cr450r900:TdAs||"))
    assert hand.actor is not None


def test_answers_out_of_bounds_are_clipped_as_the_dealer_does() -> None:
    hand = Hand.from_line(NOLIMIT, "b300")
    assert action_of(hand, "r99999") == "b20000"
    assert action_of(hand, "r301") == "b500"
    with pytest.raises(ProtocolError):
        action_of(hand, "raise")


def joined_at(port: int, spec: GameSpec, bot: str, found: list[Joined]) -> threading.Thread:
    ours = AcpcPlayer(Player(make_bot(bot, seed=1)), spec)

    def play() -> None:
        found.append(join(ours, lambda: connect("127.0.0.1", port, end="\r\n"), reconnect=0.0))

    thread = threading.Thread(target=play, daemon=True)
    thread.start()
    return thread


@pytest.mark.parametrize("spec", GAMES.values())
def test_a_match_over_the_wire_is_the_match_without_it(spec: GameSpec) -> None:
    names = ["random", "checkcall", "fish"][: spec.players]
    alone = deal(spec, [make_bot(name, seed=1) for name in names], hands=30, seed=3)
    found: list[Joined] = []
    with listen() as server:
        there = remote(server, 5.0, 5.0)
        thread = joined_at(server.getsockname()[1], spec, names[0], found)
        others = [make_bot(name, seed=1) for name in names[1:]]
        over = deal(spec, [there, *others], hands=30, seed=3)
        there.close()
        thread.join(5)
    assert over.chips == alone.chips
    assert [hand.line for hand, _ in over.hands] == [hand.line for hand, _ in alone.hands]
    assert found[0].hands == 30
    assert found[0].won * spec.big_blind == pytest.approx(alone.chips[0])
    assert found[0].ended == "hung up"


def test_a_player_that_was_cut_comes_again() -> None:
    with listen() as server:
        port = server.getsockname()[1]
        there = remote(server, 5.0, 5.0)

        def play() -> None:
            link = connect("127.0.0.1", port, end="\r\n")
            link.send("VERSION:2.0.0")
            link.receive(5)
            link.close()  # in the middle of the first hand
            link = connect("127.0.0.1", port, end="\r\n")
            link.send("VERSION:2.0.0")
            link.send(f"{link.receive(5)}:c")
            link.close()

        thread = threading.Thread(target=play, daemon=True)
        thread.start()
        assert there.act(Hand(NOLIMIT, seed=1).view(0)) == "c"
        thread.join(5)
        there.close()


class Scripted:
    """A link with lines that are already there."""

    def __init__(self, *lines: str) -> None:
        self.lines = ["VERSION:2.0.0", *lines]
        self.sent: list[str] = []

    def send(self, line: str) -> None:
        """Keep it."""
        self.sent.append(line)

    def receive(self, seconds: float = 0.0) -> str:
        """Return the next one; `$` stands for the last state."""
        del seconds
        if not self.lines:
            raise TimeoutError
        return self.lines.pop(0).replace("$", self.sent[-1] if self.sent else "")

    def close(self) -> None:
        """Do nothing."""


@pytest.mark.parametrize(
    ("answers", "move"),
    [
        (("$:f",), "f"),
        (("# thinking", "$:r400"), "b400"),
        (("MATCHSTATE:1:0:c:|TdAs:f", "$:c"), "c"),
        (("$:r1",), "b200"),
    ],
)
def test_how_answers_are_read(answers: tuple[str, ...], move: str) -> None:
    link = Scripted(*answers)
    assert AcpcBot(lambda: link).act(Hand(NOLIMIT, seed=1).view(0)) == move


@pytest.mark.parametrize("answers", [("$:x",), ("garbage:c",), ("MATCHSTATE:1:9::|TdAs:c",), ()])
def test_what_is_no_answer_is_a_failure(answers: tuple[str, ...]) -> None:
    chair = Chair(AcpcBot(lambda: Scripted(*answers)), 35.0)
    assert chair.ask(Hand(NOLIMIT, seed=1).view(0)) == "f"
    assert sum(chair.errors.values()) == 1


def test_another_version_and_another_game_are_refused() -> None:
    link = Scripted()
    link.lines = ["VERSION:1.0.0"]
    with pytest.raises(GameError, match=r"is not VERSION:2\.0\.0"):
        AcpcBot(lambda: link).act(Hand(NOLIMIT, seed=1).view(0))
    with pytest.raises(GameError, match="discards"):
        AcpcBot(lambda: link).act(Hand(catalogue("discard-2017"), seed=1).view(0))


# ---- Other people's programs ---------------------------------------------------------

PLAYER = """#!{python}
import socket, sys, time
there = socket.create_connection((sys.argv[1], int(sys.argv[2])))
there.sendall(b"VERSION:2.0.0\\r\\n")
for line in there.makefile():
    line = line.strip()
    {act}
    there.sendall(line.encode() + b":c\\r\\n")
"""


def program(folder: Path, act: str = "pass") -> str:
    """A player that answers every state with a call: a dealer skips what it did not ask for."""
    file = folder / "startme.sh"
    file.write_text(PLAYER.replace("{python}", sys.executable).replace("{act}", act))
    file.chmod(0o755)
    return f"acpc:{file}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("act", "kinds"),
    [
        ("pass", set()),
        ("sys.exit(3)", {"raised", "exited", "absent", "hook"}),
        ("line = 'garbage'", {"raised", "hook"}),
        ("time.sleep(600)", {"timeout", "absent", "hook"}),
    ],
)
def test_their_program_in_a_match(tmp_path: Path, act: str, kinds: set[str]) -> None:
    bot = program(tmp_path, act)
    result = play_match(
        [bot, "fish"], "nolimit-200bb", hands=20, seed=1, time_limit=10.0, keep_going=True
    )
    found = set().union(*(set(session.errors[0]) for session in result.sessions))
    assert found <= kinds
    assert bool(found) == bool(kinds)


def test_a_program_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GameError, match="there is no file"):
        make_bot(f"acpc:{tmp_path / 'none.sh'}", seed=1)
    (tmp_path / "plain.txt").write_text("hello")
    with pytest.raises(GameError, match="may not be run"):
        make_bot(f"acpc:{tmp_path / 'plain.txt'}", seed=1)


# ---- The real dealer -------------------------------------------------------------------

SERVER = os.environ.get("RIVERBOAT_ACPC_SERVER", "")
REAL = [
    ("holdem.nolimit.2p.reverse_blinds.game", NOLIMIT, 10_000),
    ("holdem.limit.2p.reverse_blinds.game", catalogue("limit"), 10_000),
    ("holdem.nolimit.3p.game", THREE, 10_000),
]


@pytest.mark.peer
@pytest.mark.skipif(not SERVER, reason="RIVERBOAT_ACPC_SERVER names no folder with the dealer")
@pytest.mark.parametrize(("game", "spec", "hands"), REAL)
def test_hands_at_the_real_dealer(tmp_path: Path, game: str, spec: GameSpec, hands: int) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        first = free.getsockname()[1]
    ports = [first + i for i in range(spec.players)]
    names = [f"p{i}" for i in range(spec.players)]
    command = [f"{SERVER}/dealer", "match", f"{SERVER}/{game}", str(hands), "7", *names]
    with (tmp_path / "said.txt").open("w") as said:
        dealer = subprocess.Popen(
            [*command, "-p", ",".join(map(str, ports)), "-q"],
            cwd=tmp_path, stdout=said, stderr=said,
        )  # fmt: skip
        time.sleep(0.3)
        found: list[Joined] = []
        threads = [joined_at(port, spec, "random", found) for port in ports]
        assert dealer.wait(600) == 0
        for thread in threads:
            thread.join(10)
    assert "WARNING" not in (tmp_path / "said.txt").read_text()
    assert [each.hands for each in found] == [hands] * spec.players
    assert all(not each.errors and not each.garbled for each in found)
    score = next(
        line for line in (tmp_path / "match.log").read_text().splitlines() if "SCORE" in line
    )
    chips = sorted(float(each) for each in score.split(":")[1].split("|"))
    ours = sorted(each.won * (spec.big_blind or 1) for each in found)
    assert ours == pytest.approx(chips, abs=0.5 * hands)


def test_links_are_closed() -> None:
    ours, theirs = socket.socketpair()
    bot = AcpcBot(lambda: LineLink(ours))
    theirs.send(b"VERSION:2.0.0\r\n")
    bot.hand_started(Hand(NOLIMIT, seed=1).view(0))
    bot.hand_over(Hand.from_line(NOLIMIT, "f", seed=1).view(0))
    bot.close()
    assert theirs.recv(1 << 12).startswith(b"MATCHSTATE:1:0::|")
    assert theirs.recv(1 << 12) == b""
    theirs.close()
