"""Open the strategy that the user names: a file, or a bot that plays from one."""

from pathlib import Path
from typing import Annotated, Any

from riverboat.blueprint import (
    DEFAULT_GAME,
    Blueprint,
    default_depth,
    find_blueprint,
    no_such_strategy,
)
from riverboat.bots import BlueprintBot, BotRef, DepthsBot, make_bot
from riverboat.cli._command import argument
from riverboat.cli._completion import strategies
from riverboat.errors import BlueprintError, GameError
from riverboat.game import catalogue
from riverboat.settings import shown


def opened(text: str, as_played: bool | None = None) -> tuple[Blueprint, float]:
    """Return the strategy that the user names, and its threshold: rarer actions are left out.

    Parameters
    ----------
    text
        A strategy file, or a bot that plays from one: `default`, `default-20bb`, `blueprint:FILE`.
    as_played
        Whether to leave out rare actions; by default a bot is shown as played, a file as trained.
    """
    if not _is_bot(text):
        if not find_blueprint(text).exists():
            raise BlueprintError(no_such_strategy(text, (".blueprint", ".solution")))
        blueprint = Blueprint.open(find_blueprint(text))
        return blueprint, blueprint.threshold if as_played else 0.0
    named = text if default_depth(text) is None else f"blueprint:{text}"
    made = make_bot(named, seed=0)
    bot = made.at(catalogue(DEFAULT_GAME)) if isinstance(made, DepthsBot) else made
    source = bot.query.source if isinstance(bot, BlueprintBot) else None
    if not isinstance(bot, BlueprintBot) or not isinstance(source, Blueprint) or bot.style:
        raise BlueprintError(
            f"{text!r} does not play exactly what a strategy file says: name blueprint:FILE "
            "without a style"
        )
    played = as_played is None or as_played
    return source, bot.threshold if played else 0.0


def opened_at(text: str, option: str) -> tuple[Blueprint, float, str]:
    """Return the strategy, its threshold and the line of an option such as 'default b25c'."""
    file, _, line = text.strip().rpartition(" ")  # the file name may contain blanks
    if not file:
        also = "a solution, or " if option == "--against" else ""
        raise BlueprintError(
            f"{option} takes {also}a strategy and the line to the spot, such as 'default b25c', "
            f"not {shown(text)}"
        )
    return *opened(file), line.strip()


def _is_bot(text: str) -> bool:
    """Whether a text names a bot that plays from a file, not the file itself."""
    if Path(text).is_file():
        return False
    try:
        return default_depth(text) is not None or BotRef.parse(text).kind.name == "blueprint"
    except GameError:
        return False


def strategy_argument(help_text: str) -> Any:
    """Make an argument that takes strategy files."""
    return argument(
        f"{help_text}; `default` or `default-20bb` is a default strategy.",
        parse=find_blueprint,
        metavar="file",
        complete=strategies,
    )


StrategyArgument = Annotated[Path, strategy_argument("A strategy file")]
