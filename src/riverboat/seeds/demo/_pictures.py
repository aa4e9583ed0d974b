"""What the trained bot won; training and cross table are drawn where they are made."""

from riverboat.report import draw_estimates
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.demo._recipe import DATA
from riverboat.seeds.demo._results import Found


def draw(run: Reproduction, found: Found) -> None:
    """Draw what the trained bot won from each other."""
    words = DATA.pictures["won"].filled(hands=f"{DATA.amounts(run).hands:,}")
    draw_estimates(run.path("won.png"), found.won, words)
