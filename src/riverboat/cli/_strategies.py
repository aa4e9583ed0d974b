"""How commands take strategy files: by path, and `default` is the shipped one."""

from pathlib import Path
from typing import Annotated, Any

from riverboat.blueprint import find_blueprint
from riverboat.cli._command import argument
from riverboat.cli._completion import strategies

__all__ = ["StrategyArgument", "strategy_argument"]


def strategy_argument(help_text: str) -> Any:
    """Make an argument that takes strategy files."""
    return argument(
        f"{help_text}; `default` is the shipped one.",
        parse=find_blueprint,
        metavar="file",
        complete=strategies,
    )


StrategyArgument = Annotated[Path, strategy_argument("A strategy file")]
