"""Aim 2, which the thesis missed: the default bot against all seven."""

import msgspec

from riverboat.arena import MatchSettings
from riverboat.blueprint import Blueprint, default_blueprint
from riverboat.report import Compared, Comparison, Picture, Section, Text, draw_bars
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._work import Won, play_all
from riverboat.seeds.cardiff.data import amounts, data
from riverboat.seeds.cardiff.table import known_margin, small_blinds

__all__ = ["DEFAULT_BOT", "Champion", "champion_section", "play_champion"]

#: The blueprint that ships with the package.
DEFAULT_BOT = "blueprint"

#: Added to the run's seed: other cards than in the table of seven.
_OTHER_CARDS = 7_000_000


class Champion(msgspec.Struct, frozen=True):
    """What the default bot won from each of the seven, small blinds a hand."""

    opponents: tuple[str, ...]
    won: tuple[Won, ...]

    @property
    def beaten(self) -> list[str]:
        """Those against whom the interval lies above zero."""
        pairs = zip(self.opponents, self.won, strict=True)
        return [opponent for opponent, won in pairs if won.sign > 0]

    def against(self, opponent: str) -> Won:
        """Return one result."""
        return self.won[self.opponents.index(opponent)]


def play_champion(run: Reproduction, blueprint: str) -> Champion:
    """Play the default bot against each of the seven."""
    file, hands = str(run.path(blueprint)), amounts(run).champion_hands
    settings = [
        MatchSettings(
            (DEFAULT_BOT, seat.bot.format(file=file)), hands=hands, seed=run.seed + _OTHER_CARDS
        )
        for seat in data().bots
    ]
    results = [match.result() for match in play_all(run, settings)]
    won = [small_blinds(result) for result in results]
    return Champion(tuple(seat.title for seat in data().bots), tuple(won))


def champion_section(run: Reproduction, found: Champion) -> Section:
    """Show it beside what CFRv2 won in the thesis."""
    draw_bars(
        run.path("champion.png"),
        list(found.opponents),
        [won.mean for won in found.won],
        [max(0.0, won.margin) for won in found.won],
        title="What the default blueprint bot won",
        x_label="small blinds a hand, 95 % intervals",
    )
    cfrv2 = data().table2.rows[-1]
    rows = [
        Compared(
            f"v {opponent}",
            published if index < len(cfrv2) - 1 else None,
            won.mean,
            margin=known_margin(won),
            better="higher" if seat.comparable else "",
            note=_verdict(won),
        )
        for index, (opponent, published, won, seat) in enumerate(
            zip(found.opponents, cfrv2, found.won, data().bots, strict=True)
        )
    ]
    header = Blueprint.open(default_blueprint()).header
    return Section(
        "Aim 2: the default bot against the seven",
        (
            Text(
                "The thesis wanted to beat the research bots and lost to Monte-Carlo. Here the "
                f"blueprint that ships with Riverboat ({len(header.spec.streets)} streets, menu "
                f"`{header.menu}`) meets all seven over {found.won[0].hands:,} hands each, on "
                f"cards of their own. {_judged(found)}"
            ),
            Comparison(
                "CFRv2 in the thesis, and our default bot; small blinds a hand", tuple(rows)
            ),
            Picture("champion.png", "The default blueprint bot against the seven."),
        ),
    )


def _verdict(won: Won) -> str:
    return {1: "won: interval above zero", 0: "open: interval holds zero", -1: "lost"}[won.sign]


def _judged(found: Champion) -> str:
    """Say how it went, by the intervals."""
    count, beaten = len(found.opponents), found.beaten
    if len(beaten) == count:
        return f"It beats all {count}, Monte-Carlo with 10,000 run-outs included."
    lost = [
        opponent for opponent, won in zip(found.opponents, found.won, strict=True) if won.sign < 0
    ]
    text = f"It beats {len(beaten)} of {count}: {', '.join(beaten) or 'none'}."
    if lost:
        text += f" It loses to {', '.join(lost)}."
    unsure = [name for name in found.opponents if name not in beaten and name not in lost]
    if unsure:
        text += f" Against {', '.join(unsure)} the interval holds zero: more hands are needed."
    return text
