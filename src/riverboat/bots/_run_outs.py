"""Simulated showdowns in any game of the catalogue but those with tossed cards.

Plain NumPy: for hold'em with 52 cards there are tables and a kernel (see
`win_rate`); this serves short decks, the two-street toy game, Kuhn and Leduc.
"""

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import evaluate_batch
from riverboat.errors import GameError
from riverboat.game import GameSpec, View


def check_playable(view: View) -> None:
    """Refuse views whose win rate cannot be had.

    Raises
    ------
    GameError
        If cards are unknown, or the game tosses cards or deals too many.
    """
    spec = view.spec
    if any(card < 0 for card in view.hole + view.board):
        raise GameError("there is no win rate while own or public cards are unknown")
    hole, board = _cards_of(spec)
    ranked = spec.showdown not in ("one-card", "leduc")
    if spec.has_tosses or (ranked and not 5 <= hole + board <= 7):
        raise GameError(
            f"there is no win rate in {spec.name or 'this game'}: "
            "it needs hands of 5 to 7 cards, none of them tossed onto the board"
        )


def simulate(
    view: View, opponents: int, samples: int, generator: np.random.Generator
) -> tuple[float, float, float, float]:
    """Deal the missing cards many times and count showdowns.

    Parameters
    ----------
    view
        Own cards, board and game. Cards that the seat gave away do not come again.
    opponents
        Hands to beat.
    samples
        Deals.
    generator
        Deals the cards.

    Returns
    -------
    win, tie, share, total
        Deals won alone, tied, the sum of the pot's shares, and `samples`.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> view = Hand(catalogue("kuhn"), hole=["Ks", "??"]).view(0)
    >>> simulate(view, 1, 100, np.random.default_rng(1))
    (100.0, 0.0, 100.0, 100.0)
    """
    check_playable(view)
    spec = view.spec
    num_hole, num_board = _cards_of(spec)
    known = (*view.hole, *view.board)
    gone = {*known, *view.discarded}
    deck = np.array([card for card in spec.deck if card not in gone], np.uint8)
    dealt = generator.permuted(np.tile(deck, (samples, 1)), axis=1)
    own_missing = num_hole - len(view.hole)
    board_missing = num_board - len(view.board)
    board = np.hstack(
        [np.tile(np.array(view.board, np.uint8), (samples, 1)), dealt[:, :board_missing]]
    )
    start = board_missing + own_missing
    own = np.hstack(
        [np.tile(np.array(view.hole, np.uint8), (samples, 1)), dealt[:, board_missing:start]]
    )
    mine = _strengths(spec, own, board)
    best = np.zeros(samples, np.int64)
    level = np.zeros(samples, np.int64)  # opponents that tie with us
    for index in range(opponents):
        first = start + index * num_hole
        theirs = _strengths(spec, dealt[:, first : first + num_hole], board)
        np.maximum(best, theirs, out=best)
        level += theirs == mine
    wins = float((mine > best).sum())
    tied = mine == best
    return wins, float(tied.sum()), wins + float((1 / (1 + level[tied])).sum()), float(samples)


def _cards_of(spec: GameSpec) -> tuple[int, int]:
    """Cards in a hand and on the board at the showdown."""
    hole = sum(street.hole for street in spec.streets)
    return hole, spec.board_sizes[-1]


def _strengths(
    spec: GameSpec, hole: NDArray[np.uint8], board: NDArray[np.uint8]
) -> NDArray[np.int64]:
    """Strength of each row's hand by the game's showdown rule, at least 1."""
    if spec.showdown in ("high", "short-deck"):
        cards = np.ascontiguousarray(np.hstack([hole, board]))
        return evaluate_batch(cards, short_deck=spec.showdown == "short-deck").astype(np.int64) + 1
    ranks = hole[:, 0].astype(np.int64) // 4 + 1
    if spec.showdown == "leduc":
        ranks += 13 * (board[:, 0] // 4 == hole[:, 0] // 4)
    return ranks
