"""What to train, as data: a recipe from a TOML file, from a name, or from options.

A recipe says everything that decides the result: game, bet menu, cards, algorithm, seed, budget.
It travels in the blueprint's header, so that anyone can train it again.
"""

import dataclasses
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal, get_args

import msgspec

from riverboat.errors import RiverboatError, TrainingError
from riverboat.game import GameSpec, Street, catalogue, read_acpc_game
from riverboat.solve import Scheme
from riverboat.training._scheme_text import as_scheme
from riverboat.tree import find_menu

__all__ = ["Bound", "Budget", "Every", "File", "Recipe", "Start", "load_recipe", "recipe_names"]

#: Recipes that ship with the package.
RECIPES: Final = Path(__file__).parent / "recipes"

Fallback = Literal["uniform", "check-fold", "monte-carlo"]


class _Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of a recipe; unknown keys are refused."""


class Budget(_Part, frozen=True):
    """How long to train, earlier runs that are resumed included; whichever ends first."""

    iterations: int | None = None
    seconds: float | None = None
    """Time spent iterating; measuring and saving come on top."""


class Every(_Part, frozen=True):
    """Seconds between what happens at intervals."""

    report: float = 1.0
    checkpoint: float = 60.0


class Bound(_Part, frozen=True):
    """How exploitability is measured: exactly where deals are enumerated, else by training."""

    every: float | None = None
    """Seconds of training between measurements; None = only at the end; 0 = never."""
    seconds: float = 5.0
    """Training of the response of each seat."""
    deals: int = 20_000
    """Fresh deals that the responses are scored on."""


class Start(_Part, frozen=True):
    """Starting weights from win rates (caltech): positive regrets to begin with."""

    iterations: float
    """Iterations that they are worth."""


class File(_Part, frozen=True):
    """How the blueprint is kept."""

    values: Literal["float32", "uint8"] = "float32"
    """Probabilities as floats, or in 8 bits."""
    pruned: bool = False
    """Leave untrained infosets out."""


class Recipe(_Part, frozen=True, kw_only=True):
    """What to train.

    Attributes
    ----------
    name
        For people.
    game
        A name of the catalogue, the path of an ACPC game file, or a table with the fields of
        `GameSpec`.
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
        A bot that plays from the file leaves out actions that are rarer
        (`riverboat.bots._rare_actions`). The file keeps them.
    file
        How the blueprint is kept.
    """

    name: str = ""
    notes: str = ""
    game: str | dict[str, Any]
    menu: str
    cards: str = "lossless"
    cards_seed: int = 0
    scheme: str | dict[str, Any] = "external"
    threads: int = 0
    seed: int = 1
    budget: Budget = Budget()
    every: Every = Every()
    bound: Bound = Bound()
    ensemble: int = 1
    start: Start | None = None
    fallback: Fallback = "uniform"
    threshold: float = 0.0
    file: File = File()

    def spec(self) -> GameSpec:
        """Return the game."""
        if isinstance(self.game, str):
            return catalogue(self.game)
        return msgspec.convert(self.game, GameSpec)

    def solver_scheme(self) -> Scheme:
        """Return the algorithm."""
        return as_scheme(self.scheme)

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values that make the recipe again."""
        found: dict[str, Any] = msgspec.to_builtins(self)
        return found

    def changed(self, options: Mapping[str, Any]) -> "Recipe":
        """Return the recipe with other values; `budget.seconds` names a key of a table."""
        values = self.as_dict()
        for key, value in options.items():
            table, _, inner = key.rpartition(".")
            place = values.setdefault(table, {}) if table else values
            place[inner] = value
        return _checked(values, self.name or "the options")

    def identity(self) -> dict[str, Any]:
        """What must be equal for a checkpoint to go on: all that decides the tables."""
        scheme = self.solver_scheme()
        return {
            "game": msgspec.to_builtins(self.spec().replace(name="")),
            "menu": str(find_menu(self.menu)),
            "cards": self.cards,
            "cards_seed": self.cards_seed,
            "scheme": {"sampling": scheme.sampling, "rule": scheme.rule, **scheme.as_dict()},
            "seed": self.seed,
            "start": msgspec.to_builtins(self.start),
        }


_PARTS: Final[dict[str, type[_Part]]] = {
    "budget": Budget,
    "every": Every,
    "bound": Bound,
    "start": Start,
    "file": File,
}


def recipe_names() -> tuple[str, ...]:
    """Return the names of the recipes that ship with the package."""
    return tuple(sorted(path.stem for path in RECIPES.glob("*.toml")))


def load_recipe(source: str | Path | Mapping[str, Any]) -> Recipe:
    """Read and check a recipe.

    Parameters
    ----------
    source
        A name that ships with the package, the path of a TOML file, or the values themselves.

    Raises
    ------
    TrainingError
        With a sentence that names the bad key or value, and what is allowed.

    Examples
    --------
    >>> load_recipe("leduc").game
    'leduc'
    >>> load_recipe({"game": "leduc", "menu": "min", "sede": 1})
    Traceback (most recent call last):
    ...
    riverboat.errors.TrainingError: the recipe has no key 'sede': its keys are name, notes, game, \
menu, cards, cards_seed, scheme, threads, seed, budget, every, bound, ensemble, start, \
fallback, threshold, file
    """
    if isinstance(source, Mapping):
        return _checked(dict(source), "the recipe")
    path = Path(source)
    shipped = RECIPES / f"{source}.toml"
    if not path.is_file() and not shipped.is_file():
        raise TrainingError(
            f"there is no recipe file {str(source)!r}, and no recipe of that name: "
            f"Riverboat has {', '.join(recipe_names())}"
        )
    path = path if path.is_file() else shipped
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise TrainingError(f"the recipe {str(source)!r} cannot be read: {error}") from error
    values.setdefault("name", path.stem)
    return _checked(values, f"the recipe {str(source)!r}", path.parent)


def _checked(values: dict[str, Any], what: str, folder: Path | None = None) -> Recipe:
    """Make a recipe, or say what is wrong with it."""
    _check_keys(values, Recipe, what)
    for key, part in _PARTS.items():
        if isinstance(values.get(key), dict):
            _check_keys(values[key], part, f"{what}, table {key},")
    try:
        recipe = msgspec.convert(values, Recipe)
    except msgspec.ValidationError as error:
        raise TrainingError(f"{what} has a wrong value: {_told(error, values)}") from error
    recipe = _with_game(recipe, what, folder)
    _check_numbers(recipe, what)
    try:
        find_menu(recipe.menu)
        recipe.solver_scheme()
    except RiverboatError as error:
        raise TrainingError(f"{what}: {error}") from error
    return recipe


def _check_keys(values: dict[str, Any], part: type[_Part], what: str) -> None:
    fields = part.__struct_fields__
    for key in values:
        if key not in fields:
            raise TrainingError(f"{what} has no key {key!r}: its keys are {', '.join(fields)}")
    for field in msgspec.structs.fields(part):
        if field.required and field.name not in values:
            raise TrainingError(f"{what} lacks the key {field.name!r}")


def _told(error: msgspec.ValidationError, values: dict[str, Any]) -> str:
    """Say which key is wrong, its value, and what was expected."""
    reason, _, place = str(error).partition(" - at `$.")
    path = place.rstrip("`")
    value: Any = values
    for key in path.split("."):
        value = value.get(key) if isinstance(value, dict) else value
    words = {"fallback": get_args(Fallback), "file.values": ("float32", "uint8")}
    if path in words:
        reason = f"it is one of {', '.join(words[path])}"
    return f"{path} = {value!r}: {reason[:1].lower()}{reason[1:]}" if path else reason


def _with_game(recipe: Recipe, what: str, folder: Path | None) -> Recipe:
    """Put the content of a game file in place of its path; refuse what is no game."""
    try:
        if not isinstance(recipe.game, str):
            _check_game_keys(recipe.game)
            recipe.spec()
            return recipe
        file = (folder or Path()) / recipe.game
        if file.suffix and file.is_file():
            spec = read_acpc_game(file.read_text(encoding="utf-8-sig"))
            return msgspec.structs.replace(recipe, game=msgspec.to_builtins(spec))
        recipe.spec()
    except (OSError, UnicodeDecodeError, msgspec.ValidationError, RiverboatError) as error:
        raise TrainingError(
            f"{what} has a wrong game: {error}; a game is a name of the catalogue, an ACPC game "
            "file, or a table with stacks, blinds, streets, .."
        ) from error
    return recipe


def _check_game_keys(game: dict[str, Any]) -> None:
    streets = game.get("streets", ())
    tables: list[tuple[dict[str, Any], type[GameSpec | Street], str]]
    tables = [(game, GameSpec, "a game")]
    tables += [(each, Street, "a street") for each in streets if isinstance(each, dict)]
    for table, kind, what in tables:
        known = [field.name for field in dataclasses.fields(kind)]
        for key in table:
            if key not in known:
                raise TrainingError(f"{what} has no key {key!r}: its keys are {', '.join(known)}")


def _check_numbers(recipe: Recipe, what: str) -> None:
    budget, every, bound = recipe.budget, recipe.every, recipe.bound
    start = recipe.start.iterations if recipe.start else 1
    for key, value, least, most in (
        ("cards_seed", recipe.cards_seed, 0, 2**63 - 1),
        ("seed", recipe.seed, 0, 2**63 - 1 - recipe.ensemble),
        ("threads", recipe.threads, 0, 1024),
        ("ensemble", recipe.ensemble, 1, 1000),
        ("budget.iterations", budget.iterations, 1, 2**62),
        ("budget.seconds", budget.seconds, 0, 1e9),
        ("every.report", every.report, 0, 1e9),
        ("every.checkpoint", every.checkpoint, 0, 1e9),
        ("bound.every", bound.every, 0, 1e9),
        ("bound.seconds", bound.seconds, 0.001, 1e9),
        ("bound.deals", bound.deals, 2, 10**9),
        ("start.iterations", start, 0, 1e12),
        ("threshold", recipe.threshold, 0, 1),
    ):
        if value is not None and not least <= value <= most:
            raise TrainingError(f"{what} has {key} = {value}: allowed are {least:,} to {most:,}")
