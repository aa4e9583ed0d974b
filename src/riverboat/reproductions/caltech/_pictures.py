"""Pictures like the author's: winnings over hands, and what was measured beside them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from riverboat.report import Axes, Curve, draw_estimates, new_panels, plot_curves, save_figure
from riverboat.reproductions._run import ReproductionRun
from riverboat.reproductions.caltech._recipe import DATA
from riverboat.reproductions.caltech._results import BOT, Found

_COLUMNS = 2


def draw(run: ReproductionRun, found: Found) -> None:
    """Draw the author's figures 1 and 7, and exploitability."""
    labels, members = DATA.labels, [member.name for member in found.members]
    bot = {"the bot": [BOT], "mean of the four members": members}
    _draw_panels(run.path("figure-1.png"), found, bot)
    _draw_panels(run.path("figure-7.png"), found, {labels[name]: [name] for name in members})
    bounds = {labels[name]: strategy.bound for name, strategy in found.strategies.items()}
    words = DATA.pictures["exploitability"]
    draw_estimates(run.path("exploitability.png"), bounds, words, points=True)


def _draw_panels(path: Path, found: Found, panels: Mapping[str, Sequence[str]]) -> None:
    """Draw big blinds won over hands: a panel for some bots, a line for each variant."""
    rows = -(-len(panels) // _COLUMNS)
    figure, grid = new_panels(rows, _COLUMNS, (9.0, 0.8 + 3.1 * rows))
    for index, (title, bots) in enumerate(panels.items()):
        axes, y = grid[index], "" if index % _COLUMNS else "big blinds won"
        plot_curves(axes, [_curve(found, bots, style) for style in DATA.styles], most_points=0)
        axes.axhline(0, color="black", lw=0.8)
        Axes(title, "hands", y).write(axes)
        axes.tick_params(labelsize="small")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter("{x:,.0f}")
    handles, labels = grid[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, fontsize="small")
    save_figure(figure, path)


def _curve(found: Found, bots: Sequence[str], style: str) -> Curve:
    """Return what bots won from a variant, in the mean, with the mean of their bands."""
    matches = [each for each in found.variants if each.bot in bots and each.opponent == style]

    def mean(what: str) -> list[float]:
        values = zip(*(getattr(match, what) for match in matches), strict=True)
        return [0.0, *(sum(each) / len(each) for each in values)]

    return Curve(style, [0, *matches[0].hands], mean("blinds"), mean("low"), mean("high"))
