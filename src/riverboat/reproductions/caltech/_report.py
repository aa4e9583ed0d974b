"""Figures that the report derives from the results, and its plots."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from riverboat.bots import Style
from riverboat.report import (
    Axes,
    Curve,
    draw_estimates,
    new_panels,
    percent,
    plot_curves,
    save_figure,
    verdict,
)
from riverboat.reproductions._run import Found, ReproductionRun
from riverboat.reproductions._work import mean_of
from riverboat.reproductions.caltech._training import BOT, DATA, MEMBERS
from riverboat.runs import Timing, speed_up
from riverboat.statistics import Estimate


def strategies(found: Found) -> Found:
    """Return all strategies of the author's own game; the bot first, then its members."""
    fits = {fit.name: found[fit.name] for fit in DATA.fit}
    return Found({BOT: found[BOT], **fits, **found["one-thread"]})


def timing(speed: Found) -> Timing:
    """Return the times of a measured speed; its work is iterations."""
    return Timing(speed.threads, speed.iterations, speed.seconds, speed.cpu_seconds)


def threads_gain(speed: Found) -> float | None:
    """Return the speed-up of all threads over one; None if it cannot be right."""
    first, *_, last = speed.by_threads
    return speed_up(timing(first), timing(last))


def gain_text(one: Found, many: Found) -> str:
    """Return the speed-up over one thread, or why there is none."""
    gain = speed_up(timing(one), timing(many))
    return "not measurable" if gain is None else f"{gain:.2f}x"


def fork_gain_text(forks: Found, many: Found) -> str:
    """Return the speed-up of threads by subtree over locks on one thread, on this machine."""
    if not many.threads:
        return "-"
    alone, most = forks.forked[0], forks.ours[-1].threads
    one = Timing(1, forks.iterations, alone.seconds, alone.cpu_seconds)
    gain = speed_up(one, Timing(most, forks.iterations, many.seconds, many.cpu_seconds))
    return "not measurable" if gain is None else f"{gain:.2f}x"


def load_text(one: Found) -> str:
    """Say how long one thread waited for a core, if other programs slowed it."""
    measured = timing(one)
    if not measured.loaded:
        return ""
    return (
        f"Other programs used the machine: one thread waited for a core in "
        f"{percent(measured.waited)} of the time, so compare CPU times."
    )


def strengths_of(found: Found) -> list[float]:
    """Return all strengths of variants, 2 among them."""
    return sorted([*found.strengths.strengths, Style("tight").factor])


def by_strength(found: Found) -> dict[str, list[Estimate]]:
    """Return the bot's winnings against each variant by its strength, mbb/hand."""
    usual = Style("tight").factor
    rows = {}
    for style, row in found.strengths.won.items():
        pairs = [*zip(found.strengths.strengths, row, strict=True)]
        pairs.append((usual, against_variants(found, BOT)[style]))
        rows[style] = [won for _, won in sorted(pairs, key=lambda pair: pair[0])]
    return rows


def reached(strategy: Found) -> float | None:
    """Share of the infosets that training reached; None for the combined bot."""
    return None if strategy.trained is None else strategy.trained / strategy.infosets


def against_variants(found: Found, bot: str) -> dict[str, Estimate]:
    """Return a bot's winnings against each variant of itself, mbb/hand."""
    return {style: match.won for style, match in found.variants.matches[bot].items()}


def against(found: Found, bot: str) -> dict[str, Estimate]:
    """Return a strategy's winnings in the duels where it is named first, mbb/hand."""
    return {name: match.won for name, match in found.duels.matches.get(bot, {}).items()}


def members_against(found: Found, style: str) -> dict[str, Estimate]:
    """Return each member's winnings against a variant of itself, mbb/hand, by its label."""
    return {DATA.labels[name]: against_variants(found, name)[style] for name in MEMBERS}


def mean_of_members(found: Found, style: str) -> Estimate:
    """Return the mean over members; the author's figure 1 is the mean of figure 7."""
    return mean_of(list(members_against(found, style).values()))


def mean_by_style(found: Found) -> dict[str, Estimate]:
    """Return the mean of the members' winnings against each variant, as in figure 1."""
    return {style: mean_of_members(found, style) for style in DATA.styles}


def members_text(found: Found) -> str:
    """Count the matches of members against variants of themselves."""
    rows = [members_against(found, style).values() for style in DATA.styles]
    return _counted([won for row in rows for won in row])


def counts_text(found: Found, bot: str) -> str:
    """Count the duels of a strategy."""
    return _counted(list(against(found, bot).values()))


def _counted(results: Sequence[Estimate]) -> str:
    signs = [verdict(won) for won in results]
    return f"{signs.count(1)} won, {signs.count(-1)} lost, {signs.count(0)} inconclusive"


def named_strengths(found: Found, style: str) -> dict[str, Estimate]:
    """Return the bot's winnings against a variant, by its strength as text."""
    names = [f"{strength:g}" for strength in strengths_of(found)]
    return dict(zip(names, by_strength(found)[style], strict=True))


def fork_range(found: Found) -> str:
    """Return the least and the greatest possible speed-up of the rules for threads by subtree."""
    gains = [most_faster(rule) for rule in found.threads.forked[1:]]
    return f"{min(gains):.1f} to {max(gains):.1f}"


def more_exploitable(found: Found, name: str) -> dict[str, Estimate]:
    """Return by how much a strategy is more exploitable than each member.

    Both were scored on the same deals, so the true margin is smaller than the one given.
    """
    bound: Estimate = strategies(found)[name].bound
    return {member: bound.minus(found[member].bound) for member in MEMBERS}


def by_bound(found: Found) -> list[Estimate]:
    """Return the members' bounds in ascending order."""
    return sorted((found[name].bound for name in MEMBERS), key=lambda bound: bound.mean)


def worst_variant(found: Found) -> str:
    """Return the variant that does best against the bot."""
    won = against_variants(found, BOT)
    return min(won, key=lambda style: won[style].mean)


def member_bytes(found: Found) -> int:
    """Return the size of the largest member's file."""
    return max(int(found[name].file_bytes) for name in MEMBERS)


def num_matches(found: Found) -> int:
    """Count the matches between bots and their variants, and between strategies."""
    return sum(len(row) for step in (found.variants, found.duels) for row in step.matches.values())


def most_faster(forked: Found) -> float:
    """Return the largest speed-up by subtree threads on any number of cores.

    It is the inverse of the critical path; threads and locks cost nothing here.
    """
    return float(forked.nodes / forked.span)


def forked_on(forked: Found, cores: int) -> float:
    """Return the largest speed-up by subtree threads on a number of cores (Brent 1974)."""
    return _faster(1 / most_faster(forked), cores)


def serial_share(threads: Found) -> float | None:
    """Share of our computation that more threads did not shorten; None if that is unknown."""
    first, *_, last = threads.ours
    count, gained = last.threads, speed_up(timing(first), timing(last))
    return None if gained is None else float(min(1.0, max(0.0, (count / gained - 1) / (count - 1))))


def deals_on(threads: Found, cores: int) -> str:
    """Forecast the speed-up by a deal per thread from the serial share (Amdahl 1967)."""
    serial = serial_share(threads)
    return "-" if serial is None else f"{_faster(serial, cores):.1f}x"


def _faster(serial: float, cores: int) -> float:
    """Return the speed-up on a number of cores if a share of the work is serial."""
    return 1 / (serial + (1 - serial) / cores)


_COLUMNS = 2


def draw(run: ReproductionRun, found: Found) -> None:
    """Draw the author's figures 1 and 7, and exploitability."""
    labels, members = DATA.labels, MEMBERS
    bot = {"the bot": [BOT], "mean of the four members": members}
    _draw_panels(run.path("figure-1.png"), found, bot)
    _draw_panels(run.path("figure-7.png"), found, {labels[name]: [name] for name in members})
    bounds = {labels[name]: strategy.bound for name, strategy in strategies(found).items()}
    words = DATA.pictures["exploitability"]
    draw_estimates(run.path("exploitability.png"), bounds, words, points=True)
    strengths = strengths_of(found)
    curves = [Curve.of(style, strengths, row) for style, row in by_strength(found).items()]
    _draw_strengths(run.path("strengths.png"), curves)


def _draw_strengths(path: Path, curves: Sequence[Curve]) -> None:
    """Draw winnings by strength: a panel per variant, because their intervals overlap."""
    words = DATA.pictures["strengths"]
    rows = -(-len(curves) // _COLUMNS)
    figure, grid = new_panels(rows, _COLUMNS, (9.0, 2.6 * rows))
    for index, (axes, curve) in enumerate(zip(grid, curves, strict=False)):
        plot_curves(axes, [curve])
        axes.axhline(0, color="black", lw=0.8)
        Axes(curve.label, words.x, "" if index % _COLUMNS else words.y, x_log=True).write(axes)
        axes.set_xticks(curve.x, [f"{strength:g}" for strength in curve.x])
        axes.yaxis.set_major_formatter("{x:,.0f}")
    save_figure(figure, path)


def _draw_panels(path: Path, found: Found, panels: Mapping[str, Sequence[str]]) -> None:
    """Draw big blinds won over hands: one panel per group of bots, one line per variant."""
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
    """Return the mean winnings of bots against a variant, with the mean of their bands."""
    matches = [found.variants.matches[bot][style] for bot in bots]

    def mean(what: str) -> list[float]:
        values = zip(*(match[what] for match in matches), strict=True)
        return [0.0, *(sum(each) / len(each) for each in values)]

    return Curve(style, [0, *matches[0].hands], mean("blinds"), mean("low"), mean("high"))
