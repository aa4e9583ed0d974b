"""What a person's own bot may read: its folder, and the tables of cards; never a ledger."""

import os
from pathlib import Path

from riverboat.bots._prints import prints_folder
from riverboat.bots._ref import BotRef
from riverboat.files import cache_folder, ledger_path
from riverboat.sandbox import Mode, Policy

_DECISIONS = 2_000  # of a usual session
_LEAST_SECONDS = 600
_BESIDE = ("", "-journal", "-wal", "-shm")  # what SQLite puts beside a ledger


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
        Ledgers that it may not see, besides the user's.

    Examples
    --------
    >>> bot_policy("bots/mine.py:Mine", "auto", 35.0, prints=3).processor_seconds
    70000
    """
    ref = BotRef.parse(bot)
    file = ref.file or Path(bot)
    seconds = max(_LEAST_SECONDS, int(_DECISIONS * time_limit))
    ledgers = [f"{path}{end}" for path in (ledger_path().absolute(), *hide) for end in _BESIDE]
    hidden = (os.path.abspath(prints_folder()), *ledgers)
    policy = Policy(
        mode=mode,
        hide=hidden,
        descriptors=(prints,),
        processor_seconds=seconds,
        loopback=ref.uses_network,
    )
    # Its folder as it was named and as it is: links are followed by name.
    folders = (file.absolute().parent, file.resolve().parent)
    return policy.reading(*folders, os.path.abspath(cache_folder()))
