"""The text of a line of play, `b25c/kb30c/kk`, read action by action."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from riverboat._core import Action

if TYPE_CHECKING:
    from collections.abc import Iterator

# The last alternative keeps what is no action, so that nothing is skipped silently.
_ACTION: Final = re.compile(r"[kcfs]|b[0-9]+|d(?:[2-9TJQKA][cdhs])?|[^/]")


def actions_of(line: str) -> list[str]:
    """Return the text of each action of a line, of all streets together.

    Examples
    --------
    >>> actions_of("kb30c/kk")
    ['k', 'b30', 'c', 'k', 'k']
    """
    return _ACTION.findall(line)


def parse_line(line: str) -> tuple[tuple[Action, ...], ...]:
    """Return the actions of a line by street.

    Raises
    ------
    IllegalActionError
        If a part of the line is no action.

    Examples
    --------
    >>> [[action.kind for action in street] for street in parse_line("b25c/kb30")]
    [['bet', 'call'], ['check', 'bet']]
    """
    return tuple(tuple(map(Action, actions_of(street))) for street in line.split("/"))


def line_prefixes(line: str, start: int = 0) -> Iterator[tuple[str, str]]:
    """Yield each action of a line from the character `start` on, and the line up to its end.

    Examples
    --------
    >>> list(line_prefixes("b25c/k", 3))
    [('c', 'b25c'), ('k', 'b25c/k')]
    """
    for found in _ACTION.finditer(line, start):
        yield found.group(), line[: found.end()]
