"""The commands, put together.

A command's module is imported when the command is run: the page of help knows names and first
lines without it, and `riverboat equity` waits neither for the solvers nor for plots.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

import click

from riverboat.cli._completion import install, show
from riverboat.cli._help import draw_help

#: Every command with the first line of its help, by the headings of the help page and in its order.
GROUPS: Final = {
    "Play": {
        "play": "Play against bots: bet by typing 30, half, pot or allin; ? helps, q leaves.",
        "replay": "Step through recorded hands, action by action; ? lists the keys.",
        "serve": "Serve pages in a browser: play, study, solve, review hands and train.",
        "join": "Play at somebody else's table: their engine deals, a bot of ours answers.",
        "export": "Write a bot as a player that another engine starts itself.",
        "deal": "Deal for players that connect, in another engine's protocol.",
        "bots": "List the bots, or the settings of one.",
    },
    "Study": {
        "review": "Review your hands: what the strategy does there, and what each choice cost.",
        "drill": "Train on decisions of a strategy or of solved spots, and see your progress.",
        "analyse": "Say what to do at a table: search answers, for one hand and for all.",
        "show": "Show what a strategy or a solution does at one decision.",
        "charts": "Show preflop charts of a strategy: open, limp, 3-bet, 4-bet and defence.",
        "solve": "Solve a spot: two ranges on a board. Ctrl-C stops and keeps the solution so far.",
        "spot-report": "Show a solved decision on every card that can come, or on many boards.",
        "buckets": "Show a card abstraction: bucket sizes, a hand's bucket, a bucket's hands.",
        "tree": "Count or draw the betting tree of a game and a bet menu.",
        "blueprint": "Show, verify, prune, quantise, combine, compare, export strategy files.",
    },
    "Train": {
        "train": "Train a strategy and write a blueprint file. Ctrl-C stops, saves and writes.",
    },
    "Measure": {
        "match": "Play a match: who wins, by how much, and how surely.",
        "tournament": "Play a round robin: a cross table, and a leaderboard with intervals.",
        "sweep": "Play a grid over a bot's parameters, with an interval at each point.",
        "lbr": "Let a local best response play against a bot: how much it loses at least.",
        "audit": "Test how well a strategy agrees with its own values.",
        "compare": "Run solvers on a small game and show how fast each becomes unexploitable.",
        "ledger": "List the matches that were played, or show one.",
        "check-bot": "Check that a bot plays by the rules: in time, legal, repeatable.",
        "pypokerengine": "Play a match inside the real PyPokerEngine, by its own rules.",
    },
    "Reproduce": {
        "demo": "Build tables and buckets, train a bot, play it against others, write a report.",
        "reproduce": "Run a published system and compare our numbers with its author's.",
    },
    "Cards and files": {
        "evaluate": "Say what the best five of 5, 6 or 7 cards are.",
        "equity": "Say how often each hand or range wins, ties and loses.",
        "range": "Draw a range as a 13x13 matrix.",
        "convert": "Convert hand histories: PHH, PokerStars text, Open Hand History, ACPC lines.",
        "schema": "Print the JSON schema of recipe or spot files, for editors.",
        "cache": "Show, build, verify and clear the tables in the cache folder.",
        "cluster": "Look at a Ray cluster: nodes, versions, bandwidth.",
        "doctor": "Show versions, processor, memory, folders, extras, and what confines file bots.",
    },
}
#: The same, by name.
COMMANDS: Final = {name: line for group in GROUPS.values() for name, line in group.items()}
#: Modules with commands that are not called after them.
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
    """A group that knows names and first lines, and imports the command that is to be run."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Return the command of these words."""
        name, _, rest = super().resolve_command(ctx, args)
        return name, name and load(name), rest

    def format_help(self, ctx: click.Context, formatter: object) -> None:  # noqa: ARG002 - drawn
        """Draw the page of help, by groups."""
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
            _shown_once("--install-completion", "Complete words in your shell.", install),
            _shown_once("--show-completion", "Print the script that does that.", show),
        ],
    )


def _shown_once(name: str, text: str, act: Callable[[], None]) -> click.Option:
    """Make an option that does one thing and ends."""

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
