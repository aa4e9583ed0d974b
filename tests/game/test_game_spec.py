"""Games as data: what is a game, the catalogue, ACPC files, the notebook view."""

from __future__ import annotations

import pickle
import random
from html.parser import HTMLParser
from typing import Any

import msgspec
import pytest

from game.random_games import random_move
from riverboat.errors import GameError
from riverboat.game import (
    GameSpec,
    Hand,
    Rake,
    Street,
    catalogue,
    catalogue_names,
    read_acpc_game,
    seat_of_position,
    simulate,
    write_acpc_game,
)

# The files of the competition, as described in the reference: reverse blinds.
LIMIT = """# two-player limit
GAMEDEF
limit
numPlayers = 2
numRounds = 4
blind = 10 5
raiseSize = 10 10 20 20
firstPlayer = 2 1 1 1
maxRaises = 3 4 4 4
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""
THREE_PLAYERS = LIMIT.replace("limit\nnum", "nolimit\nnum").replace("Players = 2", "Players = 3")
THREE_PLAYERS = THREE_PLAYERS.replace("10 5", "50 100 0\nstack = 20000 20000 20000")
THREE_PLAYERS = THREE_PLAYERS.replace("2 1 1 1", "3 1 1 1").replace("maxRaises = 3 4 4 4\n", "")
KUHN = """gamedef
LIMIT
numplayers = 2
NUMROUNDS = 1
Blind 1 1      # an ante
raisesize = 1
firstPlayer = 1
maxRaises = 1
numSuits = 1
numRanks = 3
numHoleCards = 1
numBoardCards = 0
end gamedef
"""


def test_the_catalogue() -> None:
    names = "kuhn kuhn3 leduc limit nolimit-100bb nolimit-200bb potlimit short-deck cardiff"
    years = ["discard-2017", "river-of-blood-2023", "tossem-2026"]
    assert [*names.split(), *years] == list(catalogue_names())
    facts = {
        "nolimit-100bb": ((1000, 1000), (5, 10)),
        "nolimit-200bb": ((20000, 20000), (50, 100)),
        "discard-2017": ((200, 200), (1, 2)),
        "cardiff": ((1000, 1000), (5, 10)),
    }
    for name, (stacks, blinds) in facts.items():
        spec = catalogue(name)
        assert (spec.name, spec.stacks, spec.blinds) == (name, stacks, blinds)
    assert catalogue("NL hold'em") == catalogue("nolimit-100bb")
    assert catalogue("nolimit", players=6).blinds == (5, 10, 0, 0, 0, 0)


def test_any_depth_of_no_limit() -> None:
    spec = catalogue("NoLimit 35bb", players=3)
    assert (spec.name, spec.stacks) == ("nolimit-35bb", (350, 350, 350))
    assert spec.blinds == (5, 10, 0)
    for depth in (1, 1001, 20000):
        with pytest.raises(GameError, match="2 to 1,000 big blinds"):
            catalogue(f"nolimit-{depth}bb")


def test_facts_of_the_catalogue() -> None:
    games = {name: catalogue(name) for name in catalogue_names()}

    def those(fact: str) -> set[str]:
        return {name for name, spec in games.items() if getattr(spec, fact)}

    to_the_river = {"limit", "nolimit-100bb", "nolimit-200bb", "potlimit", "discard-2017"}
    assert those("is_holdem") == to_the_river
    assert those("has_holdem_cards") == to_the_river | {"cardiff"}
    assert those("deals_as_holdem") == to_the_river | {"short-deck"}
    assert those("runs_on") == {"river-of-blood-2023"}
    assert those("has_swaps") == {"discard-2017"}
    assert those("has_tosses") == {"tossem-2026"}
    assert those("has_discards") == {"discard-2017", "tossem-2026"}
    assert games["discard-2017"].swap_streets == (1, 2)
    assert games["tossem-2026"].board_sizes == (0, 2, 3, 4)
    assert games["kuhn"].board_sizes == (0,)
    assert games["short-deck"].street_names == ("preflop", "flop", "turn", "river")
    assert games["kuhn3"].street_names == ("round 1",)


def test_names_of_more_streets_than_four() -> None:
    spec = catalogue("nolimit").replace(
        streets=(Street(hole=2), *[Street(board=1)] * 5), showdown="high"
    )
    assert spec.street_names[3:] == ("river", "round 5", "round 6")


@pytest.mark.parametrize("bad", ["omaha", "", 5, None, ["kuhn"]])
def test_no_such_game(bad: Any) -> None:
    with pytest.raises(GameError, match="is not a game of the catalogue: it has kuhn, kuhn3"):
        catalogue(bad)


@pytest.mark.parametrize(
    ("name", "players"), [("nolimit", 11), ("nolimit", 1), ("kuhn3", 5), ("kuhn3", 2)]
)
def test_too_many_or_too_few_players(name: str, players: int) -> None:
    with pytest.raises(GameError, match=f"players, not {players}"):
        catalogue(name, players=players)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"stacks": (100,)}, "a game has 2 to 10 players, not 1"),
        ({"stacks": (100,) * 11, "blinds": ()}, "a game has 2 to 10 players, not 11"),
        ({"stacks": (100, 0)}, "the stack of seat 1 must be between 1 and"),
        ({"stacks": (100, 5.5)}, "must be a whole number, not 5.5"),
        ({"stacks": (100, True)}, "must be a whole number, not True"),
        ({"stacks": (100, 10**13)}, "must be between 0 and 1000000000000"),
        ({"stacks": "ab"}, "stacks must be a list of chips"),
        ({"stacks": 5}, "stacks must be a list of chips"),
        ({"blinds": (5,)}, "2 seats need 2 blinds, not 1"),
        ({"blinds": (5, -1)}, "must be between 0 and"),
        ({"blinds": (0, 0)}, "a game without blinds needs a minimum bet of at least 1"),
        ({"betting": "spread"}, "the betting must be one of no-limit, pot-limit, fixed-limit"),
        ({"betting": "fixed-limit"}, "the bet size of street 0 must be between 1 and"),
        ({"showdown": "low"}, "the showdown must be one of high"),
        ({"showdown": "one-card"}, "compares one hole card, not 2"),
        ({"showdown": "short-deck"}, "a deck that starts at the six"),
        ({"ranks": "AA"}, "different letters of 23456789TJQKA"),
        ({"ranks": "A"}, "the hand needs 9 cards but the deck has 4"),
        ({"suits": ""}, "different letters of cdhs"),
        ({"streets": ()}, "the number of streets must be between 1 and 8"),
        ({"streets": (Street(hole=2),)}, "needs 5 to 9 cards a seat, not 2"),
        ({"streets": (Street(hole=5),)}, "hole cards must be between 0 and 4, not 5"),
        ({"streets": (Street(hole=2, first=2), Street(board=5))}, "first seat of street 0"),
        ({"streets": (Street(hole=2, max_raises=-1), Street(board=5))}, "a raise cap must be"),
        ({"streets": (Street(discard="swap"), Street(hole=2))}, "no hole card is left for it"),
        ({"streets": (Street(discard="throw"),)}, "must be one of none, swap, toss"),  # type: ignore[arg-type]  # wrong on purpose
        ({"streets": ("flop",)}, "must be Street objects"),
        ({"streets": 5}, "must be a list of Street, not 5"),
        ({"streets": None}, "must be a list of Street, not None"),
        ({"name": 5}, "the name of a game must be text, not 5"),
        ({"stacks": {100: 1, 200: 2}}, "stacks must be a list of chips"),
        (
            {
                "stacks": (100,) * 5,
                "blinds": (5, 10, 0, 0, 0),
                "streets": (Street(hole=3), Street(board=2, discard="toss"), Street(board=2)),
            },
            "needs 5 to 9 cards a seat, not 11",
        ),
        ({"rake": Rake(101)}, "between 0 and 100 per cent, not 101"),
        ({"rake": Rake(0.005)}, "must be a multiple of 0.01 per cent, not 0.005"),
        ({"rake": 5}, "must be a Rake, not 5"),
        ({"min_bet": -1}, "the minimum bet must be between 0 and"),
    ],
)
def test_what_is_no_game(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(GameError, match=sentence):
        GameSpec(**({"stacks": (100, 100), "blinds": (5, 10)} | changes))


@pytest.mark.parametrize("key", ["stacks", "betting", "showdown", "name", "streets", "rake"])
def test_sentences_stay_short_whatever_a_file_says(key: str) -> None:
    wrong: dict[str, Any] = {"stacks": (100, 100), "blinds": (5, 10)} | {key: ["x" * 10_000]}
    with pytest.raises(GameError) as raised:
        GameSpec(**wrong)
    assert len(str(raised.value)) < 300


def test_games_are_values() -> None:
    for name in catalogue_names():
        spec = catalogue(name)
        assert pickle.loads(pickle.dumps(spec)) == spec
        assert msgspec.json.decode(msgspec.json.encode(spec), type=GameSpec) == spec
        assert hash(spec) == hash(catalogue(name))
        assert spec.replace(name="other") != spec
    assert GameSpec(stacks=[5, 5], blinds=[1, 2]) == GameSpec(stacks=(5, 5), blinds=(1, 2))  # type: ignore[arg-type]  # lists become tuples


def test_acpc_limit_is_the_catalogues() -> None:
    spec = read_acpc_game(LIMIT, name="limit")
    assert spec.stacks == (2**31 - 1,) * 2  # the format's default
    assert spec.replace(stacks=(1000, 1000)) == catalogue("limit")


def test_acpc_three_players() -> None:
    spec = read_acpc_game(THREE_PLAYERS, name="nolimit-200bb")
    assert spec == catalogue("nolimit-200bb", players=3)
    assert [seat_of_position(spec, position) for position in range(3)] == [0, 1, 2]


def test_acpc_equal_blinds_are_antes() -> None:
    spec = read_acpc_game(KUHN)
    assert (spec.antes, spec.blinds, spec.showdown) == ((1, 1), (0, 0), "one-card")
    assert (spec.ranks, spec.suits) == ("QKA", "s")
    assert [seat_of_position(spec, position) for position in range(2)] == [0, 1]
    assert Hand(spec, seed=1).actor == 0


def test_acpc_first_player_that_is_not_the_usual() -> None:
    spec = read_acpc_game(LIMIT.replace("2 1 1 1", "2 2 2 2"))
    assert [spec.first_seat(i) for i in range(4)] == [0, 0, 0, 0]
    assert read_acpc_game(write_acpc_game(spec)) == spec


# Positions and seats would differ: two players without reverse blinds, and more players with
# the button (or the big blind) first.
@pytest.mark.parametrize(
    ("text", "blinds"),
    [
        (LIMIT.replace("10 5", "5 10"), "5 10"),
        *((THREE_PLAYERS.replace("50 100 0", b), b) for b in ("0 50 100", "100 0 50", "50 0 100")),
        *((THREE_PLAYERS.replace("50 100 0", b), b) for b in ("100 50 0", "50 200 100", "0 0 5")),
    ],
)
def test_acpc_blinds_in_another_order_are_refused(text: str, blinds: str) -> None:
    with pytest.raises(
        GameError, match=f"line 6: the blinds {blinds} are not in the standard order"
    ):
        read_acpc_game(text)


@pytest.mark.parametrize("blinds", [(50, 100, 0), (100, 100, 0), (0, 100, 0), (50, 100, 200)])
def test_acpc_blinds_in_the_usual_order(blinds: tuple[int, ...]) -> None:
    spec = catalogue("nolimit-200bb", players=3).replace(blinds=blinds)
    assert read_acpc_game(write_acpc_game(spec), spec.name) == spec
    text = THREE_PLAYERS.replace("50 100 0", " ".join(map(str, blinds)))
    assert read_acpc_game(text).blinds == blinds


@pytest.mark.parametrize(
    "blinds", [(10, 5), (0, 10, 20), (10, 5, 0), (5, 0, 10), (10, 10), (10, 10, 10)]
)
def test_acpc_unusual_blinds_are_not_written(blinds: tuple[int, ...]) -> None:
    spec = GameSpec((1000,) * len(blinds), blinds=blinds)
    with pytest.raises(GameError, match="an ACPC game file cannot express blinds"):
        write_acpc_game(spec)


@pytest.mark.parametrize(
    "name", ["kuhn", "kuhn3", "leduc", "limit", "nolimit-100bb", "nolimit-200bb"]
)
def test_acpc_there_and_back(name: str) -> None:
    assert read_acpc_game(write_acpc_game(catalogue(name)), name) == catalogue(name)


def test_acpc_deck_is_in_a_comment() -> None:
    text = write_acpc_game(catalogue("kuhn"))
    assert "\nnumRanks = 3\n" in text
    assert "\n# ranks JQK\n" in text
    assert "# suits" not in text  # spades are what every program takes
    # Without it, as other programs read it: the highest ranks.
    assert read_acpc_game(text.replace("# ranks JQK\n", "")).ranks == "QKA"
    spec = catalogue("kuhn").replace(suits="h")
    assert read_acpc_game(write_acpc_game(spec), "kuhn") == spec
    with pytest.raises(GameError, match="JQKA is not 3 ranks, as numranks says"):
        read_acpc_game(text.replace("JQK", "JQKA"))
    remark = text.replace("# ranks JQK", "# ranks are those of the whist deck")
    assert read_acpc_game(remark).ranks == "QKA"


@pytest.mark.parametrize("value", [5, None, "nolimit-100bb", b"GAMEDEF"])
def test_acpc_wrong_types_get_a_sentence(value: Any) -> None:
    with pytest.raises(GameError, match="the game must be a GameSpec, not "):
        write_acpc_game(value)
    with pytest.raises(GameError, match="the game must be a GameSpec, not "):
        seat_of_position(value, 0)
    if not isinstance(value, int):
        with pytest.raises(GameError, match="a position must be a whole number, not "):
            seat_of_position(catalogue("limit"), value)
        with pytest.raises(GameError, match="a game file"):
            read_acpc_game(value)


@pytest.mark.parametrize("name", ["potlimit", "short-deck", "cardiff", "discard", "tossem"])
def test_acpc_cannot_say(name: str) -> None:
    with pytest.raises(GameError, match="an ACPC game file cannot express"):
        write_acpc_game(catalogue(name))


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("GAMEDEF\nlimit", "limit", "line 2: a game file must start with GAMEDEF, not 'limit'"),
        ("END GAMEDEF", "", "no line END GAMEDEF"),
        ("limit\n", "\n", "no line limit or nolimit"),
        ("numSuits", "numSuit", "line 10: 'numSuit' is not a key"),
        ("numPlayers = 2", "numPlayers = two", "line 4: 'two' is not a whole number"),
        (
            "numPlayers = 2",
            "numPlayers = 11",
            "line 4: numplayers must be a number between 2 and 10",
        ),
        ("numPlayers = 2", "numPlayers", "line 4: numplayers must be"),
        ("blind = 10 5", "blind = 10", "line 6: blind needs 2 numbers, not 1"),
        ("blind = 10 5", "", "no line blind"),
        ("numRanks = 13", "numRanks = 14", "between 1 and 13, not '14'"),
        ("firstPlayer = 2", "firstPlayer = 3", "line 8: players are 1 to 2"),
        (
            "numRounds = 4",
            "numRounds = 4\nnumRounds = 4",
            "line 6: numRounds appears a second time",
        ),
        ("raiseSize = 10", "raiseSize = 0", "the bet size of street 0"),
        ("numHoleCards = 2", "numHoleCards = -2", "'-2' is not a whole number"),
    ],
)
def test_acpc_errors_name_the_line(old: str, new: str, sentence: str) -> None:
    text = LIMIT.replace("# two-player limit", "#").replace(old, new, 1)
    with pytest.raises(GameError, match=sentence):
        read_acpc_game(text)


def test_random_play_inside_the_core() -> None:
    for name in catalogue_names():
        spec = catalogue(name)
        report = simulate(spec, hands=10_000, seed=1)
        assert report.hands == 10_000
        assert sum(report.payoffs) == -report.rake == 0
        assert report == simulate(spec, hands=10_000, seed=1)
        assert report != simulate(spec, hands=10_000, seed=2)
    raked = catalogue("nolimit").replace(rake=Rake(5.0, 30))
    report = simulate(raked, hands=10_000, seed=1)
    assert sum(report.payoffs) == -report.rake < 0


class Tags(HTMLParser):
    """Checks that tags are closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag; nothing may be loaded or run."""
        assert not {name for name, _ in attrs} & {"src", "href", "onclick"}
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Check that the last open tag is closed."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Keep the text."""
        self.words.append(data)


def test_html_of_every_game() -> None:
    for name in catalogue_names():
        rng = random.Random(name)
        hand = Hand(catalogue(name).replace(name="<b>&"), seed=1)
        while True:
            page = Tags()
            page.feed(hand._repr_html_())
            assert page.open == []
            assert "<b>&" in page.words
            assert all(str(event.action) in page.words for event in hand.events)
            if hand.finished:
                break
            hand.do(random_move(hand, rng))


def test_repr_is_one_line() -> None:
    hand = Hand(catalogue("nolimit"), hole=["AhKd"])
    assert repr(hand) == "<Hand nolimit-100bb: AhKd|???? board -, '', seat 0 to act, pot 15>"
    hand.play("b1000c")
    assert repr(hand).endswith("board ??????????, 'b1000c', finished, showdown unknown>")
    hand.undo()
    hand.play("f")
    assert repr(hand).endswith("'b1000f', payoffs (10, -10)>")
