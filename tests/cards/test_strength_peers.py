"""Other people's evaluators as witnesses: phevaluator, eval7 and PokerKit."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from riverboat.cards import CATEGORIES, cactus_kev, card_text, cards_text, category, evaluate_batch

pytestmark = pytest.mark.peer

NUM_HANDS = 1_000_000


def random_hands(seed: int, number: int, num_cards: int, lowest_card: int = 0) -> NDArray[np.uint8]:
    deck = np.arange(lowest_card, 52, dtype=np.uint8)
    shuffled = np.random.default_rng(seed).permuted(np.tile(deck, (number, 1)), axis=1)
    return np.ascontiguousarray(shuffled[:, :num_cards])


@pytest.mark.parametrize(("num_cards", "num_hands"), [(5, 100_000), (6, 100_000), (7, NUM_HANDS)])
def test_phevaluator_gives_the_same_cactus_kev_numbers(num_cards: int, num_hands: int) -> None:
    # phevaluator's cards are 4 * rank + suit as well, and its ranks are 1 to 7462, best first.
    peer = pytest.importorskip("phevaluator.evaluator")
    hands = random_hands(seed=num_cards, number=num_hands, num_cards=num_cards)
    theirs = np.array([peer.evaluate_cards(*hand) for hand in hands.tolist()])
    np.testing.assert_array_equal(7462 - evaluate_batch(hands).astype(int), theirs)
    assert cactus_kev(int(evaluate_batch(hands[:1])[0])) == theirs[0]


@pytest.mark.parametrize(("num_cards", "num_hands"), [(5, 100_000), (6, 100_000), (7, NUM_HANDS)])
def test_eval7_orders_hands_in_the_same_way(num_cards: int, num_hands: int) -> None:
    eval7: Any = pytest.importorskip("eval7")
    hands = random_hands(seed=10 + num_cards, number=num_hands, num_cards=num_cards)
    cards = [eval7.Card(card_text(card)) for card in range(52)]
    theirs = np.array([eval7.evaluate([cards[card] for card in hand]) for hand in hands.tolist()])
    ours = evaluate_batch(hands)
    # One of theirs to one of ours, and both grow together.
    pairs = np.unique(np.column_stack([ours, theirs]), axis=0)
    assert len(pairs) == len(np.unique(ours)) == len(np.unique(theirs))
    assert (np.diff(pairs[:, 1]) > 0).all()


@pytest.mark.parametrize("num_cards", [5, 7])
def test_pokerkit_orders_short_deck_hands_in_the_same_way(num_cards: int) -> None:
    pokerkit: Any = pytest.importorskip("pokerkit")
    hands = random_hands(seed=36, number=3_000, num_cards=num_cards, lowest_card=16)
    entries = [
        pokerkit.ShortDeckHoldemHand.from_game(cards_text(hand), "").entry
        for hand in hands.tolist()
    ]
    ours = evaluate_batch(hands, short_deck=True)
    pairs = np.unique(np.column_stack([ours, [entry.index for entry in entries]]), axis=0)
    assert len(pairs) == len(np.unique(ours)) == len({entry.index for entry in entries})
    assert (np.diff(pairs[:, 1]) > 0).all()
    names = {"one pair": "pair"}
    labels = [entry.label.value.lower() for entry in entries]
    assert {names.get(label, label) for label in labels} <= set(CATEGORIES)
    assert [category(int(s), short_deck=True) for s in ours] == [
        names.get(label, label) for label in labels
    ]
