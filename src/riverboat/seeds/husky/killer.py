"""Killer's learning curves: winnings over the hands of a match, over many seeds."""

import math

import msgspec
import numpy as np
from numpy.typing import NDArray

from riverboat.arena import Match, MatchSettings
from riverboat.game import GameSpec
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._work import play_all
from riverboat.seeds.husky.data import husky
from riverboat.statistics import student_95

__all__ = ["LEARNT", "Block", "Learnt", "learning_curve", "play_killer"]

_POINTS = 60
#: Share of the last third's chips a hand at which Killer counts as having learnt.
LEARNT = 0.9


class Block(msgspec.Struct, frozen=True):
    """Some hands on end: chips a hand over all seeds."""

    first: int
    last: int
    mean: float
    margin: float
    """Half the 95 % interval, seeds as units; -1 where one seed tells nothing."""


class Learnt(msgspec.Struct, frozen=True):
    """How Killer fares against one opponent; chips."""

    opponent: str
    seeds: int
    hands: list[int]
    """Numbers of hands at which the curve is kept."""
    mean: list[float]
    """Winnings so far, mean over seeds."""
    low: list[float]
    """95 of 100 seeds lie between low and high."""
    high: list[float]
    blocks: list[Block]
    final: Block
    """The last third."""
    ahead: float
    """Share of seeds that are ahead at the end."""

    @property
    def wins(self) -> bool:
        """Whether the last third surely wins."""
        return 0 <= self.final.margin < self.final.mean

    @property
    def learnt_at(self) -> int | None:
        """End of the first block from which every block earns `LEARNT` of the last third's rate.

        None if the last third does not surely win, or its last block falls below that.
        """
        below = [block.last for block in self.blocks if block.mean < LEARNT * self.final.mean]
        later = [block.last for block in self.blocks if block.last > max(below, default=0)]
        return later[0] if self.wins and later else None

    @property
    def surely_below(self) -> int:
        """End of the last block that surely earns less than `LEARNT` of that rate; 0 if none does.

        Both margins count as independent. They share their seeds, which makes the true interval
        rather narrower.
        """
        level, error = LEARNT * self.final.mean, LEARNT * self.final.margin
        sure = [
            block.last
            for block in self.blocks
            if block.margin >= 0 and block.mean + math.hypot(block.margin, error) < level
        ]
        return max(sure, default=0)


def play_killer(run: Reproduction) -> list[Learnt]:
    """Play fresh Killers against each opponent, a seed each."""
    return run.step("killer", list[Learnt], lambda: _play(run))


def _play(run: Reproduction) -> list[Learnt]:
    plan = husky().killer
    hands, seeds = plan.hands.of(run), plan.seeds.of(run)
    spec = GameSpec(name="husky-1000", stacks=(plan.stack,) * 2, blinds=plan.blinds)
    settings = [
        MatchSettings(
            (plan.bot, opponent),
            spec,
            hands=hands * seeds,
            session=hands,
            duplicate=False,
            seed=run.seed,
        )
        for opponent in plan.opponents
    ]
    matches = play_all(run, settings)
    return [
        learning_curve(opponent, *_chips(match), plan.block.of(run))
        for opponent, match in zip(plan.opponents, matches, strict=True)
    ]


def _chips(match: Match) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Killer's chips, [seeds, hands]: as played, and all-in hands at their expectation."""
    return (
        np.stack([session.chips[:, 0] for session in match.sessions]),
        np.stack([session.corrected[:, 0] for session in match.sessions]),
    )


def learning_curve(
    opponent: str, chips: NDArray[np.float64], corrected: NDArray[np.float64], block: int
) -> Learnt:
    """Sum up what every seed won, hand by hand.

    Parameters
    ----------
    opponent
        Its name.
    chips
        [seeds, hands] chips won in each hand.
    corrected
        [seeds, hands] the same with all-in hands at their expectation: less luck, equal means.
    block
        Hands of a block.

    Examples
    --------
    >>> chips = np.repeat([[-5.0, 0.0, 10.0, 10.0, 10.0, 10.0]], 3, axis=0)
    >>> curve = learning_curve("fish", chips, chips, 1)
    >>> curve.mean[-1], curve.final.mean, curve.learnt_at, curve.ahead
    (35.0, 10.0, 3, 1.0)
    """
    seeds, hands = chips.shape
    totals = np.cumsum(chips, axis=1)
    kept = np.unique(np.linspace(0, hands - 1, min(hands, _POINTS)).astype(int))
    low, high = np.quantile(totals[:, kept], [0.025, 0.975], axis=0)
    blocks = [_block(corrected, at, min(at + block, hands)) for at in range(0, hands, block)]
    final = _block(corrected, hands - max(1, hands // 3), hands)
    return Learnt(
        opponent,
        seeds,
        (kept + 1).tolist(),
        totals[:, kept].mean(axis=0).tolist(),
        low.tolist(),
        high.tolist(),
        blocks,
        final,
        float((totals[:, -1] > 0).mean()),
    )


def _block(corrected: NDArray[np.float64], begin: int, end: int) -> Block:
    """Estimate chips a hand of the hands from begin (from 0) to before end."""
    means = corrected[:, begin:end].mean(axis=1)
    seeds = len(means)
    margin = -1.0
    if seeds > 1:
        margin = student_95(seeds - 1) * float(means.std(ddof=1)) / seeds**0.5
    return Block(begin + 1, end, float(means.mean()), margin)
