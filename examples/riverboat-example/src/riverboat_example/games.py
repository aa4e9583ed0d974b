"""A game: Kuhn poker with five cards. A function, so that the number of players can be chosen."""

from riverboat.game import GameSpec, Street

__all__ = ["kuhn_five"]


def kuhn_five(players: int = 2) -> GameSpec:
    """One card of five, an ante of one, one bet of one."""
    return GameSpec(
        stacks=(2,) * players,
        antes=(1,) * players,
        betting="fixed-limit",
        streets=(Street(hole=1, bet_size=1, max_raises=1, first=0),),
        showdown="one-card",
        ranks="TJQKA",
        suits="s",
    )
