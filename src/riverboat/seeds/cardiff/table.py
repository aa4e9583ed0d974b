"""The table of seven under the rules of poker: every pair, with intervals, beside table 2."""

import msgspec
import numpy as np

from riverboat.arena import MatchResult, TournamentResult
from riverboat.report import Part, Picture, Section, Table, Text
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._work import Won, play_round_robin
from riverboat.seeds.cardiff.data import amounts, data
from riverboat.seeds.cardiff.pairs import Cell, count_pairs, others_text
from riverboat.seeds.cardiff.pictures import draw_pairs

__all__ = [
    "SevenTable",
    "Times",
    "cross_rows",
    "known_margin",
    "play_table",
    "small_blinds",
    "table_section",
]


class Times(msgspec.Struct, frozen=True):
    """How long a bot's decisions took, seconds."""

    bot: str
    decisions: int
    mean: float
    percentile_99: float
    longest: float


class SevenTable(msgspec.Struct, frozen=True):
    """All pairs of the seven."""

    hands: int
    """Of each pair."""
    cells: tuple[Cell, ...]
    """Both halves of the table."""
    times: tuple[Times, ...]
    pair_seconds: float
    """Mean wall-clock time of a pair; of what the last run played, if it was resumed."""
    cfr_pair_hands_per_second: float
    """CFRv1 against CFRv2."""
    failures: int
    """Decisions in which a bot failed."""
    deviations: tuple[float, float]
    """Of a single hand as it was played: CFRv1 and CFRv2 against Rule-based, small blinds."""

    def won(self, row: int, column: int) -> Won | None:
        """Return a cell; None on the diagonal."""
        return next((c.won for c in self.cells if (c.row, c.column) == (row, column)), None)


def small_blinds(result: MatchResult) -> Won:
    """Return what the first bot of a match won, small blinds a hand."""
    return Won.of(result.best_estimate().scaled(1 / result.settings.spec.small_blind), result.hands)


def known_margin(won: Won) -> float | None:
    """Return half the interval; None where it is not known.

    Examples
    --------
    >>> known_margin(Won(1.0, 0.2, 10)), known_margin(Won(1.0, -1.0, 1))
    (0.2, None)
    """
    return None if won.margin < 0 else won.margin


def play_table(run: Reproduction, blueprint: str) -> SevenTable:
    """Play every pair."""
    file = str(run.path(blueprint))
    bots = [seat.bot.format(file=file) for seat in data().bots]
    result = play_round_robin(run, bots, hands=amounts(run).table_hands)
    return _summed_up(result)


def _summed_up(result: TournamentResult) -> SevenTable:
    titles = [seat.title for seat in data().bots]
    count = range(len(titles))
    table = result.cross_table(unit="sb")
    hands = max(match.hands for match in result.results.values())
    cells = [
        Cell(row, column, Won.of(estimate, hands))
        for row in count
        for column in count
        if (estimate := table[row][column]) is not None
    ]
    speeds = {pair: match.hands_per_second for pair, match in result.results.items()}
    seconds = [hands / speed for speed in speeds.values() if speed]
    last = speeds[len(titles) - 2, len(titles) - 1]
    failures = sum(
        sum(match.errors(bot).values()) for match in result.results.values() for bot in (0, 1)
    )
    return SevenTable(
        hands,
        tuple(cells),
        tuple(_times(result, bot, title) for bot, title in enumerate(titles)),
        sum(seconds) / max(1, len(seconds)),
        last or 0.0,
        failures,
        (_deviation(result, "CFRv1"), _deviation(result, "CFRv2")),
    )


def _deviation(result: TournamentResult, bot: str) -> float:
    """Standard deviation of single hands against Rule-based, without swapped seats, small blinds.

    It is what the author's matches have, which played no deal twice.
    """
    titles = [seat.title for seat in data().bots]
    match = result.results[titles.index("Rule-based"), titles.index(bot)]
    tallies = np.sum([session.seats[1] for session in match.sessions], axis=(0, 1))
    hands, chips, squares = tallies.tolist()
    variance = max(0.0, squares / hands - (chips / hands) ** 2)
    return float(variance**0.5) / match.settings.spec.small_blind


def _times(result: TournamentResult, bot: int, title: str) -> Times:
    tallies = [
        match.times(pair.index(bot)) for pair, match in result.results.items() if bot in pair
    ]
    whole = sum(tallies[1:], tallies[0])
    return Times(title, whole.decisions, whole.mean, whole.percentile(0.99), whole.longest)


def cross_rows(titles: list[str], found: SevenTable) -> tuple[tuple[str, ...], ...]:
    """Write a cross table as rows of text."""
    rows = []
    for row, title in enumerate(titles):
        cells = [found.won(row, column) for column in range(len(titles))]
        rows.append((title, *("" if cell is None else cell.text() for cell in cells)))
    return tuple(rows)


def table_section(run: Reproduction, found: SevenTable) -> Section:
    """Show both tables, and the CFR bots' rows as a picture."""
    titles, table2 = [seat.title for seat in data().bots], data().table2.rows
    published = tuple(
        (title, *("" if row == column else f"{table2[row][column]:+.2f}" for column in range(7)))
        for row, title in enumerate(titles)
    )
    parts: list[Part] = [
        Text(
            f"Each pair played {found.hands:,} hands by the rules of poker, every deal from both "
            "seats; hands that are all-in count with their expectation. Small blinds a hand, what "
            "the row won from the column."
        ),
        Table(
            f"Ours, {found.hands:,} hands a pair, 95 % intervals",
            ("", *titles),
            cross_rows(titles, found),
        ),
        Table(
            "Published: table 2, 100,000 hands a pair (it prints -1.75 for both Monte-Carlo v "
            "CFRv2 and CFRv2 v Monte-Carlo; by its text CFRv2 lost)",
            ("", *titles),
            published,
        ),
    ]
    for bot in ("CFRv1", "CFRv2"):
        file = f"table-{bot.lower()}.png"
        _draw(run, found, bot, file)
        parts.append(
            Picture(file, f"{bot} against the others, small blinds a hand; 95 % intervals.")
        )
    parts += [Text(_agreement(found)), Text(_cfr_bots(found, amounts(run).iterations[-1]))]
    return Section("The table of seven", tuple(parts))


def _agreement(found: SevenTable) -> str:
    """Say which pairs are clear here, and how many have the published winner."""
    alike, others = count_pairs(found.cells)
    return (
        f"Of the {alike.pairs} pairs that can be compared, {alike.clear} have an interval on one "
        f"side of zero here; the winner of {alike.same} of them is the published one. "
        f"{others_text(others)}"
    )


_WORDS = {1: "beats", 0: "cannot be told from", -1: "loses to"}
_SIMULATIONS = {
    1: "here they help, too",
    0: "here it is not clear that they do",
    -1: "here they do not",
}


def _cfr_bots(found: SevenTable, iterations: int) -> str:
    """Say how both CFR bots fared against Monte-Carlo and each other, by their intervals."""
    (first, _), (second, _) = (_fared(found, bot, "Monte-Carlo") for bot in ("CFRv1", "CFRv2"))
    third, sign = _fared(found, "CFRv2", "CFRv1")
    published = data().table2.rows[-1]
    return (
        f"With the {iterations:,} iterations of this run {first}, and {second}; in the thesis, "
        f"with 10 million, both lost. {third}; in the thesis it won {published[5]:+.2f}, so that "
        f"more simulations helped there: {_SIMULATIONS[sign]}."
    )


def _fared(found: SevenTable, bot: str, other: str) -> tuple[str, int]:
    """Say what a bot did to another, and the side of zero that its interval lies on."""
    titles = [seat.title for seat in data().bots]
    won = found.won(titles.index(bot), titles.index(other))
    sign = won.sign if won else 0
    return f"{bot} {_WORDS[sign]} {other} ({won.text() if won else '-'})", sign


def _draw(run: Reproduction, found: SevenTable, bot: str, file: str) -> None:
    titles, table2 = [seat.title for seat in data().bots], data().table2.rows
    row = titles.index(bot)
    others = [column for column in range(len(titles)) if column != row]
    won = [found.won(row, column) or Won(0.0, 0.0, 0) for column in others]
    draw_pairs(
        run.path(file),
        [titles[column] for column in others],
        [table2[row][column] for column in others],
        [each.mean for each in won],
        [max(0.0, each.margin) for each in won],
        title=f"What {bot} won",
        x_label="small blinds a hand (linear to 2, then logarithmic)",
    )
