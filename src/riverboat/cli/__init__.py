"""The `riverboat` command."""

import sys

from riverboat.cli.app import app
from riverboat.errors import RiverboatError

__all__ = ["app", "main"]


def main() -> None:
    """Run the command line; a user's mistake becomes one sentence, not a traceback."""
    try:
        app()
    except RiverboatError as error:
        print(f"riverboat: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("riverboat: stopped", file=sys.stderr)
        sys.exit(130)
