"""The list of commands.

A command's module is imported only when the command runs. The help page has names and first lines
without any import, and `riverboat equity` loads neither solvers nor plots.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

import click

from riverboat.cli._completion import install, show
from riverboat.cli._help import draw_help

#: All commands with the first line of their help, under the headings of the help page.
GROUPS: Final = {
    "Play": {
        "play": "Play against bots in the terminal; ? shows help, q leaves.",
        "replay": "Step through a hand history, action by action; ? lists the keys.",
        "serve": "Serve web pages: play, study, solve, review hands and train.",
        "join": "Connect a bot to another engine's server.",
        "export": "Export a bot as a player folder for another engine.",
        "deal": "Deal to players that connect by another engine's protocol.",
        "bots": "List all bots, or the settings of one.",
    },
    "Study": {
        "review": "Review your hands: the strategy's play and your EV loss.",
        "drill": "Practise decisions of a strategy or solution; wrong answers come back.",
        "analyse": "Recommend actions at a decision, for your hand and your range.",
        "show": "Show what a strategy or a solution does at one decision.",
        "charts": "Show preflop charts of a strategy: open, limp, 3-bet, 4-bet and defence.",
        "solve": "Solve a spot: a board, two ranges, a pot and stacks.",
        "spot-report": "Show an aggregated report: one decision over many cards or boards.",
        "buckets": "Show a card abstraction: bucket sizes, a hand's bucket, a bucket's hands.",
        "tree": "Count or draw the betting tree of a game and a bet menu.",
        "blueprint": "Show, verify, change, compare, export and import strategy files.",
    },
    "Train": {
        "train": "Train a strategy by a recipe and write a blueprint file.",
    },
    "Measure": {
        "match": "Play a match between bots: results with confidence intervals.",
        "tournament": "Play a round robin between bots: leaderboard and cross table.",
        "sweep": "Test a grid of a bot's settings against an opponent.",
        "lbr": "Local best response (LBR): a lower bound on how exploitable a bot is.",
        "audit": "Test how well a strategy agrees with its own values.",
        "compare": "Compare how fast CFR schemes converge on a small game.",
        "ledger": "List the matches in the ledger, or show one.",
        "check-bot": "Check that a bot's actions are legal, in time and repeatable.",
        "pypokerengine": "Play a match inside the PyPokerEngine package, by its rules.",
    },
    "Reproduce": {
        "demo": "Take a tour: train a bot, play matches, write a report.",
        "reproduce": "Rerun a published project and compare results with the author's.",
    },
    "Cards and files": {
        "evaluate": "Evaluate 5, 6 or 7 cards: the best five-card hand.",
        "equity": "Compute the equity of hands and ranges: wins, ties, losses.",
        "range": "Draw a range as a 13x13 matrix.",
        "hands": "Add hand histories to a database, and query it with SQL.",
        "convert": "Convert hand histories: PHH, PokerStars text, Open Hand History, ACPC lines.",
        "schema": "Print the JSON schema of recipe or spot files, for editors.",
        "cache": "Show, build, verify and clear the tables in the cache folder.",
        "cluster": "Check a Ray cluster: nodes, versions, bandwidth.",
        "doctor": "Show versions, CPU, GPU, memory, folders, extras and the sandbox.",
    },
}
#: All commands and their first lines, by name.
COMMANDS: Final = {name: line for group in GROUPS.values() for name, line in group.items()}
#: Commands whose module has another name.
_MODULES: Final = {
    "bots": ("check-bot",),
    "cards": ("evaluate", "equity", "range"),
    "engines": ("join", "export", "deal"),
    "exploitability": ("lbr", "compare"),
    "histories": ("replay", "convert"),
    "machine": ("cache", "cluster", "doctor"),
    "match": ("tournament", "pypokerengine"),
    "reproduce": ("demo",),
    "train": ("schema",),
}


def load(name: str) -> click.Command:
    """Import a command, or a group of commands: `NAME_command` or `NAME_commands` of its module."""
    from riverboat.cli._command import make_command, make_group  # noqa: PLC0415 - not for help

    word = name.replace("-", "_")
    file = next((file for file, names in _MODULES.items() if name in names), word)
    module = import_module(f"riverboat.cli._{file}")
    if (commands := getattr(module, f"{word}_commands", None)) is not None:
        return make_group(name, COMMANDS[name], commands)
    return make_command(name, getattr(module, f"{word}_command"))


class _LateGroup(click.Group):
    """A group that has names and first lines only, and imports the one command that runs."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Return the command that these words name."""
        name, _, rest = super().resolve_command(ctx, args)
        return name, name and load(name), rest

    def format_help(self, ctx: click.Context, formatter: object) -> None:  # noqa: ARG002 - drawn
        """Draw the help page with all groups."""
        draw_help(self, ctx, GROUPS)


def make_app() -> click.Group:
    """Make the command line."""
    return _LateGroup(
        name="riverboat",
        help="Train, measure and play Texas Hold'em bots on one ordinary computer.",
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"]},
        commands={name: click.Command(name, help=line) for name, line in COMMANDS.items()},
        params=[
            _shown_once("--version", "Show the version.", _print_version),
            _shown_once("--install-completion", "Install completion for your shell.", install),
            _shown_once("--show-completion", "Print the completion script.", show),
        ],
    )


def _shown_once(name: str, text: str, act: Callable[[], None]) -> click.Option:
    """Make an option that calls a function and ends the program."""

    def called(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:
        if wanted and not ctx.resilient_parsing:
            act()
            ctx.exit()

    return click.Option(
        [name], is_flag=True, expose_value=False, is_eager=True, help=text, callback=called
    )


def _print_version() -> None:
    from riverboat import __version__  # noqa: PLC0415 - slow to look up

    click.echo(f"riverboat {__version__}")
