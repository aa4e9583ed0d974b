"""`riverboat audit`: how well a strategy agrees with its own values."""

from collections.abc import Iterator
from typing import Annotated

from rich.console import RenderableType

from riverboat.cli._arena import chosen_seed
from riverboat.cli._command import option
from riverboat.cli._opened import opened, strategy_argument
from riverboat.cli._options import AsPlayedOption, SeedOption
from riverboat.cli._output import Answer, grid, with_margin
from riverboat.cli._progress import bars
from riverboat.evaluate import Audit, audit
from riverboat.report import percent
from riverboat.statistics import Estimate


def audit_command(
    strategy: Annotated[str, strategy_argument("A strategy to test")],
    as_played: AsPlayedOption = None,
    runouts: Annotated[int, option("Runouts for each preflop decision.", least=16)] = 2400,
    rivers: Annotated[int, option("River decisions.", least=1)] = 1000,
    seed: SeedOption = None,
) -> Answer:
    """Test how well a strategy agrees with its own values.

    Preflop: EV regret of four decisions, if both players continue by the strategy, and dominated
    hands that are played more than the hands that dominate them. River: decisions in which an
    action that is hardly ever taken is clearly better, by exact values.
    """
    blueprint, threshold = opened(str(strategy), as_played)
    with bars() as progress:
        result = audit(
            blueprint,
            threshold,
            runouts=runouts,
            rivers=rivers,
            seed=chosen_seed(seed),
            progress=progress,
        )
    return Answer({"strategy": str(strategy), **result.as_dict()}, *_parts(strategy, result))


def _parts(strategy: str, result: Audit) -> Iterator[RenderableType]:
    shown = f"as played, threshold {result.threshold:g}" if result.threshold else "as trained"
    yield f"{strategy}, {shown}; seed {result.seed}, {result.runouts:,} runouts for each decision"
    table = grid(["preflop", "EV regret, mbb", "wrong order", "frequencies"], left=4)
    for row in result.preflop:
        played = ", ".join(f"{name} {percent(each)}" for name, each in row.frequencies.items())
        pairs = f"{len(row.wrong)} of {row.pairs}" if row.pairs else "-"
        table.add_row(row.line or "first in", with_margin(row.regret), pairs, played)
    yield table
    for row in result.preflop:
        if row.wrong:
            yield f"{row.line or 'first in'}: {', '.join(row.wrong)}"
    if result.wrong_order.units:
        yield f"Dominated hands in the wrong order: {_share(result.wrong_order)}"
    yield (
        f"River decisions with a clearly better action that is hardly ever taken: "
        f"{_share(result.river)} of {result.river.units:,}"
    )


def _share(share: Estimate) -> str:
    low, high = share.interval
    return f"{percent(share.mean)} ({percent(low)} to {percent(high)})"
