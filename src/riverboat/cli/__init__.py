"""The `riverboat` command."""

import sys
from io import TextIOWrapper
from typing import NoReturn

from click import Abort, ClickException, Command

from riverboat.errors import RiverboatError, harmless

__all__ = ["main"]

_STOPPED = 130  # what shells say of a command that Ctrl-C ended


def main() -> None:
    """Run the command line; a user's mistake becomes one sentence, not a traceback."""
    _write_anything()
    try:
        # Imported here: loading the kernels may fail with a sentence too.
        from riverboat.cli._app import make_app  # noqa: PLC0415 - may fail with a sentence

        _run(make_app())
    except RiverboatError as error:
        _leave(str(error), 2)
    except OSError as error:  # what no layer below could put better
        _leave(str(error), 2)
    except KeyboardInterrupt:
        _leave("stopped", _STOPPED)
    except SystemExit as end:
        if end.code == _STOPPED:  # with the result so far
            _leave("stopped", _STOPPED)
        raise


def _run(app: Command) -> None:
    """Run click's command, whose own main hides Ctrl-C."""
    try:
        code = app.main(prog_name="riverboat", standalone_mode=False)
    except ClickException as error:
        error.show()
        code = error.exit_code
    except Abort as error:
        if isinstance(error.__cause__, KeyboardInterrupt):
            raise KeyboardInterrupt from None
        _leave("aborted", 1)
    sys.exit(code)


def _write_anything() -> None:
    """Let names be printed that the terminal has no letters for: their numbers stand for them."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _leave(sentence: str, code: int) -> NoReturn:
    print(f"riverboat: {harmless(sentence)}", file=sys.stderr)
    sys.exit(code)
