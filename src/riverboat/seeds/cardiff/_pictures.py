"""Pictures like the author's: two plots side by side, and bars in pairs."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from riverboat.report import (
    COLOURS,
    draw_estimates,
    heights,
    new_figure,
    new_panels,
    plain_ticks,
    save_figure,
)
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.cardiff._recipe import DATA
from riverboat.seeds.cardiff._results import Found, Point
from riverboat.statistics import Estimate


def draw(run: Reproduction, found: Found) -> None:
    """Draw the author's figures 17 to 20, the CFR bots' rows of table 2, and what is ours."""
    points = found.training.points
    over: dict[str, tuple[str, list[float]]] = {
        "training-iterations.png": ("iterations", [point.iterations for point in points]),
        "training-time.png": ("seconds of training", [point.seconds for point in points]),
    }
    for file, (label, x) in over.items():
        _draw_training(run.path(file), points, label, x)
    _draw_infosets(run.path("infosets.png"), found)
    for bot in ("CFRv1", "CFRv2"):
        _draw_pairs(run.path(f"table-{bot.lower()}.png"), bot, found.table.won[bot])
    label = "small blinds a hand, 95 % intervals"
    for file, title, won in (
        ("champion.png", "What the default blueprint bot won", found.champion.won),
        ("future-work.png", "Won from the published system", found.against_base),
    ):
        draw_estimates(run.path(file), won, title=title, x_label=label)


def _draw_infosets(path: Path, found: Found) -> None:
    known, cleaned = DATA.published, found.cleaned
    bars = {
        "published, before": known["infosets_before"].value,
        "published, after": known["infosets_after"].value,
        "ours: the whole game": cleaned.infosets / 1e6,
        "ours, visited": found.training.last.visited / 1e6,
        "ours, before: with an average": cleaned.before / 1e6,
        "ours, after": cleaned.after / 1e6,
    }
    title = "Information sets before and after cleaning"
    exact = {label: Estimate.exact(value) for label, value in bars.items()}
    draw_estimates(path, exact, title=title, x_label="millions")


def _draw_training(path: Path, points: Sequence[Point], label: str, x: Sequence[float]) -> None:
    """Draw value and bound side by side, against a logarithmic first axis."""
    figure, panels = new_panels(1, 2, (9.0, 3.6), shared=False)
    titles = ("Small blind, both play the average strategy", "Exploitability is at least")
    measured = [point.value for point in points], [point.bound for point in points]
    for axes, title, y, colour in zip(panels, titles, measured, COLOURS, strict=False):
        axes.plot(x, [each.mean for each in y], marker="o", markersize=3, color=colour)
        lows, highs = zip(*(each.interval for each in y), strict=True)
        axes.fill_between(x, lows, highs, color=colour, alpha=0.2, lw=0)
        axes.set_xscale("log")
        plain_ticks(axes.xaxis)
        axes.set_title(title, fontsize="medium")
        axes.set_xlabel(label)
        axes.set_ylabel("chips a hand")
    panels[1].set_yscale("log", nonpositive="clip")
    plain_ticks(panels[1].yaxis)
    save_figure(figure, path)


def _draw_pairs(path: Path, bot: str, won: Mapping[str, Estimate]) -> None:
    """Draw the author's bars above ours, on an axis that is linear near 0 and then logarithmic."""
    published = [DATA.table2[bot][name] for name in won]
    ours, margins = heights(won.values())
    figure, axes = new_figure(height=1.4 + 0.5 * len(won))
    places = [float(place) for place in range(len(won))][::-1]
    upper, lower = ([place + shift for place in places] for shift in (0.19, -0.19))
    axes.barh(upper, published, 0.34, color="#999999", label="published")
    axes.barh(lower, ours, 0.34, xerr=margins, color=COLOURS[0], capsize=3, label="ours")
    axes.axvline(0, color="black", lw=0.8)
    axes.set_xscale("symlog", linthresh=2)
    ticks = [size * sign for sign in (-1, 1) for size in (1, 2, 5, 10, 20, 50)]
    most = max(map(abs, (*published, *ours)))
    shown = sorted({0, *(tick for tick in ticks if abs(tick) <= 2 * most)})
    axes.set_xticks(shown, [f"{tick:+d}" if tick else "0" for tick in shown])
    axes.minorticks_off()
    axes.set_yticks(places, list(won))
    axes.legend(fontsize="small", loc="best")
    axes.set_title(f"What {bot} won", fontsize="medium")
    axes.set_xlabel("small blinds a hand (linear to 2, then logarithmic)")
    save_figure(figure, path)
