"""How commands print: rich text for people, one JSON object for programs."""

import json
from collections.abc import Mapping
from typing import Annotated, Any

import typer
from rich.console import Console

from riverboat import __version__

__all__ = ["JsonOption", "console", "print_json", "status", "with_margin"]

# No markup: a path or a range may hold square brackets or colons.
console = Console(highlight=False, markup=False, emoji=False)
#: Where progress goes, so that results can be piped.
status = Console(highlight=False, markup=False, emoji=False, stderr=True)

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object (docs/json.md).")]


def print_json(values: Mapping[str, Any]) -> None:
    """Print a result as one JSON object, with the version that computed it."""
    print(json.dumps({**values, "version": __version__}))


def with_margin(mean: float, margin: float | None, digits: int = 1) -> str:
    """Write a mean and the half width of its interval, None if that is not known.

    Examples
    --------
    >>> with_margin(-3.25, 1.0) in ("-3.2 ± 1.0", "-3.2 +- 1.0")
    True
    """
    # A terminal that cannot show the sign gets two.
    sign = "±" if console.encoding.startswith("utf") else "+-"
    return f"{mean:+,.{digits}f} {sign} " + ("?" if margin is None else f"{margin:,.{digits}f}")
