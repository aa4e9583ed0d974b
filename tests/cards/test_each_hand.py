"""One hand against each other hand, beside its plain twin and the other exact kernel."""

import numpy as np
import pytest

from riverboat.cards import (
    HOLES,
    NUM_HOLES,
    as_cards,
    equity,
    equity_against_each,
    hole_cards,
    hole_index,
)
from riverboat.errors import CardError
from twins.equity import count_deals


def live(cards: list[int]) -> np.ndarray:
    return np.flatnonzero(~np.isin(HOLES, cards).any(axis=1))


@pytest.mark.parametrize(
    "text",
    [
        "AhKh 7c2d9sTs",  # no flush can come but one of spades
        "9c8c QhJh2h3d",  # three of a suit
        "2h7s KhQhJh9h",  # four: one card of the suit is enough
        "2c7s KhQhJh9h4h",  # five: everybody has a flush
        "AsAd AhAc7c7d2s",
    ],
)
def test_the_twin_counts_the_same(text: str) -> None:
    hole, board = (as_cards(part) for part in text.split())
    found = equity_against_each(hole, board)
    random = np.random.default_rng(1)
    chosen = random.choice(live(hole + board), 6 if len(board) == 4 else 40, replace=False)
    for other in chosen.tolist():
        counted = count_deals((hole[0], hole[1]), [hole_cards(other)], board)
        assert found[other] == (counted.win + counted.tie / 2) / sum(counted)


@pytest.mark.parametrize("board", ["QhJh2h", "7c7d7s", "2c9dKh", ""])
def test_the_other_kernel_counts_the_same(board: str) -> None:
    """`equity` enumerates two hands on every board: an independent way to the same numbers."""
    table = as_cards(board)
    random = np.random.default_rng(2)
    for hole in random.choice(live(table), 8 if board else 2, replace=False).tolist():
        own = list(hole_cards(hole))
        found = equity_against_each(own, board)
        other = int(random.choice(live(own + table)))
        expected = equity(own, list(hole_cards(other)), board=board).players[0].equity
        assert found[other] == pytest.approx(expected, abs=1e-12)


def test_two_hands_share_the_pot_before_the_flop() -> None:
    rows = np.array([equity_against_each(list(hole_cards(hole))) for hole in range(NUM_HOLES)])
    apart = rows > 0
    assert apart.sum() == 1326 * 1225
    assert np.abs((rows + rows.T)[apart] - 1).max() < 1e-12
    # Aces against any hand: 85.2 %, as every table has it.
    assert rows[hole_index("Ah", "As")].sum() / 1225 == pytest.approx(0.852, abs=5e-4)


def test_hands_that_cannot_be_held_get_zero() -> None:
    known = as_cards("AhKhQh7c2d")
    found = equity_against_each("AhKh", "Qh7c2d")
    dead = np.setdiff1d(np.arange(NUM_HOLES), live(known))
    assert not found[dead].any()
    assert found[live(known)].mean() == pytest.approx(0.580426, abs=1e-6)  # as the tables have it


def test_wrong_cards_are_told() -> None:
    with pytest.raises(CardError, match="AhKhQh on no board: two hole cards"):
        equity_against_each("AhKhQh")
    with pytest.raises(CardError, match="a board of 0, 3, 4 or 5 cards"):
        equity_against_each("AhKh", "Qh7c")
    with pytest.raises(CardError, match="share a card"):
        equity_against_each("AhKh", "Ah7c2d")
