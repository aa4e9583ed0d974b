"""Pineapple's backup bot and its rule for discards."""

import itertools

import pytest

from riverboat.bots import discard, make_bot
from riverboat.bots._backup import Backup
from riverboat.bots._swap import discard_by_score, swap_scores, swap_values
from riverboat.cards import HandStrength, cactus_kev, evaluate
from riverboat.game import Hand, View, catalogue

DISCARDS = catalogue("discard-2017")


def swapping(hole: str, flop: str) -> View:
    """The big blind's view when it may swap after this flop."""
    hand = Hand(DISCARDS, hole=["????", hole], board=flop + "????", seed=1)
    hand.play("ck")
    return hand.view(1)


def test_swap_values_are_means_over_all_replacements(tables: HandStrength) -> None:
    # The twin: every card that may come, looked up one by one.
    view = swapping("9s3h", "Ah9c2d")
    gone = {*view.hole, *view.board}
    left = [card for card in range(52) if card not in gone]
    stand, values = swap_values(view)
    assert stand == pytest.approx(tables.strength(view.hole, view.board).mean)
    for kept, value in zip(reversed(view.hole), values, strict=True):
        means = [tables.strength([kept, card], view.board).mean for card in left]
        assert value == pytest.approx(sum(means) / len(means))


@pytest.mark.parametrize(
    ("hole", "flop", "move"),
    [
        ("9s3h", "Ah9c2d", "d3h"),  # keep the pair, seek a kicker
        ("AsAd", "AhKc2d", "s"),  # a set
        ("7d2c", "AhKhQs", "d2c"),  # nothing: the lower card goes
    ],
)
def test_swaps(hole: str, flop: str, move: str, tables: HandStrength) -> None:  # noqa: ARG001 - built before the bots ask for them
    assert discard(swapping(hole, flop)) == move
    assert make_bot("backup", 0).act(swapping(hole, flop)) == move


def test_a_swap_must_gain_enough(tables: HandStrength) -> None:  # noqa: ARG001 - built before the bots ask for them
    view = swapping("9s3h", "Ah9c2d")
    stand, values = swap_values(view)
    gain = max(values) - stand
    assert gain > 0.02
    assert discard(view, gain - 1e-9) == "d3h"
    assert discard(view, gain + 1e-9) == "s"


def test_other_win_rate_bots_swap_too(tables: HandStrength) -> None:  # noqa: ARG001 - built before the bots ask for them
    assert make_bot("shark", 0).act(swapping("9s3h", "Ah9c2d")) == "d3h"
    assert make_bot("fish", 0).act(swapping("9s3h", "Ah9c2d")) == "s"


def facing(hole: str, board: str, line: str) -> View:
    """The button's view in plain hold'em, 1,000 chips."""
    return Hand.from_line(
        catalogue("nolimit-100bb"), line, hole=[hole, "????"], board=board, seed=1
    ).view(0)


def test_score_is_the_place_among_all_hands() -> None:
    # The report: 1 - rank / 7462 with the usual rank, 1 the best.
    view = facing("AsKh", "AcKd9h2c3d", "ck/k")
    rank = cactus_kev(evaluate("AsKhAcKd9h"))
    assert Backup().score(view) == pytest.approx(1 - rank / 7462)
    assert Backup().score(facing("AhKh", "QhJhTh2c3d", "ck/k")) == pytest.approx(1 - 1 / 7462)


def test_it_steers_the_pot() -> None:
    # A pair of tens: score * 2,000 chips is the pot it wants, of which 20 are there.
    view = facing("TsTh", "Ac7d9h4c3d", "ck/k")
    target = Backup().score(view) * 2000
    assert Backup().act(view) == f"b{int(target - 20)}"
    assert Backup().act(facing("AsKh", "AcKd9h2c3d", "ck/k")) == "b990"  # all it has
    assert Backup().act(facing("7s2h", "AcKd9h4c3d", "ck/k")) == "k"  # below 0.4
    assert Backup().act(facing("7s2h", "AcKd9h4c3d", "ck/b10")) == "f"


def test_it_calls_a_little_above_its_pot_and_folds_beyond() -> None:
    # A pair of tens scores about 0.42: it wants 840 chips and calls up to 840 / 0.6 = 1,400.
    hole, board = "TsTh", "Ac7d9h4c3d"
    score = Backup().score(facing(hole, board, "ck/k"))
    assert 0.4 < score < 0.5
    ceiling = score * 2000 / 0.6
    for bet in (450, 990):
        pot_after_call = 20 + 2 * bet
        move = "c" if pot_after_call <= ceiling else "f"
        assert Backup().act(facing(hole, board, f"ck/b{bet}")) == move
    assert Backup().act(facing("TsTh", "TcTd9h4c3d", "ck/b990")) == "c"  # quads: everything


def test_bets_before_the_flop_are_small(tables: HandStrength) -> None:  # noqa: ARG001 - built before the bots ask for them
    # A tenth of the stack for each: aces (0.852) want a pot of 0.852 * 200 = 170.
    view = Hand(catalogue("nolimit-100bb"), hole=["AsAh", "????"], seed=1).view(0)
    assert Backup().act(view) == "b160"  # 5 in already, and 15 in the pot
    all_in = Hand.from_line(catalogue("nolimit-100bb"), "cb1000", hole=["AsAh", "????"], seed=1)
    assert Backup().act(all_in.view(0)) == "f"


def test_short_deck_and_many_seats(tables: HandStrength) -> None:  # noqa: ARG001 - built before the bots ask for them
    for game, seats in itertools.product(("short-deck", "nolimit-100bb"), (2, 5)):
        hand = Hand(catalogue(game, seats), seed=3)
        while hand.actor is not None:
            hand.do(Backup(hand.actor).act(hand.view(hand.actor)))
        assert sum(hand.payoffs()) == 0


def test_scores_are_means_over_all_replacements() -> None:
    # The twin: 1 - rank/7462 of every card that may come, one by one.
    view = swapping("9s3h", "Ah9c2d")
    left = [card for card in range(52) if card not in {*view.hole, *view.board}]
    stand, values = swap_scores(view)
    assert stand == pytest.approx(1 - cactus_kev(evaluate([*view.hole, *view.board])) / 7462)
    for kept, value in zip(reversed(view.hole), values, strict=True):
        ranks = [cactus_kev(evaluate([kept, card, *view.board])) for card in left]
        assert value == pytest.approx(sum(1 - rank / 7462 for rank in ranks) / len(ranks))


@pytest.mark.parametrize(
    ("hole", "flop", "move"),
    [
        ("9s3h", "Ah9c2d", "d3h"),  # keep the pair
        ("AsAd", "AhKc2d", "s"),  # a set
        ("6s5s", "7s8sKd", "d5s"),  # a draw counts for nothing: the lower card goes
    ],
)
def test_swaps_by_score(hole: str, flop: str, move: str) -> None:
    view = swapping(hole, flop)
    assert discard_by_score(view) == move
    assert make_bot("backup:discard=score", 0).act(view) == move
