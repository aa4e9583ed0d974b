"""The demo: from nothing to a trained, measured, playable bot."""

from riverboat.reproductions._reproduction import Reproduction
from riverboat.reproductions.demo._experiments import (
    DATA,
    build_cards,
    draw,
    play_bots,
    train_bot,
    won_by_opponent,
)

__all__ = ["REPRODUCTION"]

REPRODUCTION = Reproduction(
    name="demo",
    recipe=DATA,
    steps={"cards": build_cards, "training": train_bot, "matches": play_bots},
    draw=draw,
    words={"won_by_opponent": won_by_opponent},
)
