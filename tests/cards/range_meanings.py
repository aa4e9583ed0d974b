"""The meaning of each token of the range grammar, by definition, over all 1,326 pairs.

Nothing is shared with `riverboat.cards`: cards are two-letter texts here, a pair of cards is a
frozenset, and every token is a question asked of every pair.
"""

from collections.abc import Callable, Iterable
from functools import cache
from itertools import combinations

RANKS = "23456789TJQKA"
DECK = [rank + suit for rank in RANKS for suit in "cdhs"]
PAIRS_OF_CARDS = [frozenset(pair) for pair in combinations(DECK, 2)]

Pair = frozenset[str]


@cache
def ranks(pair: Pair) -> tuple[int, int]:
    """Return both ranks, the higher first."""
    high, low = sorted((RANKS.index(card[0]) for card in pair), reverse=True)
    return high, low


@cache
def is_kind(pair: Pair, kind: str) -> bool:
    """Suited for `s`, offsuit for `o`, anything for no letter."""
    suited = len({card[1] for card in pair}) == 1
    return {"": True, "s": suited, "o": not suited}[kind]


@cache
def hand_ranks(hand: str) -> tuple[int, int]:
    high, low = sorted((RANKS.index(letter) for letter in hand[:2]), reverse=True)
    return high, low


def is_in_plus(pair: Pair, hand: str) -> bool:
    """`QQ+`: higher pairs; `A2s+`: higher kickers, still below the high card."""
    high, low = hand_ranks(hand)
    pair_high, pair_low = ranks(pair)
    if high == low:
        return pair_high == pair_low >= high
    return pair_high == high and low <= pair_low < high and is_kind(pair, hand[2:])


def is_in_dash(pair: Pair, hand: str, other: str) -> bool:
    """`JJ-77` and `76s-54s`: the same gap; `A5s-A2s`: the same high card."""
    high, low = hand_ranks(hand)
    other_high, other_low = hand_ranks(other)
    pair_high, pair_low = ranks(pair)
    same_shape = pair_high - pair_low == high - low
    if high == other_high and low != other_low:
        same_shape = pair_high == high and pair_low < high
    between = min(low, other_low) <= pair_low <= max(low, other_low)
    return same_shape and between and is_kind(pair, hand[2:])


def question(body: str) -> Callable[[Pair], bool]:
    """Tell whether a pair of cards is meant by a token without weight."""
    if body == "random":
        return lambda pair: len(pair) == 2
    if body.endswith("+"):
        return lambda pair: is_in_plus(pair, body[:-1])
    if "-" in body:
        hand, other = body.split("-")
        return lambda pair: is_in_dash(pair, hand, other)
    if len(body) == 4:
        return lambda pair: pair == {body[:2], body[2:]}
    return lambda pair: ranks(pair) == hand_ranks(body) and is_kind(pair, body[2:])


def expand(tokens: Iterable[str]) -> dict[Pair, float]:
    """Weight of every pair of cards; a later token overrides an earlier one."""
    weights = dict.fromkeys(PAIRS_OF_CARDS, 0.0)
    for token in tokens:
        body, _, weight = token.partition(":")
        meant = question(body)
        for pair in PAIRS_OF_CARDS:
            if meant(pair):
                weights[pair] = float(weight or 1)
    return weights


def all_bodies() -> list[str]:
    """Every token without weight that the grammar has, ends of a dash in both orders."""
    pairs = [rank * 2 for rank in RANKS]
    hands = [high + low for low, high in combinations(RANKS, 2)]
    bodies = ["random", *pairs, *(pair + "+" for pair in pairs)]
    bodies += [f"{one}-{other}" for one in pairs for other in pairs]
    for kind in ("", "s", "o"):
        bodies += [hand + kind + plus for hand in hands for plus in ("", "+")]
        bodies += [
            f"{one}{kind}-{other}{kind}"
            for one in hands
            for other in hands
            if one[0] == other[0] or _gap(one) == _gap(other)
        ]
    bodies += [first + second for first in DECK for second in DECK if first != second]
    return bodies


def _gap(hand: str) -> int:
    high, low = hand_ranks(hand)
    return high - low
