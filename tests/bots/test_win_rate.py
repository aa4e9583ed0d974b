"""Win rates: exact, drawn from the exact ones, and simulated."""

import itertools
import math

import numpy as np
import pytest

from riverboat import _core
from riverboat.bots import WinRate
from riverboat.bots._win_rate import TIES, exact_rates, simulate
from riverboat.cards import HandStrength, Ties, as_cards, equity, hole_index
from riverboat.errors import GameError
from riverboat.game import GameSpec, Hand, View, catalogue, catalogue_names


def view_of(hole: str, board: str = "", game: str = "nolimit-100bb", seats: int = 2) -> View:
    """A view of seat 0, with the others unknown and the board dealt by checks."""
    streets = {0: "", 3: "/", 4: "/kk/", 5: "/kk/kk/"}
    deal = [hole] + ["??" * (len(hole) // 2)] * (seats - 1)
    hand = Hand(catalogue(game, seats), hole=deal, board=board or None, seed=1)
    if board:
        hand.play("ck" + streets[len(board) // 2].rstrip("/"))
    return hand.view(0)


@pytest.mark.parametrize(
    ("hole", "board"), [("AsAh", ""), ("7d2c", ""), ("AhKh", "Qh7c2d"), ("9c9d", "9h2s3d4cKs")]
)
def test_exact_rates_are_those_of_the_tables(hole: str, board: str, tables: HandStrength) -> None:
    strength = tables.strength(hole, board)
    assert exact_rates(tuple(as_cards(hole)), tuple(as_cards(board))) == (
        strength.win,
        strength.tie,
    )
    view = view_of(hole, board)
    wanted = {"half": strength.mean, "win": strength.win + strength.tie, "loss": strength.win}
    for ties in TIES:
        assert WinRate(1, ties=ties)(view) == pytest.approx(wanted[ties], abs=1e-12)


def test_known_rates(tables: HandStrength) -> None:  # noqa: ARG001 - built for all
    # Published hold'em odds against one random hand: aces 85.2 %, seven-deuce 34.6 %.
    assert round(WinRate(1)(view_of("AsAh")), 3) == 0.852
    assert round(WinRate(1)(view_of("7d2c")), 3) == 0.346


def chi_square(first: dict[float, int], second: dict[float, int]) -> tuple[float, int]:
    """Two-sample statistic over values seen at least ten times, and its degrees of freedom."""
    seen = [value for value in first | second if first.get(value, 0) + second.get(value, 0) >= 10]
    statistic = sum(
        (first.get(value, 0) - second.get(value, 0)) ** 2
        / (first.get(value, 0) + second.get(value, 0))
        for value in seen
    )
    return statistic, len(seen)


@pytest.mark.parametrize("ties", TIES)
def test_drawing_from_the_exact_rate_is_simulating(ties: Ties) -> None:
    # Ten run-outs of a hand that ties often, 20,000 times each way. The statistic of equal
    # distributions has mean f and variance 2 f; five standard deviations are allowed.
    view, trials, samples = view_of("KdTc", "KhQs9c9d2s"), 20_000, 10
    assert exact_rates(view.hole, view.board)[1] > 0.02
    rate = WinRate(5, samples, ties)
    drawn: dict[float, int] = {}
    for _ in range(trials):
        value = round(rate(view) * samples * 2)
        drawn[value] = drawn.get(value, 0) + 1
    weights = np.ones((2, 1326))
    weights[0] = 0
    weights[0, hole_index(*view.hole)] = 1
    table = _core.EquityTable(weights, np.array(view.board, np.uint8), np.zeros(0, np.uint8))
    sums = np.empty((4, 2))
    simulated: dict[float, int] = {}
    for stream in range(trials):
        table.sample_into(samples, 77, stream, sums)
        win, tie, share = sums[:3, 0]
        value = round(2 * {"half": share, "win": win + tie, "loss": win}[ties])
        simulated[value] = simulated.get(value, 0) + 1
    statistic, freedom = chi_square(drawn, simulated)
    assert freedom >= 4
    assert statistic < freedom + 5 * math.sqrt(2 * freedom)


def test_many_seats_are_simulated(tables: HandStrength) -> None:  # noqa: ARG001 - built before the bots ask for them
    # Four seats, 20,000 samples: standard error below 0.5 / sqrt(20000) = 0.0035; five of them.
    hand = Hand(catalogue("nolimit-100bb", 4), hole=["AsAh", "??", "??", "??"], seed=1)
    wanted = equity("AsAh", *["random"] * 3, method="monte-carlo", samples=400_000).players[0]
    for ties in TIES:
        rate = WinRate(3, 20_000, ties)(hand.view(0))
        assert abs(rate - wanted.win_rate(ties)) < 0.018


def test_folded_seats_are_not_beaten_again() -> None:
    hand = Hand(catalogue("nolimit-100bb", 4), hole=["AsAh", "??", "??", "??"], seed=1)
    hand.play("ff")
    assert WinRate(3)(hand.view(0)) == pytest.approx(0.852037, abs=1e-6)  # heads-up: exact


def test_the_same_seed_gives_the_same_rates() -> None:
    views = [view_of("AsAh"), view_of("AsAh", "Qh7c2d"), view_of("AsKd", seats=5)]
    first, second, other = WinRate(9, 50), WinRate(9, 50), WinRate(10, 50)
    rates = [first(view) for view in views * 5]
    assert rates == [second(view) for view in views * 5]
    assert rates != [other(view) for view in views * 5]
    assert rates[0] != rates[3] or rates[0] != rates[6]  # fresh samples at each question


def test_short_deck_rates_against_enumeration() -> None:
    # The twin: every opponent and run-out of a turn, ranked one by one by the core's evaluator.
    view = view_of("AsKh", "AcKd9h7s", game="short-deck")
    gone = {*view.hole, *view.board}
    deck = [card for card in view.spec.deck if card not in gone]
    share = total = 0.0
    for river in deck:
        board = (*view.board, river)
        mine = _core.evaluate((*view.hole, *board), True)
        rest = [card for card in deck if card != river]
        for theirs in itertools.combinations(rest, 2):
            other = _core.evaluate((*theirs, *board), True)
            share += 1.0 if mine > other else 0.5 if mine == other else 0.0
            total += 1
    # 40,000 samples: five standard errors of at most 0.5 / 200.
    assert abs(WinRate(4, 40_000)(view) - share / total) < 5 * 0.5 / 200


def test_toy_games() -> None:
    # Kuhn: a queen beats the jack and loses to the king. Leduc: a king before the board
    # beats jacks and queens unless they pair, and ties with the other king.
    assert WinRate(1)(Hand(catalogue("kuhn"), hole=["Ks", "??"]).view(0)) == 1.0
    assert WinRate(1)(Hand(catalogue("kuhn"), hole=["Js", "??"]).view(0)) == 0.0
    queen = WinRate(1, 10_000)(Hand(catalogue("kuhn"), hole=["Qs", "??"]).view(0))
    assert abs(queen - 0.5) < 0.025
    king = Hand(catalogue("leduc"), hole=["Ks", "??"], board="Kh", seed=1)
    king.play("kk")
    assert WinRate(1)(king.view(0)) == 1.0


def test_the_toy_game_of_cardiff_ends_on_the_flop(tables: HandStrength) -> None:
    # A flush draw is worth little where no card comes any more.
    view = view_of("3h4h", "KhQhJs", game="cardiff")
    assert WinRate(1, 5000)(view) < tables.strength("3h4h", "KhQhJs").mean - 0.1


def test_shares_of_the_pot_among_three() -> None:
    # On a board that plays, everybody ties: each has a third.
    spec = catalogue("short-deck", 3)
    hand = Hand(spec, hole=["6c7d", "??", "??"], board="AhKhQhJhTh", seed=1)
    hand.play("cck/kkk/kkk/k")
    win, tie, share, total = simulate(hand.view(0), 2, 100, np.random.default_rng(1))
    assert (win, tie, total) == (0.0, 100.0, 100.0)
    assert share == pytest.approx(100 / 3)


def test_games_with_tables() -> None:
    fit = {name for name in catalogue_names() if catalogue(name).is_holdem}
    assert fit == {"limit", "nolimit-100bb", "nolimit-200bb", "potlimit", "discard-2017"}


def test_refusals() -> None:
    with pytest.raises(
        GameError, match=r"no win rate in tossem-2026: win rates need hands of 5 to 7"
    ):
        WinRate(1)(Hand(catalogue("tossem-2026"), seed=1).view(0))
    with pytest.raises(GameError, match="needs known hole cards"):
        WinRate(1)(Hand(GameSpec(stacks=(100, 100), blinds=(1, 2))).view(0))
    with pytest.raises(GameError, match="ties='third' must be one of half, win, loss"):
        WinRate(1, ties="third")  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(GameError, match="samples=-1 is not allowed"):
        WinRate(1, -1)
