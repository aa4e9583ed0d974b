"""The report's end: what differs, and why."""

from riverboat.bots import BackupSettings
from riverboat.report import Section, Text
from riverboat.seeds.pineapple.matches import Matches
from riverboat.seeds.pineapple.words import percent

__all__ = ["closing"]

_DEFECTS = (
    "Faults of the authors' published program may explain its play, and none of them is kept: "
    "values of sampled bets and raises are stored under one key and read under another, so that "
    "every bet counts as zero; payoffs are not divided by the probability of the sample; the "
    "average strategy is also collected at the traverser's own decisions; in training the strength "
    "of a hand that was not swapped is taken on an empty board, in play on the real one; discards "
    "are judged on the board before the new card; and actions below 15 % are dropped from a list "
    "that is then not used."
)
_CHOICES = (
    "Other differences are choices. Keep or swap is solved together with the bets, and the "
    "opponent sees swaps, which makes the game larger. Win rates are exact instead of sampled. "
    "The backup bot's bound before the flop and its all-in score are not in the authors' report: "
    "here they are {bound} of the stack and a score of {score:g}. Bets of the opponent that are "
    "read as all-in leave our bot to check or call."
)


def closing(matches: Matches) -> Section:
    """What differs, and why."""
    outcome = {
        1: "Theirs lost to the backup bot; ours, this one training, wins. Which difference does it "
        "was not tested.",
        -1: "Theirs lost to the backup bot; ours still loses here.",
        0: "Theirs lost to the backup bot; of ours this run shows no winner.",
    }[matches.main.sign]
    backup = BackupSettings()
    choices = _CHOICES.format(bound=percent(backup.preflop_share), score=backup.all_in)
    return Section("What differs and why", (Text(f"{_DEFECTS} {outcome}"), Text(choices)))
