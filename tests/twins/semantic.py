"""The words of a hand by definition, from its best five cards.

Nothing is shared with the kernel: the best five are found by looking at all choices, and every
class is counted with sets. Numbers are those of `riverboat.buckets.SemanticFeatures`.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from twins.evaluator import (
    FLUSH,
    FULL_HOUSE,
    PAIR,
    QUADS,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    TWO_PAIR,
    hand_class,
)

__all__ = ["semantic"]

BOARD, NOTHING, UNDERPAIR, LOW_PAIR, MIDDLE_POCKET, SECOND_PAIR, TOP_PAIR, OVERPAIR = range(8)
OWN_TWO_PAIR, OWN_TRIPS, SET, OWN_STRAIGHT, OWN_FLUSH, OWN_FULL_HOUSE, OWN_QUADS = range(8, 15)

ACE = 12
STRAIGHTS = [{ACE, 0, 1, 2, 3}, *({*range(low, low + 5)} for low in range(9))]  # weakest first

Ranks = list[int]


def semantic(hole: Sequence[int], board: Sequence[int]) -> tuple[int, ...]:
    """Made hand, kicker, paired, suited, connected, flush draw, straight draw.

    Examples
    --------
    >>> from riverboat.cards import as_cards
    >>> semantic(as_cards("AcTc"), as_cards("Ts5s2h"))[:2] == (TOP_PAIR, 2)
    True
    """
    category, best = best_five([*hole, *board])
    draws = (0, 0)
    if len(board) == 5 and (category, best) == best_five(board):
        return (BOARD, 0, *texture(board), *draws)
    if len(board) < 5:
        flush = flush_draw(hole, board) if category < FLUSH else 0
        straight = straight_draw(hole, board) if category < STRAIGHT else 0
        draws = (flush, straight)
    return (*made_hand(hole, board, category, list(best)), *texture(board), *draws)


def best_five(cards: Sequence[int]) -> tuple[int, tuple[int, ...]]:
    """Category and ranks of the best five."""
    return max(hand_class(five) for five in combinations(cards, 5))


def ranks_of(cards: Sequence[int]) -> Ranks:
    """Highest first."""
    return sorted((card // 4 for card in cards), reverse=True)


def unseen_above(rank: int, board: Sequence[int]) -> int:
    """Higher ranks that are not on the board."""
    return len(set(range(rank + 1, 13)) - set(ranks_of(board)))


def grade(number: int, *limits: int) -> int:
    """Better the smaller the number: one point for each limit that it does not exceed."""
    return sum(number <= limit for limit in limits)


def texture(board: Sequence[int]) -> tuple[int, int, int]:
    """Paired, suited, connected."""
    copies = sorted(Counter(ranks_of(board)).values(), reverse=True)
    paired = 3 if copies[0] >= 3 else copies.count(2)
    suited = max(Counter(card % 4 for card in board).values()) - 1
    shared = max(len(straight & set(ranks_of(board))) for straight in STRAIGHTS)
    return paired, suited, {1: 0, 2: 0, 3: 1, 4: 2, 5: 2}[shared]


def made_hand(
    hole: Sequence[int], board: Sequence[int], category: int, best: Ranks
) -> tuple[int, int]:
    """Made hand and its kicker class."""
    own, table = ranks_of(hole), set(ranks_of(board))
    if category == STRAIGHT_FLUSH:
        return OWN_QUADS, 0
    if category == QUADS and best[0] in own:
        return OWN_QUADS, 0
    if category == FULL_HOUSE:
        return OWN_FULL_HOUSE, int(best[0] >= max(table))
    if category == FLUSH:
        return OWN_FLUSH, flush_class(hole, board)
    if category == STRAIGHT:
        possible = [place for place, s in enumerate(STRAIGHTS) if len(s & table) >= 3]
        return OWN_STRAIGHT, int(best[0] - 3 == possible[-1])
    if category == TRIPS and best[0] in own:
        if own[0] == own[1]:
            return SET, int(best[0] == max(table))
        return OWN_TRIPS, kicker_class(sum(own) - best[0], best, board)
    if category in (PAIR, TWO_PAIR):
        found = paired_hand(own, board, best[: 2 * category], best)
        if found:
            return found
    return NOTHING, high_card_class(own, board)


def paired_hand(
    own: Ranks, board: Sequence[int], pairs: Ranks, best: Ranks
) -> tuple[int, int] | None:
    """What the hole cards have to do with the pairs among the best five."""
    table = sorted(set(ranks_of(board)), reverse=True)
    if own[0] == own[1]:
        if own[0] not in pairs:
            return None
        higher = sum(rank > own[0] for rank in table)
        return {0: OVERPAIR, len(table): UNDERPAIR}.get(higher, MIDDLE_POCKET), 0
    hits = [rank for rank in own if rank in table and rank in pairs]
    if not hits:
        return None
    if len(hits) == 2:
        return OWN_TWO_PAIR, {(True, True): 2, (True, False): 1}.get(
            (hits[0] == table[0], hits[1] == table[1]), 0
        )
    place = min(table.index(hits[0]), 2)
    return (TOP_PAIR, SECOND_PAIR, LOW_PAIR)[place], kicker_class(sum(own) - hits[0], best, board)


def kicker_class(kicker: int, best: Ranks, board: Sequence[int]) -> int:
    """Weak or out of play, medium, good."""
    return grade(unseen_above(kicker, board), 4, 1) if kicker in best else 0


def high_card_class(own: Ranks, board: Sequence[int]) -> int:
    """Weak, medium, good, best; two overcards while more cards come."""
    if len(board) < 5 and own[1] > max(ranks_of(board)):
        return 4
    return grade(unseen_above(own[0], board), 5, 2, 0)


def of_suit(cards: Sequence[int], suit: int) -> list[int]:
    """The cards of a suit."""
    return [card for card in cards if card % 4 == suit]


def better_suited(hole: Sequence[int], board: Sequence[int], suit: int) -> int:
    """How many cards of the suit that are not on the board beat the best hole card of it."""
    best = max(of_suit(hole, suit))
    return len([card for card in range(best + 4, 52, 4) if card not in board])


def flush_class(hole: Sequence[int], board: Sequence[int]) -> int:
    """Low, high, best."""
    suit = next(suit for suit in range(4) if len(of_suit([*hole, *board], suit)) >= 5)
    return grade(better_suited(hole, board, suit), 2, 0)


def flush_draw(hole: Sequence[int], board: Sequence[int]) -> int:
    """None, some, to the best flush."""
    for suit in {card % 4 for card in hole}:
        if len(of_suit([*hole, *board], suit)) == 4:
            return 2 if better_suited(hole, board, suit) == 0 else 1
    return 0


def straight_draw(hole: Sequence[int], board: Sequence[int]) -> int:
    """How many ranks complete a straight that the board with that rank lacks, up to two."""

    def best_straight(ranks: set[int]) -> int:
        return max((place for place, s in enumerate(STRAIGHTS) if s <= ranks), default=-1)

    table, everything = set(ranks_of(board)), set(ranks_of([*hole, *board]))
    completing = [
        rank
        for rank in range(13)
        if best_straight(everything | {rank}) > best_straight(table | {rank})
    ]
    return min(len(completing), 2)
