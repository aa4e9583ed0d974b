"""The loop that carries every protocol: lines, cuts, stalls, garbage, and clocks."""

import math
import random
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from riverboat.bots import make_bot
from riverboat.errors import ProtocolError
from riverboat.game import Hand, View, catalogue
from riverboat.protocols.client import (
    Dialect,
    LineLink,
    Player,
    TimeBank,
    Transcript,
    connect,
    join,
    listen,
    read_transcript,
)

Pair = Callable[[], tuple[LineLink, socket.socket]]


class Echo(Dialect):
    """A dialect that answers every line but `bye`, and understands no line with a `!`."""

    def __init__(self) -> None:
        super().__init__(Player(make_bot("fish", seed=1)))

    def greet(self) -> Sequence[str]:
        """Say hello."""
        return ("hello",)

    def hear(self, line: str) -> Sequence[str]:
        """Ask back."""
        if "!" in line:
            raise ProtocolError(f"{line!r} is no word")
        self.over = line == "bye"
        self.in_hand = line == "hand"
        return () if self.over else (f"{line}?",)

    def shrug(self, line: str) -> Sequence[str]:
        """Ask what that was."""
        del line
        return ("what?",)


@pytest.fixture
def pair() -> Iterator[Callable[[], tuple[LineLink, socket.socket]]]:
    """Make links and their other ends, which are closed in the end."""
    with ExitStack() as stack:

        def make() -> tuple[LineLink, socket.socket]:
            ours, theirs = socket.socketpair()
            stack.enter_context(ours)
            stack.enter_context(theirs)
            return LineLink(ours), theirs

        yield make


def said_by(theirs: socket.socket) -> list[str]:
    theirs.setblocking(False)
    return theirs.recv(1 << 16).decode().splitlines()


def test_a_line_may_come_in_pieces_and_several_at_once(pair: Pair) -> None:
    ours, theirs = pair()
    theirs.send(b"he")
    with pytest.raises(TimeoutError):
        ours.receive(0.0)
    theirs.send(b"llo\r\none\ntwo\nhal")
    assert [ours.receive(1) for _ in range(3)] == ["hello", "one", "two"]
    theirs.shutdown(socket.SHUT_WR)
    with pytest.raises(EOFError):
        ours.receive(1)


def test_a_line_without_end_is_refused(pair: Pair) -> None:
    ours, theirs = pair()
    theirs.sendall(b"x" * 70_000)
    with pytest.raises(ProtocolError, match="65,536 characters"):
        ours.receive(5)


def test_bytes_that_are_no_text_come_as_signs(pair: Pair) -> None:
    ours, theirs = pair()
    theirs.send(b"\xff\xfe\n")
    assert ours.receive(1) == "\N{REPLACEMENT CHARACTER}" * 2


def test_a_match_that_is_over(pair: Pair, tmp_path: Path) -> None:
    ours, theirs = pair()
    theirs.send(b"one\nno!\nbye\n")
    with Transcript(tmp_path / "said.txt") as transcript:
        joined = join(Echo(), lambda: ours, transcript=transcript)
    assert (joined.ended, joined.garbled, joined.hands) == ("over", 1, 0)
    assert said_by(theirs) == ["hello", "one?", "what?"]
    told = read_transcript((tmp_path / "said.txt").read_text().splitlines())
    assert told == [("", ("hello",)), ("one", ("one?",)), ("no!", ("what?",)), ("bye", ())]


@pytest.mark.parametrize(
    ("sent", "ended"),
    [(b"one\n", "hung up"), (b"hand\n", "connection lost during a hand"), (b"ha", "hung up")],
)
def test_a_connection_that_ends(pair: Pair, sent: bytes, ended: str) -> None:
    ours, theirs = pair()
    theirs.send(sent)
    theirs.shutdown(socket.SHUT_WR)
    assert join(Echo(), lambda: ours).ended == ended


def test_an_opponent_that_stalls(pair: Pair) -> None:
    ours, _ = pair()
    assert join(Echo(), lambda: ours, patience=0.01).ended == "no line within 0.01 s"


def test_nothing_but_garbage_ends_it(pair: Pair) -> None:
    ours, theirs = pair()
    theirs.send(b"!\n" * 100)
    joined = join(Echo(), lambda: ours)
    assert joined.garbled == 100
    assert "100 invalid lines in a row" in joined.ended


def test_a_server_that_starts_again(pair: Pair) -> None:
    first, theirs = pair()
    second, theirs_again = pair()
    theirs.send(b"hand\n")
    theirs.shutdown(socket.SHUT_WR)
    theirs_again.send(b"bye\n")
    links = iter([first, None, second])

    def again() -> LineLink:
        link = next(links)
        if link is None:
            raise ProtocolError("not there yet")
        return link

    joined = join(Echo(), again, reconnect=5)
    assert (joined.ended, joined.connections) == ("over", 2)
    assert said_by(theirs_again) == ["hello"]


def test_nobody_there() -> None:
    with listen() as server:
        port = server.getsockname()[1]
    with pytest.raises(ProtocolError, match=f"127.0.0.1:{port} cannot be reached within 0"):
        connect("127.0.0.1", port, seconds=0.0)


def test_what_a_bot_does_wrong_is_put_right() -> None:
    class Wrong:
        def __init__(self) -> None:
            self.moves = iter(["k", "b7", None])

        def act(self, view: View) -> str:
            del view
            move = next(self.moves)
            if move is None:
                raise RuntimeError("lost")
            return move

    player = Player(Wrong())
    view = Hand(catalogue("nolimit-100bb"), seed=1).view(0)
    assert [str(player.decide(view)) for _ in range(3)] == ["f", "f", "f"]
    assert player.chair.errors == {"illegal": 2, "raised": 1}


def test_time_is_planned_by_hands_left() -> None:
    bank = TimeBank(hands=1000)
    assert bank.plan() == math.inf
    left = 30.0
    for _ in range(1000):
        bank.left(left)
        bank.begin()
        for _ in range(4):
            planned = bank.plan()
            bank.spent(0.5 * planned, planned)  # as a bot that searches takes
            left -= 0.5 * planned
            bank.left(left)
    assert 0 < left < 15  # it is used, and never used up


def test_a_bot_that_needs_no_time_leaves_it_to_later_decisions() -> None:
    bank = TimeBank(hands=100)
    bank.left(30.0)
    first = bank.plan()
    for _ in range(10):
        bank.begin()
        planned = bank.plan()
        bank.spent(1e-6, planned)
    assert bank.plan() > 2 * first


@pytest.mark.parametrize(("seconds", "hands"), [(60.0, 1000), (30.0, 1000), (7 * 300.0, 300)])
def test_searches_are_rationed_to_the_largest_pots(seconds: float, hands: int) -> None:
    """MIT's clocks pay for a part of the searches, ACPC's 7 s a hand for all of them."""
    draws, bank, left = random.Random(1), TimeBank(hands), seconds
    searched: list[int] = []
    asked: list[int] = []
    for _ in range(hands):
        bank.begin()
        for _ in range(draws.choice((0, 0, 1, 2, 3))):
            pot = int(20 * draws.paretovariate(1.2))
            bank.left(left)
            planned = bank.plan(pot, search=4.0)
            used = planned / 2 if planned else 0.0005  # what the search bot takes at most
            bank.spent(used, planned)
            left -= used
            asked.append(pot)
            searched += [pot] * (planned > 0)
    assert left > 0
    if seconds / hands >= 7:
        assert len(searched) == len(asked)
        return
    assert left < 0.15 * seconds
    best = sorted(asked)[-len(searched) :]
    assert sum(searched) > 0.7 * sum(best)
    assert sum(searched) / len(searched) > 4 * sum(asked) / len(asked)


def test_a_clock_that_pays_for_no_search_grants_none() -> None:
    bank = TimeBank(hands=10_000)  # Husky Hold'em: 5 s for all
    bank.left(5.0)
    for pot in range(1000):
        bank.begin()
        assert bank.plan(pot, search=4.0) == 0.0
        bank.spent(0.0002, 0.0)


def test_a_bot_that_searches_tells_its_wish() -> None:
    """A wish that the clock does not pay for leaves 0 seconds; without a wish there is a share."""
    seen: list[float | None] = []

    class Searches:
        def act(self, view: View) -> str:
            seen.append(view.seconds_left)
            return "k" if view.legal.check else "f"

        def search_seconds(self, view: View) -> float:
            if view.street and not view.line.endswith("k"):
                raise RuntimeError("lost")
            return 4.0 if view.street else 0.0

    bank = TimeBank(hands=1000)
    bank.left(30.0)
    player = Player(Searches(), 60.0, bank)
    for line in ("b25", "b25c/k", "b25c/"):
        hand = Hand.from_line(catalogue("nolimit-100bb"), line, seed=1)
        assert hand.actor is not None
        player.decide(hand.view(hand.actor))
    assert seen[0]
    assert seen[1] == 0.0
    assert seen[2]  # its failure is counted, and it plays on
    assert player.chair.errors == {"hook": 1}


def test_the_bot_is_told_its_time() -> None:
    seen: list[float | None] = []

    class Listener:
        def act(self, view: View) -> str:
            seen.append(view.seconds_left)
            return "f"

    view = Hand(catalogue("nolimit-100bb"), seed=1).view(0)
    Player(Listener()).decide(view)
    bank = TimeBank(hands=10)
    bank.left(10.0)
    Player(Listener(), 60.0, bank).decide(view)
    assert seen[0] is None
    assert seen[1] == pytest.approx(0.5)


def test_a_transcript_with_other_marks_is_refused() -> None:
    with pytest.raises(ProtocolError, match="line 1 of a transcript"):
        read_transcript(["MATCHSTATE"])


def test_empty_lines_are_counted(pair: Pair) -> None:
    ours, theirs = pair()
    theirs.sendall(b"\n \none\n" + b"\r\n" * 200)
    joined = join(Echo(), lambda: ours)
    assert joined.ended == "100 empty lines in a row"
    assert joined.garbled == 102


def test_empty_lines_do_not_prolong_the_patience(pair: Pair) -> None:
    """An engine that sends an empty line now and then, and never another one."""
    ours, theirs = pair()
    ended = threading.Event()

    def trickle() -> None:
        with suppress(OSError):
            while not ended.wait(0.02):
                theirs.send(b"\n")

    thread = threading.Thread(target=trickle)
    thread.start()
    joined = join(Echo(), lambda: ours, patience=0.2)
    ended.set()
    thread.join()
    assert joined.ended == "no line within 0.2 s"


def test_an_unreachable_engine_is_told_and_tried_again() -> None:
    told: list[str] = []
    with listen() as server:
        port = server.getsockname()[1]
    servers: list[socket.socket] = []

    def tell(sentence: str) -> None:
        told.append(sentence)
        servers.append(listen(port=port))

    connect("127.0.0.1", port, tell=tell).close()
    servers[0].close()
    [sentence] = told
    assert f"127.0.0.1:{port} cannot be reached" in sentence
    assert "trying for 10 s" in sentence
