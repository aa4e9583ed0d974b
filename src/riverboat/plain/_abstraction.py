"""Plain twins of the bucket rules: strength by counting, bins and percentiles by definition."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from riverboat.cards import evaluate


def river_points(hole: Sequence[int], board: Sequence[int]) -> int:
    """2 for each hand of the opponent that loses, 1 for each that ties; 990 hands."""
    own = evaluate([*hole, *board])
    left = [card for card in range(52) if card not in hole and card not in board]
    others = [evaluate([*other, *board]) for other in combinations(left, 2)]
    return sum(2 * (own > other) + (own == other) for other in others)


def run_outs(hole: Sequence[int], board: Sequence[int]) -> list[int]:
    """Points on every run-out."""
    left = [card for card in range(52) if card not in hole and card not in board]
    missing = combinations(left, 5 - len(board))
    return [river_points(hole, [*board, *cards]) for cards in missing]


def hand_strength(hole: Sequence[int], board: Sequence[int]) -> Fraction:
    """E[HS], exactly."""
    points = run_outs(hole, board)
    return Fraction(sum(points), 1_980 * len(points))


def equity_bin(strength: Fraction, count: int) -> int:
    """Bin of equal width; a sure win falls into the last."""
    return min(int(strength * count), count - 1)


def percentile(value: int, masses: dict[int, int], count: int) -> int:
    """Bucket of a value before empty buckets are left out: where the middle of its mass lies."""
    below = sum(mass for other, mass in masses.items() if other < value)
    return int(Fraction(2 * below + masses[value], 2 * sum(masses.values())) * count)


def board_ranks(board: Sequence[int]) -> list[int]:
    """Ranks on the board, ascending: all that suitless buckets know of it."""
    return sorted(card // 4 for card in board)
