"""The bots of cardiff's thesis, and the improved Monte-Carlo bot."""

import math

import numpy as np
import pytest

from bots.duplicates import play_pairs
from riverboat.bots import make_bot
from riverboat.bots._monte_carlo import MonteCarlo, MonteCarloPlus
from riverboat.bots._opponents import OpponentModel, RangeGuess, Situation, showdowns
from riverboat.bots._rule_based import Made, chen_points, made_hand
from riverboat.cards import HOLES, HandStrength, as_cards, equity, hole_index
from riverboat.game import Hand, View, catalogue
from sizes import slowly

SPEC = catalogue("nolimit-100bb")
LINES = {3: "ck/k", 4: "ck/kk/k", 5: "ck/kk/kk/k"}


def view_of(hole: str, board: str = "", line: str | None = None) -> View:
    """The button's view after checks, or after the line."""
    hand = Hand(SPEC, hole=[hole, "????"], board=board or None, seed=1)
    hand.play((LINES[len(board) // 2] if board else "") if line is None else line)
    return hand.view(0)


@pytest.mark.parametrize(
    # Figure 13 of the thesis: call, raise the least, raise twice the least above these.
    ("board", "call", "least", "double"),
    [
        ("", 0.13, 0.17, 0.20),
        ("Qh7c2d", 0.30, 0.45, 0.55),
        ("Qh7c2d3s", 0.40, 0.47, 0.47),
        ("Qh7c2d3s4c", 0.70, 0.80, 0.90),
    ],
)
def test_thresholds_of_figure_13(board: str, call: float, least: float, double: float) -> None:
    bot = make_bot("montecarlo", 1)
    assert isinstance(bot, MonteCarlo)
    line = {0: "", 3: "ck/b10", 4: "ck/kk/b10", 5: "ck/kk/kk/b10"}[len(board) // 2]
    view = view_of("AsKd", board, line)
    assert bot.decide(view, call) == "f"
    assert bot.decide(view, call + 1e-9) == "c"
    assert bot.decide(view, double + 1e-9) == "b40"  # raises to 20 are the least
    if double > least:  # on the turn both are 0.47
        assert bot.decide(view, least + 1e-9) == "b20"
    if board:
        assert bot.decide(view_of("AsKd", board), 0.0) == "k"


def test_ties_are_wins_for_the_monte_carlo_bot(tables: HandStrength) -> None:
    # A board that plays: nobody can win, all tie; cardiff counts that as winning every time.
    view = view_of("2c3d", "AhKhQhJhTh", "ck/kk/kk/b10")
    assert tables.strength("2c3d", "AhKhQhJhTh").tie == 1.0
    assert make_bot("montecarlo:samples=50", 1).act(view) == "b40"
    assert make_bot("montecarlo:samples=50,ties=loss", 1).act(view) == "f"


def test_more_samples_are_surer(tables: HandStrength) -> None:
    bot, sure = make_bot("montecarlo:samples=50", 3), make_bot("montecarlo", 3)
    assert isinstance(bot, MonteCarlo)
    assert isinstance(sure, MonteCarlo)
    view = view_of("JhTs", "Qh7c2d")
    strength = tables.strength("JhTs", "Qh7c2d")
    rate = strength.win + strength.tie
    for some, samples in ((bot, 50), (sure, 10_000)):
        rates = [some.win_rate(view) for _ in range(400)]
        wanted = math.sqrt(rate * (1 - rate) / samples)
        # The deviation of 400 draws is known to 1 / sqrt(800) = 3.5 %; five times that.
        assert np.std(rates) == pytest.approx(wanted, rel=0.18)


@pytest.mark.parametrize(
    # Bill Chen's own examples and hands worked out by his formula.
    ("hole", "points"),
    [
        ("AhAs", 20),
        ("AsKs", 12),
        ("AhKs", 10),
        ("TcTd", 10),
        ("7c5c", 6),
        ("2c2d", 5),
        ("7d2c", -1),
    ],
)
def test_chen_points(hole: str, points: int) -> None:
    assert chen_points(tuple(as_cards(hole))) == points


@pytest.mark.parametrize(
    ("hole", "board", "made"),
    [
        ("AsKh", "AcKd9h", "strong"),
        ("9s9c", "AcKd9h", "strong"),
        ("8s9s", "AsKs2s", "strong"),
        ("AsQh", "Ac7d9h", "good"),
        ("QsQh", "Jc7d9h", "good"),
        ("7s2h", "Ac7d9h", "weak"),
        ("5s5h", "Ac7d9h", "weak"),
        ("KsQs", "As7s9h", "weak"),
        ("JsTh", "9c8d2h", "weak"),
        ("KsQh", "9c8d2h", "nothing"),
        ("KsQh", "9c9d2h", "nothing"),  # the pair is on the board
        ("KsQh", "9c9d2h2s", "nothing"),
        ("JsTh", "9c8d2h2s3c", "nothing"),  # a draw that did not come
    ],
)
def test_made_hands(hole: str, board: str, made: Made) -> None:
    assert made_hand(view_of(hole, board)) == made


@pytest.mark.parametrize(
    ("hole", "board", "line", "move"),
    [
        ("AsAh", "", "", "b30"),  # raises the pot: 10 + 20
        ("Js9s", "", "", "b30"),  # 8 points
        ("9h7s", "", "", "c"),  # 5 points: 4.5 - 1 + 1 rounded up
        ("7d2c", "", "", "f"),
        ("Js9s", "", "b30b300", "f"),  # 8 points do not call a raise of a quarter stack
        ("AsKh", "AcKd9h", None, "b15"),  # 0.75 of the pot of 20
        ("AsQh", "Ac7d9h", None, "b10"),
        ("AsQh", "Ac7d9h", "ck/b20", "c"),  # the size of the pot
        ("AsQh", "Ac7d9h", "ck/b30", "f"),
        ("5s5h", "Ac7d9h", "ck/b10", "f"),  # half the pot is too much
        ("KsQh", "9c8d2h", None, "k"),
    ],
)
def test_the_amateur(hole: str, board: str, line: str | None, move: str) -> None:
    assert make_bot("rule-based", 0).act(view_of(hole, board, line)) == move


def test_a_guess_narrows_with_bets(tables: HandStrength) -> None:  # noqa: ARG001 - built before the bots ask for them
    board = tuple(as_cards("Qh7c2d"))
    guess, open_guess = RangeGuess(), RangeGuess()
    guess.bets(board, share=0.1)
    set_of_queens, nothing = hole_index("Qs", "Qc"), hole_index("4s", "3h")
    assert guess.weights[set_of_queens] > 20 * guess.weights[nothing]
    open_guess.checks(board, share=0.3)
    assert open_guess.weights[set_of_queens] < open_guess.weights[nothing]
    # A bet of the best tenth leaves about that and the doubt: 0.1 to 0.2 of all weight.
    alive = RangeGuess().places(board) > 0
    assert 0.1 < guess.weights[alive].sum() / alive.sum() < 0.2


def test_showdowns_against_a_guess_are_equity(tables: HandStrength) -> None:  # noqa: ARG001 - built before the bots ask for them
    # The same question to the exact kernel: 4 standard errors of 20,000 samples are 0.014.
    view = view_of("JhTh", "Qh7c2d")
    guess = RangeGuess()
    guess.bets(view.board, share=0.2)
    results, places = showdowns(view, guess, 20_000, np.random.default_rng(3))
    assert len(results) > 15_000
    assert 0 <= places.min() <= places.max() <= 1
    text = ", ".join(
        f"{''.join('23456789TJQKA'[c // 4] + 'cdhs'[c % 4] for c in HOLES[i])}:{weight:.6f}"
        for i, weight in enumerate(guess.weights)
        if weight > 0.01
    )
    wanted = equity("JhTh", text, board="Qh7c2d").players[0].equity
    assert abs(results.mean() - wanted) < 0.02


def test_the_model_counts() -> None:
    model = OpponentModel()
    quiet, loud = Situation(flop=True, shown=False), Situation(flop=True, shown=True)
    for letter in "fffcb":
        model.answered(letter, 1.0, quiet)
    for letter in "kkb":
        model.acted(letter, quiet)
    # 10 imagined decisions each: 4 folds, 1.5 raises, 3.5 bets.
    assert model.fold_share(1.0, quiet) == pytest.approx(7 / 15)
    assert model.fold_share(0.5, quiet) == pytest.approx(0.25)
    assert model.raise_share(quiet) == pytest.approx(2.5 / 15)
    assert model.bet_share(quiet) == pytest.approx(4.5 / 13)
    assert model.fold_share(1.0, loud) == pytest.approx(0.2)


def test_the_improved_bot_knows_the_price(tables: HandStrength) -> None:  # noqa: ARG001 - built before the bots ask for them
    # Against a bet of everything a seven and a deuce are not worth a call, aces are.
    for hole, move in (("7d2c", "f"), ("AsAh", "c")):
        hand = Hand(SPEC, hole=["????", hole], seed=1)
        hand.play("b1000")
        assert MonteCarloPlus(1).act(hand.view(1)) == move


@pytest.mark.parametrize("opponent", ["montecarlo", *slowly("fish", "honest")])
def test_the_improved_bot_is_better(opponent: str, tables: HandStrength) -> None:  # noqa: ARG001 - built before the bots ask for them
    # Seeded. It beats the plain one, and earns more than it from fish and honest: by more
    # than two standard errors over 300 duplicate pairs.
    plus = play_pairs(make_bot("montecarlo-plus", 1), make_bot(opponent, 2), SPEC, range(300))
    if opponent == "montecarlo":
        plain = [0.0] * 300
    else:
        plain = play_pairs(make_bot("montecarlo", 1), make_bot(opponent, 2), SPEC, range(300))
    gains = np.array(plus) - plain
    assert gains.mean() > 2 * gains.std() / math.sqrt(300)
