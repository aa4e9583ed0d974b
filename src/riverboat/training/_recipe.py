"""Recipes: what to train, from a TOML file, a name or a table of values.

A recipe has everything that determines the result: game, bet menu, cards, scheme, seed, budget.
The header of a blueprint contains its recipe, so that anyone can train it again.
"""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Literal

import msgspec
from msgspec import Meta

from riverboat.blueprint import (
    DEFAULT_DEPTHS,
    SIX_MAX_DEPTHS,
    Precision,
    default_depth,
    default_name,
    six_max_depth,
    six_max_name,
)
from riverboat.errors import RiverboatError, RunError, did_you_mean
from riverboat.files import is_file, read_text, toml_table
from riverboat.game import GameSpec, Rake, catalogue, catalogue_names, find_game, game_from_table
from riverboat.settings import Settings, checked, meaning, schema_of
from riverboat.solve import Scheme, find_scheme
from riverboat.tree import BetMenu, find_menu

#: Recipes that ship with the package.
RECIPES: Final = Path(__file__).parent / "recipes"

_DEPTHS: Final = RECIPES / "depths.toml"  # the recipes default-20bb and so on
_LEAST_DEPTH: Final = 2
_SIX_MAX: Final = RECIPES / "six-max.toml"  # also the recipes six-max-40bb and so on

Fallback = Literal["uniform", "check-fold", "monte-carlo"]

_Seconds = Annotated[float, Meta(ge=0, le=1e9)]
_Seed = Annotated[int, Meta(ge=0, le=2**63 - 1)]


class _Part(Settings, frozen=True, kw_only=True):
    """A table of a recipe."""

    error: ClassVar[type[RiverboatError]] = RunError


class Budget(_Part, frozen=True):
    """When to stop, counted from the start of the first run; whichever limit comes first."""

    iterations: Annotated[
        Annotated[int, Meta(ge=1, le=2**62)] | None, meaning("number of iterations")
    ] = None
    seconds: Annotated[
        _Seconds | None, meaning("training time in seconds, without measurements")
    ] = None
    coverage: Annotated[
        Annotated[float, Meta(ge=0, le=1)] | None,
        meaning("share of infosets visited often, weighted by reach (none = no limit)"),
    ] = None


class Every(_Part, frozen=True):
    """Intervals of reports and checkpoints."""

    report: Annotated[_Seconds, meaning("seconds between reports")] = 1.0
    checkpoint: Annotated[_Seconds, meaning("seconds between checkpoints")] = 60.0


class Bound(_Part, frozen=True):
    """Measurement of exploitability: exact if deals are enumerated, else by trained responses."""

    every: Annotated[
        _Seconds | None,
        meaning("training seconds between exploitability bounds (none = end only, 0 = never)"),
    ] = None
    seconds: Annotated[float, meaning("seconds to train a response to each seat", 0.001, 1e9)] = 5.0
    deals: Annotated[int, meaning("number of new deals to measure responses on", 2, 10**9)] = 20_000


class Start(_Part, frozen=True):
    """Starting weights from win rates (caltech): positive initial regrets."""

    iterations: Annotated[
        float, meaning("number of iterations that the starting weights count as", 0, 1e12)
    ]


class File(_Part, frozen=True):
    """Format of the blueprint file."""

    values: Annotated[Precision, meaning("precision of probabilities: 32-bit floats or 8 bits")] = (
        "float32"
    )
    pruned: Annotated[bool, meaning("leave untrained infosets out of the file")] = False


class Recipe(_Part, frozen=True, kw_only=True, dict=True):
    """What to train: game, bet menu, cards, scheme, seed and budget."""

    name: Annotated[str, meaning("name for messages and plots")] = ""
    notes: Annotated[str, meaning("comments for readers")] = ""
    game: Annotated[str | dict[str, Any], meaning("catalogue name, game file, or a table of rules")]
    players: Annotated[
        Annotated[int, Meta(ge=2, le=10)] | None,
        meaning("number of players of a game by name (none = the game's)"),
    ] = None
    rake: Annotated[
        float, meaning("rake of a game by name, % of each pot that sees a flop", 0, 100)
    ] = 0.0
    rake_cap: Annotated[
        float, meaning("maximum rake per hand, in big blinds (0 = none)", 0, 1e6)
    ] = 0.0
    menu: Annotated[str, meaning("bet menu, by name or as text")]
    cards: Annotated[
        str,
        meaning("card abstraction; lossless enumerates the deals of small games"),
    ] = "lossless"
    cards_seed: Annotated[_Seed, meaning("random seed of a fitted card abstraction")] = 0
    swap_gain: Annotated[
        Annotated[float, Meta(ge=0, le=1)] | None,
        meaning("swap a card if that gains this much equity (none = training solves swaps)"),
    ] = None
    scheme: Annotated[
        str | dict[str, Any], meaning("scheme by name, or a table of its settings")
    ] = "external"
    threads: Annotated[
        int, meaning("number of threads (0 = all cores); only 1 is repeatable", 0, 1024)
    ] = 0
    seed: Annotated[_Seed, meaning("random seed of the training")] = 1
    budget: Budget = Budget()
    every: Every = Every()
    bound: Bound = Bound()
    ensemble: Annotated[
        int, meaning("number of members, with consecutive seeds, that are combined", 1, 1000)
    ] = 1
    start: Start | None = None
    fallback: Annotated[Fallback, meaning("how a bot plays where the strategy is untrained")] = (
        "uniform"
    )
    threshold: Annotated[
        float, meaning("bots skip bets and folds with a lower probability", 0, 1)
    ] = 0.0
    file: File = File()

    def __post_init__(self) -> None:
        """Check all values, and that they fit one another."""
        super().__post_init__()
        most = 2**63 - 1 - self.ensemble
        if self.seed > most:
            raise RunError(
                f"seed={self.seed} is not allowed: it must be a whole number from 0 to {most:,} so "
                f"that each member of the ensemble has a seed"
            )

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return the JSON schema of recipe files, for editors."""
        return schema_of(cls, {"game": GameSpec, "scheme": Scheme})

    @cached_property
    def spec(self) -> GameSpec:
        """The game."""
        if not isinstance(self.game, str):
            return game_from_table(self.game)
        spec = catalogue(self.game, self.players)
        if not self.rake:
            return spec
        return spec.replace(rake=Rake(self.rake, round(self.rake_cap * spec.big_blind)))

    @property
    def tree_spec(self) -> GameSpec:
        """The game of the tree: without swaps if a rule decides them."""
        return self.spec if self.swap_gain is None else self.spec.without_swaps()

    @cached_property
    def bet_menu(self) -> BetMenu:
        """The parsed bet menu."""
        return find_menu(self.menu)

    @cached_property
    def solver_scheme(self) -> Scheme:
        """The scheme."""
        return find_scheme(self.scheme)

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values, from which `load_recipe` creates an equal recipe."""
        values: dict[str, Any] = msgspec.to_builtins(self)
        return values

    def changed(self, options: Mapping[str, Any]) -> "Recipe":
        """Return a copy with other values; `budget.seconds` names a key of a table."""
        return _checked(_changed(self.as_dict(), options), self.name or "the options")

    def identity(self) -> dict[str, Any]:
        """Settings that determine the tables; a checkpoint continues only with the same."""
        scheme = self.solver_scheme
        return {
            "game": msgspec.to_builtins(self.spec.replace(name="")),
            "menu": str(self.bet_menu),
            "cards": self.cards,
            "cards_seed": self.cards_seed,
            "scheme": {"sampling": scheme.sampling, "rule": scheme.rule, **scheme.as_dict()},
            "seed": self.seed,
            **({} if self.swap_gain is None else {"swap_gain": self.swap_gain}),
            "start": msgspec.to_builtins(self.start),
        }


def recipe_names() -> tuple[str, ...]:
    """Return the names of the recipes that ship with the package."""
    names = {path.stem for path in RECIPES.glob("*.toml") if path != _DEPTHS}
    depths = *map(default_name, DEFAULT_DEPTHS), *map(six_max_name, SIX_MAX_DEPTHS)
    return tuple(sorted(names)) + tuple(name for name in depths if name not in names)


def load_recipe(
    source: str | Path | Mapping[str, Any], changes: Mapping[str, Any] | None = None
) -> Recipe:
    """Read and check a recipe.

    Parameters
    ----------
    source
        Name of a recipe that ships with the package, path of a TOML file, or a table of values.
        `default-30bb` is the default strategy's recipe for 30 big blinds, or any other depth, and
        so is `six-max-40bb` for six players.
    changes
        Values that replace those of the source, as in `Recipe.changed`.

    Raises
    ------
    RunError
        If a name or value is wrong; the message says what is allowed.

    Examples
    --------
    >>> load_recipe("leduc").game, load_recipe("default-30bb").game
    ('leduc', 'nolimit-30bb')
    >>> load_recipe({"game": "leduc", "menu": "min", "sede": 1})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    riverboat.errors.RunError: the recipe has no setting 'sede' (did you mean 'seed'?); ...
    """
    if isinstance(source, Mapping):
        return _checked(_changed(dict(source), changes or {}), "the recipe")
    path = Path(source)
    path = path if is_file(path) else _shipped(str(source))
    what = f"the recipe {str(source)!r}"
    values = toml_table(read_text(path, what, RunError), f"{what} cannot be read: it", RunError)
    if path == _DEPTHS:
        values = _at_depth(values, str(source))
    elif path == _SIX_MAX and (depth := six_max_depth(str(source))):
        values |= {"name": six_max_name(depth), "game": f"nolimit-{depth}bb"}
    # A file name may contain bytes that are not UTF-8.
    values.setdefault("name", path.stem.encode("utf-8", "backslashreplace").decode())
    return _checked(_changed(values, changes or {}), what, path.parent)


def _shipped(name: str) -> Path:
    """Return the file of a recipe that ships with the package."""
    depth = default_depth(name)
    path = RECIPES / f"{name if depth is None else default_name(depth)}.toml"
    if six_max_depth(name):
        return _SIX_MAX
    if is_file(path):
        return path
    if depth is None:
        raise RunError(
            f"{name!r} is neither a recipe file nor a recipe of Riverboat"
            f"{did_you_mean(name, recipe_names())}: "
            f"the recipes are {', '.join(recipe_names())}"
        )
    return _DEPTHS


def _at_depth(values: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the recipe of a depth: game, menu and cards from the first table that reaches it."""
    depth, tables = default_depth(name) or 0, values.pop("depths")
    chosen = next((dict(table) for table in tables if depth <= table["up_to"]), None)
    if chosen is None or depth < _LEAST_DEPTH:
        raise RunError(
            f"there is no recipe {name!r}: depths are from {_LEAST_DEPTH} to "
            f"{tables[-1]['up_to']:,} big blinds"
        )
    del chosen["up_to"]
    return {"name": name, "game": f"nolimit-{depth}bb", **values, **chosen}


def _changed(values: dict[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Replace values of a table; a key with a dot names a value of an inner table."""
    for key, value in changes.items():
        table, _, inner = key.rpartition(".")
        place = values.setdefault(table, {}) if table else values
        place[inner] = value
    return values


def _checked(values: dict[str, Any], what: str, folder: Path | None = None) -> Recipe:
    """Create a recipe from values, and check that its game, menu and scheme exist."""
    recipe = _with_game(checked(Recipe, values, what), what, folder)
    try:
        _ = recipe.bet_menu, recipe.solver_scheme
    except RiverboatError as error:
        raise RunError(f"{what}: {error}") from error
    return recipe


def _with_game(recipe: Recipe, what: str, folder: Path | None) -> Recipe:
    """Replace the path of a game file by its content; refuse a name that is not a game."""
    try:
        name = recipe.game
        if not isinstance(name, str) or name in catalogue_names():
            _ = recipe.spec
            return recipe
        spec = find_game(name, folder=folder)
        if not is_file((folder or Path()) / name):
            return recipe
    except RiverboatError as error:
        raise RunError(
            f"{what} has a wrong game: {error}; a game must be a name of the catalogue, a game "
            "file (TOML or ACPC), or a table with stacks, blinds, streets and other rules"
        ) from error
    return msgspec.structs.replace(recipe, game=msgspec.to_builtins(spec))
