"""Figures that the report derives from the results, and its plots."""

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any, NamedTuple

import numpy as np

from riverboat.errors import ArenaError
from riverboat.report import (
    COLOURS,
    Curve,
    draw_curves,
    draw_estimates,
    heights,
    new_figure,
    new_panels,
    verdict,
)
from riverboat.report import save_figure as save
from riverboat.reproductions._run import Found, ReproductionRun
from riverboat.reproductions._work import mean_of
from riverboat.reproductions.husky._recipe import CFR, DATA, WIDE, SweepPlan
from riverboat.reproductions.husky._sweeps import best_point
from riverboat.statistics import Estimate, as_good_as_best, fit_power_law


def rounded(rate: Found) -> float:
    """Return the median of a rate, rounded to three digits."""
    return float(f"{rate.median:.3g}")


def as_good(points: Sequence[Found]) -> list[Found]:
    """Return the points that do not differ significantly from the best.

    Points share their deals, so the true interval of a difference is narrower.
    """
    return [points[place] for place in as_good_as_best([point.score for point in points])]


def num_best(points: Sequence[Found]) -> int:
    """Count the points that have exactly the best score."""
    best = best_point(points).score.mean
    return sum(point.score.mean == best for point in points)


def point_at(points: Sequence[Found], parameters: Mapping[str, float]) -> Found:
    """Return the point nearest to some parameters."""

    def distance(point: Found) -> float:
        return sum(float(point.parameters[name] - at) ** 2 for name, at in parameters.items())

    return min(points, key=distance)


def range_of(points: Sequence[Found], name: str) -> tuple[float, float]:
    """Return the range of a threshold in which points may be the best."""
    values = [point.parameters[name] for point in as_good(points)]
    return min(values), max(values)


class Law(NamedTuple):
    """Optimum = factor * opponents ^ exponent."""

    factor: float
    exponent: Estimate


def best_thresholds(opponents: Mapping[int, Found], how: str) -> list[float]:
    """Return the best thresholds to raise by number of opponents; by `games` or `chips`."""
    return [best_point(pair[how]).parameters["high"] for pair in opponents.values()]


def fit_law(optima: Mapping[int, float]) -> Law | None:
    """Fit the best thresholds by number of opponents; None where there is no law to fit.

    Examples
    --------
    >>> law = fit_law({1: 0.8, 16: 0.4, 81: 0.8 / 3})
    >>> round(law.factor, 6), round(law.exponent.mean, 6)
    (0.8, -0.25)
    """
    try:
        law = fit_power_law(list(optima), list(optima.values()))
    except ArenaError:
        return None
    margin = law.exponent_interval[1] - law.exponent
    return Law(law.factor, Estimate.with_margin(law.exponent, margin))


def laws(opponents: Mapping[int, Found]) -> dict[str, Law | None]:
    """Return the laws of the best threshold by number of opponents, by games and by chips."""
    return {
        how: fit_law(dict(zip(opponents, best_thresholds(opponents, how), strict=True)))
        for how in ("games", "chips")
    }


def wins(curve: Found) -> bool:
    """Whether the last third of a learning curve wins significantly."""
    return verdict(curve.final.won) > 0


def learnt_at(curve: Found) -> int | None:
    """Return the end of the first block from which all blocks earn the required share.

    None if the last third does not win significantly, or the last block earns less.
    """
    level = DATA.killer.learnt * curve.final.won.mean
    below = [block.last for block in curve.blocks if block.won.mean < level]
    later = [int(each.last) for each in curve.blocks if each.last > max(below, default=0)]
    return later[0] if wins(curve) and later else None


def surely_below(curve: Found) -> int:
    """Return the end of the last block significantly below that share; 0 if none.

    Both margins are treated as independent. They share their random seeds, so the true interval is
    narrower.
    """
    level = curve.final.won.scaled(DATA.killer.learnt)
    sure = [block.last for block in curve.blocks if verdict(block.won.minus(level)) < 0]
    return max(sure, default=0)


def learnt_within(curve: Found, most: float) -> int:
    """Return 1 if Killer learnt within a number of hands, -1 if later, 0 if inconclusive."""
    below = surely_below(curve)
    if below > most:
        return -1
    return int(below > 0 and (learnt_at(curve) or most + 1) <= most)


def slowest_cards(rates: Mapping[int, Found]) -> int:
    """Return the number of cards that is evaluated most slowly."""
    return min(rates, key=lambda cards: float(rates[cards].median))


def law_text(law: Law | None) -> str:
    """Return the fitted law by games in one sentence."""
    if law is None:
        return "No law can be fitted"
    return f"By games won the exponent is {law.exponent.text()}, over the best points of our grids"


def learnt_text(killer: Mapping[str, Found], most: float) -> str:
    """Return the learning time against each opponent in one sentence."""
    words = {1: "in line", -1: "later", 0: "inconclusive"}
    said = {name: words[learnt_within(each, most)] for name, each in killer.items()}
    return "; ".join(f"against {name}: {word}" for name, word in said.items())


def gain_of_history(found: Found) -> dict[str, Estimate]:
    """Return Killer's gain in the last third from learning by betting line."""
    return {name: each.gain for name, each in found.history.items()}


def over_sizes(found: Found, bot: str, sizes: Sequence[str]) -> Estimate:
    """Return a bot's winnings, mean over some raise sizes of its opponent."""
    return mean_of([found.translation[size].won[bot] for size in sizes])


def best_first(found: Found, rules: Sequence[str], sizes: Sequence[str]) -> list[str]:
    """Return the translation rules by the CFR bot's winnings, best first."""
    return sorted(rules, key=lambda rule: -over_sizes(found, rule, sizes).mean)


def largest_table(seats: Found) -> Found:
    """Return the table with most seats."""
    table: Found = max(seats.tables, key=lambda table: int(table.seats))
    return table


def only_largest(seats: Found) -> list[str]:
    """Return the bots that play only at the largest of several tables."""
    largest = largest_table(seats)
    others = {name for table in seats.tables if table != largest for name in table.won}
    return [name for name in largest.won if others and name not in others]


_GAMES, _CHIPS = "share of games won", "chips per hand"


def draw(run: ReproductionRun, found: Found) -> None:
    """Draw all plots of the report."""
    _draw_speeds(run, found.speed)
    for plan in DATA.sweeps:
        _draw_sweep(run, plan, found.sweeps[plan.key])
    _draw_several(run, found)
    _draw_translation(run, found)
    _draw_killer(run, found.killer)
    whole = {name: each.curve for name, each in found.chain.items()}
    _draw_totals(run, "chain", whole)
    _draw_raises(run, found.raises)
    _draw_bots(run, found.bots)
    largest = largest_table(found.seats)
    won = dict(sorted(largest.won.items(), key=lambda each: -each[1].mean))
    words = DATA.pictures["seats"].filled(seats=largest.seats)
    draw_estimates(run.path("seats.png"), won, words)


def _label(axes: Any, x: str, y: str, **legend: Any) -> None:
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.legend(fontsize="small", **legend)


def _draw_speeds(run: ReproductionRun, speeds: Found) -> None:
    """Draw evaluations by number of cards, and hands by seats."""
    known = {name: figure.value for name, figure in DATA.published.items()}
    published = dict.fromkeys(speeds.batch, known["evaluations_per_second"])
    many, one = (
        {n: rate.median for n, rate in of.items()} for of in (speeds.batch, speeds.one_by_one)
    )
    lines = {"many in one call": many, "one call each, from Python": one, "published": published}
    words = DATA.pictures["evaluations"]
    draw_curves(run.path("evaluations.png"), _curves(lines), words, legend=(0.62, 0.15))
    lines = {
        "random play inside the core": {n: row.random.median for n, row in speeds.tables.items()},
        "rules driven from Python": {n: row.rules.median for n, row in speeds.tables.items()},
        "call bots in a match": {n: row.bots.median for n, row in speeds.tables.items()},
        "published: call bots": {
            2: known["heads_up_hands_per_second"],
            6: known["six_seat_hands_per_second"],
        },
    }
    draw_curves(run.path("seats-speed.png"), _curves(lines), DATA.pictures["seats-speed"])


def _curves(lines: Mapping[str, Mapping[int, float]]) -> list[Curve]:
    """Return lines by label; published figures are dashed."""
    return [
        Curve(label, list(line), list(line.values()), dashed=label.startswith("published"))
        for label, line in lines.items()
    ]


def _draw_sweep(run: ReproductionRun, plan: SweepPlan, swept: Found) -> None:
    """Draw a sweep by games and by chips: curves, or maps of two thresholds."""
    one = len(plan.optimum) == 1
    figure, panels = new_panels(1, 2, (10.0, 4.2 if one else 4.6), shared=False)
    ways = ((swept.games, _GAMES, 0.5), (swept.chips, _CHIPS, 0.0))
    for axes, (points, label, even) in zip(panels, ways, strict=True):
        if one:
            axes.axhline(even, color="0.4", lw=0.8)
            _draw_curve(axes, points, plan.optimum, label)
        else:
            figure.colorbar(_draw_map(axes, points, plan.optimum), ax=axes, label=label)
    figure.suptitle(plan.title, fontsize="medium")
    save(figure, run.path(f"sweep-{plan.key}.png"))


def _words(name: str) -> str:
    return f"{DATA.thresholds[name]} this win rate"


def _draw_curve(
    axes: Any, swept: Sequence[Found], optimum: Mapping[str, float], label: str
) -> None:
    """Draw the score over one threshold with 95 % intervals."""
    ((name, theirs),) = optimum.items()
    places, ours = [point.parameters[name] for point in swept], best_point(swept).parameters[name]
    scores = heights(point.score for point in swept)
    axes.errorbar(places, *scores, fmt="o-", color=COLOURS[0], ms=3, lw=1, capsize=2)
    axes.axvline(theirs, color=COLOURS[5], ls="--", label=f"authors' best {theirs:g}")
    axes.axvline(ours, color=COLOURS[2], ls=":", lw=2, label=f"our best {ours:g}")
    _label(axes, _words(name), label)


def _draw_map(axes: Any, swept: Sequence[Found], optimum: Mapping[str, float]) -> Any:
    """Draw the score over two thresholds."""
    low, high = optimum
    rows, columns = (sorted({point.parameters[name] for point in swept}) for name in optimum)
    values = np.full((len(rows), len(columns)), np.nan)
    for point in swept:
        place = rows.index(point.parameters[low]), columns.index(point.parameters[high])
        values[place] = point.score.mean
    axes.grid(visible=False)
    mesh = axes.pcolormesh(columns, rows, values, shading="nearest", cmap="viridis")
    cross = {"color": COLOURS[5], "ms": 9, "mew": 2.5, "label": "authors' best"}
    axes.plot(optimum[high], optimum[low], "x", **cross)
    circle = {"color": "black", "mfc": "none", "ms": 10, "mew": 2, "label": "our best"}
    axes.plot(best_point(swept).parameters[high], best_point(swept).parameters[low], "o", **circle)
    _label(axes, _words(high), _words(low), loc="upper left")
    return mesh


def _draw_several(run: ReproductionRun, found: Found) -> None:
    """Draw the sweeps against several opponents, and the best thresholds over their number."""
    figure, (left, right) = new_panels(1, 2, (10.0, 4.2), shared=False)
    for index, (count, pair) in enumerate(found.opponents.items()):
        places = [point.parameters["high"] for point in pair.games]
        means = [point.score.mean for point in pair.games]
        colour = COLOURS[index % len(COLOURS)]
        left.plot(places, means, "o-", ms=3, lw=1, color=colour, label=f"{count}")
    _label(left, _words("high"), _GAMES, title="opponents", ncols=2)
    fine = np.linspace(min(found.opponents), max(found.opponents), 50)
    law = "published {opponents_factor.value:g} N^{opponents_exponent.value:g}"
    label = law.format(**DATA.published)
    right.plot(fine, [DATA.rule(n) for n in fine], "--", color=COLOURS[0], label=label)
    fitted = laws(found.opponents).items()
    for (how, ours), mark, colour in zip(fitted, "os", COLOURS[1:3], strict=True):
        optima = best_thresholds(found.opponents, how)
        right.plot(list(found.opponents), optima, mark, color=colour, label=f"ours by {how}")
        if ours is not None:
            right.plot(fine, ours.factor * fine**ours.exponent.mean, "-", color=colour)
    right.set_ylim(0, 1)
    _label(right, "opponents", "best threshold")
    save(figure, run.path("opponents.png"))


def _draw_translation(run: ReproductionRun, found: Found) -> None:
    """Draw each bot's winnings by its opponent's raise size."""
    figure, axes = new_figure(8.5, 4.4)
    sizes, names = DATA.translation.sizes, (*DATA.translation.rules, WIDE)
    width = 0.8 / len(names)
    for index, name in enumerate(names):
        means, margins = heights(found.translation[size.name].won[name] for size in sizes)
        places = np.arange(len(sizes)) + (index - (len(names) - 1) / 2) * width
        style = {"color": COLOURS[index], "label": name if name == WIDE else f"{CFR}, {name}"}
        axes.bar(places, means, width, yerr=margins, capsize=2, **style)
    axes.axhline(0, color="black", lw=0.8)
    axes.set_xticks(range(len(sizes)), [fill(size.label, 15) for size in sizes], fontsize="small")
    _label(axes, "raises of the opponent", "chips per hand (blinds 5 and 10)")
    save(figure, run.path("translation.png"))


def _draw_killer(run: ReproductionRun, learnt: Mapping[str, Found]) -> None:
    """Draw winnings over hands with bands over random seeds, and chips per hand by block."""
    rates = []
    for name, each in learnt.items():
        middles = [(block.first + block.last) / 2 for block in each.blocks]
        rates.append(Curve.of(f"against {name}", middles, [block.won for block in each.blocks]))
    _draw_totals(run, "killer", learnt)
    draw_curves(run.path("killer-rate.png"), rates, DATA.pictures["killer-rate"])


def _draw_totals(run: ReproductionRun, name: str, learnt: Mapping[str, Found]) -> None:
    """Draw total winnings against each opponent."""
    curves = [
        Curve(f"against {rival}", each.hands, each.total, each.total_low, each.total_high)
        for rival, each in learnt.items()
    ]
    any_ = next(iter(learnt.values()))
    words = DATA.pictures[name].filled(hands=f"{any_.hands[-1]:,}", seeds=any_.seeds)
    draw_curves(run.path(f"{name}.png"), curves, words)


def _draw_raises(run: ReproductionRun, raises: Mapping[str, Found]) -> None:
    """Draw chips per hand by threshold, one line per raise size."""
    curves = [
        Curve.of(
            size,
            [point.parameters["high"] for point in pair.chips],
            [point.score for point in pair.chips],
        )
        for size, pair in raises.items()
    ]
    draw_curves(run.path("raises.png"), curves, DATA.pictures["raises"])


def _draw_bots(run: ReproductionRun, bots: Mapping[str, Found]) -> None:
    """Draw each bot's winnings against each other bot, chips per hand."""
    count, nobody = len(bots), Estimate.exact(np.nan)
    figure, axes = new_figure(2.6 + 0.72 * count, 1.6 + 0.5 * count)
    axes.grid(visible=False)
    cells = [[line.against.get(name, nobody) for name in bots] for line in bots.values()]
    values = np.array([[cell.mean for cell in row] for row in cells])
    # Colours use the square root, so that a few huge results do not hide the others.
    shades = np.sign(values) * np.sqrt(np.abs(values))
    most = float(np.nanmax(np.abs(shades))) or 1.0
    axes.imshow(shades, cmap="PuOr_r", vmin=-most, vmax=most, aspect="auto")
    for row, column in np.argwhere(np.isfinite(values)):
        text = f"{values[row, column]:+.1f}" + ("" if verdict(cells[row][column]) else "?")
        colour = "white" if abs(shades[row, column]) > 0.6 * most else "black"
        axes.text(column, row, text, ha="center", va="center", fontsize=8, color=colour)
    axes.set_xticks(range(count), list(bots), rotation=35, ha="right")
    axes.set_yticks(range(count), list(bots))
    save(figure, run.path("bots.png"))
