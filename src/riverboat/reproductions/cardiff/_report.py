"""Figures that the report derives from the results, and its plots."""

from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from pathlib import Path
from typing import NamedTuple

from riverboat.report import (
    COLOURS,
    Curve,
    draw_curves,
    draw_estimates,
    heights,
    new_figure,
    new_panels,
    save_figure,
    verdict,
)
from riverboat.reproductions._run import Found, ReproductionRun
from riverboat.reproductions.cardiff._pictures import draw_abstraction, draw_sampling
from riverboat.reproductions.cardiff._recipe import DATA, pair_name
from riverboat.statistics import Estimate


def running(training: Found, *seats: str) -> list[Estimate]:
    """Return the running mean over the training and over seats, computed as in figure 8."""
    found, total, mean, variance = list[Estimate](), 0, 0.0, 0.0
    for each in training.sampled:
        weight, total = each.iterations - total, each.iterations
        for seat in seats:
            value: Estimate = each[seat]
            mean += weight * value.mean / len(seats)
            variance += (weight * (value.error or 0.0) / len(seats)) ** 2
        found.append(Estimate(mean / total, variance**0.5 / total, 0, "normal"))
    return found


def authors_error(training: Found) -> float:
    """Return the mean's standard error in the author's program: one deal per traversal."""
    end: Estimate = training.sampled[-1].small_blind
    iterations = training.points[-1].iterations
    return (end.error or 0.0) * float((end.units / (2 * iterations)) ** 0.5)


def later_speed(training: Found) -> float | None:
    """Return iterations per second after the first point, which includes memory allocation."""
    first, last = training.points[0], training.points[-1]
    seconds = last.seconds - first.seconds
    return (last.iterations - first.iterations) / seconds if seconds > 0 else None


def csv_differences(csv: Found) -> dict[str, Estimate]:
    """Return the differences between both files: against each opponent, and head to head."""
    found = {opponent: match.difference for opponent, match in csv.matches.items()}
    return {**found, "head to head": csv.against_itself}


def furthest(differences: Mapping[str, Estimate]) -> float:
    """Return the largest distance from 0 that an interval reaches."""
    return max(abs(each.mean) + each.margin for each in differences.values())


def slower_by_street(streets: Found, scheme: str) -> dict[int, float]:
    """Return a scheme's slowdown by each further street, by the number of streets."""
    pairs = pairwise(streets.rows)
    return {after.streets: before[scheme] / after[scheme] for before, after in pairs}


def street_factor(streets: Found, scheme: str) -> float:
    """Return a scheme's slowdown per street, geometric mean; 1 for a single row."""
    first, last = streets.rows[0], streets.rows[-1]
    count = max(1, last.streets - first.streets)
    return float((first[scheme] / last[scheme]) ** (1 / count))


class Reversed(NamedTuple):
    """A pair with another winner than in the author's table; small blinds per hand."""

    published: float
    tried: dict[str, Estimate]
    """Winnings of the first bot by changed condition."""

    @property
    def like_published(self) -> list[str]:
        """Conditions under which the published winner wins significantly."""
        return [name for name, won in self.tried.items() if verdict(won) * self.published > 0]


def explained(found: Found) -> dict[str, Reversed]:
    """Return published result and ours by condition, for the pairs with another winner."""
    words, pairs = DATA.changed, {}
    for one, other in DATA.reversed:
        pair = pair_name(one, other)
        small, big = found.table.seats[pair]
        tried = {words.nothing: found.table.won[one][other], words.small: small, words.big: big}
        tried |= found.reversed.won[pair]
        inside = found.engine.get("won", {}).get(other, {}).get(one)  # its table is an upper half
        if inside is not None:
            tried[words.engine] = inside.scaled(-1)
        pairs[pair] = Reversed(DATA.table2[one][other], tried)
    return pairs


def against_base(found: Found) -> dict[str, Estimate]:
    """Return the winnings of each idea against the published system, by title."""
    titles = {name: variant.title for name, variant in DATA.variants.items()}
    won = {titles[name]: idea.won.get("base") for name, idea in found.ideas.items()}
    return {title: each for title, each in won.items() if each is not None}


class Agreement(NamedTuple):
    """Agreement of pairs with table 2."""

    pairs: int
    clear: int
    """Our interval lies on one side of zero."""
    same: int
    """Clear pairs with the published winner."""
    inside: int
    """The published figure lies within our interval."""


def agreement(
    won: Mapping[str, Mapping[str, Estimate]], *, comparable: bool = True, engine: bool = False
) -> Agreement:
    """Compare the pairs of two comparable bots, or all other pairs, with table 2.

    Inside the engine its own Random plays, which is comparable.

    Examples
    --------
    >>> won = {"Fish": {"Random": Estimate.with_margin(60.0, 9.0)}}
    >>> agreement(won, comparable=False)
    Agreement(pairs=1, clear=1, same=1, inside=1)
    """
    table2, strangers = DATA.table2, DATA.strangers(engine=engine)
    pairs = [
        (won[row][column], table2[row][column])
        for row, column in combinations(DATA.bots, 2)
        if column in won.get(row, {}) and comparable == {row, column}.isdisjoint(strangers)
    ]
    return Agreement(
        len(pairs),
        sum(1 for ours, _ in pairs if verdict(ours)),
        sum(1 for ours, theirs in pairs if verdict(ours) * theirs > 0),
        sum(1 for ours, theirs in pairs if ours.known and ours.minus(theirs).sign == 0),
    )


_OVER = {"iterations": "iterations", "time": "seconds of training"}


def engine_summary(found: Found) -> str:
    """Return the result of the table inside PyPokerEngine in one sentence."""
    if found.engine.missing:
        return "Not in this run: PyPokerEngine is missing"
    count = agreement(found.engine.won, engine=True)
    return (
        f"Inside the engine, {found.engine.hands:,} hands per pair: the published figure lies in "
        f"our interval for {count.inside} of {count.pairs} pairs, and the winner is the published "
        f"one in {count.same} of {count.clear} significant results"
    )


def street_summary(found: Found) -> str:
    """Return the slowdown by street in one sentence."""
    steps = slower_by_street(found.streets, "chance")
    each = "; ".join(
        f"{slower:.3g} times with {streets} streets" for streets, slower in steps.items()
    )
    return f"Chance sampling: {each}" if each else "This run has a single number of streets"


def power_of_ten(value: float) -> str:
    """Write a large number.

    Examples
    --------
    >>> power_of_ten(4.998e55), power_of_ten(12_300)
    ('5.0 x 10^55', '12,300')
    """
    mantissa, _, power = f"{value:.1e}".partition("e+")
    return f"{mantissa} x 10^{int(power)}" if value >= _LARGE else f"{value:,.0f}"


_LARGE = 1e15


def draw(run: ReproductionRun, found: Found) -> None:
    """Draw the author's figures 2 to 5 and 17 to 20, the CFR bots' rows, and our own plots."""
    draw_sampling(run.path("sampling.png"))
    draw_abstraction(run.path("abstraction.png"))
    _draw_training(run, "iterations", found, [p.iterations for p in found.training.points])
    _draw_training(run, "time", found, [p.seconds for p in found.training.points])
    _draw_running(run, found)
    for bot in ("CFRv1", "CFRv2"):
        _draw_pairs(run.path(f"table-{bot.lower()}.png"), bot, found.table.won[bot])
    for name, measured in {
        "infosets": _infosets(found),
        "champion": found.champion.won,
        "future-work": against_base(found),
    }.items():
        draw_estimates(run.path(f"{name}.png"), measured, DATA.pictures[name])


def _draw_running(run: ReproductionRun, found: Found) -> None:
    trained, published = found.training, DATA.published["game_value"].value
    x = [each.iterations for each in trained.sampled]
    curves = [
        Curve.of("over both seats", x, running(trained, "small_blind", "big_blind")),
        Curve.of("small blind alone", x, running(trained, "small_blind")),
        Curve(f"published: {published}", [x[0], x[-1]], [published] * 2, dashed=True),
    ]
    draw_curves(run.path("running.png"), curves, DATA.pictures["running"])


def _infosets(found: Found) -> dict[str, Estimate]:
    known, cleaned = DATA.published, found.cleaning
    millions = {
        "published, before": known["infosets_before"].value,
        "published, after": known["infosets_after"].value,
        "ours: the whole game": cleaned.infosets / 1e6,
        "ours, visited": found.training.points[-1].visited / 1e6,
        "ours, before: with an average": cleaned.before / 1e6,
        "ours, after": cleaned.after / 1e6,
    }
    return {label: Estimate.exact(value) for label, value in millions.items()}


def _draw_training(run: ReproductionRun, over: str, found: Found, x: Sequence[float]) -> None:
    """Draw value and bound side by side over a logarithmic x axis."""
    figure, panels = new_panels(1, 2, (9.0, 3.6), shared=False)
    for axes, what, colour in zip(panels, ("value", "bound"), COLOURS, strict=False):
        y: list[Estimate] = [point[what] for point in found.training.points]
        axes.plot(x, [each.mean for each in y], marker="o", markersize=3, color=colour)
        lows, highs = zip(*(each.interval for each in y), strict=True)
        axes.fill_between(x, lows, highs, color=colour, alpha=0.2, lw=0)
        DATA.pictures[f"training-{what}"].filled(over=_OVER[over]).write(axes)
    save_figure(figure, run.path(f"training-{over}.png"))


def _draw_pairs(path: Path, bot: str, won: Mapping[str, Estimate]) -> None:
    """Draw the author's bars and ours on an axis that is linear near 0, then logarithmic."""
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
    axes.set_title(f"Winnings of {bot}", fontsize="medium")
    axes.set_xlabel("small blinds per hand (linear to 2, then logarithmic)")
    save_figure(figure, path)
