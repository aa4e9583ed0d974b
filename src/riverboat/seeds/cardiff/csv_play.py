"""The bot playing from its CSV file and from the strategy file, on the same cards."""

import msgspec

from riverboat.arena import MatchResult, MatchSettings
from riverboat.blueprint import Blueprint, compare
from riverboat.report import Section, Table, Text, number
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._work import Won, play_all
from riverboat.seeds.cardiff.cleaning import Cleaned
from riverboat.seeds.cardiff.data import amounts
from riverboat.seeds.cardiff.table import small_blinds
from riverboat.statistics import ratio_estimate

__all__ = ["CsvMatch", "CsvPlay", "csv_section", "play_from_csv"]

_OPPONENTS = {"Fish": "fish", "Rule-based": "rule-based", "Monte-Carlo": "montecarlo"}
_MATCHES_SHARE = 0.9  # of the step; the rest compares the files


class CsvMatch(msgspec.Struct, frozen=True):
    """CFRv2 from either file against the same opponent on the same cards, small blinds a hand."""

    opponent: str
    from_file: Won
    from_csv: Won
    difference: Won
    """CSV less strategy file, deal by deal."""


class CsvPlay(msgspec.Struct, frozen=True):
    """Matches of CFRv2 from both files, and how the files differ."""

    matches: tuple[CsvMatch, ...]
    against_itself: Won
    """The bot of the CSV file against the bot of the strategy file."""
    rows: int
    """Infosets in both files."""
    only_one: int
    """Infosets in one of them."""
    largest_difference: float
    """Of a row: half the sum of the differences of its probabilities."""


def play_from_csv(run: Reproduction, cleaned: Cleaned) -> CsvPlay:
    """Play CFRv2 from the cleaned strategy file and from its CSV file; compare the files."""
    paths = run.path(cleaned.cleaned), run.path(cleaned.from_csv)
    file, csv = (f"cfrv2:{path}" for path in paths)
    pairs = [(bot, opponent) for opponent in _OPPONENTS.values() for bot in (file, csv)]
    settings = [
        MatchSettings(pair, hands=amounts(run).csv_hands, seed=run.seed)
        for pair in (*pairs, (csv, file))
    ]
    results = [match.result() for match in play_all(run, settings, (0.0, _MATCHES_SHARE))]
    won = [small_blinds(result) for result in results]
    matches = [
        CsvMatch(title, won[at], won[at + 1], _difference(results[at + 1], results[at]))
        for at, title in zip(range(0, len(pairs), 2), _OPPONENTS, strict=True)
    ]
    run.tell(_MATCHES_SHARE, "compares both files")
    first, second = (Blueprint.open(path) for path in paths)
    rows, _ = compare(first, second)
    only_one = rows.only_first + rows.only_second
    return CsvPlay(tuple(matches), won[-1], rows.both, only_one, rows.largest_distance)


def _difference(first: MatchResult, second: MatchResult) -> Won:
    """What the first match's bot won more than the second's on the same deals."""
    chips = first.unit_corrected[:, 0] - second.unit_corrected[:, 0]
    estimate = ratio_estimate(chips, first.unit_hands)
    return Won.of(estimate.scaled(1 / first.settings.spec.small_blind), first.hands)


def csv_section(found: CsvPlay) -> Section:
    """Compare the two."""
    rows = [
        (
            match.opponent,
            match.from_file.text(),
            match.from_csv.text(),
            match.difference.text(),
        )
        for match in found.matches
    ]
    hands = found.against_itself.hands
    return Section(
        "The bot plays from the CSV file",
        (
            Text(
                "The cleaned CSV file, with two digits a probability as the author writes them, "
                "was read back, and CFRv2 played from it. The same cards were played from our own "
                f"file. Both have {found.rows:,} rows in common and {found.only_one:,} that only "
                "one of them has; no row differs by more than "
                f"{number(found.largest_difference)} (half the sum of the differences of its "
                "probabilities)."
            ),
            Table(
                f"CFRv2, small blinds a hand, {hands:,} hands each, 95 % intervals",
                ("against", "from the strategy file", "from the CSV file", "difference by deal"),
                tuple(rows),
            ),
            Text(
                "Against each other, the bot of the CSV file won "
                f"{found.against_itself.text()} small blinds a hand from the bot of the strategy "
                "file. "
                f"{_judged(found)}"
            ),
        ),
    )


def _judged(found: CsvPlay) -> str:
    """Say what was seen in play, by the intervals of the differences."""
    differences = {f"against {match.opponent}": match.difference for match in found.matches}
    differences["head to head"] = found.against_itself
    seen = [f"{where} ({won.text()})" for where, won in differences.items() if won.sign]
    if seen:
        return (
            f"In play a difference was seen {', '.join(seen)}, of {len(differences)} comparisons "
            "with 95 % intervals each."
        )
    if any(won.margin < 0 for won in differences.values()):
        return "These are too few hands to tell a difference in play."
    most = max(abs(won.mean) + won.margin for won in differences.values())
    return (
        "In play no difference was seen: every interval holds 0, and none reaches beyond "
        f"{number(most)} small blinds a hand, so that smaller differences remain possible."
    )
