"""The `riverboat` command."""

import sys
from io import TextIOWrapper
from typing import NoReturn

from click import Abort, ClickException, Command

from riverboat.errors import RiverboatError, harmless

__all__ = ["main"]

_STOPPED = 130  # the shells' exit code of a command that Ctrl-C ended


def main() -> None:
    """Run the command line; an error of the user is reported in a sentence, without a traceback."""
    _escape_unprintable()
    try:
        # Imported here: if the kernels cannot be loaded, that error is reported here, too.
        from riverboat.cli._app import make_app  # noqa: PLC0415 - its errors are reported here

        _run(make_app())
    except RiverboatError as error:
        _exit_with(str(error), 2)
    except OSError as error:  # no lower layer had a better message
        _exit_with(str(error), 2)
    except KeyboardInterrupt:
        _exit_with("stopped", _STOPPED)
    except SystemExit as end:
        if end.code == _STOPPED:  # the command has printed its result so far
            _exit_with("stopped", _STOPPED)
        raise


def _run(app: Command) -> None:
    """Run click's command; click itself would report Ctrl-C as an abort."""
    try:
        code = app.main(prog_name="riverboat", standalone_mode=False)
    except ClickException as error:
        error.show()
        code = error.exit_code
    except Abort as error:
        if isinstance(error.__cause__, KeyboardInterrupt):
            raise KeyboardInterrupt from None
        _exit_with("aborted", 1)
    sys.exit(code)


def _escape_unprintable() -> None:
    """Print characters that the terminal's encoding does not have as escapes, without an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _exit_with(sentence: str, code: int) -> NoReturn:
    print(f"riverboat: {harmless(sentence)}", file=sys.stderr)
    sys.exit(code)
