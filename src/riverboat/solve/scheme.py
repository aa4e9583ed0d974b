"""What to run: a sampling, a regret rule, an averaging, and options.

Not every combination is sound. One that is not is refused with the reason;
two that research uses all the same run with `experimental=True`.
"""

import math
from dataclasses import dataclass
from typing import Final, Literal, get_args

from riverboat.errors import SolveError

__all__ = ["Averaging", "Prune", "RegretRule", "Sampling", "Scheme"]

Sampling = Literal[
    "full", "chance", "external", "outcome", "average-strategy", "pure", "public-chance"
]
RegretRule = Literal["cfr", "cfr+", "linear", "dcfr", "predictive+"]
Averaging = Literal["uniform", "linear", "quadratic"]

_SOUND: Final[dict[Sampling, tuple[RegretRule, ...]]] = {
    "full": get_args(RegretRule),
    "public-chance": get_args(RegretRule),
    "chance": ("cfr", "linear", "dcfr"),
    "external": ("cfr", "linear"),
    "outcome": ("cfr", "linear"),
    "average-strategy": ("cfr", "linear"),
    "pure": ("cfr",),
}
_EXPERIMENTAL: Final = {("external", "cfr+"), ("external", "dcfr")}
_REASONS: Final[dict[RegretRule, str]] = {
    "cfr+": "cutting sampled regrets off at zero keeps their noise and drops their mean",
    "predictive+": "one sampled regret does not predict the next",
    "dcfr": "its discount assumes that every regret changes in every iteration",
    "linear": "its integer counts cannot be weighted",
    "cfr": "it is always sound",
}
_STEPS: Final[dict[Sampling, int]] = {"full": 1, "public-chance": 100}
_POWERS: Final[dict[Averaging, float]] = {"uniform": 0.0, "linear": 1.0, "quadratic": 2.0}


@dataclass(frozen=True, slots=True)
class Prune:
    """Skipping of actions with very negative regret (Pluribus, Brown & Sandholm 2019)."""

    below: float
    """Regret below which an action is skipped, in chips; negative."""
    probability: float = 0.95
    """Share of the traversals that skip."""
    after: int = 0
    """First iteration that may skip."""


@dataclass(frozen=True, slots=True)
class Scheme:
    """A CFR algorithm as three choices and their options.

    Parameters
    ----------
    sampling, rule, averaging
        The three choices. `linear` is DCFR with alpha = beta = 1.
    alpha, beta
        Exponents of DCFR's discounts t^x / (t^x + 1) of positive and negative
        regrets. Its paper also weights the average by t^2: `averaging="quadratic"`.
    delay
        Steps whose strategies do not enter the average.
    step
        Iterations that share one discount and one averaging weight; None is 1
        where every iteration sees all deals, 100 where it sees all hands on one
        board, and 10,000 where it sees one deal.
    epsilon
        Exploration of outcome sampling (0.6), or the least chance of an action
        in average-strategy sampling (0.05).
    tau, beta_offset
        Average-strategy sampling: the paper's tau and beta.
    floor
        Least probability of an action in the walk: (until iteration, floor)
        pairs in order; none after the last.
    floor_in_average
        Whether the floored strategy is also what is averaged.
    prune
        Negative-regret pruning, external sampling only.
    experimental
        Allow a combination that research uses although it is not known to be sound.

    Examples
    --------
    >>> Scheme("external", "linear", "linear").name
    'external linear, linear average'
    >>> Scheme("pure", "cfr+")
    Traceback (most recent call last):
    ...
    riverboat.errors.SolveError: pure sampling with cfr+ is not sound: cutting sampled regrets \
off at zero keeps their noise and drops their mean; sound with pure are cfr
    """

    sampling: Sampling = "external"
    rule: RegretRule = "cfr"
    averaging: Averaging = "uniform"
    alpha: float = 1.5
    beta: float = 0.0
    delay: int = 0
    step: int | None = None
    epsilon: float | None = None
    tau: float = 1000.0
    beta_offset: float = 1e6
    floor: tuple[tuple[int, float], ...] = ()
    floor_in_average: bool = True
    prune: Prune | None = None
    experimental: bool = False

    def __post_init__(self) -> None:
        for value, allowed, what in (
            (self.sampling, get_args(Sampling), "sampling"),
            (self.rule, get_args(RegretRule), "regret rule"),
            (self.averaging, get_args(Averaging), "averaging"),
        ):
            if value not in allowed:
                raise SolveError(f"{value!r} is no {what}: there are {', '.join(allowed)}")
        self._check_sound()
        self._check_numbers()

    def _check_sound(self) -> None:
        pair = (self.sampling, self.rule)
        if self.rule not in _SOUND[self.sampling]:
            if pair in _EXPERIMENTAL and self.experimental:
                return
            hint = "; experimental=True runs it all the same" if pair in _EXPERIMENTAL else ""
            raise SolveError(
                f"{self.sampling} sampling with {self.rule} is not sound: {_REASONS[self.rule]}; "
                f"sound with {self.sampling} are {', '.join(_SOUND[self.sampling])}{hint}"
            )
        if self.sampling == "pure" and self.averaging != "uniform":
            raise SolveError("pure sampling counts actions: its average is uniform")

    def _check_numbers(self) -> None:
        for name in ("alpha", "beta", "tau", "beta_offset"):
            if math.isnan(getattr(self, name)):
                raise SolveError(f"{name} is not a number")
        if self.delay < 0 or (self.step is not None and self.step < 1):
            raise SolveError(f"delay={self.delay} and step={self.step}: take 0 and 1 at least")
        if self.sampling == "full" and self.step_iterations != 1:
            raise SolveError(f"full sampling has steps of 1 iteration, not {self.step}")
        if not 0 < self.exploration <= 1:
            raise SolveError(f"epsilon={self.epsilon} is not a probability above 0")
        if self.tau < 0 or self.beta_offset < 0:
            raise SolveError("tau and beta_offset of average-strategy sampling are not negative")
        walks = self.sampling in {"chance", "external", "outcome", "average-strategy"}
        if self.floor and not walks:
            raise SolveError(f"{self.sampling} sampling has no exploration floor")
        if any(until < 1 or not 0 <= floor < 0.5 for until, floor in self.floor):
            raise SolveError(f"floor={self.floor}: pairs (until iteration, floor below 0.5)")
        ends = [until for until, _ in self.floor]
        if ends != sorted(set(ends)):
            raise SolveError(f"floor={self.floor}: iterations ascend from pair to pair")
        if self.prune is not None:
            self._check_prune(self.prune)

    def _check_prune(self, prune: Prune) -> None:
        if self.sampling != "external" or not prune.below < 0:
            raise SolveError("pruning is for external sampling and takes a negative regret")
        if (
            not 0 <= prune.probability < 1 or prune.after < 0
        ):  # what is always skipped never returns
            raise SolveError(
                f"{prune}: probability is 0 to below 1, after an iteration of 0 or more"
            )

    @property
    def name(self) -> str:
        """Short name for tables and plots."""
        return f"{self.sampling} {self.rule}, {self.averaging} average"

    @property
    def exploration(self) -> float:
        """Epsilon, with the default of the sampling."""
        if self.epsilon is not None:
            return self.epsilon
        return 0.05 if self.sampling == "average-strategy" else 0.6

    @property
    def step_iterations(self) -> int:
        """Iterations that share one discount and one averaging weight."""
        if self.step is not None:
            return self.step
        return _STEPS.get(self.sampling, 10_000)

    @property
    def average_power(self) -> float:
        """Strategies of step t enter the average with t to this power."""
        return _POWERS[self.averaging]

    def floor_at(self, iteration: int) -> tuple[float, int | None]:
        """The floor at an iteration, and the iteration where it changes next."""
        for until, floor in self.floor:
            if iteration < until:
                return floor, until
        return 0.0, None
