"""The last section: what differs from the original, and why."""

from riverboat.report import Section, Text

__all__ = ["differences_section"]

_PARAGRAPHS = (
    "Rules. The authors' C++ engine has no side pots, gives a tie to the first of the best hands, "
    "lets the small blind act first on every street, knows no least raise and deals the board out "
    "after everybody folded. PyPokerEngine, in which they swept, has other heads-up blinds and "
    "compares hands wrongly. All our figures are under the real rules, so optima may differ by "
    "that alone.",
    "Sweeps. They played 500 games a point with cards of their own for each and took the highest "
    "point. We play every deal from both sides, give intervals, play the best points again with "
    "another seed, and score by chips a hand too, which uses each hand and not only who leads "
    "after ten. Under their protocol a lead of one chip counts as much as one of a hundred, which "
    "favours steady small wins.",
    "Win rates. Heads-up the number of wins in 100 samples is drawn from its exact distribution "
    "instead of dealing the cards; that is the same experiment, faster. Ties count one half here; "
    "in Killer they count as losses, as in the authors' code.",
    "The CFR bot. Number of bins, iterations and the length of the betting are not given: five "
    "bins are Killer's, raises are capped at two a street, the strength is exact and not from "
    "10,000 simulations. The code that they show weights regrets by the probability of the cards "
    "although the cards are drawn with that probability already; ours does not. How they read real "
    "bets as their own is not told: we use the pseudo-harmonic rule, and compare it with two "
    "others.",
    "Killer. The published switch to other bots calls a number and tests a mean for being other "
    "than zero, so that it stops with an error at hand 2,000; for the curves it is off, in the "
    "table of bots it works as meant. Weights that both reach zero start again at one half instead "
    "of dividing by zero. The competition's engine raises the blinds every 200 hands and gives "
    "half a millisecond for a hand; here blinds stay and time is free.",
    "Speed. Their figures are from their own machine, ours from this one: compare the order of "
    "magnitude only. Theirs are call bots in C++, ours in Python.",
)


def differences_section() -> Section:
    """Say in plain words what differs and why."""
    return Section("What differs and why", tuple(Text(text) for text in _PARAGRAPHS))
