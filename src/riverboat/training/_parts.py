"""What a recipe's parts must have in common, checked before anything is prepared."""

from riverboat.buckets import parse_abstraction
from riverboat.cards import BOARD_CARDS
from riverboat.errors import RiverboatError, TrainingError
from riverboat.game import GameSpec
from riverboat.runs import num_cores
from riverboat.solve import Scheme, check_scheme
from riverboat.training._recipe import Recipe
from riverboat.tree import Tree

__all__ = ["card_text", "check_parts", "solver_threads", "table_streets"]

_EXAMPLE = ("169", "50", "50", "50")
_SAMPLED = "chance, external, outcome, average-strategy, pure or public-chance"


def check_parts(recipe: Recipe, tree: Tree) -> None:
    """Refuse cards and schemes that do not suit the game; nothing is fitted or built.

    Raises
    ------
    TrainingError
        With a sentence that names the part, and what is allowed.
    """
    scheme = recipe.solver_scheme()
    _check_cards(recipe)
    try:
        check_scheme(tree, scheme, solver_threads(recipe))
    except RiverboatError as error:
        raise TrainingError(f"the scheme {scheme.name!r} cannot be trained: {error}") from error
    _check_sampling(scheme, tree.spec)


def _check_cards(recipe: Recipe) -> None:
    """Refuse an abstraction that ends before the game does."""
    spec, text = recipe.spec(), card_text(recipe)
    if not spec.has_holdem_cards:
        return
    try:
        said = parse_abstraction(text)
    except RiverboatError as error:
        raise TrainingError(f"the recipe cannot be trained: {error}") from error
    needed = max(table_streets(spec)) + 1
    if len(said.streets) < needed:
        raise TrainingError(
            f"cards = {text!r} has buckets for {len(said.streets)} of the {needed} streets of "
            f"{spec.name or 'the game'}: give all of them, as in "
            f"'percentile {'/'.join(_EXAMPLE[:needed])}'"
        )


def _check_sampling(scheme: Scheme, spec: GameSpec) -> None:
    """Refuse samplings that cannot deal this game's cards."""
    name, swaps = spec.name or "the game", spec.has_swaps
    if scheme.sampling == "full" and (spec.has_holdem_cards or spec.players > 2):
        raise TrainingError(
            f"the scheme {scheme.name!r} walks all deals of a small game for two players, and "
            f"{name} is none: take {_SAMPLED} sampling"
        )
    if scheme.sampling == "public-chance" and (swaps or spec.players > 2):
        raise TrainingError(
            f"the scheme {scheme.name!r} is for two players and no swaps, and {name} has "
            f"{'swaps' if swaps else f'{spec.players} players'}: take external or outcome sampling"
        )


def table_streets(spec: GameSpec) -> list[int]:
    """Which street of an abstraction serves each street of a hold'em game: 0 = preflop, .. ."""
    boards = spec.board_sizes
    if any(board not in BOARD_CARDS for board in boards):
        raise TrainingError(
            f"{spec.name or 'the game'} has boards of {', '.join(map(str, boards))} cards: card "
            "abstractions are for 0, 3, 4 and 5"
        )
    return [BOARD_CARDS.index(board) for board in boards]


def card_text(recipe: Recipe) -> str:
    """The card abstraction's text; small games know `lossless` only."""
    spec, text = recipe.spec(), recipe.cards.strip()
    if spec.has_holdem_cards:
        return f"lossless {max(table_streets(spec)) + 1}" if text == "lossless" else text
    if text != "lossless":
        raise TrainingError(
            f"cards = {text!r} is for hold'em with the deck of 52: "
            f"{spec.name or 'this game'} is trained with 'lossless'"
        )
    return text


def solver_threads(recipe: Recipe) -> int:
    """Threads of the solver: full-width schemes have one."""
    if recipe.solver_scheme().sampling == "full":
        return 1
    return recipe.threads or num_cores()
