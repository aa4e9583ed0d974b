"""The heuristic bots of husky: thresholds, their scaling, sizes, guesses."""

import pytest

from riverboat.bots import Bot, EquityBot, make_bot, raise_pot_share, raise_to
from riverboat.bots._equity_bots import AngryFish, Mike
from riverboat.bots._moves import raise_by
from riverboat.bots._opponents import Rivals
from riverboat.cards import HandStrength
from riverboat.game import Hand, View, catalogue

SPEC = catalogue("nolimit-100bb")


def view_of(line: str = "", seat: int = 0, hole: str = "AsAh", seats: int = 2) -> View:
    """The view of a seat that holds these cards."""
    deal = ["????"] * seats
    deal[seat] = hole
    return Hand.from_line(catalogue("nolimit-100bb", seats), line, hole=deal, seed=1).view(seat)


def decide(name: str, view: View, rate: float) -> str:
    bot = make_bot(name, seed=0)
    assert isinstance(bot, EquityBot)
    return bot.decide(view, rate)


@pytest.mark.parametrize(
    ("name", "rate", "move"),
    [
        # husky's table: raise above 0.65; call above 0.375; fold to 0.1, raise above 0.6.
        ("angry-fish", 0.65, "c"),
        ("angry-fish", 0.6501, "b20"),
        ("angry-fish", 0.0, "c"),
        ("honest", 0.375, "f"),
        ("honest", 0.3751, "c"),
        ("honest", 1.0, "c"),
        ("shark", 0.1, "f"),
        ("shark", 0.1001, "c"),
        ("shark", 0.6, "c"),
        ("shark", 0.6001, "b20"),
        # husky's code: Matt folds below 0.2, raises twice the least from 0.7, all-in from 0.9.
        ("matt", 0.1999, "f"),
        ("matt", 0.2, "c"),
        ("matt", 0.6999, "c"),
        ("matt", 0.7, "b40"),
        ("matt", 0.9, "b1000"),
        ("honest-pypokerengine", 0.4999, "f"),
        ("honest-pypokerengine", 0.5, "c"),
    ],
)
def test_thresholds(name: str, rate: float, move: str) -> None:
    assert decide(name, view_of(), rate) == move


@pytest.mark.parametrize(
    # Exact rates against a random hand: aces 0.852, queen-seven offsuit 0.518 (the median hand),
    # seven-deuce 0.346 (published odds).
    ("name", "hole", "move"),
    [
        ("angry-fish", "AsAh", "b20"),
        ("angry-fish", "Qs7h", "c"),
        ("honest", "Qs7h", "c"),
        ("honest", "7s2h", "f"),
        ("shark", "7s2h", "c"),
        ("shark:low=0.35", "7s2h", "f"),
        ("shark:low=0.34", "7s2h", "c"),
        ("matt", "AsAh", "b40"),
        ("honest-pypokerengine", "7s2h", "f"),
    ],
)
def test_exact_decisions(name: str, hole: str, move: str, tables: HandStrength) -> None:  # noqa: ARG001 - built before the bots ask for them
    join = "," if ":" in name else ":"
    bot = make_bot(f"{name}{join}samples=0", seed=0)
    assert bot.act(view_of(hole=hole)) == move


@pytest.mark.parametrize("opponents", [1, 2, 3, 9])
def test_thresholds_fall_with_the_fourth_root_of_the_opponents(opponents: int) -> None:
    # husky's fit: 0.65 * N^(-1/4) against N opponents; 0.375 for 9 of them.
    seats = opponents + 1
    view = Hand(catalogue("nolimit-100bb", seats), seed=1)
    actor = view.actor
    assert actor is not None
    threshold = 0.65 * opponents**-0.25
    seen = view.view(actor)
    assert decide("angry-fish", seen, threshold - 1e-9) == "c"
    assert decide("angry-fish", seen, threshold + 1e-9)[0] == "b"
    assert decide("angry-fish:exponent=0", seen, 0.65)[0] == "c"


def test_folded_opponents_do_not_count() -> None:
    hand = Hand.from_line(catalogue("nolimit-100bb", 4), "ff", seed=1)
    assert decide("angry-fish", hand.view(0), 0.65) == "c"
    assert decide("angry-fish", hand.view(0), 0.651) == "b20"


@pytest.mark.parametrize(
    ("size", "move"), [("min", "b20"), ("double", "b40"), ("mid", "b510"), ("max", "b1000")]
)
def test_sizes(size: str, move: str) -> None:
    # Raises to 20 .. 1000 are legal: the mean is 510.
    for name in ("angry-fish", "shark"):
        assert decide(f"{name}:size={size}", view_of(), 0.8) == move


def test_moves_stay_within_the_rules() -> None:
    free = view_of("c", seat=1)
    for name in ("honest", "shark", "matt", "mike", "honest-pypokerengine", "montecarlo"):
        assert decide(name, free, 0.0) == "k"  # never folds for free
    all_in = view_of("b1000", seat=1)
    assert all_in.legal.raise_to is None
    assert decide("angry-fish", all_in, 1.0) == "c"  # a raise is not legal: it calls
    assert raise_to(view_of(), 1) == "b20"
    assert raise_to(view_of(), 10**9) == "b1000"
    assert raise_by(all_in, "max") == "c"
    assert raise_pot_share(view_of("b30", seat=1), 1) == "b90"  # 30 + the pot of 60 after a call
    limit = Hand(catalogue("limit"), seed=1).view(0)
    assert decide("matt", limit, 0.95) == "b20"


def test_mike_moves_its_guess() -> None:
    # 0.52 at first; a call -0.05, a raise +0.2, an all-in +0.5.
    bot = make_bot("mike", seed=0)
    assert isinstance(bot, Mike)
    for line, seat, guess in (
        ("", 0, 0.52),
        ("c", 1, 0.47),
        ("b30", 1, 0.72),
        ("b1000", 1, 1.02),
    ):
        bot.act(view_of(line, seat))
        assert bot.guess == pytest.approx(guess), line


def test_mike_follows_a_hand() -> None:
    hand = Hand(SPEC, hole=["AsAh", "????"], board="2c7d9hTsJs", seed=1)
    bot = make_bot("mike", seed=0)
    assert isinstance(bot, Mike)
    bot.act(hand.view(0))
    bot._rivals.moved(hand.view(0), "c")  # as if it had called
    hand.play("cb20")
    bot.act(hand.view(0))
    assert bot.guess == pytest.approx(0.72)
    bot._rivals.moved(hand.view(0), "c")
    hand.play("c/b30")
    bot.act(hand.view(0))
    assert bot.guess == pytest.approx(0.92)


@pytest.mark.parametrize(
    ("rate", "move"), [(0.36, "f"), (0.38, "c"), (0.66, "c"), (0.68, "b40"), (0.78, "b1000")]
)
def test_mike_acts_on_its_advantage(rate: float, move: str) -> None:
    # 0.52 - 0.15 = 0.37, 0.52 + 0.15 = 0.67, 0.52 + 0.25 = 0.77.
    assert decide("mike", view_of(), rate) == move


def test_rivals_across_streets_and_swaps() -> None:
    hand = Hand(catalogue("discard-2017"), seed=1)
    rivals = Rivals()
    assert rivals.news(hand.view(0)) == []
    rivals.moved(hand.view(0), "c")
    hand.play("ck/s")
    assert rivals.news(hand.view(0)) == [(0, "k"), (1, "s")]
    card = hand.view(0).legal.discards[0]
    move = next(move for move in hand.view(0).legal if move.startswith("d"))
    rivals.moved(hand.view(0), move)
    hand.discard(card)
    hand.bet_to(2)
    assert not rivals.is_new_hand(hand.view(0))
    assert rivals.news(hand.view(0)) == [(1, "b2")]
    assert rivals.is_new_hand(Hand(catalogue("discard-2017"), seed=2).view(0))


def test_angry_fish_is_a_bot() -> None:
    bot: Bot = make_bot("angry-fish", 1)
    assert isinstance(bot, AngryFish)
