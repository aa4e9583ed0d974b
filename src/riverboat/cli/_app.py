"""The commands, put together.

A command's module is imported when the command is run: the page of help knows names and first
lines without it, and `riverboat equity` waits neither for the solvers nor for plots.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, NamedTuple

import click

from riverboat.cli._completion import install, show
from riverboat.cli._help import draw_help


class LateCommand(NamedTuple):
    """Where a command is, and the first line of its help."""

    place: str
    line: str


#: Every command, by the headings of the help page and in its order.
GROUPS: Final = {
    "Play": {
        "play": LateCommand(
            "_play:play",
            "Play against bots: bet by typing 30, half, pot or allin; ? helps, q leaves.",
        ),
        "replay": LateCommand(
            "_histories:replay",
            "Step through recorded hands: Enter for the next action, p back, N next hand, q quit.",
        ),
        "serve": LateCommand(
            "_serve:serve_command",
            "Serve pages in a browser: play, study, solve, review hands and train.",
        ),
        "join": LateCommand(
            "_join:COMMANDS",
            "Play at somebody else's table: their engine deals, a bot of ours answers.",
        ),
        "export": LateCommand(
            "_export:COMMANDS", "Write a bot as a player that another engine starts itself."
        ),
        "deal": LateCommand(
            "_deal:COMMANDS", "Deal for players that connect, in another engine's protocol."
        ),
        "bots": LateCommand("_bots:bots_command", "List the bots, or the settings of one."),
    },
    "Study": {
        "review": LateCommand(
            "_review:review_command",
            "Review your hands: what the strategy would have done, and what each choice cost.",
        ),
        "drill": LateCommand(
            "_drill:drill_command",
            "Train on decisions of a strategy or of solved spots, and see your progress.",
        ),
        "analyse": LateCommand(
            "_analyse:analyse_command",
            "Say what to do at a table: search answers, for one hand and for all.",
        ),
        "show": LateCommand(
            "_show:show_command", "Show what a strategy or a solution does at one decision."
        ),
        "charts": LateCommand(
            "_charts:charts_command",
            "Show preflop charts of a strategy: open, limp, 3-bet, 4-bet and defence by position.",
        ),
        "solve": LateCommand(
            "_solve:solve_command",
            "Solve a spot: two ranges on a board. Ctrl-C stops and keeps the solution so far.",
        ),
        "spot-report": LateCommand(
            "_spot_report:spot_report_command",
            "Show a solved decision on every card that can come, or on many boards.",
        ),
        "buckets": LateCommand(
            "_buckets:buckets_command",
            "Show a card abstraction: bucket sizes, a hand's bucket, a bucket's hands.",
        ),
        "tree": LateCommand(
            "_tree:tree_command",
            "Count or draw the betting tree of a game and a bet menu; tell the memory of training.",
        ),
        "blueprint": LateCommand(
            "_blueprint:COMMANDS",
            "Show, verify, prune, quantise, combine, compare, export strategy files.",
        ),
    },
    "Train": {
        "train": LateCommand(
            "_train:train_command",
            "Train a strategy and write it to a blueprint file. Ctrl-C stops, saves and writes.",
        ),
    },
    "Measure": {
        "match": LateCommand(
            "_match:match_command", "Play a match: who wins, by how much, and how surely."
        ),
        "tournament": LateCommand(
            "_match:tournament_command",
            "Play a round robin: a cross table, and a leaderboard with intervals.",
        ),
        "sweep": LateCommand(
            "_sweep:sweep_command",
            "Play a grid over a bot's parameters, with an interval at each point.",
        ),
        "lbr": LateCommand(
            "_lbr:lbr_command",
            "Let a local best response play against a bot: how much it loses at least.",
        ),
        "compare": LateCommand(
            "_compare:compare_command",
            "Run solvers on a small game and show how fast each becomes unexploitable.",
        ),
        "ledger": LateCommand(
            "_ledger:ledger_command", "List the matches that were played, or show one."
        ),
        "check-bot": LateCommand(
            "_bots:check_bot_command",
            "Try whether a bot keeps to the rules: in time, legal, in each seat, repeatable.",
        ),
        "pypokerengine": LateCommand(
            "_match:pypokerengine_command",
            "Play a match inside the real PyPokerEngine, by its rules and its evaluator.",
        ),
    },
    "Reproduce": {
        "demo": LateCommand(
            "_reproduce:demo",
            "Build tables and buckets, train a bot, play it against others, write a report.",
        ),
        "reproduce": LateCommand(
            "_reproduce:reproduce_command",
            "Run a published system and compare our numbers with its author's.",
        ),
    },
    "Cards and files": {
        "evaluate": LateCommand(
            "_cards:evaluate_command", "Say what the best five of 5, 6 or 7 cards are."
        ),
        "equity": LateCommand(
            "_cards:equity_command", "Say how often each hand or range wins, ties and loses."
        ),
        "range": LateCommand("_cards:range_command", "Draw a range as a 13x13 matrix."),
        "convert": LateCommand(
            "_histories:convert_command",
            "Convert hand histories: PHH, PokerStars text, Open Hand History, ACPC lines.",
        ),
        "schema": LateCommand(
            "_schema:schema_command",
            "Print the JSON schema of recipe or spot files, for editors.",
        ),
        "cache": LateCommand(
            "_cache:COMMANDS", "Show, build, verify and clear the tables in the cache folder."
        ),
        "cluster": LateCommand(
            "_cluster:COMMANDS", "Look at a Ray cluster: nodes, versions, bandwidth."
        ),
        "doctor": LateCommand(
            "_doctor:doctor_command",
            "Show versions, processor, memory, folders, extras, and what confines bots of files.",
        ),
    },
}

#: The same, by name.
COMMANDS: Final = {name: late for group in GROUPS.values() for name, late in group.items()}


def load(name: str) -> click.Command:
    """Import a command, or a group of commands."""
    from riverboat.cli._command import make_command, make_group  # noqa: PLC0415 - not for help

    module, _, attribute = COMMANDS[name].place.partition(":")
    found = getattr(import_module(f"riverboat.cli.{module}"), attribute)
    if isinstance(found, dict):
        return make_group(name, COMMANDS[name].line, found)
    return make_command(name, found)


class _LateGroup(click.Group):
    """A group that knows names and first lines, and imports the command that is to be run."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Return the command of these words."""
        name, _, rest = super().resolve_command(ctx, args)
        return name, name and load(name), rest

    def format_help(self, ctx: click.Context, formatter: object) -> None:  # noqa: ARG002 - drawn
        """Draw the page of help, by groups."""
        rows = {title: [(n, p.line) for n, p in group.items()] for title, group in GROUPS.items()}
        draw_help(self, ctx, rows)


def make_app() -> click.Group:
    """Make the command line."""
    return _LateGroup(
        name="riverboat",
        help="Train, measure and play Texas Hold'em bots on one ordinary computer.",
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"]},
        commands={name: click.Command(name, help=late.line) for name, late in COMMANDS.items()},
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
