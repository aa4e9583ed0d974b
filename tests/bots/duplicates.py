"""A small duplicate match for the tests of bots; the real one is the arena's."""

from riverboat.bots import Bot, tell
from riverboat.game import GameSpec, Hand

__all__ = ["play_hand", "play_pairs"]


def play_hand(bots: tuple[Bot, ...], hand: Hand) -> tuple[int, ...]:
    """Play one hand to its end; bots are by seat."""
    for seat, bot in enumerate(bots):
        tell(bot, "hand_started", hand.view(seat))
    while (seat_to_act := hand.actor) is not None:
        hand.do(bots[seat_to_act].act(hand.view(seat_to_act)))
    for seat, bot in enumerate(bots):
        tell(bot, "hand_over", hand.view(seat))
    return hand.payoffs()


def play_pairs(first: Bot, second: Bot, spec: GameSpec, seeds: range) -> list[float]:
    """Return the first bot's chips a hand in each duplicate pair."""
    results = []
    for seed in seeds:
        ahead = play_hand((first, second), Hand(spec, seed=seed))[0]
        behind = play_hand((second, first), Hand(spec, seed=seed))[1]
        results.append((ahead + behind) / 2)
    return results
