"""The report on our own choices in the place of the authors'."""

from riverboat.report import Section, Table, Text, duration
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._work import Won
from riverboat.seeds.pineapple.better import Improved
from riverboat.seeds.pineapple.data import data
from riverboat.seeds.pineapple.matches import Matches
from riverboat.seeds.pineapple.words import change, mbb, percent
from riverboat.seeds.pineapple.work import recipe_of
from riverboat.tree import find_menu

__all__ = ["better_section", "better_verdict"]

_WORDS = (
    "`percentile` makes groups of equally many deals by win rate, so many before the flop, on the "
    "flop, on the turn and on the river. `external-linear` is external sampling in which later "
    "iterations weigh more. Check-fold checks where it can and folds where it cannot."
)


def better_section(run: Reproduction, found: Improved, matches: Matches) -> Section:
    """What our own choices give."""
    better = data().better
    rows = (
        (f"the backup bot, bets read by {better.translation}", found.against_backup),
        (f"the backup bot, bets read by {data().translation}", found.against_backup_their_reading),
        ("the bot trained as the authors did", found.against_theirs),
    )
    lines = tuple((name, mbb(won), f"{won.hands:,}") for name, won in rows)
    return Section(
        "What better choices give",
        (
            _changed(run, found),
            Text(_WORDS),
            Text(
                f"In {duration(found.seconds)} of training {found.iterations:,} samples reached "
                f"{percent(found.visited / found.infosets)} of {found.infosets:,} infosets."
            ),
            Table("What this bot wins", ("from", "mbb/h", "hands"), lines),
            Text(better_verdict(found, matches)),
        ),
    )


def _changed(run: Reproduction, found: Improved) -> Table:
    """All that differs between the two bots."""
    ours, theirs = data().better, recipe_of(run)
    return Table(
        "What was changed at once",
        ("", "as the authors", "here"),
        (
            ("bets", f"`{find_menu(theirs.menu)}`", f"`{found.menu}`"),
            ("cards", f"`{theirs.cards}`", f"`{found.cards}`"),
            ("sampling", "average-strategy", f"`{found.scheme}`"),
            ("bets not on the menu", data().translation, ours.translation),
            ("where untrained", data().fallback, ours.fallback),
        ),
    )


def better_verdict(found: Improved, matches: Matches) -> str:
    """Say whom it beats, and whether it wins more from the backup bot than theirs does."""
    direct = {
        1: "Directly against the bot trained as the authors did, this bot wins.",
        -1: "Directly against the bot trained as the authors did, this bot loses.",
        0: "Directly against the bot trained as the authors did, no winner is shown.",
    }[found.against_theirs.sign]
    return (
        f"{direct} From the backup bot that one wins {mbb(matches.main)} mbb/h; this bot "
        f"{_beside(matches.main, found.against_backup)}, and "
        f"{_beside(matches.main, found.against_backup_their_reading)} if it reads bets as that one "
        "does. That holds of these two trainings; bets, cards, sampling, the reading of bets and "
        "the play where untrained were changed at once, and which of them does it was not tested."
    )


def _beside(main: Won, own: Won) -> str:
    more = change(main, own)
    words = {1: "wins more", -1: "wins less", 0: "is not told apart from it"}
    return f"{words[more.sign]} ({mbb(more)})"
