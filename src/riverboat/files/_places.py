"""Where Riverboat keeps things of its own."""

import os
from pathlib import Path

__all__ = ["cache_folder", "ledger_path"]


def cache_folder() -> Path:
    """Where built tables are kept: `$RIVERBOAT_CACHE`, or the user's cache folder."""
    named = os.environ.get("RIVERBOAT_CACHE")
    if named:
        return Path(named)
    from platformdirs import user_cache_path  # noqa: PLC0415 - an import of Riverboat need not wait

    return user_cache_path("riverboat", appauthor=False)


def ledger_path() -> Path:
    """Where the ledger is: in $RIVERBOAT_LEDGER (a file or a folder) or the user's data folder.

    What is not there yet is a file if its name has an extension, else a folder.
    """
    from platformdirs import user_data_path  # noqa: PLC0415 - as above

    named = os.environ.get("RIVERBOAT_LEDGER")
    place = Path(named) if named else user_data_path("riverboat", appauthor=False) / "ledger.sqlite"
    meant = not place.is_file() and (not place.suffix or str(named).endswith(os.sep))
    return place / "ledger.sqlite" if place.is_dir() or meant else place
