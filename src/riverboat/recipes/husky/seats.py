"""Tables of up to nine seats: who wins when all of the document's bots sit together."""

import msgspec

from riverboat.arena import MatchSettings
from riverboat.recipes.husky.data import husky
from riverboat.recipes.run import Run
from riverboat.recipes.work import Won, play_all

__all__ = ["Seated", "play_seats"]


class Seated(msgspec.Struct, frozen=True):
    """One table."""

    seats: int
    won: dict[str, Won]
    """Chips a hand by bot."""
    hands: int
    hands_per_second: float
    """On all cores of this run, bots included."""


def play_seats(run: Run) -> list[Seated]:
    """Play the tables."""
    return run.step("seats", list[Seated], lambda: _play(run))


def _play(run: Run) -> list[Seated]:
    plan, listed = husky().seats, husky().bots
    life, lives = plan.life.of(run), plan.lives.of(run)
    settings = [
        MatchSettings(
            tuple(bot.bot for bot in listed[:seats]),
            "nolimit-100bb",
            hands=seats * life * lives,
            session=life,
            seed=run.seed,
        )
        for seats in plan.tables.of(run)
    ]
    found = []
    for match in play_all(run, settings):
        result, seats = match.result(), len(match.settings.bots)
        won = {
            bot.name: Won.of(result.best_estimate(chair), result.hands)
            for chair, bot in enumerate(listed[:seats])
        }
        speed = result.hands_per_second
        found.append(Seated(seats, won, result.hands, speed or 0.0))
    return found
