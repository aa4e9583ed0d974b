"""Isomorphism and buckets, as a section."""

from riverboat.report import (
    Curve,
    Picture,
    Section,
    Table,
    Text,
    draw_curves,
    duration,
    listed,
    number,
    plus_minus,
)
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.yerevan.isomorphism import Isomorphism, Named, Need
from riverboat.seeds.yerevan.verdict import Versus, mean_and_margin, versus

__all__ = ["cards_section", "claim_of_speed", "gain_of_cards"]


def cards_section(run: Reproduction, found: Isomorphism) -> Section:
    """Show what isomorphism and buckets are worth."""
    draw_curves(
        run.path("isomorphism.png"),
        [_curve(each) for each in found.named],
        title=f"Pure CFR with a deck of {found.cards} cards: exact exploitability",
        x_label="processor seconds, one thread",
        y_label="exploitability in the real game, mbb a hand",
        x_log=True,
        y_log=True,
    )
    return Section(
        "With and without isomorphism and buckets",
        (
            Text(
                "With 52 cards nothing fits into memory without buckets, as the second table "
                f"says. So here is a deck of {found.cards} cards, limit hold'em to the flop, "
                f"{found.deals:,} deals. Pure CFR had the same processor time with every way to "
                "name hands, and its strategies are measured exactly in the real game of that "
                "deck: what buckets lose counts against them."
            ),
            Picture("isomorphism.png", "Exploitability against processor time; lower is better. "
                    "Both axes are logarithmic, bands are over seeds."),
            Table(
                f"After {duration(found.named[0].trials[0].seconds)} of processor time",
                ("hands are named", "hands on the flop", "information sets", "tables",
                 "iterations a processor second", "exploitability, mbb a hand"),
                tuple(_row(each) for each in found.named),
            ),
            Text(gain_of_cards(found)),
            Table(
                "The same with 52 cards and four streets: what Pure CFR would need",
                ("hands are named", "preflop", "flop", "turn", "river", "information sets",
                 "tables"),
                tuple(_need_row(need) for need in found.needs),
            ),
            Text(_lookup(found)),
        ),
    )  # fmt: skip


def _at(way: Named, index: int) -> list[float]:
    """Return the exploitability at a measurement, by seed."""
    return [trial.points[index].exploitability for trial in way.trials]


def claim_of_speed(found: Isomorphism) -> str:
    """Say how much faster isomorphism and buckets make the iterations, as the thesis claims."""
    every, *others = found.named
    speeds = [trial.speed for trial in every.trials]
    gains = {each.label: versus(speeds, [trial.speed for trial in each.trials]) for each in others}
    counted = "; ".join(
        f"{number(_pace(each))} with {each.label}, {gains[each.label].text()} times as many"
        for each in others
    )
    return (
        f"Iterations a processor second with a deck of {found.cards} cards: "
        f"{number(_pace(every))} with {every.label}; {counted}. {_faster(gains)} "
        "What the strategies are worth then stands in a section of its own below."
    )


def _faster(gains: dict[str, Versus]) -> str:
    """Say of each way to name hands whether it is faster than every hand by itself."""
    if all(gain.sign == 1 for gain in gains.values()):
        return "Every one of them is faster: so far the claim holds here."
    texts = []
    for sign, words in _FASTER.items():
        labels = [f'"{label}"' for label, gain in gains.items() if gain.sign == sign]
        if labels:
            texts.append(words.format(listed(labels)))
    return " ".join(texts)


_FASTER = {
    1: "Iterations are faster with {}: so far the claim holds here.",
    0: "Whether they are faster with {} is not settled by this run.",
    -1: "They are slower with {}: there the claim does not hold.",
}


def _pace(each: Named) -> float:
    """Return iterations a processor second, over all seeds."""
    return sum(trial.iterations for trial in each.trials) / max(
        sum(trial.seconds for trial in each.trials), 1e-9
    )


def gain_of_cards(found: Isomorphism) -> str:
    """Say what isomorphism and buckets gain at equal time."""
    every, classes, *buckets = found.named
    first = versus(_at(classes, -1), _at(every, -1))
    text = (
        "Without isomorphism the strategy is "
        f"{first.text()} times as exploitable as with it at equal time: "
    )
    text += {
        1: "isomorphism pays, and it loses nothing. ",
        0: "this run does not settle whether isomorphism helps. ",
        -1: "isomorphism did not help here. ",
    }[first.sign]
    return text + _gain_of_buckets(classes, buckets)


_AT_FIRST = {
    1: "at first so few buckets pay",
    0: "at first it is not settled whether so few buckets pay",
    -1: "at first so few buckets cost more than they gain",
}
_IN_THE_END = {
    1: "in the end they pay",
    0: "in the end it is not settled whether they pay",
    -1: "in the end they cost more than they gain",
}


def _gain_of_buckets(classes: Named, buckets: list[Named]) -> str:
    """Say what buckets gain over classes of hands, at the first and at the last measurement."""
    found = {
        each.hands: tuple(versus(_at(each, index), _at(classes, index)) for index in (0, -1))
        for each in buckets
    }
    begin, end = (duration(classes.trials[0].points[at].seconds) for at in (0, -1))
    ratios = "; ".join(
        f"with {hands} buckets {first.text()} after {begin} and {last.text()} after {end}"
        for hands, (first, last) in found.items()
    )
    return (
        f"How many times as exploitable strategies without buckets ({classes.hands:,} classes of "
        f"hands on the flop) are as those with them: {ratios}. "
        f"{_verdict_on_buckets(found)}"
    )


def _verdict_on_buckets(found: dict[int, tuple[Versus, ...]]) -> str:
    """Say it once for all numbers of buckets that came out alike."""
    alike: dict[tuple[int, ...], list[str]] = {}
    for hands, gains in found.items():
        alike.setdefault(tuple(gain.sign for gain in gains), []).append(str(hands))
    return " ".join(
        f"With {listed(hands)} buckets: {_AT_FIRST[first]}, {_IN_THE_END[last]}."
        for (first, last), hands in alike.items()
    )


def _curve(each: Named) -> Curve:
    count = min(len(trial.points) for trial in each.trials)
    columns = [[trial.points[at] for trial in each.trials] for at in range(count)]
    values = [[point.exploitability for point in column] for column in columns]
    return Curve(
        each.label,
        [sum(point.seconds for point in column) / len(column) for column in columns],
        [sum(value) / len(value) for value in values],
        [min(value) for value in values],
        [max(value) for value in values],
    )


def _row(each: Named) -> tuple[str, ...]:
    mean, margin = mean_and_margin(_at(each, -1))
    return (
        each.label,
        f"{each.hands:,}",
        f"{each.trials[0].infosets:,}",
        f"{each.trials[0].table_bytes / 1e6:,.2f} MB",
        number(_pace(each)),
        number(mean) if margin is None else plus_minus(mean, margin),
    )


def _need_row(need: Need) -> tuple[str, ...]:
    return (
        need.label,
        *(f"{hands:,}" for hands in need.hands),
        f"{need.infosets:,}",
        _bytes(need.table_bytes),
    )


def _bytes(count: int) -> str:
    """Write an amount of memory.

    Examples
    --------
    >>> _bytes(26_500_000), _bytes(14_709_362_064_488)
    ('26.5 MB', '14.7 TB')
    """
    for size, unit in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB")):
        if count >= size:
            return f"{count / size:,.1f} {unit}"
    return f"{count / 1e3:,.1f} kB"


def _lookup(found: Isomorphism) -> str:
    """Say what finding buckets costs."""
    rate = 1 / (found.on_the_fly + 1 / found.iterations)
    return (
        "Isomorphism also makes buckets cheap to find: a board up to its suits is a row of a "
        "table. To deal nine cards and find both players' buckets on all streets takes "
        f"{duration(found.looked_up)} from tables, and {duration(found.on_the_fly)} when each "
        "strength is counted anew, as in a program that passes the cards to a bucketing function. "
        f"Pure CFR with tables does {number(found.iterations)} iterations a processor second; "
        f"counting anew would leave {number(rate)}, {number(found.iterations / rate)} times fewer."
    )
