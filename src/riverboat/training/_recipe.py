"""What to train, as data: a recipe from a TOML file, from a name, or from options.

A recipe says everything that decides the result: game, bet menu, cards, algorithm, seed, budget.
It travels in the blueprint's header, so that anyone can train it again.
"""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Literal

import msgspec
from msgspec import Meta

from riverboat.blueprint import Precision
from riverboat.errors import RiverboatError, TrainingError, did_you_mean
from riverboat.files import is_file, read_text, toml_table
from riverboat.game import GameSpec, catalogue, catalogue_names, find_game, game_from_table
from riverboat.settings import Settings, checked
from riverboat.solve import Scheme, find_scheme
from riverboat.tree import BetMenu, find_menu

__all__ = ["Bound", "Budget", "Every", "File", "Recipe", "Start", "load_recipe", "recipe_names"]

#: Recipes that ship with the package.
RECIPES: Final = Path(__file__).parent / "recipes"

Fallback = Literal["uniform", "check-fold", "monte-carlo"]

_Seconds = Annotated[float, Meta(ge=0, le=1e9)]
_Seed = Annotated[int, Meta(ge=0, le=2**63 - 1)]


class _Part(Settings, frozen=True, kw_only=True):
    """A table of a recipe."""

    error: ClassVar[type[RiverboatError]] = TrainingError


class Budget(_Part, frozen=True):
    """How long to train, earlier runs that are resumed included; whichever ends first."""

    iterations: Annotated[int, Meta(ge=1, le=2**62)] | None = None
    seconds: _Seconds | None = None
    """Time spent iterating; measuring and saving come on top."""


class Every(_Part, frozen=True):
    """Seconds between what happens at intervals."""

    report: _Seconds = 1.0
    checkpoint: _Seconds = 60.0


class Bound(_Part, frozen=True):
    """How exploitability is measured: exactly where deals are enumerated, else by training."""

    every: _Seconds | None = None
    """Seconds of training between measurements; None = only at the end; 0 = never."""
    seconds: Annotated[float, Meta(ge=0.001, le=1e9)] = 5.0
    """Training of the response of each seat."""
    deals: Annotated[int, Meta(ge=2, le=10**9)] = 20_000
    """Fresh deals that the responses are scored on."""


class Start(_Part, frozen=True):
    """Starting weights from win rates (caltech): positive regrets to begin with."""

    iterations: Annotated[float, Meta(ge=0, le=1e12)]
    """Iterations that they are worth."""


class File(_Part, frozen=True):
    """How the blueprint is kept."""

    values: Precision = "float32"
    """Probabilities as floats, or in 8 bits."""
    pruned: bool = False
    """Leave untrained infosets out."""


class Recipe(_Part, frozen=True, kw_only=True, dict=True):
    """What to train.

    Attributes
    ----------
    name
        For people.
    game
        A name of the catalogue, the path of a game file (`find_game`), or a table with the fields
        of `GameSpec`.
    menu
        A bet menu's name or text.
    cards
        A card abstraction as text; `lossless` enumerates the deals of small games.
    cards_seed
        Of abstractions that are fitted at random; members of an ensemble share it.
    scheme
        A name or the fields of `Scheme`.
    threads
        0 = one for each core. With one thread a run is repeatable bit for bit.
    seed
        Of the training.
    ensemble
        How many are trained, with seeds one after the other, and combined.
    start
        Starting weights; none by default.
    fallback
        What a bot does where the strategy is untrained; `uniform` draws from the menu's actions.
    threshold
        A bot that plays from the file leaves out bets and folds that are rarer
        (`riverboat.bots`). The file keeps them.
    file
        How the blueprint is kept.
    """

    name: str = ""
    notes: str = ""
    game: str | dict[str, Any]
    menu: str
    cards: str = "lossless"
    cards_seed: _Seed = 0
    scheme: str | dict[str, Any] = "external"
    threads: Annotated[int, Meta(ge=0, le=1024)] = 0
    seed: _Seed = 1
    budget: Budget = Budget()
    every: Every = Every()
    bound: Bound = Bound()
    ensemble: Annotated[int, Meta(ge=1, le=1000)] = 1
    start: Start | None = None
    fallback: Fallback = "uniform"
    threshold: Annotated[float, Meta(ge=0, le=1)] = 0.0
    file: File = File()

    def __post_init__(self) -> None:
        """Refuse values that are not possible, alone or together."""
        super().__post_init__()
        most = 2**63 - 1 - self.ensemble
        if self.seed > most:
            raise TrainingError(
                f"seed={self.seed} is not possible: it is a whole number from 0 to {most:,} where "
                "members have seeds one after the other"
            )

    # Read once: a recipe keeps what its texts mean.

    @cached_property
    def spec(self) -> GameSpec:
        """The game."""
        if isinstance(self.game, str):
            return catalogue(self.game)
        return game_from_table(self.game)

    @cached_property
    def bet_menu(self) -> BetMenu:
        """The bet menu."""
        return find_menu(self.menu)

    @cached_property
    def solver_scheme(self) -> Scheme:
        """The algorithm."""
        return find_scheme(self.scheme)

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values that make the recipe again."""
        found: dict[str, Any] = msgspec.to_builtins(self)
        return found

    def changed(self, options: Mapping[str, Any]) -> "Recipe":
        """Return the recipe with other values; `budget.seconds` names a key of a table."""
        return _checked(_changed(self.as_dict(), options), self.name or "the options")

    def identity(self) -> dict[str, Any]:
        """What must be equal for a checkpoint to go on: all that decides the tables."""
        scheme = self.solver_scheme
        return {
            "game": msgspec.to_builtins(self.spec.replace(name="")),
            "menu": str(self.bet_menu),
            "cards": self.cards,
            "cards_seed": self.cards_seed,
            "scheme": {"sampling": scheme.sampling, "rule": scheme.rule, **scheme.as_dict()},
            "seed": self.seed,
            "start": msgspec.to_builtins(self.start),
        }


def recipe_names() -> tuple[str, ...]:
    """Return the names of the recipes that ship with the package."""
    return tuple(sorted(path.stem for path in RECIPES.glob("*.toml")))


def load_recipe(
    source: str | Path | Mapping[str, Any], changes: Mapping[str, Any] | None = None
) -> Recipe:
    """Read and check a recipe.

    Parameters
    ----------
    source
        A name that ships with the package, the path of a TOML file, or the values themselves.
    changes
        Other values, as of `Recipe.changed`.

    Raises
    ------
    TrainingError
        With a sentence that names the bad key or value, and what is allowed.

    Examples
    --------
    >>> load_recipe("leduc").game
    'leduc'
    >>> load_recipe({"game": "leduc", "menu": "min", "sede": 1})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    riverboat.errors.TrainingError: the recipe has no setting 'sede' (did you mean 'seed'?): ...
    """
    if isinstance(source, Mapping):
        return _checked(_changed(dict(source), changes or {}), "the recipe")
    path = Path(source)
    shipped = RECIPES / f"{source}.toml"
    if not is_file(path) and not is_file(shipped):
        raise TrainingError(
            f"there is no recipe file {str(source)!r}, and no recipe of that name"
            f"{did_you_mean(str(source), recipe_names())}: "
            f"Riverboat has {', '.join(recipe_names())}"
        )
    path = path if is_file(path) else shipped
    what = f"the recipe {str(source)!r}"
    values = toml_table(
        read_text(path, what, TrainingError), f"{what} cannot be read: it", TrainingError
    )
    # A file's name may hold bytes that are no text.
    values.setdefault("name", path.stem.encode("utf-8", "backslashreplace").decode())
    return _checked(_changed(values, changes or {}), what, path.parent)


def _changed(values: dict[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Put other values into a table of values."""
    for key, value in changes.items():
        table, _, inner = key.rpartition(".")
        place = values.setdefault(table, {}) if table else values
        place[inner] = value
    return values


def _checked(values: dict[str, Any], what: str, folder: Path | None = None) -> Recipe:
    """Make a recipe, or say what is wrong with it."""
    recipe = _with_game(checked(Recipe, values, what), what, folder)
    try:
        _ = recipe.bet_menu, recipe.solver_scheme
    except RiverboatError as error:
        raise TrainingError(f"{what}: {error}") from error
    return recipe


def _with_game(recipe: Recipe, what: str, folder: Path | None) -> Recipe:
    """Put the content of a game file in place of its path; refuse what is no game."""
    try:
        name = recipe.game
        if not isinstance(name, str) or name in catalogue_names():
            _ = recipe.spec
            return recipe
        spec = find_game(name, folder=folder)
        if not is_file((folder or Path()) / name):
            return recipe
    except RiverboatError as error:
        raise TrainingError(
            f"{what} has a wrong game: {error}; a game is a name of the catalogue, a game file "
            "(TOML or ACPC), or a table with stacks, blinds, streets, .."
        ) from error
    return msgspec.structs.replace(recipe, game=msgspec.to_builtins(spec))
