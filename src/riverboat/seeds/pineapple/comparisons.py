"""The report on schemes at equal time, and on the settings."""

from riverboat.report import (
    Curve,
    Picture,
    Section,
    Table,
    Text,
    draw_bars,
    draw_curves,
    duration,
    listed,
    number,
    short,
)
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.pineapple.data import amounts
from riverboat.seeds.pineapple.exact import Exact
from riverboat.seeds.pineapple.samplings import Scheme, Schemes
from riverboat.seeds.pineapple.settings import Settings
from riverboat.seeds.pineapple.words import apart, mbb, percent, spans, verdict

__all__ = [
    "duels",
    "exact_section",
    "judge_bounds",
    "samplings_section",
    "scheme_line",
    "settings_section",
]


def samplings_section(run: Reproduction, found: Schemes) -> Section:
    """Schemes at equal time on the whole game."""
    rows = found.rows
    draw_bars(
        run.path("samplings.png"),
        [row.name for row in rows],
        [row.against_backup.mean for row in rows],
        [max(0.0, row.against_backup.margin) for row in rows],
        title=f"Against the backup bot after {duration(found.seconds)} of training",
        x_label="mbb/h, with 95 % interval",
    )
    columns = (
        "scheme", "samples", "processor time", "decisions entered /s", "reached",
        "exploitable by at least, chips a hand", "against backup, mbb/h",
    )  # fmt: skip
    table = tuple(scheme_line(row) for row in rows)
    names = tuple(str(index + 1) for index in range(len(rows)))
    cross = tuple(
        (f"{index + 1} {row.name}", *(mbb(cell) if cell else "-" for cell in line))
        for index, (row, line) in enumerate(zip(rows, found.table, strict=True))
    )
    return Section(
        "Average-strategy, external and vanilla at equal time",
        (
            Text(
                f"Each scheme trained the whole game once, for {duration(found.seconds)} of "
                "processor time on one thread. "
                "Vanilla is full-width CFR on the same abstraction, with a table of "
                f"{found.tabulated_deals:,} deals, drawn once, in the place of all deals: every "
                "sample visits every decision for every deal of the table, and one that has begun "
                "is ended. Chance-sampled CFR is vanilla with one fresh deal a sample."
            ),
            Table("Schemes at equal time", columns, table),
            Picture("samplings.png", "What the strategies win from the backup bot."),
            Table("Row against column, mbb/h", ("", *names), cross),
            Text(duels(found)),
            Text(judge_bounds(run, found)),
        ),
    )


def scheme_line(row: Scheme) -> tuple[str, ...]:
    """Write a scheme as a row of the table."""
    return (
        row.name,
        f"{row.iterations:,}",
        duration(row.seconds),
        short(row.nodes / max(row.seconds, 1e-9)),
        percent(row.visited / row.infosets),
        row.bound.text(1).lstrip("+"),
        mbb(row.against_backup),
    )


def duels(found: Schemes) -> str:
    """Say who beats the authors' scheme in direct matches."""
    names = [row.name for row in found.rows]
    signs = [cell.sign if cell else 0 for cell in found.table[0]]
    lines = []
    for sign, word in ((1, "beats"), (-1, "loses to"), (0, "is not told apart from")):
        others = [name for name, each in zip(names[1:], signs[1:], strict=True) if each == sign]
        if others:
            lines.append(f"{word} {listed(others)}")
    return (
        f"In direct matches of these trainings, one of each scheme, that of {names[0]} "
        f"{'; '.join(lines)}. Another seed may give another order: that was not tried."
    )


def judge_bounds(run: Reproduction, found: Schemes) -> str:
    """Say which bounds on exploitability are apart, and how little they are."""
    own, lines = amounts(run), []
    bounds = {row.name: spans(row.bound) for row in found.rows if row.bound.margin >= 0}
    for name, span in bounds.items():
        higher = [other for other, each in bounds.items() if apart(each, span) > 0]
        if higher:
            lines.append(f"from {name} less than from {listed(higher)}")
    text = (
        "How exploitable a strategy is at least is what responses win that were trained against "
        f"it for {duration(own.bound_seconds)} of the clock a seat and scored on "
        f"{own.bound_deals:,} fresh deals. These are weak bounds: a longer training of the "
        "responses finds more, and may find more of it in one strategy than in another."
    )
    nothing = [row.name for row in found.rows if not row.bound.sign]
    if nothing:
        text += f" In {listed(nothing)} they found nothing sure: the interval holds 0."
    if not lines:
        return f"{text} No two of their intervals are apart: no order follows from them."
    return f"{text} Where intervals are apart, these responses win {'; '.join(lines)}."


def exact_section(run: Reproduction, found: Exact) -> Section:
    """Exact exploitability over time on the smaller tree."""
    draw_curves(
        run.path("exact.png"),
        [Curve(row.name, list(row.seconds), list(row.exploitability)) for row in found.rows],
        title="Exploitability over time, smaller tree, exact",
        x_label="seconds of processor time, one thread",
        y_label="exploitability, chips a hand",
        y_log=True,
    )
    rows = tuple(
        (
            row.name,
            f"{row.iterations[-1]:,}",
            duration(row.seconds[-1]),
            number(row.exploitability[-1]),
        )
        for row in found.rows
    )
    order = sorted(found.rows, key=lambda row: row.exploitability[-1])
    return Section(
        "The same, measured exactly",
        (
            Text(
                f"The same cards and swaps with fewer bets (`{found.menu}`: {found.decisions:,} "
                f"decisions, {found.infosets:,} infosets), and {found.deals:,} deals, drawn once, "
                "as the whole chance of the game for every scheme. There exploitability "
                f"(NashConv / 2) is exact; uniform play has {number(found.uniform)} chips a hand."
            ),
            Picture("exact.png", "Exact exploitability over the time of training."),
            Table(
                "At the end",
                ("scheme", "samples", "processor time", "exploitability, chips a hand"),
                rows,
            ),
            Text(
                "Exploitability at the end, from the lowest: "
                f"{'; '.join(f'{row.name} {number(row.exploitability[-1])}' for row in order)}. "
                "It is exact for these trainings, one of each scheme; how much it differs from "
                "seed to seed was not measured, so that close ones are in no sure order."
            ),
        ),
    )


def settings_section(found: Settings) -> Section:
    """The authors' settings against the paper's."""
    rows = tuple(
        (
            row.name, number(row.epsilon), number(row.beta), number(row.tau),
            duration(row.seconds), percent(row.visited / found.infosets),
            mbb(row.against_backup),
        )
        for row in found.rows
    )  # fmt: skip
    columns = ("settings", "epsilon", "beta", "tau", "time", "reached", "against backup, mbb/h")
    return Section(
        "Its settings against the paper's",
        (
            Text(
                "An action is walked with the probability max(epsilon, (beta + tau s) / (beta + "
                "sum of s)), where s are the weights of the average strategy. With the paper's "
                "beta and tau nearly all actions are walked until an infoset has been reached "
                "often; with the authors' few are after some visits."
            ),
            Table(f"After {found.iterations:,} samples each", columns, rows),
            verdict(
                found.head_to_head, "The training with the paper's settings", "that with theirs"
            ),
            Text("That holds of these two trainings, one with each setting."),
        ),
    )
