"""Hands per second of a local best response: `uv run python bench/lbr.py`.

LBR plays against the default strategy with the four default action sets, on two processes; then the
script measures the CPU time of a hand in one process. Starting processes and opening tables is not
counted: the time is the difference of a long and a short run.
"""

import sys
import time

from riverboat.bots import make_bot
from riverboat.evaluate import local_best_response
from riverboat.game import catalogue

FEW, MANY = 400, 2400
SETS = ("fc", "fcpa", "nine", "flop", "56")


def rate(sets: str, bot: str) -> float:
    """Hands per second on two processes."""
    seconds = []
    for hands in (FEW, MANY):
        started = time.perf_counter()
        local_best_response(bot, sets, hands=hands, workers=2)
        seconds.append(time.perf_counter() - started)
    return (MANY - FEW) / (seconds[1] - seconds[0])


def processor(sets: str, bot: str) -> float:
    """Milliseconds of CPU time for a hand, in this process."""
    made = make_bot(bot, 0)  # a bot itself plays in this process
    local_best_response(made, sets, hands=FEW)  # opens and warms up
    started = time.process_time()
    local_best_response(made, sets, hands=FEW, seed=2)
    return 1000 * (time.process_time() - started) / FEW


def main() -> None:
    """Print a line for each set."""
    bot = sys.argv[1] if len(sys.argv) > 1 else "blueprint"
    made = make_bot(bot, 0)
    made.build_tables(None, catalogue("nolimit-100bb"))  # type: ignore[attr-defined]  # plays a file
    print(f"{bot:12} hands/s on 2   ms of one processor")
    for sets in SETS:
        print(f"{sets:12} {rate(sets, bot):14.0f} {processor(sets, bot):15.2f}")


if __name__ == "__main__":
    main()
