"""Tables of up to nine seats: who wins when bots of the document sit together."""

import msgspec

from riverboat.arena import MatchSettings
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._work import Won, play_all
from riverboat.seeds.husky.data import husky

__all__ = ["Seated", "play_seats"]


class Seated(msgspec.Struct, frozen=True):
    """One table."""

    seats: int
    won: dict[str, Won]
    """Chips a hand by bot."""
    hands: int


def play_seats(run: Reproduction) -> list[Seated]:
    """Play the tables."""
    return run.step("seats", list[Seated], lambda: _play(run))


def _play(run: Reproduction) -> list[Seated]:
    plan = husky().seats
    texts = {bot.name: bot.bot for bot in husky().bots}
    life, lives, tables = plan.life.of(run), plan.lives.of(run), plan.tables.of(run)
    settings = [
        MatchSettings(
            tuple(texts[name] for name in names),
            "nolimit-100bb",
            hands=len(names) * life * lives,
            session=life,
            seed=run.seed,
        )
        for names in tables
    ]
    found = []
    for names, match in zip(tables, play_all(run, settings), strict=True):
        result = match.result()
        won = {
            name: Won.of(result.best_estimate(chair), result.hands)
            for chair, name in enumerate(names)
        }
        found.append(Seated(len(names), won, result.hands))
    return found
