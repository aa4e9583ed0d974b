"""The commands, put together.

A command's module is imported only when it is asked for: `riverboat equity` need not wait for
the solvers, nor any command for another one's plots.
"""

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Annotated, Final

import typer

from riverboat import __version__

__all__ = ["COMMANDS", "GROUPS", "command_line", "make_app"]

#: Where each command is, in the order of the help page.
COMMANDS: Final = {
    "demo": "demo:demo",
    "evaluate": "cards:evaluate_command",
    "equity": "cards:equity_command",
    "range": "cards:range_command",
    "play": "play:play",
    "replay": "replay:replay",
    "convert": "histories:convert_command",
    "bots": "bots:bots_command",
    "check-bot": "bots:check_bot_command",
    "match": "match:match_command",
    "tournament": "tournament:tournament_command",
    "sweep": "sweep:sweep_command",
    "ledger": "ledger:ledger_command",
    "pypokerengine": "pypokerengine:pypokerengine_command",
    "tree": "tree:tree_command",
    "buckets": "buckets:buckets_command",
    "reproduce": "reproduce:reproduce_command",
    "train": "train:train_command",
    "show": "show:show_command",
}
#: Commands with commands of their own.
GROUPS: Final = {"blueprint": "blueprint:app", "cache": "cache:app"}


def command_line(arguments: Sequence[str]) -> typer.Typer:
    """Make what these arguments need: one command, or all for help and for mistakes."""
    asked = arguments[0] if arguments else ""
    return make_app([asked]) if asked in {*COMMANDS, *GROUPS} else make_app()


def make_app(names: Iterable[str] = (*COMMANDS, *GROUPS)) -> typer.Typer:
    """Make the command line with some commands, or all."""
    app = typer.Typer(
        name="riverboat",
        help="Train, measure and play Texas Hold'em bots on one ordinary computer.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    for name in names:
        module, _, attribute = (COMMANDS.get(name) or GROUPS[name]).partition(":")
        found = getattr(import_module(f"riverboat.cli._{module}"), attribute)
        if name in GROUPS:
            app.add_typer(found, name=name)
        else:
            app.command(name)(found)
    return app


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"riverboat {__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Train, measure and play Texas Hold'em bots on one ordinary computer."""
