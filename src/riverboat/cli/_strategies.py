"""How commands take strategy files: by path, and `default` is the shipped one."""

from pathlib import Path
from typing import Annotated, Any

import typer

from riverboat.blueprint import find_blueprint
from riverboat.cli._completion import strategies

__all__ = ["StrategyArgument", "strategy_argument"]


def strategy_argument(help_text: str) -> Any:
    """Make an argument that takes strategy files."""
    return typer.Argument(
        help=f"{help_text}; `default` is the shipped one.",
        parser=find_blueprint,
        metavar="file",
        autocompletion=strategies,
    )


StrategyArgument = Annotated[Path, strategy_argument("A strategy file")]
