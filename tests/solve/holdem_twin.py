"""Plain twin of the hold'em dealer: what each group and each line of swaps stands for."""

from collections.abc import Callable, Sequence

from riverboat.cards import HandStrength, evaluate


def swapped(hole: tuple[int, ...], board: Sequence[int], tables: HandStrength) -> int:
    """Return the card that a swap gives up: keeping the other has the greater mean strength.

    The mean over every replacement that can still come, by the definition.
    """

    def mean(kept: int) -> float:
        others = [card for card in range(52) if card not in hole and card not in board]
        return sum(tables.strength([kept, card], list(board)).mean for card in others) / len(others)

    low, high = sorted(hole)
    gap = mean(low) - mean(high)
    return high if gap > 1e-12 else low


def held(
    hole: tuple[int, ...],
    swaps: Sequence[tuple[Sequence[int], int]],
    line: int,
    tables: HandStrength,
) -> tuple[int, ...]:
    """Hole cards after a line of swaps; `swaps` has the board and the replacement of each."""
    for phase, (board, replacement) in enumerate(swaps):
        if line >> phase & 1:
            gone = swapped(hole, board, tables)
            hole = (*(card for card in hole if card != gone), replacement)
    return hole


def strength(hole: tuple[int, ...], board: Sequence[int]) -> int:
    """Strength of the best five of hole and board."""
    return evaluate([*hole, *board])


def remembered(
    holes: Sequence[tuple[int, ...]],
    board: Sequence[int],
    bucket: Callable[[list[int], list[int]], int],
    num_buckets: Sequence[int],
) -> int:
    """Bucket with perfect recall: one number for the buckets of all streets so far.

    `holes` has the cards held on each street, `num_buckets` the buckets of each street alone.
    """
    total = 0
    for hole, dealt, count in zip(holes, (0, 3, 4, 5), num_buckets, strict=False):
        total = total * count + bucket(list(hole), list(board[:dealt]))
    return total
