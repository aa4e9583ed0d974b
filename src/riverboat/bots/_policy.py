"""The sandbox policy of bots from files: they may read their folder and card tables, no ledger."""

import os
from pathlib import Path

from riverboat.bots._prints import prints_folder
from riverboat.bots._ref import BotRef
from riverboat.files import cache_folder, ledger_path
from riverboat.sandbox import Mode, Policy

_DECISIONS = 2_000  # of a typical session
_LEAST_SECONDS = 600
_SUFFIXES = ("", "-journal", "-wal", "-shm")  # SQLite's files of a ledger


def bot_policy(
    bot: str, mode: Mode, time_limit: float, prints: int, hide: tuple[str, ...] = ()
) -> Policy:
    """Return the sandbox policy of the bot of a Python file.

    Parameters
    ----------
    bot
        `path/to/file.py` or `path/to/file.py:ClassName`.
    mode
        `auto`, `off` or `required`.
    time_limit
        Seconds per decision.
    prints
        Descriptor of the file for the bot's output.
    hide
        Ledgers to hide, in addition to the user's.

    Examples
    --------
    >>> bot_policy("bots/mine.py:Mine", "auto", 35.0, prints=3).processor_seconds
    70000
    """
    ref = BotRef.parse(bot)
    file = ref.file or Path(bot)
    seconds = max(_LEAST_SECONDS, int(_DECISIONS * time_limit))
    ledgers = [f"{path}{end}" for path in (ledger_path().absolute(), *hide) for end in _SUFFIXES]
    hidden = (os.path.abspath(prints_folder()), *ledgers)
    policy = Policy(
        mode=mode,
        hide=hidden,
        descriptors=(prints,),
        processor_seconds=seconds,
        loopback=ref.uses_network,
    )
    # The folder as named and with links resolved: the bot may use both paths.
    folders = (file.absolute().parent, file.resolve().parent)
    return policy.reading(*folders, os.path.abspath(cache_folder()))
