"""A game: Kuhn poker with five cards, as a function of the number of players."""

from riverboat.game import GameSpec, Street

__all__ = ["kuhn_five"]


def kuhn_five(players: int = 2) -> GameSpec:
    """Return Kuhn poker with five cards: ante 1, one bet of 1."""
    return GameSpec(
        stacks=(2,) * players,
        antes=(1,) * players,
        betting="fixed-limit",
        streets=(Street(hole=1, bet_size=1, max_raises=1, first=0),),
        showdown="one-card",
        ranks="TJQKA",
        suits="s",
    )
