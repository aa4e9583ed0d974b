"""The bot playing from its CSV file: the same results as from the strategy file."""

import msgspec

from riverboat.arena import MatchSettings
from riverboat.recipes.cardiff.cleaning import Cleaned
from riverboat.recipes.cardiff.data import amounts
from riverboat.recipes.cardiff.table import small_blinds
from riverboat.recipes.report import Section, Table, Text
from riverboat.recipes.run import Run
from riverboat.recipes.work import Won, play_all

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
    file, csv = (f"cfrv2:{run.path(name)}" for name in (cleaned.cleaned, cleaned.from_csv))
    pairs = [(bot, opponent) for opponent in _OPPONENTS.values() for bot in (file, csv)]
    settings = [
        MatchSettings(pair, hands=amounts(run).csv_hands, seed=run.seed)
        for pair in (*pairs, (csv, file))
    ]
    won = [small_blinds(match.result()) for match in play_all(run, settings)]
    matches = [
        CsvMatch(title, won[2 * index], won[2 * index + 1])
        for index, title in enumerate(_OPPONENTS)
    ]
    return CsvPlay(tuple(matches), won[-1])


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
