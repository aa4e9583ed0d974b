"""Where the arena keeps things, which its bots are not to see."""

import os
from pathlib import Path

from platformdirs import user_data_path

__all__ = ["hidden_places", "ledger_path"]


def ledger_path() -> Path:
    """Where the ledger is: in $RIVERBOAT_LEDGER (a file or a folder) or the user's data folder.

    What is not there yet is a file if its name has an extension, else a folder.
    """
    named = os.environ.get("RIVERBOAT_LEDGER")
    place = Path(named) if named else user_data_path("riverboat", appauthor=False) / "ledger.sqlite"
    meant = not place.is_file() and (not place.suffix or str(named).endswith(os.sep))
    return place / "ledger.sqlite" if place.is_dir() or meant else place


def hidden_places() -> tuple[str, ...]:
    """Return what no bot may read: the ledger, and what SQLite puts beside it."""
    ledger = ledger_path().absolute()
    return tuple(f"{ledger}{end}" for end in ("", "-journal", "-wal", "-shm"))
