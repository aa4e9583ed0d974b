"""MIT Pokerbots 2017: lines as its bots and logs show them, and whole matches in its words."""

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from riverboat.bots import make_bot
from riverboat.errors import GameError, ProtocolError
from riverboat.game import Hand, View, catalogue
from riverboat.protocols.client import Joined, Player, connect, deal_match, join, listen
from riverboat.protocols.mit2017 import MatchFacts, Mit2017Bot, Mit2017Player, remote
from sizes import few_or_many

SPEC = catalogue("discard-2017")
NAMES = ("us", "them")


def text(cards: tuple[int, ...] | list[int]) -> list[str]:
    return ["23456789TJQKA"[card // 4] + "cdhs"[card % 4] for card in cards]


class Engine:
    """Tells one of two players what happens in a hand, as that engine does."""

    def __init__(self, seed: int, ours: int) -> None:
        self.hand = Hand(SPEC, seed=seed)
        self.ours = ours
        self.news: list[str] = ["POST:1:" + self.name(0), "POST:2:" + self.name(1)]

    def name(self, seat: int) -> str:
        """A seat's name."""
        return NAMES[0] if seat == self.ours else NAMES[1]

    def do(self, move: str) -> None:
        """Make a move, and note what is told of it."""
        hand, seat, street = self.hand, self.hand.actor, self.hand.street
        assert seat is not None
        who, legal, before = self.name(seat), self.hand.legal(), self.hand.view(seat).hole
        hand.do(move)
        self.news.append(self.told(move, who, legal.check, before, seat))
        for number in range(street + 1, hand.street + 1 if hand.actor is not None else 0):
            self.news.append("DEAL:" + ("FLOP", "TURN", "RIVER")[number - 1])

    def told(self, move: str, who: str, free: bool, before: tuple[int, ...], seat: int) -> str:
        """What is told of a move."""
        if move[0] == "b":
            opens = free and not any(self.hand.bets[1 - seat : 2 - seat])
            return f"{'BET' if opens else 'RAISE'}:{move[1:]}:{who}"
        if move[0] == "d":
            after = set(self.hand.view(seat).hole) - set(before)
            mine = f"{move[1:]}:{text(list(after))[0]}:" if seat == self.ours else ""
            return f"DISCARD:{mine}{who}"
        words = {"f": "FOLD", "c": "CALL", "k": "CHECK", "s": "CHECK"}
        return f"{words[move]}:{who}"

    def fields(self) -> str:
        """Board and news as fields."""
        board = text(self.hand.view(self.ours).board)
        told = [str(len(board)), *board, str(len(self.news)), *self.news]
        self.news = []
        return " ".join(told)

    def legal(self) -> list[str]:
        """What may be done, in its words."""
        legal, found = self.hand.legal(), list[str]()
        if legal.stand:
            return ["CHECK", *(f"DISCARD:{card}" for card in text(list(legal.discards)))]
        if legal.fold:
            found.append("FOLD")
        found.append("CHECK" if legal.check else "CALL")
        if legal.raise_to:
            least, most = legal.raise_to
            found.append(f"{'BET' if legal.check and self.hand.street else 'RAISE'}:{least}:{most}")
        return found


def as_move(answer: str) -> Iterator[str]:
    kind, _, rest = answer.partition(":")
    yield {"BET": f"b{rest}", "RAISE": f"b{rest}", "DISCARD": f"d{rest}"}.get(kind, "")
    yield {"FOLD": "f", "CALL": "c", "CHECK": "k"}.get(kind, "")
    yield "s" if kind == "CHECK" else ""


@pytest.mark.parametrize("hands", few_or_many(200, 10_000))
def test_a_match_in_its_words(hands: int) -> None:
    draw = random.Random(2)
    player = Player(make_bot("random", seed=1))
    ours = Mit2017Player(player)
    assert ours.hear(f"NEWGAME us them 200 2 {hands} 20.0") == ()
    bank, swaps = 0, 0
    for number in range(hands):
        engine = Engine(number, ours=number % 2)
        hand = engine.hand
        hole = " ".join(text(hand.hole_cards(engine.ours)))
        button = "true" if engine.ours == 0 else "false"
        ours.hear(f"NEWHAND {number + 1} {button} {hole} {bank} {-bank} 19.5")
        while hand.actor is not None:
            legal = hand.legal()
            if hand.actor == engine.ours:
                line = f"GETACTION {hand.pot} {engine.fields()}"
                told = engine.legal()
                (answer,) = ours.hear(f"{line} {len(told)} {' '.join(told)} 19.5")
                move = next(each for each in as_move(answer) if each and each in legal)
                swaps += move[0] == "d"
            else:
                move = draw.choice(list(legal))
            engine.do(move)
        bank += hand.payoffs()[engine.ours]
        assert ours.hear(f"HANDOVER {bank} {-bank} {engine.fields()} 19.5") == ()
    assert not player.chair.errors
    assert swaps > 20
    assert sum(player.won) * 2 == bank
    assert ours.hear("REQUESTKEYVALUES 1000") == ("FINISH",)


class Watcher:
    """Keeps what it sees, and keeps its cards and calls."""

    def __init__(self) -> None:
        self.views: list[View] = []

    def act(self, view: View) -> str:
        """Stand pat, check or call."""
        self.views.append(view)
        legal = view.legal
        return "s" if legal.stand else "k" if legal.check else "c"


def test_what_a_hand_looks_like() -> None:
    bot = Watcher()
    ours = Mit2017Player(Player(bot))
    ours.hear("NEWGAME us them 200 2 100 20.000")
    ours.hear("KEYVALUE key value")
    ours.hear("NEWHAND 1 false As Kd 0 0 20.000")
    line = "GETACTION 6 0 3 POST:1:them POST:2:us RAISE:4:them 3 FOLD CALL RAISE:6:200 20.0"
    assert ours.hear(line) == ("CALL",)
    line = "GETACTION 8 3 2c 3d 4h 2 CALL:us DEAL:FLOP 3 CHECK DISCARD:As DISCARD:Kd 20.0"
    assert ours.hear(line) == ("CHECK",)
    line = "GETACTION 8 3 2c 3d 4h 2 CHECK:us DISCARD:them 2 CHECK BET:2:196 20.0"
    assert ours.hear(line) == ("CHECK",)
    assert [view.street for view in bot.views] == [0, 1, 1]
    assert bot.views[2].legal.raise_to == (2, 196)
    over = "HANDOVER -4 4 3 2c 3d 4h 3 CHECK:us BET:10:them FOLD:us 20.0"
    assert ours.hear(over) == ()
    assert ours.player.won == [-2.0]


@pytest.mark.parametrize(
    "line",
    [
        "",
        "HELLO",
        "NEWGAME us",
        "NEWGAME us them 1 2 3 4.0",
        "NEWHAND 1 maybe As Kd 0 0 1.0",
        "NEWHAND 1 true As As 0 0 1.0",
        "GETACTION 3 0 0 0 1.0",
        "HANDOVER 1 2 9 9 9",
    ],
)
def test_wrong_packets_are_told(line: str) -> None:
    ours = Mit2017Player(Player(make_bot("fish", seed=1)))
    ours.hear("NEWGAME us them 200 2 100 20.0")
    with pytest.raises(ProtocolError):
        ours.hear(line)
    assert ours.shrug(line) == (("CHECK",) if line.startswith("GETACTION") else ())


def joined(port: int, name: str, seed: int) -> Joined:
    """Our bot plays a match as a player of the protocol."""
    player = Mit2017Player(Player(make_bot(name, seed)))
    return join(player, lambda: connect("127.0.0.1", port))


@pytest.mark.parametrize("hands", few_or_many(60, 2000))
def test_two_players_meet_at_our_dealer(hands: int) -> None:
    """The match over two connections is that of the same bots at our own table."""
    names = ("backup:all_in=0.8", "random")
    alone = deal_match(SPEC, [make_bot(name, seed=5) for name in names], hands, seed=3)
    with ExitStack() as stack:
        servers = [stack.enter_context(listen()) for _ in names]
        facts = [MatchFacts(f"p{i}", f"p{1 - i}", hands, 100.0) for i in range(2)]
        seats = [
            remote(server, each, 20.0, 20.0) for server, each in zip(servers, facts, strict=True)
        ]
        with ThreadPoolExecutor() as pool:
            ports = [server.getsockname()[1] for server in servers]
            players = [
                pool.submit(joined, port, name, 5) for port, name in zip(ports, names, strict=True)
            ]
            over = deal_match(SPEC, seats, hands, seed=3)
            for seat in seats:
                seat.close()
            results = [player.result(20) for player in players]
    assert over.errors == ({}, {})
    assert [hand.full_line for hand, _ in over.hands] == [hand.full_line for hand, _ in alone.hands]
    assert over.chips == alone.chips
    assert [result.ended for result in results] == ["hung up", "hung up"]
    assert [result.garbled for result in results] == [0, 0]
    assert [round(2 * result.won) for result in results] == list(over.chips)
    assert sum("d" in hand.line for hand, _ in over.hands) > 5


class Said:
    """A link to a player that answers as it was told to, and keeps what it was sent."""

    def __init__(self, *answers: str) -> None:
        self.answers, self.sent = list(answers), list[str]()

    def send(self, line: str) -> None:
        """Keep a packet."""
        self.sent.append(line)

    def receive(self, seconds: float = 0.0) -> str:
        """Give the next answer."""
        if not self.answers:
            raise EOFError(f"nothing to say in {seconds} s")
        return self.answers.pop(0)

    def close(self) -> None:
        """Hang up."""


def test_what_a_player_is_told_of_a_hand() -> None:
    """Fields and words of the packets: bots and logs of the 2017 engine (see the README there)."""
    link = Said("RAISE:6", "CHECK", "BET:8", "PUT a b", "FINISH")
    player = Mit2017Bot(lambda: link, MatchFacts("A", "B", 1, 20.0))
    hand = Hand(SPEC, hole=["AsKd", "2c7d"], board="QsJs3h4h5h", seed=1)
    player.hand_started(hand.view(0))
    hand.do(player.act(hand.view(0)))
    hand.play("c/d2c")
    hand.do(player.act(hand.view(0)))
    hand.play("k")
    hand.do(player.act(hand.view(0)))
    hand.play("f")
    player.hand_over(hand.view(0))
    player.close()
    assert [" ".join(line.split(" ")[:-1]) for line in link.sent[:-1]] == [
        "NEWGAME A B 200 2 1",
        "NEWHAND 1 true As Kd 0 0",
        "GETACTION 3 0 2 POST:1:A POST:2:B 3 FOLD CALL RAISE:4:200",
        "GETACTION 12 3 Qs Js 3h 4 RAISE:6:A CALL:B DEAL:FLOP DISCARD:B "
        "3 CHECK DISCARD:As DISCARD:Kd",
        "GETACTION 12 3 Qs Js 3h 2 CHECK:A CHECK:B 2 CHECK BET:2:194",
        "HANDOVER 6 -6 3 Qs Js 3h 4 BET:8:A FOLD:B REFUND:8:A WIN:12:A",
    ]
    assert link.sent[-1].startswith("REQUESTKEYVALUES ")


def test_wrong_answers_are_failures() -> None:
    """The engine replaces them by a check or a fold (read in its logs)."""
    links = Said("BET", "DISCARD:9z"), Said()
    seats = [
        Mit2017Bot(lambda link=link: link, MatchFacts("A", "B", 1, 20.0))  # type: ignore[misc]
        for link in links
    ]
    dealt = deal_match(SPEC, seats, 1, seed=1)
    assert dealt.chips == (-1, 1)  # the small blind folds
    assert sum(dealt.errors[0].values()) == 1


def test_a_spent_time_bank_folds() -> None:
    player = Mit2017Bot(lambda: Said("CALL"), MatchFacts("A", "B", 1, 0.0))
    player.hand_started(Hand(SPEC, seed=1).view(0))
    with pytest.raises(TimeoutError, match="has no time left"):
        player.act(Hand(SPEC, seed=1).view(0))


class Silent(Said):
    """Never answers in time."""

    def receive(self, seconds: float = 0.0) -> str:
        """Run out of time."""
        self.sent.append(f"waited {seconds:g} s")
        raise TimeoutError


def test_a_late_player_is_not_asked_again() -> None:
    """Its late answer would count for the next question."""
    link, view = Silent(), Hand(SPEC, seed=1).view(0)
    player = Mit2017Bot(lambda: link, MatchFacts("A", "B", 1, 20.0), seconds=3.0)
    player.hand_started(view)
    for _ in range(2):
        with pytest.raises(TimeoutError):
            player.act(view)
    assert [line for line in link.sent if line.startswith("waited")] == ["waited 3 s"]


def test_other_games_are_refused() -> None:
    player = Mit2017Bot(Said, MatchFacts("A", "B", 1, 20.0))
    with pytest.raises(GameError, match="play discard-2017, not leduc"):
        player.hand_started(Hand(catalogue("leduc"), seed=1).view(0))
