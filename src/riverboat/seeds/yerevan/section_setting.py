"""What the author ran, what runs here, and what differs, as sections."""

from riverboat.report import Section, Table, Text, listed
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.yerevan.data import amounts, recipe

__all__ = ["differs_section", "setting_section"]


def setting_section(run: Reproduction) -> Section:
    """Show what the author ran and what runs here."""
    return Section(
        "The setting",
        (
            Text(
                "A master's thesis of the American University of Armenia (2018): Pure CFR for "
                "two-player limit Texas Hold'em, with isomorphism and buckets, in C++. Its results "
                "are half a page of claims without figures. Here the system runs, the figures that "
                "it lacks are measured, and its claims are tested."
            ),
            Table(
                "What the author ran, and what runs here",
                ("", "the thesis", "here"),
                tuple(
                    (row.what, row.theirs, row.ours.format(rivals=_rivals(run)))
                    for row in recipe().setting
                ),
            ),
        ),
    )


def _rivals(run: Reproduction) -> str:
    """Say which seeds' CFR bots this run trains for limit."""
    names = [each.name for each in recipe().rival if each.name in amounts(run).rivals]
    if not names:
        return "no CFR bots among them"
    return f"the CFR bot{'s' if len(names) > 1 else ''} of {listed(names)} trained anew for it"


def differs_section() -> Section:
    """Say what differs from the original, and why."""
    return Section(
        "What differs and why",
        (
            Text(
                "The thesis's buckets and its isomorphism are not described, and its code was not "
                "published; ours are percentiles of hand strength over boards up to suits. It "
                "calls its algorithm Pure CFR, but describes another: probabilities kept for each "
                "bucket, the whole tree walked, an update only where the regret is positive, no "
                "average strategy. Here it is Pure CFR as its name says: purified choices, integer "
                "regrets, and counts of the choices as the average, which is what is played. Its "
                "leaf pays half of the pot to the winner; that is wrong where somebody folds to a "
                "bet, because then both have not paid the same. Ours pays what the loser put in. "
                "Open Pure CFR, which it follows, picks actions with a 32-bit number modulo a "
                "64-bit sum, which is biased once regrets are large; it skips updates that would "
                "overflow and stops when a count is full. Ours draws without that bias and halves "
                "a row whose count is full. Times are processor times, because the algorithms "
                "differ in how many threads they can use."
            ),
        ),
    )
