"""Tables of three to nine seats on a tree for six players."""

from __future__ import annotations

import random
from functools import cache

import pytest

from riverboat.game import Hand, catalogue
from riverboat.translation import ManyTracker, Place, Tracker, kind_difference, make_tracker
from riverboat.tree import DECISION, Tree

SIX = catalogue("nolimit-100bb", players=6)
MENU = "2.5x, a | 3.5x, a | a ; sb 3x, a ; cap 3 ; limp sb ; flop 3 / 66%, a ; cap 1"


@cache
def six_max() -> Tree:
    return Tree(SIX, MENU)


@cache
def tracker() -> Tracker:
    return make_tracker(six_max())


def find(line: str, players: int = 6, **changes: object) -> Place:
    """Return the place of the seat to act."""
    spec = catalogue("nolimit-100bb", players=players).replace(**changes)
    hand = Hand.from_line(spec, line, seed=1)
    assert hand.actor is not None
    return tracker().find(hand.view(hand.actor))


def line_of(line: str, players: int = 6, **changes: object) -> str:
    place = find(line, players, **changes)
    assert place.node >= 0, place.reason
    return six_max().line(place.node)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_missing_seats_have_folded(players: int) -> None:
    """Every line of the tree that begins with their folds is that line, with the same chips."""
    rng, tree, missing = random.Random(1), six_max(), "f" * (6 - players)
    decisions = [node for node in range(tree.num_nodes) if tree.kind[node] == DECISION]
    checked = 0
    for node in rng.sample(decisions, 3000):
        line = tree.line(node)
        if not line.startswith(missing) or tree.actions(node) == ("f",):
            continue
        place = find(line[len(missing) :], players)
        assert (place.node, place.exact) == (node, True)
        checked += 1
    assert checked > 50


@pytest.mark.parametrize(
    ("players", "line", "expected"),
    [
        (6, "c", "f"),  # a limper is left out: the next seat is first in
        (6, "cccc", "ffff"),
        (6, "ccccc", "ffffc"),  # to the big blind it is the small blind who limped
        (6, "cb40fff", "fb25fff"),
        (6, "b30cc", "b25c"),  # one caller too many
        (6, "b1000", "b1000"),
    ],
)
def test_limps_and_crowds(players: int, line: str, expected: str) -> None:
    assert line_of(line, players).startswith(expected)


def test_seats_before_the_first() -> None:
    """Seven to nine seats: early ones fold without a place, and an open counts as the first's."""
    assert line_of("", 9) == line_of("ff", 9) == line_of("fff", 9) == ""
    assert line_of("ffff", 9) == "f"
    assert line_of("b25ff", 9) == "b25"  # the first seat of the tree faces it as the second one
    assert line_of("b25ffffff", 9) == "b25fff"
    many = tracker()
    assert isinstance(many, ManyTracker)
    nine = catalogue("nolimit-100bb", players=9)
    views = [Hand.from_line(nine, "f" * count, seed=1).view(2 + count) for count in range(5)]
    assert [many.early_seats(view) for view in views] == [3, 2, 1, 0, 0]


def test_a_seat_that_is_left_out_takes_a_place() -> None:
    """Six players see the flop; the one who bets must be in the line, and the hero too."""
    flop = find("b25ccccc")
    assert six_max().line(flop.node).count("c") >= 1
    for bets, seats in (("b90", 1), ("kb90", 2), ("kkkkb90", 5), ("kkkkkb90", 0)):
        place = find(f"b25ccccc/{bets}")
        assert place.node >= 0
        assert six_max().actions(place.node) == ("f", "c")  # nobody raises after the flop
        assert place.seats[seats] == int(six_max().player[place.node])


def test_a_player_who_is_left_out_inherits() -> None:
    """The line's last opponent folds, and the one who was left out calls in their place."""
    before = find("b25ccccc/b100")
    assert before.node >= 0
    place = find("b25ccccc/b100cffff/k")
    assert place.node >= 0
    assert int(six_max().street[place.node]) == 2


@pytest.mark.parametrize(
    "changes",
    [
        {"stacks": (600,) * 6},
        {"stacks": (1500, 900, 700, 1100, 600, 1000)},
        {"antes": (1,) * 6},
        {"blinds": (5, 10, 20, 0, 0, 0)},
        {"blinds": (3, 10, 0, 0, 0, 0)},
    ],
)
def test_other_stakes(changes: dict[str, object]) -> None:
    spec = SIX.replace(**changes)
    assert kind_difference(SIX, spec) == ""
    assert tracker().find(Hand(spec, seed=1).view(Hand(spec, seed=1).actor or 0)).node >= 0


def test_two_players_are_another_game() -> None:
    heads_up = catalogue("nolimit-100bb")
    assert "for 6 players, the table has 2" in kind_difference(SIX, heads_up)
    assert "for 2 players, the table has 6" in kind_difference(heads_up, SIX)
    assert kind_difference(SIX, catalogue("short-deck", players=6)) != ""


def random_hand(rng: random.Random) -> Hand:
    """A table with any seats, stacks and bets, played at random without many folds."""
    players = rng.choice([3, 4, 5, 6, 7, 9])
    stacks = tuple(rng.choice([150, 600, 1000, 1500]) for _ in range(players))
    spec = catalogue("nolimit-100bb", players=players)
    return Hand(spec, seed=rng.randrange(2**31), stacks=stacks)


def random_action(rng: random.Random, hand: Hand) -> str:
    legal = hand.legal()
    passive = "k" if legal.check else "c"
    choices = [passive] * 4 + ["f"] * bool(legal.fold)
    if legal.raise_to:
        least, most = legal.raise_to
        choices += [f"b{rng.choice([least, min(3 * least, most), most])}"]
    return rng.choice(choices)


def test_any_hand_has_a_place_before_the_flop() -> None:
    """And later places are decisions of the same street, or it is said why there is none."""
    rng, on, off = random.Random(7), 0, 0
    for _ in range(400):
        hand = random_hand(rng)
        hero = rng.randrange(hand.spec.players)
        mine = make_tracker(six_max(), seed=3)
        while hand.actor is not None:
            if hand.actor == hero:
                place = mine.find(hand.view(hero))
                if place.node >= 0:
                    assert int(six_max().street[place.node]) == hand.street
                    assert int(six_max().player[place.node]) == place.seats[hero] or not hand.street
                else:
                    assert hand.street > 0 or place.committed
                    assert place.reason
                on, off = on + (place.node >= 0), off + (place.node < 0 and not place.committed)
            hand.do(random_action(rng, hand))
    assert off < 0.1 * on


def test_readings_are_what_find_returns() -> None:
    """Action by action with the hero named, as ranges are computed."""
    rng, mine = random.Random(11), make_tracker(six_max(), "nearest-amount")
    for _ in range(40):
        hand = random_hand(rng)
        hero = rng.randrange(hand.spec.players)
        place = mine.start(hand.spec, hand.starting_stacks, hero)
        while hand.actor is not None:
            if hand.actor == hero:
                aligned = place if place.exact else mine.aligned(place, hero, hand.street)
                found = make_tracker(six_max(), "nearest-amount").find(hand.view(hero))
                assert found.node == (-1 if aligned.committed else aligned.node)
            action = random_action(rng, hand)
            ((place, _),) = mine.readings(place, hand, action)
            hand.do(action)
