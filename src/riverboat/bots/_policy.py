"""What a person's own bot may read: its folder, where it was started, and the tables of cards."""

import os
from pathlib import Path

from riverboat.bots._registry import file_of
from riverboat.files import cache_folder
from riverboat.sandbox import Mode, Policy

__all__ = ["bot_policy"]

_DECISIONS = 2_000  # of a usual session
_LEAST_SECONDS = 600


def bot_policy(
    bot: str, mode: Mode, time_limit: float, prints: int, hide: tuple[str, ...] = ()
) -> Policy:
    """Return what the bot of a Python file may do.

    Parameters
    ----------
    bot
        `path/to/file.py` or `path/to/file.py:ClassName`.
    mode
        `auto`, `off` or `required`.
    time_limit
        Seconds for one decision.
    prints
        Descriptor of the file for what it prints.
    hide
        What it may not see, wherever it lies.

    Examples
    --------
    >>> bot_policy("bots/mine.py:Mine", "auto", 35.0, prints=3).processor_seconds
    70000
    """
    file = file_of(bot) or Path(bot)
    here = Path.cwd()
    # A whole home is more than a bot needs; what it opens by a relative name it should find.
    around = [] if here in (Path.home(), Path("/")) else [here]
    seconds = max(_LEAST_SECONDS, int(_DECISIONS * time_limit))
    policy = Policy(mode=mode, hide=hide, descriptors=(prints,), processor_seconds=seconds)
    # Its folder as it was named and as it is: links are followed by name.
    folders = (file.absolute().parent, file.resolve().parent)
    return policy.reading(*folders, *around, os.path.abspath(cache_folder()))
