"""Games with one hole card (Kuhn, Leduc) as the engine knows them: as hole pairs."""

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import hole_index
from riverboat.errors import GameError
from riverboat.game import GameSpec


def one_card_holes(spec: GameSpec) -> NDArray[np.int64]:
    """Return the hole pair that stands for each card of the deck, `[cards] int64`.

    A card goes with one from outside of the deck, its own, which never comes: two such pairs
    exclude each other where they are the same card, as hole pairs do that share one.

    Parameters
    ----------
    spec
        Of a game with one hole card and at most 26 cards.

    Examples
    --------
    The value of Kuhn poker is -1/18 of an ante (Kuhn 1950); the ante lies in the pot.

    >>> from riverboat.game import catalogue
    >>> from riverboat.spots import Engine
    >>> from riverboat.tree import Tree
    >>> kuhn = Tree(catalogue("kuhn"), "min", chance=True)
    >>> cards = np.zeros(1326)
    >>> cards[one_card_holes(kuhn.spec)] = 1
    >>> engine = Engine(kuhn, (), (cards, cards))
    >>> engine.run(1000)
    >>> round(engine.value(0) - 1, 3), round(-1 / 18, 3)
    (-0.056, -0.056)
    """
    held = sum(street.hole for street in spec.streets)
    others = [card for card in range(52) if card not in spec.deck]
    if held != 1 or len(spec.deck) > len(others):
        raise GameError(
            f"this is for games with one hole card and at most 26 cards, not for {held} and "
            f"{len(spec.deck)}"
        )
    pairs = zip(spec.deck, others, strict=False)
    return np.array([hole_index(card, other) for card, other in pairs], dtype=np.int64)
