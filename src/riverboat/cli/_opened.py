"""Open the strategy that the user names: a file, or a bot that plays from one."""

from pathlib import Path
from typing import Annotated, Any

from riverboat.blueprint import Blueprint, find_blueprint, no_such_strategy
from riverboat.bots import BlueprintBot, BotRef, make_bot
from riverboat.cli._command import argument
from riverboat.cli._completion import strategies
from riverboat.errors import BlueprintError, GameError
from riverboat.settings import shown


def opened(text: str, as_played: bool | None = None) -> tuple[Blueprint, float]:
    """Return the strategy that the user names, and its threshold: rarer actions are left out.

    Parameters
    ----------
    text
        A strategy file, or a bot that plays from one: `default`, `blueprint:FILE`.
    as_played
        Whether to leave out rare actions; by default a bot is shown as played, a file as trained.
    """
    if not _is_bot(text):
        if not find_blueprint(text).exists():
            raise BlueprintError(no_such_strategy(text, (".blueprint", ".solution")))
        blueprint = Blueprint.open(find_blueprint(text))
        return blueprint, blueprint.threshold if as_played else 0.0
    named = "blueprint" if text == "default" else text
    bot = make_bot(named, seed=0)
    if not isinstance(bot, BlueprintBot) or bot.style is not None:
        raise BlueprintError(
            f"{text!r} does not play exactly what a strategy file says: name blueprint:FILE "
            "without a style"
        )
    played = as_played is None or as_played
    return Blueprint.open(BotRef.parse(named).file or text), bot.threshold if played else 0.0


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
        return text == "default" or BotRef.parse(text).kind.name == "blueprint"
    except GameError:
        return False


def strategy_argument(help_text: str) -> Any:
    """Make an argument that takes strategy files."""
    return argument(
        f"{help_text}; `default` is the default strategy.",
        parse=find_blueprint,
        metavar="file",
        complete=strategies,
    )


StrategyArgument = Annotated[Path, strategy_argument("A strategy file")]
