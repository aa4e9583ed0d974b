"""Samplings: which deals and which actions an iteration walks.

A sampling is any object with the three parts of `Sampling`. It says with which probability each
walked action was chosen; `Solver` divides by it, so that what is found is right on average
whatever the sampling does (Lanctot, Waugh, Zinkevich & Bowling 2009, theorem 4).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy as np
    from numpy.typing import NDArray

    from riverboat.plain._random import Random

#: An action, and how likely it was to be walked.
Walked = tuple[int, float]
#: At whose decisions the average strategy is collected: the traverser's, or everybody else's.
Collects = Literal["own", "others"]


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision that a walk has come to."""

    own: bool
    """Whether the traverser decides."""
    strategy: NDArray[np.float64]
    """[actions] what is played now."""
    average: NDArray[np.float64]
    """[actions] the cumulative average strategy."""


class Sampling(Protocol):
    """What `Solver` asks of a sampling.

    Examples
    --------
    >>> import numpy as np
    >>> from riverboat.plain import Random
    >>> class Halves(External):  # every second own action, by chance
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
        """Whether an iteration walks all deals; else one is drawn."""

    @property
    def collects(self) -> Collects:
        """Where the average is collected: where everything is walked, `own`."""

    def walked(self, choice: Choice, random: Random) -> Iterable[Walked]:
        """Choose the actions to walk, each at most once, with the probability that each had."""


def _all(choice: Choice) -> Iterator[Walked]:
    return ((action, 1.0) for action in range(len(choice.strategy)))


def _one(probabilities: NDArray[np.float64], random: Random) -> Walked:
    action = random.draw(list(probabilities))
    return action, float(probabilities[action])


@dataclass(frozen=True)
class Full:
    """All deals, all actions: CFR as it was first written (Zinkevich et al. 2007)."""

    every_deal: bool = True
    collects: Collects = "own"

    def walked(self, choice: Choice, random: Random) -> Iterable[Walked]:  # noqa: ARG002 - nothing is drawn
        """Walk everything."""
        return _all(choice)


@dataclass(frozen=True)
class Chance(Full):
    """One deal, all actions (Zinkevich et al. 2007, section 3.4)."""

    every_deal: bool = False


@dataclass(frozen=True)
class External:
    """One deal, all own actions, one of each other player (Lanctot et al. 2009, section 3.2)."""

    every_deal: bool = False
    collects: Collects = "others"

    def walked(self, choice: Choice, random: Random) -> Iterable[Walked]:
        """Walk all own actions; draw those of others by their strategy."""
        return _all(choice) if choice.own else [_one(choice.strategy, random)]


@dataclass(frozen=True)
class Outcome(External):
    """One deal, one action everywhere (Lanctot et al. 2009, section 3.1).

    Parameters
    ----------
    epsilon
        How often the traverser explores.
    """

    epsilon: float = 0.6

    def walked(self, choice: Choice, random: Random) -> Iterable[Walked]:
        """Draw one action; the traverser's from a mixture with uniform play."""
        even = self.epsilon / len(choice.strategy)
        mixed = even + (1 - self.epsilon) * choice.strategy
        return [_one(mixed if choice.own else choice.strategy, random)]


@dataclass(frozen=True)
class AverageStrategy(External):
    """Own actions by their share of the average (Gibson, Burch, Lanctot & Szafron 2012).

    Parameters
    ----------
    epsilon
        Least chance of an action.
    tau, beta
        The paper's bonus on the average strategy, and its start.
    """

    epsilon: float = 0.05
    tau: float = 1000.0
    beta: float = 1e6

    def walked(self, choice: Choice, random: Random) -> Iterator[Walked]:
        """Walk each own action with a chance of its own."""
        if not choice.own:
            yield _one(choice.strategy, random)
            return
        shares = (self.beta + self.tau * choice.average) / (self.beta + choice.average.sum())
        for action, share in enumerate(shares.tolist()):
            chance = min(1.0, max(self.epsilon, share))
            if random.uniform() < chance:
                yield action, chance
