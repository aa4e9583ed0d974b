"""The bot playing from its CSV file: the same results as from the strategy file."""

import msgspec

from riverboat.recipes.cardiff.cleaning import Cleaned
from riverboat.recipes.cardiff.data import amounts
from riverboat.recipes.report import Section, Table, Text
from riverboat.recipes.run import Run
from riverboat.recipes.work import Won, play_pair

__all__ = ["CsvPlay", "csv_section", "play_from_csv"]

_OPPONENTS = {"Fish": "fish", "Rule-based": "rule-based", "Monte-Carlo": "montecarlo"}


class CsvMatch(msgspec.Struct, frozen=True):
    """CFRv2 from either file against the same opponent on the same cards, small blinds a hand."""

    opponent: str
    from_file: Won
    from_csv: Won


class CsvPlay(msgspec.Struct, frozen=True):
    """Matches of CFRv2 from both files."""

    matches: tuple[CsvMatch, ...]
    against_itself: Won
    """The bot of the CSV file against the bot of the strategy file."""


def play_from_csv(run: Run, cleaned: Cleaned) -> CsvPlay:
    """Play CFRv2 from the cleaned strategy file and from its CSV file."""
    bots = [f"cfrv2:{run.path(name)}" for name in (cleaned.cleaned, cleaned.from_csv)]
    matches, steps = [], 2 * len(_OPPONENTS) + 1
    for index, (title, opponent) in enumerate(_OPPONENTS.items()):
        won = [
            _won(run, bot, opponent, (2 * index + place, steps)) for place, bot in enumerate(bots)
        ]
        matches.append(CsvMatch(title, won[0], won[1]))
    return CsvPlay(tuple(matches), _won(run, bots[1], bots[0], (steps - 1, steps)))


def _won(run: Run, bot: str, opponent: str, place: tuple[int, int]) -> Won:
    share = (place[0] / place[1], (place[0] + 1) / place[1])
    result = play_pair(run, (bot, opponent), share, hands=amounts(run).csv_hands)
    small_blind = result.settings.spec.small_blind
    return Won.of(result.best_estimate().scaled(1 / small_blind), result.hands)


def csv_section(found: CsvPlay) -> Section:
    """Compare the two."""
    rows = [
        (match.opponent, match.from_file.text(), match.from_csv.text(), _agree(match))
        for match in found.matches
    ]
    hands = found.against_itself.hands
    same = all(_overlap(match) for match in found.matches) and found.against_itself.sign == 0
    said = (
        "The two cannot be told apart: two digits after the point are enough."
        if same
        else "They differ: the file with two digits after the point does not play the same."
    )
    return Section(
        "The bot plays from the CSV file",
        (
            Text(
                "The cleaned CSV file, with two digits a probability as the author writes them, "
                "was read back, and CFRv2 played from it. The same cards were played from our own "
                f"file. {said}"
            ),
            Table(
                f"CFRv2, small blinds a hand, {hands:,} hands each",
                ("against", "from the strategy file", "from the CSV file", "intervals overlap"),
                (
                    *rows,
                    ("CSV v strategy file", "", found.against_itself.text(), ""),
                ),
            ),
        ),
    )


def _overlap(match: CsvMatch) -> bool:
    a, b = match.from_file, match.from_csv
    if a.margin < 0 or b.margin < 0:
        return True
    return abs(a.mean - b.mean) <= a.margin + b.margin


def _agree(match: CsvMatch) -> str:
    return "yes" if _overlap(match) else "no"
