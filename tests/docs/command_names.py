"""Whether a command that is not run could be: its name and its options are known."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from riverboat.cli._app import load, make_app

__all__ = ["wrong_words"]


@cache
def _top() -> Any:
    return make_app()


_loaded = cache(load)


def wrong_words(words: Sequence[str]) -> list[str]:
    """Return the words after `riverboat` that it does not know as commands or options."""
    command, rest = _top(), list(words)
    while rest and getattr(command, "commands", None):
        if rest[0].startswith("-"):
            break
        name = rest.pop(0)
        if name not in command.commands:
            return [name]
        command = _loaded(name) if command is _top() else command.commands[name]
    known = {"-h", "--help"}
    for parameter in command.params:
        known |= {*parameter.opts, *parameter.secondary_opts}
    options = [word.partition("=")[0] for word in rest if re.match(r"--?[a-zA-Z]", word)]
    return [option for option in options if option not in known]
