"""The setting: what the author ran, and what this run does."""

from riverboat.report import Section, Table, Text
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.cardiff.data import amounts, data
from riverboat.seeds.cardiff.engine import EngineTable
from riverboat.work import num_cores

__all__ = ["setting_section"]


def setting_section(run: Reproduction, engine: EngineTable) -> Section:
    """Show what the author ran and what this run does."""
    wanted = amounts(run)
    filled = {
        "actions": _actions(wanted.menu),
        "engine": _engine(engine),
        "iterations": f"{wanted.iterations[-1]:,}",
        "hands": f"{wanted.table_hands:,}",
        "workers": str(run.workers or num_cores()),
    }
    rows = tuple((row.what, row.theirs, row.ours.format_map(filled)) for row in data().setting)
    return Section(
        "The setting",
        (
            Text(
                "A bachelor's thesis from Cardiff (2025) trains Monte-Carlo CFR on a two-street "
                "toy game of heads-up no-limit hold'em, plays it to the flop, and simulates from "
                "the turn on. Its bots CFRv1 and CFRv2 differ in the number of simulations."
            ),
            Table("Setting", ("", "the author", f"here, {run.effort} run"), rows),
            Text(
                "How to read a menu of raises: `min` is the least raise, `50%` half the pot, "
                "`2.5x` to 2.5 times the price, `a` all-in; `|` stands between the first bet and "
                "later raises, `/` between streets. `cap 3 each` allows three raises a player and "
                "street, `cap 3` three of both together. Fold and call are always there."
            ),
        ),
    )


def _actions(menu: str) -> str:
    """Name the menu, and whether it is the author's."""
    same = menu == data().amounts["full"].menu
    return f"the same (`{menu}`)" if same else f"fewer raises (`{menu}`)"


def _engine(engine: EngineTable) -> str:
    """Name PyPokerEngine only where it was played."""
    if engine.missing:
        return "not in PyPokerEngine, which is not installed"
    return f"then PyPokerEngine over {engine.hands:,} hands a pair"
