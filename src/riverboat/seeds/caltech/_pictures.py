"""Pictures like the author's: winnings over hands, and what was measured beside them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from riverboat.report import COLOURS, draw_estimates, new_panels, save_figure
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.caltech._recipe import DATA
from riverboat.seeds.caltech._results import BOT, Found, Match

_COLUMNS = 2
Lines = Mapping[str, Sequence[Match]]
"""By style: one match, or several whose mean is drawn."""


def draw(run: Reproduction, found: Found) -> None:
    """Draw the author's figures 1 and 7, and exploitability."""
    labels, members = DATA.labels, [member.name for member in found.members]
    bot = {"the bot": _lines(found, [BOT]), "mean of the four members": _lines(found, members)}
    _draw_panels(run.path("figure-1.png"), bot)
    each = {labels[name]: _lines(found, [name]) for name in members}
    _draw_panels(run.path("figure-7.png"), each)
    bounds = {labels[name]: strategy.bound for name, strategy in found.strategies.items()}
    words = DATA.pictures["exploitability"]
    draw_estimates(run.path("exploitability.png"), bounds, words, points=True)


def _lines(found: Found, bots: Sequence[str]) -> Lines:
    return {
        style: [each for each in found.variants if each.bot in bots and each.opponent == style]
        for style in DATA.styles
    }


def _draw_panels(path: Path, panels: Mapping[str, Lines]) -> None:
    """Draw big blinds won over hands: a panel for each bot, a line for each variant."""
    rows = -(-len(panels) // _COLUMNS)
    figure, grid = new_panels(rows, _COLUMNS, (9.0, 0.8 + 3.1 * rows))
    for axes, (title, lines) in zip(grid, panels.items(), strict=False):
        for index, (style, matches) in enumerate(lines.items()):
            _draw_line(axes, style, matches, COLOURS[index])
        axes.axhline(0, color="black", lw=0.8)
        axes.set_title(title, fontsize="medium")
        axes.set_xlabel("hands")
        axes.tick_params(labelsize="small")
        axes.yaxis.set_major_formatter("{x:,.0f}")
        axes.xaxis.set_major_formatter("{x:,.0f}")
    for axes in grid[::_COLUMNS]:
        axes.set_ylabel("big blinds won")
    handles, labels = grid[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, fontsize="small")
    save_figure(figure, path)


def _draw_line(axes: Any, style: str, matches: Sequence[Match], colour: str) -> None:
    def mean(values: Sequence[Sequence[float]]) -> list[float]:
        return [0.0, *(sum(each) / len(each) for each in zip(*values, strict=True))]

    hands = [0, *matches[0].hands]
    axes.plot(hands, mean([match.blinds for match in matches]), color=colour, label=style)
    low, high = mean([match.low for match in matches]), mean([match.high for match in matches])
    axes.fill_between(hands, low, high, color=colour, alpha=0.12, lw=0)
