"""How commands print: rich text for people, one JSON object for programs."""

import json
from collections.abc import Mapping
from typing import Annotated, Any

import typer
from rich.console import Console

from riverboat import __version__

__all__ = ["JsonOption", "console", "print_json", "status"]

# No markup: a path or a range may hold square brackets or colons.
console = Console(highlight=False, markup=False, emoji=False)
#: Where progress goes, so that results can be piped.
status = Console(highlight=False, markup=False, emoji=False, stderr=True)

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object (docs/json.md).")]


def print_json(values: Mapping[str, Any]) -> None:
    """Print a result as one JSON object, with the version that computed it."""
    print(json.dumps({**values, "version": __version__}))
