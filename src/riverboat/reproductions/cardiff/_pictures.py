"""Pictures like the author's: two plots side by side, and bars in pairs."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from riverboat.report import (
    COLOURS,
    Curve,
    draw_curves,
    draw_estimates,
    heights,
    new_figure,
    new_panels,
    save_figure,
)
from riverboat.reproductions._run import ReproductionRun
from riverboat.reproductions.cardiff._recipe import DATA
from riverboat.reproductions.cardiff._results import Found
from riverboat.statistics import Estimate

_OVER = {"iterations": "iterations", "time": "seconds of training"}


def draw(run: ReproductionRun, found: Found) -> None:
    """Draw the author's figures 17 to 20, the CFR bots' rows of table 2, and what is ours."""
    _draw_training(run, "iterations", found, [p.iterations for p in found.training.points])
    _draw_training(run, "time", found, [p.seconds for p in found.training.points])
    _draw_running(run, found)
    for bot in ("CFRv1", "CFRv2"):
        _draw_pairs(run.path(f"table-{bot.lower()}.png"), bot, found.table.won[bot])
    for name, measured in {
        "infosets": _infosets(found),
        "champion": found.champion.won,
        "future-work": found.against_base,
    }.items():
        draw_estimates(run.path(f"{name}.png"), measured, DATA.pictures[name])


def _draw_running(run: ReproductionRun, found: Found) -> None:
    trained, published = found.training, DATA.published["game_value"].value
    x = [each.iterations for each in trained.sampled]
    curves = [
        Curve.of("over both seats", x, trained.running("small_blind", "big_blind")),
        Curve.of("small blind alone", x, trained.running("small_blind")),
        Curve(f"published: {published}", [x[0], x[-1]], [published] * 2, dashed=True),
    ]
    draw_curves(run.path("running.png"), curves, DATA.pictures["running"])


def _infosets(found: Found) -> dict[str, Estimate]:
    known, cleaned = DATA.published, found.cleaned
    millions = {
        "published, before": known["infosets_before"].value,
        "published, after": known["infosets_after"].value,
        "ours: the whole game": cleaned.infosets / 1e6,
        "ours, visited": found.training.last.visited / 1e6,
        "ours, before: with an average": cleaned.before / 1e6,
        "ours, after": cleaned.after / 1e6,
    }
    return {label: Estimate.exact(value) for label, value in millions.items()}


def _draw_training(run: ReproductionRun, over: str, found: Found, x: Sequence[float]) -> None:
    """Draw value and bound side by side, against a logarithmic first axis."""
    figure, panels = new_panels(1, 2, (9.0, 3.6), shared=False)
    for axes, what, colour in zip(panels, ("value", "bound"), COLOURS, strict=False):
        y: list[Estimate] = [getattr(point, what) for point in found.training.points]
        axes.plot(x, [each.mean for each in y], marker="o", markersize=3, color=colour)
        lows, highs = zip(*(each.interval for each in y), strict=True)
        axes.fill_between(x, lows, highs, color=colour, alpha=0.2, lw=0)
        DATA.pictures[f"training-{what}"].filled(over=_OVER[over]).write(axes)
    save_figure(figure, run.path(f"training-{over}.png"))


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
