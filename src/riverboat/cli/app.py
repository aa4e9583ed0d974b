"""The commands, put together."""

from typing import Annotated

import typer

from riverboat import __version__
from riverboat.cli import (
    blueprint,
    bots,
    buckets,
    cache,
    cards,
    demo,
    histories,
    ledger,
    match,
    play,
    pypokerengine,
    replay,
    show,
    sweep,
    tournament,
    train,
    tree,
)

app = typer.Typer(
    name="riverboat",
    help="Train, measure and play Texas Hold'em bots on one ordinary computer.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("demo")(demo.demo)
app.command("evaluate")(cards.evaluate_command)
app.command("equity")(cards.equity_command)
app.command("range")(cards.range_command)
app.command("play")(play.play)
app.command("replay")(replay.replay)
app.command("convert")(histories.convert_command)
app.command("bots")(bots.bots_command)
app.command("check-bot")(bots.check_bot_command)
app.command("tree")(tree.tree_command)
app.command("train")(train.train_command)
app.command("buckets")(buckets.buckets_command)
app.command("show")(show.show_command)
app.command("match")(match.match_command)
app.command("tournament")(tournament.tournament_command)
app.command("pypokerengine")(pypokerengine.pypokerengine_command)
app.command("sweep")(sweep.sweep_command)
app.command("ledger")(ledger.ledger_command)
app.add_typer(cache.app, name="cache")
app.add_typer(blueprint.app, name="blueprint")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"riverboat {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Train, measure and play Texas Hold'em bots on one ordinary computer."""
