"""The ensemble: four strategies, their probabilities added and normalised."""

from collections.abc import Sequence

import msgspec

from riverboat.blueprint import Blueprint, combine
from riverboat.seeds.caltech.fitting import Bounded, Fitted, Workshop, file_of

__all__ = ["BOT", "Combined", "combine_members"]

#: The combination: the bot itself.
BOT = "bot"


class Combined(msgspec.Struct, frozen=True):
    """The combination of the members."""

    members: int
    iterations: int
    """Of all members."""
    seconds: float
    file_bytes: int
    bound: Bounded


def combine_members(shop: Workshop, members: Sequence[Fitted]) -> Combined:
    """Add the members up, and measure what comes out."""
    run, path = shop.run, file_of(shop.run, BOT)
    opened = [Blueprint.open(file_of(run, member.name)) for member in members]
    combine(opened, path, progress=lambda done, all_: run.tell(0.5 * done / all_, "adds up"))
    bound = shop.measure(Blueprint.open(path).dense())
    return Combined(
        len(members),
        sum(member.iterations for member in members),
        sum(member.seconds for member in members),
        path.stat().st_size,
        bound,
    )
