"""How large the whole game is, by formula (Johanson 2013), and how often a hand meets a flush.

Sections 2.2.2 and 3.2.3 of the thesis quote both from elsewhere.
"""

from collections.abc import Sequence
from itertools import accumulate
from math import comb

from riverboat.game import GameSpec, catalogue
from riverboat.reproductions._run import Found, ReproductionRun

# Hole cards, then the cards of each further street.
_BOARD = (3, 1, 1)
_DECK, _HOLE, _SUIT = 52, 2, 13


def bet_sequences(least: int, most: int) -> list[int]:
    """Count the sequences of bets and raises of a street by their last amount, 0 to `most` - 1.

    Each raise is at least as large as the one before it; `least` is the smallest bet.

    Examples
    --------
    >>> bet_sequences(1, 4)  # 1; 2 and 1-2; 3, 1-3 and 1-2-3
    [0, 1, 2, 3]
    """
    # up_to[x][d]: sequences that end with amount x and a last raise of at most d.
    up_to: list[list[int]] = []
    for amount in range(most):
        by_raise = [0] * (amount + 1)
        for last in range(least, amount + 1):
            before = amount - last
            by_raise[last] = up_to[before][min(last, before)] if before else 1
        up_to.append(list(accumulate(by_raise)))
    return [each[-1] for each in up_to]


def count_decisions(spec: GameSpec) -> list[int]:
    """Count the betting decisions by street, with every bet size, two players and no antes.

    Before the flop the big blind is a bet of its size, so that street is like the others, with
    smaller stacks. A street begins with a check or a bet; each of its bet sequences can follow
    either, and ends in a fold or in a call, which leads to the next street. All-in is always
    allowed, whatever the raise before it.

    Examples
    --------
    >>> count_decisions(catalogue("nolimit-100bb").replace(stacks=(20, 20)))  # only all-in is left
    [4, 4, 4, 4]
    """
    blind, stack = spec.big_blind, spec.stacks[0]
    ends = bet_sequences(blind, stack - blind)
    below = [0, *accumulate(ends)]  # sequences that end below an amount
    arrivals, found = {blind: 1}, list[int]()
    for _ in spec.streets:
        each = {put: 2 + 2 * (1 + 2 * below[stack - put]) for put in arrivals}
        found.append(sum(count * each[put] for put, count in arrivals.items()))
        arrivals = _arrivals(arrivals, ends, stack)
    return found


def _arrivals(arrivals: dict[int, int], ends: Sequence[int], stack: int) -> dict[int, int]:
    """Return the number of lines to the next street by what each player has put in."""
    found: dict[int, int] = {}
    for put, count in arrivals.items():
        found[put] = found.get(put, 0) + count  # two checks
        for more in range(1, stack - put):
            if ends[more]:
                found[put + more] = found.get(put + more, 0) + 2 * count * ends[more]
    return found


def count_hands() -> list[int]:
    """Count a player's hands by street, with the order of the streets.

    Examples
    --------
    >>> count_hands()
    [1326, 25989600, 1221511200, 56189515200]
    """
    found, left = [comb(_DECK, _HOLE)], _DECK - _HOLE
    for cards in _BOARD:
        found.append(found[-1] * comb(left, cards))
        left -= cards
    return found


def measure_size(run: ReproductionRun) -> Found:
    """Count the author's game: lines, information sets, and flops that make a flush."""
    run.tell(0.0, "counts the whole game")
    decisions = count_decisions(catalogue("nolimit-100bb"))
    infosets = sum(lines * hands for lines, hands in zip(decisions, count_hands(), strict=True))
    suited = comb(_SUIT - _HOLE, 3) / comb(_DECK - _HOLE, 3)
    share = 4 * comb(_SUIT, _HOLE) / comb(_DECK, _HOLE)
    return Found(
        decisions=[float(each) for each in decisions],
        infosets=float(infosets),
        flush_if_suited=suited,
        flush_of_all=suited * share,
    )
