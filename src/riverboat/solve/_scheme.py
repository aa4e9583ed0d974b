"""Schemes: a sampling, a regret rule, an averaging, and options.

Unsound combinations are refused with the reason; two of them, which research uses, run with
`experimental=True`. An option that the sampling or rule would ignore is refused, too.
"""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Final, Literal, get_args

import msgspec
from msgspec import Meta

from riverboat.errors import RiverboatError, SolveError, did_you_mean
from riverboat.settings import Settings, checked, meaning, settings_of, shown

Sampling = Literal[
    "full", "chance", "external", "outcome", "average-strategy", "pure", "public-chance"
]
RegretRule = Literal["cfr", "cfr+", "linear", "dcfr", "predictive+"]
Averaging = Literal["uniform", "linear", "quadratic"]

MOST_ITERATIONS: Final = 2**62

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
    "cfr+": "setting negative sampled regrets to zero keeps their noise and biases their mean",
    "predictive+": "a sampled regret does not predict the next one",
    "dcfr": "its discount assumes that every regret changes in every iteration",
    "linear": "integer counts cannot be weighted",
    "cfr": "it is always sound",
}
_STEPS: Final[dict[Sampling, int]] = {"full": 1, "public-chance": 100}
_POWERS: Final[dict[Averaging, float]] = {"uniform": 0.0, "linear": 1.0, "quadratic": 2.0}
_NAMES: Final = {power: name for name, power in _POWERS.items()}
_DCFR_GAMMA: Final = 2.0  # Brown & Sandholm 2019

# Bounds: weights t^gamma are finite in float64 for any t up to 2^62; an epsilon below a millionth
# would give a traversal a weight of millions; float32 has room for a regret of -1e30 and its
# updates; an action that is always pruned would never return.
_Iterations = Annotated[int, Meta(ge=0, le=MOST_ITERATIONS)]
_Positive = Annotated[int, Meta(ge=1, le=MOST_ITERATIONS)]
_Every = Annotated[int, Meta(ge=1, le=2**32 - 1)]
_Exponent = Annotated[float, Meta(extra={"infinite": True})]
_Gamma = Annotated[float, Meta(ge=0, le=10)]
_Epsilon = Annotated[float, Meta(ge=1e-6, le=1)]
_Weight = Annotated[float, Meta(ge=0, le=1e18)]
_Floor = Annotated[float, Meta(ge=0, lt=0.5)]
_Regret = Annotated[float, Meta(ge=-1e30, lt=0)]
_Pruned = Annotated[float, Meta(ge=0, le=0.999)]
_Share = Annotated[float, Meta(gt=0, le=1)]

# The rules and samplings that use an option.
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
    "explore": ("external",),
    "forks": ("external",),
    "average_every": ("external", "pure"),
}


class Prune(Settings, frozen=True):
    """Skipping of actions with very negative regret (Pluribus, Brown & Sandholm 2019)."""

    error: ClassVar[type[RiverboatError]] = SolveError
    below: Annotated[_Regret, meaning("regret in chips below which an action is skipped")]
    probability: Annotated[
        _Pruned, meaning("share of traversals that prune; the others visit all actions")
    ] = 0.95
    after: Annotated[_Iterations, meaning("first iteration with pruning")] = 0


class Explore(Settings, frozen=True):
    """Extra traversals below opponents' rare actions, so that responses to them are trained."""

    error: ClassVar[type[RiverboatError]] = SolveError
    probability: Annotated[
        _Share, meaning("probability of an extra traversal at an opponent's decision")
    ] = 0.1
    weight: Annotated[_Share, meaning("weight of the regrets of extra traversals")] = 0.05


class Forks(Settings, frozen=True):
    """A thread for each large subtree of a traversal, and a lock for each infoset (caltech)."""

    error: ClassVar[type[RiverboatError]] = SolveError
    more_than: Annotated[
        int, meaning("a subtree is large if its decision has more actions than this", 1, 100)
    ] = 3
    last_street: Annotated[int, meaning("last street of such decisions (0 = preflop)", 0, 100)] = 1


class Scheme(Settings, frozen=True):
    """A CFR algorithm as three choices and their options.

    Examples
    --------
    >>> Scheme("external", "linear", "linear").name
    'external linear, linear average'
    >>> Scheme("pure", "cfr+")
    Traceback (most recent call last):
    ...
    riverboat.errors.SolveError: pure sampling with cfr+ is not sound: setting negative \
sampled regrets to zero keeps their noise and biases their mean; pure sampling is sound with cfr
    """

    error: ClassVar[type[RiverboatError]] = SolveError
    sampling: Annotated[Sampling, meaning("the part of the game that an iteration visits")] = (
        "external"
    )
    rule: Annotated[RegretRule, meaning("regret rule; linear is DCFR with alpha = beta = 1")] = (
        "cfr"
    )
    averaging: Annotated[
        Averaging | None,
        meaning("weight of step t in the average: 1, t or t^2 (none = uniform; dcfr: gamma)"),
    ] = None
    alpha: Annotated[
        _Exponent, meaning("dcfr: exponent x of the discount t^x / (t^x + 1) for positive regrets")
    ] = 1.5
    beta: Annotated[_Exponent, meaning("dcfr: the same exponent for negative regrets")] = 0.0
    gamma: Annotated[
        _Gamma | None, meaning("dcfr: exponent of the averaging weight t^gamma (none = 2)")
    ] = None
    delay: Annotated[
        _Iterations, meaning("number of first steps left out of the average and of t")
    ] = 0
    step: Annotated[
        _Positive | None,
        meaning(
            "iterations per discount and averaging weight (none = 1 with full sampling, 100 with "
            "public-chance, else 10,000)"
        ),
    ] = None
    epsilon: Annotated[
        _Epsilon | None,
        meaning(
            "outcome: exploration (none = 0.6); average-strategy: minimum probability of an action "
            "(none = 0.05)"
        ),
    ] = None
    tau: Annotated[_Weight, meaning("average-strategy: the paper's tau")] = 1000.0
    beta_offset: Annotated[_Weight, meaning("average-strategy: the paper's beta")] = 1e6
    floor: Annotated[
        tuple[tuple[_Positive, _Floor], ...],
        meaning("exploration floor, as pairs (until iteration, minimum probability)"),
    ] = ()
    floor_in_average: Annotated[
        bool, meaning("whether the average includes the exploration floor")
    ] = True
    prune: Annotated[Prune | None, meaning("negative-regret pruning, external sampling only")] = (
        None
    )
    explore: Annotated[
        Explore | None, meaning("extra traversals, external sampling without pruning only")
    ] = None
    forks: Annotated[
        Forks | None,
        meaning(
            "threads by subtree with locks, external sampling for two players only (none = each "
            "thread walks deals of its own)"
        ),
    ] = None
    average_every: Annotated[
        _Every | None,
        meaning(
            "traversals per update of the average with three or more players (none = automatic; "
            "external and pure sampling)"
        ),
    ] = None
    experimental: Annotated[
        bool, meaning("allow two combinations that are not proven to be sound")
    ] = False

    def __post_init__(self) -> None:
        """Check all values, and that they fit one another."""
        super().__post_init__()
        self._check_sound()
        if self.sampling == "full" and self.step_iterations != 1:
            raise SolveError(f"full sampling needs steps of 1 iteration, not {self.step}")
        ends = [until for until, _ in self.floor]
        if ends != sorted(set(ends)):
            raise SolveError(f"floor={self.floor}: iterations must ascend from pair to pair")
        if self.prune is not None and self.explore is not None:
            raise SolveError("prune and explore exclude each other: give only one")
        if self.forks is not None and (self.prune or self.explore):
            raise SolveError("forks exclude prune and explore: give only one of them")
        self._check_ignored()
        self._check_averaging()

    def _check_sound(self) -> None:
        pair = (self.sampling, self.rule)
        if self.rule not in _SOUND[self.sampling]:
            if pair in _EXPERIMENTAL and self.experimental:
                return
            hint = "; experimental=True allows it" if pair in _EXPERIMENTAL else ""
            raise SolveError(
                f"{self.sampling} sampling with {self.rule} is not sound: {_REASONS[self.rule]}; "
                f"{self.sampling} sampling is sound with {', '.join(_SOUND[self.sampling])}{hint}"
            )

    def _check_ignored(self) -> None:
        """Refuse an option that would have no effect."""
        for name, value in _changed(self).items():
            rules = _RULE_OPTIONS.get(name, get_args(RegretRule))
            samplings = _SAMPLING_OPTIONS.get(name, get_args(Sampling))
            if self.rule not in rules:
                raise SolveError(
                    f"{name}={shown(value)} is for the rule {' or '.join(rules)}, "
                    f"not for {self.rule}"
                )
            if self.sampling not in samplings:
                raise SolveError(
                    f"{name}={shown(value)} is for {' or '.join(samplings)} sampling, "
                    f"not for {self.sampling}"
                )
        if not self.floor_in_average and not self.floor:
            raise SolveError("floor_in_average=False needs a floor")

    def _check_averaging(self) -> None:
        if self.sampling == "pure" and self.average_power != 0:
            raise SolveError("pure sampling counts actions, so its average must be uniform")
        if self.averaging is None or self.gamma is None:
            return
        if _POWERS[self.averaging] != self.gamma:
            raise SolveError(
                f"averaging={self.averaging!r} weights step t by t^{_POWERS[self.averaging]:g}, "
                f"gamma={self.gamma:g} by t^{self.gamma:g}: give only one"
            )

    @property
    def name(self) -> str:
        """Short name for tables and plots."""
        average = _NAMES.get(self.average_power, f"t^{self.average_power:g}")
        return f"{self.sampling} {self.rule}, {average} average"

    @property
    def exploration(self) -> float:
        """Epsilon, or the default of the sampling."""
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
        """Exponent of the weight of step t in the average."""
        if self.gamma is not None:
            return self.gamma
        if self.averaging is not None:
            return _POWERS[self.averaging]
        return _DCFR_GAMMA if self.rule == "dcfr" else 0.0

    def floor_at(self, iteration: int) -> tuple[float, int | None]:
        """The floor at an iteration, and the iteration of its next change."""
        for until, floor in self.floor:
            if iteration < until:
                return floor, until
        return 0.0, None

    def as_dict(self) -> dict[str, Any]:
        """Return the settings that differ from their defaults, as JSON values.

        Examples
        --------
        >>> Scheme("external", floor=((1000, 0.05),), prune=Prune(-300.0)).as_dict()
        {'floor': [[1000, 0.05]], 'prune': {'below': -300.0}}
        """
        return {name: _plain(value) for name, value in _changed(self).items()}

    def as_whole_dict(self) -> dict[str, Any]:
        """Return all settings with their defaults, for files: defaults may change later.

        Examples
        --------
        >>> values = Scheme("outcome").as_whole_dict()
        >>> values["averaging"], values["step"], values["epsilon"], values["delay"]
        ('uniform', 10000, 0.6, 0)
        """
        explores = self.sampling in _SAMPLING_OPTIONS["epsilon"]
        filled = msgspec.structs.replace(
            self,
            averaging=self.averaging if self.gamma is not None else _NAMES[self.average_power],
            step=self.step_iterations,
            epsilon=self.exploration if explores else None,
        )
        return {
            name: _plain(getattr(filled, name), whole=True) for name in filled.__struct_fields__
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Scheme":
        """Return the scheme that `as_dict` or `as_whole_dict` wrote; refuse unknown names.

        Examples
        --------
        >>> Scheme.from_dict({"sampling": "outcome", "epsilon": 0.4}).exploration
        0.4
        >>> Scheme.from_dict({"sampling": "outcome", "epsilom": 0.4})  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        riverboat.errors.SolveError: a scheme has no setting 'epsilom' (did you mean ...
        """
        return checked(cls, values, "a scheme")


def _changed(settings: Settings) -> dict[str, Any]:
    """Settings that differ from their defaults."""
    return {
        setting.name: getattr(settings, setting.name)
        for setting in settings_of(type(settings))
        if getattr(settings, setting.name) != setting.default
    }


def _plain(value: Any, whole: bool = False) -> Any:
    """A setting as a JSON value: tuples as lists, infinities as text."""
    if isinstance(value, Prune | Explore | Forks):
        values: dict[str, Any] = msgspec.to_builtins(value) if whole else _changed(value)
        return values
    if isinstance(value, tuple):
        return [list(pair) for pair in value]
    return str(value) if isinstance(value, float) and math.isinf(value) else value


_CALTECH_FLOOR: Final = ((100_000, 0.05), (150_000, 0.01))
_NAMED: Final[dict[str, Scheme]] = {
    # Zinkevich, Johanson, Bowling & Piccione 2007.
    "cfr": Scheme("full"),
    # Tammelin 2014.
    "cfr+": Scheme("full", "cfr+", "linear"),
    # Brown & Sandholm 2019: linear CFR, and DCFR with alpha 1.5, beta 0, gamma 2.
    "linear": Scheme("full", "linear", "linear"),
    "dcfr": Scheme("full", "dcfr"),
    # Farina, Kroer & Sandholm 2021.
    "predictive+": Scheme("full", "predictive+", "quadratic"),
    # Lanctot, Waugh, Zinkevich & Bowling 2009.
    "external": Scheme("external"),
    "external-linear": Scheme("external", "linear", "linear"),
    "outcome": Scheme("outcome", epsilon=0.6),
    "chance": Scheme("chance"),
    # Gibson, Burch, Lanctot & Szafron 2012.
    "average-strategy": Scheme("average-strategy", epsilon=0.05, tau=1000.0, beta_offset=1e6),
    # Gibson 2014.
    "pure": Scheme("pure"),
    # Johanson, Bard, Lanctot, Gibson & Bowling 2012.
    "public-chance": Scheme("public-chance"),
    "public-chance-cfr+": Scheme("public-chance", "cfr+", "linear"),
    # Source documents. Pineapple has no tau, which means tau 1; caltech also has
    # `starting_regrets`.
    "cardiff": Scheme("chance"),
    "pineapple": Scheme("average-strategy", epsilon=0.1, tau=1.0, beta_offset=10.0),
    "yerevan": Scheme("pure"),
    "husky": Scheme("chance"),
    "caltech": Scheme("external", floor=_CALTECH_FLOOR),
    # The same with its threads by subtree.
    "caltech-threads": Scheme("external", floor=_CALTECH_FLOOR, forks=Forks()),
}

SCHEMES: Final[Mapping[str, Scheme]] = MappingProxyType(_NAMED)
"""By name: `SCHEMES["caltech"]`."""


def find_scheme(named: str | Mapping[str, Any]) -> Scheme:
    """Return the scheme of a name, of two or three words, or of a table of settings.

    Examples
    --------
    >>> find_scheme("external-linear").name
    'external linear, linear average'
    >>> find_scheme("external linear").name
    'external linear, uniform average'
    >>> find_scheme({"sampling": "pure"}).name
    'pure cfr, uniform average'
    """
    if not isinstance(named, str):
        return Scheme.from_dict(named)
    if named in SCHEMES:
        return SCHEMES[named]
    words = named.split()
    if not 1 < len(words) <= 3:
        raise SolveError(
            f"there is no scheme {shown(named)}{did_you_mean(named, SCHEMES)}: the schemes are "
            f"{', '.join(SCHEMES)}; or give a sampling, a regret rule and an averaging, such as "
            "'external linear linear'"
        )
    return Scheme(*words)  # type: ignore[arg-type]  # Scheme checks them
