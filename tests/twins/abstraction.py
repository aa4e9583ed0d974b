"""Plain twins of the bucket rules: strength by counting, bins and percentiles by definition."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from riverboat.cards import evaluate

__all__ = ["board_ranks", "equity_bin", "hand_strength", "percentile", "run_outs"]


def river_points(hole: Sequence[int], board: Sequence[int]) -> int:
    """2 for each hand of the opponent that loses, 1 for each that ties; 990 hands."""
    own = evaluate([*hole, *board])
    left = [card for card in range(52) if card not in hole and card not in board]
    others = [evaluate([*other, *board]) for other in combinations(left, 2)]
    return sum(2 * (own > other) + (own == other) for other in others)


def run_outs(hole: Sequence[int], board: Sequence[int]) -> list[int]:
    """Points on every run-out.

    Examples
    --------
    >>> from riverboat.cards import as_cards
    >>> points = run_outs(as_cards("AhAd"), as_cards("AcAs2c7d"))
    >>> len(points), max(points)
    (46, 1980)
    """
    left = [card for card in range(52) if card not in hole and card not in board]
    missing = combinations(left, 5 - len(board))
    return [river_points(hole, [*board, *cards]) for cards in missing]


def hand_strength(hole: Sequence[int], board: Sequence[int]) -> Fraction:
    """E[HS], exactly.

    Examples
    --------
    >>> from riverboat.cards import as_cards
    >>> hand_strength(as_cards("AhAd"), as_cards("AcAs2c7dJs"))
    Fraction(1, 1)
    """
    points = run_outs(hole, board)
    return Fraction(sum(points), 1_980 * len(points))


def equity_bin(strength: Fraction, count: int) -> int:
    """Bin of equal width; a sure win falls into the last.

    Examples
    --------
    >>> equity_bin(Fraction(1, 2), 10), equity_bin(Fraction(1), 10)
    (5, 9)
    """
    return min(int(strength * count), count - 1)


def percentile(value: int, masses: dict[int, int], count: int) -> int:
    """Bucket of a value before empty buckets are left out: where the middle of its mass lies.

    Examples
    --------
    >>> [percentile(value, {1: 5, 2: 3, 3: 2}, 10) for value in (1, 2, 3)]
    [2, 6, 9]
    """
    below = sum(mass for other, mass in masses.items() if other < value)
    return int(Fraction(2 * below + masses[value], 2 * sum(masses.values())) * count)


def board_ranks(board: Sequence[int]) -> list[int]:
    """Ranks on the board, ascending: all that suitless buckets know of it.

    Examples
    --------
    >>> from riverboat.cards import as_cards
    >>> board_ranks(as_cards("Ah2c3d"))
    [0, 1, 12]
    """
    return sorted(card // 4 for card in board)
