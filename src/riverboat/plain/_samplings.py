"""Sampling schemes: which deals and actions an iteration visits.

A sampling scheme is any object with the three members of `Sampling`. It returns the probability of
each visited action; `Solver` divides by it, so that regrets are unbiased for every sampling scheme
(Lanctot, Waugh, Zinkevich & Bowling 2009, theorem 4).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy as np
    from numpy.typing import NDArray

    from riverboat.plain._random import Random

#: An action, and the probability of visiting it.
Walked = tuple[int, float]
#: At whose decisions the average strategy is updated: the traverser's, or the other players'.
Collects = Literal["own", "others"]


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision during a traversal."""

    own: bool
    """Whether the traverser is to act."""
    strategy: NDArray[np.float64]
    """[actions] the current strategy."""
    average: NDArray[np.float64]
    """[actions] the cumulative average strategy."""


class Sampling(Protocol):
    """The interface of a sampling scheme.

    Examples
    --------
    >>> import numpy as np
    >>> from riverboat.plain import Random
    >>> class Halves(External):  # each own action with probability 1/2
    ...     def walked(self, choice, random):
    ...         if not choice.own:
    ...             yield from super().walked(choice, random)
    ...             return
    ...         for action in range(len(choice.strategy)):
    ...             if random.uniform() < 0.5:
    ...                 yield action, 0.5
    >>> list(Halves().walked(Choice(True, np.full(3, 1 / 3), np.zeros(3)), Random(1)))
    [(0, 0.5), (1, 0.5)]
    """

    @property
    def every_deal(self) -> bool:
        """Whether an iteration visits all deals; else it samples one."""

    @property
    def collects(self) -> Collects:
        """Where the average strategy is updated: `own` if everything is visited."""

    def walked(self, choice: Choice, random: Random) -> Iterable[Walked]:
        """Choose the actions to visit, each at most once, with the probability of each."""


def _all(choice: Choice) -> Iterator[Walked]:
    return ((action, 1.0) for action in range(len(choice.strategy)))


def _one(probabilities: NDArray[np.float64], random: Random) -> Walked:
    action = random.draw(list(probabilities))
    return action, float(probabilities[action])


@dataclass(frozen=True)
class Full:
    """All deals, all actions: the original CFR (Zinkevich et al. 2007)."""

    every_deal: bool = True
    collects: Collects = "own"

    def walked(self, choice: Choice, random: Random) -> Iterable[Walked]:  # noqa: ARG002 - nothing is sampled
        """Return all actions."""
        return _all(choice)


@dataclass(frozen=True)
class Chance(Full):
    """One deal, all actions (Zinkevich et al. 2007, section 3.4)."""

    every_deal: bool = False


@dataclass(frozen=True)
class External:
    """External sampling: one deal, all own actions, one action of each other player.

    Lanctot et al. 2009, section 3.2.
    """

    every_deal: bool = False
    collects: Collects = "others"

    def walked(self, choice: Choice, random: Random) -> Iterable[Walked]:
        """Return all own actions, or a sample of another player's strategy."""
        return _all(choice) if choice.own else [_one(choice.strategy, random)]


@dataclass(frozen=True)
class Outcome(External):
    """Outcome sampling: one deal, one action at each decision (Lanctot et al. 2009, section 3.1).

    Parameters
    ----------
    epsilon
        Probability that the traverser explores.
    """

    epsilon: float = 0.6

    def walked(self, choice: Choice, random: Random) -> Iterable[Walked]:
        """Sample one action; the traverser's from a mixture with the uniform strategy."""
        even = self.epsilon / len(choice.strategy)
        mixed = even + (1 - self.epsilon) * choice.strategy
        return [_one(mixed if choice.own else choice.strategy, random)]


@dataclass(frozen=True)
class AverageStrategy(External):
    """Average-strategy sampling of own actions (Gibson, Burch, Lanctot & Szafron 2012).

    Parameters
    ----------
    epsilon
        Minimum probability of an action.
    tau, beta
        Threshold and bonus of the paper.
    """

    epsilon: float = 0.05
    tau: float = 1000.0
    beta: float = 1e6

    def walked(self, choice: Choice, random: Random) -> Iterator[Walked]:
        """Include each own action with its probability."""
        if not choice.own:
            yield _one(choice.strategy, random)
            return
        shares = (self.beta + self.tau * choice.average) / (self.beta + choice.average.sum())
        for action, share in enumerate(shares.tolist()):
            chance = min(1.0, max(self.epsilon, share))
            if random.uniform() < chance:
                yield action, chance
