"""The section on Killer's learning curves."""

from riverboat.recipes.figures import Curve, draw_curves
from riverboat.recipes.husky.data import husky
from riverboat.recipes.husky.killer import Block, Learnt
from riverboat.recipes.report import Picture, Section, Table, Text
from riverboat.recipes.run import Run

__all__ = ["killer_section"]

_NAMES = {"fish": "Fish", "shark:size=mid": "Shark"}


def killer_section(run: Run, learnt: list[Learnt]) -> Section:
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
                "500 to 1,000 hands."
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
            *(Text(_told(each)) for each in learnt),
        ),
    )


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


def _told(each: Learnt) -> str:
    """Say when it had learnt, beside what the authors say."""
    published = husky().published
    most = int(published.most_hands_to_learn.value)
    name = f"A{_name(each)[1:]}"
    ahead = f"{each.ahead:.0%} of the seeds are ahead at the end"
    if each.learnt_at is None:
        return (
            f"{name} the last third of the hands brings {_rate(each.final)} chips a hand, which is "
            f"not surely more than nothing; {ahead}."
        )
    first = each.blocks[0]
    said = "as the authors say" if each.learnt_at <= most else "later than the authors say"
    return (
        f"{name} Killer goes from {_rate(first)} chips a hand in its first block to "
        f"{_rate(each.final)} in the last third, and earns nine tenths of that from the block "
        f"that ends at hand {each.learnt_at:,} on: {said} (500 to {most:,}). {ahead}."
    )
