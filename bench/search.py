"""Quality of search by time: `uv run python bench/search.py [--seconds 2] [--device gpu]`.

The default strategy plays itself to the street where search begins. The first decision there is
timed as a whole, in a warm process. For each decision the script prints the line, the board,
iterations, seconds, and the exploitability of the solve in its own subgame, in per cent of the pot;
then medians, the slowest decision as a share of the time limit, the share of decisions that were
searched, and the peak memory. `--street river` times rivers whose turn was solved before; the
exploitability of a flop on the CPU is not known (nan; bench/flop_search.py judges flops).
"""

import argparse
import math
import resource
import statistics
import time
from collections.abc import Iterator

from riverboat.bots import make_bot
from riverboat.game import Hand, View, catalogue
from riverboat.runs import num_cores
from riverboat.search import Plan, SearchBot

STREETS = ("preflop", "flop", "turn", "river")
HOUR = 3600


def views(bot: SearchBot, street: int, seed: int) -> Iterator[View]:
    """Yield first decisions on a street that the strategy reaches by self-play."""
    while True:
        hand = Hand(catalogue("nolimit-100bb"), seed=seed)
        while hand.actor is not None and hand.street < street:
            hand.do(bot.base.act(hand.view(hand.actor)))
        if hand.actor is not None:
            yield hand.view(hand.actor)
        seed += 1


def decide(bot: SearchBot, view: View) -> tuple[float, int, float]:
    """Return seconds of a decision, iterations, and the exploitability of the solve."""
    began = time.perf_counter()
    bot.act(view)
    seconds, facts = time.perf_counter() - began, bot.solves[-1]
    searcher = bot.searcher(view.spec)
    assert searcher is not None
    if facts.too_short or searcher.search.solver(view.street) == "sampled":
        return seconds, facts.iterations, math.nan
    solved = searcher.subgame(view, Plan(0, time.perf_counter() + HOUR))
    return seconds, facts.iterations, solved.exploitability()


def main() -> None:
    """Print a line for each decision, and a summary."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--street", choices=STREETS[1:], default="")
    parser.add_argument("--decisions", type=int, default=26)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    limits = f"seconds={asked.seconds},flop_seconds={asked.seconds}"
    bot = make_bot(f"search:{limits},device={asked.device}", asked.seed)
    assert isinstance(bot, SearchBot)
    bot.build_tables(None, catalogue("nolimit-100bb"))
    searcher = bot.searcher(catalogue("nolimit-100bb"))
    assert searcher is not None
    street = STREETS.index(asked.street) if asked.street else searcher.search.first
    told = views(bot, street, 1000 * asked.seed)
    bot.act(next(told))  # warms up
    found = []
    for _ in range(asked.decisions):
        view = next(told)
        found.append(decide(bot, view))
        seconds, iterations, loss = found[-1]
        solved = f"{iterations:6} {seconds:7.3f} s {loss:8.3%}"
        print(f"{view.line:20} {view.board_text} {solved}", flush=True)
    times, counts, losses = zip(*found, strict=True)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(
        f"{asked.decisions} decisions on the {STREETS[street]}, {asked.device}, "
        f"{num_cores()} cores: {statistics.median(counts):.0f} iterations ({min(counts)} to "
        f"{max(counts)}), exploitable by {statistics.median(losses):.2%} ({min(losses):.2%} to "
        f"{max(losses):.2%}), the slowest took {max(times) / asked.seconds:.3f} of its time; "
        f"{bot.counts['search'] / bot.counts.total():.0%} searched; {memory:.2f} GB at most"
    )


if __name__ == "__main__":
    main()
