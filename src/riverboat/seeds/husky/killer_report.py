"""The section on Killer's learning curves."""

from riverboat.report import Curve, Picture, Section, Table, Text, draw_curves, percent
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.husky.data import husky
from riverboat.seeds.husky.killer import LEARNT, Block, Learnt

__all__ = ["judged", "killer_section", "learning_table", "told_text"]

_NAMES = {"fish": "Fish", "shark:size=mid": "Shark"}


def killer_section(run: Reproduction, learnt: list[Learnt]) -> Section:
    """Show winnings over hands with bands over seeds, and when the learning was done."""
    plan = husky().killer
    seeds, hands = learnt[0].seeds, learnt[0].hands[-1]
    draw_curves(
        run.path("killer.png"),
        [Curve(_name(each), each.hands, each.mean, each.low, each.high) for each in learnt],
        title=f"Winnings of Killer over {hands:,} hands, {seeds} seeds",
        x_label="hands",
        y_label="chips won so far",
    )
    draw_curves(
        run.path("killer-rate.png"),
        [_rates(each) for each in learnt],
        title="Chips a hand, block by block",
        x_label="hands",
        y_label="chips a hand",
    )
    return Section(
        "Killer's learning curve",
        (
            Text(
                f"Killer starts with equal weights and learns from each hand's result: {seeds} "
                f"fresh Killers, each {hands:,} hands against the same opponent with "
                f"{plan.stack:,} chips and blinds {plan.blinds[0]} and {plan.blinds[1]}, stacks "
                "reset. The authors show one curve for each opponent and say that it settles in "
                f"{_span()} hands. Here Killer counts as having learnt at the end of the first "
                f"block from which every block brings at least {percent(LEARNT, 0)} of the chips a "
                "hand of the last third. That hand has no interval of its own: what is kept of the "
                "seeds are the means and margins of the blocks, so the text below also names the "
                "last block that is surely (95 %) under that level."
            ),
            Picture(
                "killer.png",
                "Mean winnings over the seeds; in the band lie 95 of 100 seeds. A single curve, "
                "like the authors', may lie anywhere in it.",
            ),
            Picture(
                "killer-rate.png",
                "Chips a hand in each block, with the 95 % interval of the mean over seeds; "
                "all-in hands at their expectation.",
            ),
            _table(learnt),
            *(Text(told_text(each)) for each in learnt),
        ),
    )


def _span() -> str:
    """Write how many hands the authors' Killer needs."""
    published = husky().published
    fewest, most = published["fewest_hands_to_learn"].value, published["most_hands_to_learn"].value
    return f"{fewest:,.0f} to {most:,.0f}"


def _name(each: Learnt) -> str:
    return f"against {_NAMES.get(each.opponent, each.opponent)}"


def _rates(each: Learnt) -> Curve:
    return Curve(
        _name(each),
        [(block.first + block.last) / 2 for block in each.blocks],
        [block.mean for block in each.blocks],
        [block.mean - max(0.0, block.margin) for block in each.blocks],
        [block.mean + max(0.0, block.margin) for block in each.blocks],
    )


def _table(learnt: list[Learnt]) -> Table:
    rows = tuple(
        (f"{block.first:,} to {block.last:,}", *(_rate(each.blocks[index]) for each in learnt))
        for index, block in enumerate(learnt[0].blocks)
    )
    return Table("Chips a hand by block", ("hands", *(_name(each) for each in learnt)), rows)


def _rate(block: Block) -> str:
    margin = "?" if block.margin < 0 else f"{block.margin:.1f}"
    return f"{block.mean:+.1f} ± {margin}"


def told_text(each: Learnt) -> str:
    """Say when it had learnt, beside what the authors say.

    Examples
    --------
    >>> block = Block(1, 9, -1.0, 0.5)
    >>> told_text(Learnt("fish", 2, [9], [-9.0], [-9.0], [-9.0], [block], block, 0.0))[:50]
    'Against Fish the last third of the hands brings -1'
    """
    name = f"A{_name(each)[1:]}"
    ahead = f"{percent(each.ahead, 0)} of the seeds are ahead at the end"
    if not each.wins:
        return (
            f"{name} the last third of the hands brings {_rate(each.final)} chips a hand, which is "
            f"not surely more than nothing; {ahead}."
        )
    level = f"{percent(LEARNT, 0)} of that"
    if each.learnt_at is None:
        reached = f"its last block is below {level}, so no hand can be named"
    else:
        reached = (
            f"every block from the one that ends at hand {each.learnt_at:,} on has at least {level}"
        )
    return (
        f"{name} Killer goes from {_rate(each.blocks[0])} chips a hand in its first block to "
        f"{_rate(each.final)} in the last third; {reached}. {_beside(each)} {ahead}."
    )


def _beside(each: Learnt) -> str:
    """Judge the authors' figure by the blocks that are surely below the level."""
    if not each.surely_below:
        return f"No block is surely below that, so the authors' {_span()} is not settled here."
    said = {
        "later": f"later than the authors' {_span()}",
        "in line": f"in line with the authors' {_span()}",
        "not settled": f"whether it takes longer than the authors' {_span()} is not settled",
    }[judged(each)]
    return (
        "The last block that is surely below that level ends at hand "
        f"{each.surely_below:,}: {said}."
    )


def judged(each: Learnt) -> str:
    """Say in a word how Killer's learning lies to the authors' figure.

    Examples
    --------
    >>> block = Block(1, 9, -1.0, 0.5)
    >>> judged(Learnt("fish", 2, [9], [-9.0], [-9.0], [-9.0], [block], block, 0.0))
    'does not surely win'
    """
    most, below = husky().published["most_hands_to_learn"].value, each.surely_below
    if not each.wins:
        return "does not surely win"
    if below > most:
        return "later"
    learnt = below and each.learnt_at is not None and each.learnt_at <= most
    return "in line" if learnt else "not settled"


def learning_table(learnt: list[Learnt]) -> Table:
    """Put the hands that Killer needs beside the authors'; neither has an interval."""
    rows = tuple(
        (
            _NAMES.get(each.opponent, each.opponent),
            _span(),
            "-" if each.learnt_at is None else f"{each.learnt_at:,}",
            f"{each.surely_below:,}" if each.wins and each.surely_below else "-",
            judged(each),
        )
        for each in learnt
    )
    return Table(
        "Hands until Killer has learnt its opponent. Ours is the end of the first block from "
        f"which every block has at least {percent(LEARNT, 0)} of the last third's chips a hand; "
        "it has no interval, so the last block surely (95 %) below that is given too",
        ("opponent", "published", "ours", "surely below until", "beside the authors"),
        rows,
    )
