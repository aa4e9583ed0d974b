"""What the trained bot won; training and cross table are drawn where they are made."""

from riverboat.report import draw_bars
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.demo._recipe import DATA
from riverboat.seeds.demo._results import OUR_BOT, Found


def draw(run: Reproduction, found: Found) -> None:
    """Draw what the trained bot won from each other."""
    hands = DATA.amounts(run).hands
    draw_bars(
        run.path("won.png"),
        list(found.won),
        [won.mean for won in found.won.values()],
        [won.margin if won.known else 0.0 for won in found.won.values()],
        title=f"What {OUR_BOT} won, {hands:,} hands against each",
        x_label="mbb/hand, 95 %",
    )
