"""What to run: a sampling, a regret rule, an averaging, and options.

Not every combination is sound. One that is not is refused with the reason;
two that research uses all the same run with `experimental=True`. An option that
the chosen sampling or rule would ignore is refused, too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal, get_args

from riverboat.errors import SolveError
from riverboat.solve._checks import MOST_ITERATIONS, real_number, shown, whole_number
from riverboat.solve._plain import all_fields, changed_fields, known_fields, set_fields
from riverboat.solve._prune import Prune

__all__ = ["Averaging", "RegretRule", "Sampling", "Scheme"]

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
_NAMES: Final = {power: name for name, power in _POWERS.items()}
_DCFR_GAMMA: Final = 2.0  # Brown & Sandholm 2019

_INFINITY: Final = float("inf")

# Bounds of the options. Weights t^gamma stay finite in float64 for any t up to 2^62; an
# epsilon below a millionth would weigh a walk by millions.
_WHOLE: Final = {
    "delay": (0, MOST_ITERATIONS),
    "step": (1, MOST_ITERATIONS),
    "average_every": (1, 2**32 - 1),
}
_REAL: Final = {
    "alpha": (-_INFINITY, _INFINITY),
    "beta": (-_INFINITY, _INFINITY),
    "gamma": (0.0, 10.0),
    "epsilon": (1e-6, 1.0),
    "tau": (0.0, 1e18),
    "beta_offset": (0.0, 1e18),
}
# What an option belongs to.
_RULE_OPTIONS: Final[dict[str, tuple[RegretRule, ...]]] = {
    "alpha": ("dcfr",),
    "beta": ("dcfr",),
    "gamma": ("dcfr",),
}
_SAMPLING_OPTIONS: Final[dict[str, tuple[Sampling, ...]]] = {
    "epsilon": ("outcome", "average-strategy"),
    "tau": ("average-strategy",),
    "beta_offset": ("average-strategy",),
    "floor": ("chance", "external", "outcome", "average-strategy"),
    "prune": ("external",),
    "average_every": ("external",),
}


@dataclass(frozen=True, slots=True)
class Scheme:
    """A CFR algorithm as three choices and their options.

    Parameters
    ----------
    sampling, rule
        Two of the three choices. `linear` is DCFR with alpha = beta = 1.
    averaging
        The third: strategies of step t enter the average with weight 1, t or t^2. None is
        uniform, except with `dcfr`, which has its own weight t^gamma.
    alpha, beta
        Exponents of DCFR's discounts t^x / (t^x + 1) of positive and negative regrets.
    gamma
        Exponent of DCFR's averaging weight t^gamma, 0 to 10; None is the paper's 2. Give it
        instead of `averaging`, not with another one.
    delay
        Steps whose strategies do not enter the average; t counts the steps after them.
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
    average_every
        External sampling with three players and more, where a walk of its own collects the
        average: one traversal in so many, drawn by chance, has it. None makes those walks cost
        about as much as the traversals.
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
    averaging: Averaging | None = None
    alpha: float = 1.5
    beta: float = 0.0
    gamma: float | None = None
    delay: int = 0
    step: int | None = None
    epsilon: float | None = None
    tau: float = 1000.0
    beta_offset: float = 1e6
    floor: tuple[tuple[int, float], ...] = ()
    floor_in_average: bool = True
    prune: Prune | None = None
    average_every: int | None = None
    experimental: bool = False

    def __post_init__(self) -> None:
        self._check_choices()
        self._check_sound()
        self._check_numbers()
        self._check_floor()
        if self.prune is not None and not isinstance(self.prune, Prune):
            raise SolveError(f"prune={shown(self.prune)} is no Prune")
        for name in ("floor_in_average", "experimental"):
            if not isinstance(getattr(self, name), bool):
                raise SolveError(f"{name}={shown(getattr(self, name))} is neither True nor False")
        self._check_ignored()
        self._check_averaging()

    def _check_choices(self) -> None:
        for value, allowed, what in (
            (self.sampling, get_args(Sampling), "sampling"),
            (self.rule, get_args(RegretRule), "regret rule"),
            (self.averaging, (*get_args(Averaging), None), "averaging"),
        ):
            if not isinstance(value, str | None) or value not in allowed:
                names = ", ".join(name for name in allowed if name is not None)
                raise SolveError(f"{shown(value)} is no {what}: there are {names}")

    def _check_sound(self) -> None:
        pair = (self.sampling, self.rule)
        if self.rule not in _SOUND[self.sampling]:
            if pair in _EXPERIMENTAL and self.experimental is True:
                return
            hint = "; experimental=True runs it all the same" if pair in _EXPERIMENTAL else ""
            raise SolveError(
                f"{self.sampling} sampling with {self.rule} is not sound: {_REASONS[self.rule]}; "
                f"sound with {self.sampling} are {', '.join(_SOUND[self.sampling])}{hint}"
            )

    def _check_numbers(self) -> None:
        """Check all numbers, and keep them as plain int and float."""
        optional = {field.name for field in fields(self) if field.default is None}
        for name, (least, most) in _WHOLE.items():
            if getattr(self, name) is not None or name not in optional:
                set_fields(self, **{name: whole_number(name, getattr(self, name), least, most)})
        for name, (low, high) in _REAL.items():
            if getattr(self, name) is not None or name not in optional:
                set_fields(self, **{name: real_number(name, getattr(self, name), low, high)})
        if self.sampling == "full" and self.step_iterations != 1:
            raise SolveError(f"full sampling has steps of 1 iteration, not {self.step}")

    def _check_floor(self) -> None:
        wanted = f"floor={shown(self.floor)}: pairs (until iteration, floor below 0.5)"
        if not _is_sequence(self.floor) or not all(
            _is_sequence(pair) and len(pair) == 2 for pair in self.floor
        ):
            raise SolveError(wanted)
        try:
            pairs = tuple(
                (
                    whole_number("until", until, 1, MOST_ITERATIONS),
                    real_number("floor", floor, 0.0, 0.5),
                )
                for until, floor in self.floor
            )
        except SolveError as error:
            raise SolveError(f"{wanted}; {error}") from error
        ends = [until for until, _ in pairs]
        if any(floor == 0.5 for _, floor in pairs):
            raise SolveError(wanted)
        if ends != sorted(set(ends)):
            raise SolveError(f"floor={self.floor}: iterations ascend from pair to pair")
        set_fields(self, floor=pairs)

    def _check_ignored(self) -> None:
        """Refuse an option that would have no effect."""
        for field in fields(self):
            value = getattr(self, field.name)
            if value == field.default:
                continue
            rules = _RULE_OPTIONS.get(field.name, get_args(RegretRule))
            samplings = _SAMPLING_OPTIONS.get(field.name, get_args(Sampling))
            if self.rule not in rules:
                raise SolveError(
                    f"{field.name}={shown(value)} is for the rule {' or '.join(rules)}, "
                    f"not for {self.rule}"
                )
            if self.sampling not in samplings:
                raise SolveError(
                    f"{field.name}={shown(value)} is for {' or '.join(samplings)} sampling, "
                    f"not for {self.sampling}"
                )
        if not self.floor_in_average and not self.floor:
            raise SolveError("floor_in_average=False needs a floor")

    def _check_averaging(self) -> None:
        if self.sampling == "pure" and self.average_power != 0:
            raise SolveError("pure sampling counts actions: its average is uniform")
        if self.averaging is None or self.gamma is None:
            return
        if _POWERS[self.averaging] != self.gamma:
            raise SolveError(
                f"averaging={self.averaging!r} weights step t by t^{_POWERS[self.averaging]:g}, "
                f"gamma={self.gamma:g} by t^{self.gamma:g}: give one of them"
            )

    @property
    def name(self) -> str:
        """Short name for tables and plots."""
        average = _NAMES.get(self.average_power, f"t^{self.average_power:g}")
        return f"{self.sampling} {self.rule}, {average} average"

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
        if self.gamma is not None:
            return self.gamma
        if self.averaging is not None:
            return _POWERS[self.averaging]
        return _DCFR_GAMMA if self.rule == "dcfr" else 0.0

    def floor_at(self, iteration: int) -> tuple[float, int | None]:
        """The floor at an iteration, and the iteration where it changes next."""
        for until, floor in self.floor:
            if iteration < until:
                return floor, until
        return 0.0, None

    def as_dict(self) -> dict[str, Any]:
        """Return what differs from the defaults, as JSON can hold it.

        Examples
        --------
        >>> Scheme("external", floor=((1000, 0.05),), prune=Prune(-300.0)).as_dict()
        {'floor': [[1000, 0.05]], 'prune': {'below': -300.0}}
        """
        return changed_fields(self)

    def as_whole_dict(self) -> dict[str, Any]:
        """Return every setting, defaults filled in: what a file keeps, whatever they become.

        Examples
        --------
        >>> values = Scheme("outcome").as_whole_dict()
        >>> values["averaging"], values["step"], values["epsilon"], values["delay"]
        ('uniform', 10000, 0.6, 0)
        """
        explores = self.sampling in _SAMPLING_OPTIONS["epsilon"]
        filled = replace(
            self,
            averaging=self.averaging if self.gamma is not None else _NAMES[self.average_power],
            step=self.step_iterations,
            epsilon=self.exploration if explores else None,
        )
        return all_fields(filled)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Scheme":
        """Return the scheme that `as_dict` or `as_whole_dict` wrote; unknown names are refused.

        Examples
        --------
        >>> Scheme.from_dict({"sampling": "outcome", "epsilon": 0.4}).exploration
        0.4
        >>> Scheme.from_dict({"sampling": "outcome", "epsilom": 0.4})
        Traceback (most recent call last):
        ...
        riverboat.errors.SolveError: 'epsilom' is no setting of a scheme: there are sampling, \
rule, averaging, alpha, beta, gamma, delay, step, epsilon, tau, beta_offset, floor, \
floor_in_average, prune, average_every, experimental
        """
        given = known_fields(cls, values, "a scheme")
        for name in ("alpha", "beta"):
            if isinstance(given.get(name), str) and given[name] in {"inf", "-inf"}:
                given[name] = float(given[name])
        if given.get("prune") is not None:
            pruning = known_fields(Prune, given["prune"], "pruning")
            if "below" not in pruning:
                raise SolveError(f"prune={shown(pruning)} does not say below which regret")
            given["prune"] = Prune(**pruning)
        return cls(**given)


def _is_sequence(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)
