"""Speed of the sampled flop solver: boards a second, CPU time a board, set-up, memory.

    uv run python bench/sampled_flop.py [--seconds 3] [--threads 1 2]

CPU times are the process's, so a busy machine changes them little; boards a second are of wall
time. The menu has 9 lines that reach the turn and 27 that reach the river.
"""

import argparse
import time
from dataclasses import dataclass

from riverboat.spots import SampledSettings, SampledSolver, Spot

MENU = "50%, 100% | 100% ; cap 2 / 75% ; cap 1 / 75% ; cap 1"
WIDE = (
    "22+, A2s+, K2s+, Q2s+, J4s+, T5s+, 95s+, 85s+, 74s+, 63s+, 53s+, 43s, "
    "A2o+, K3o+, Q5o+, J7o+, T7o+, 97o+, 86o+, 76o, 65o",
    "22+, A2s+, K2s+, Q2s+, J2s+, T2s+, 92s+, 82s+, 72s+, 62s+, 52s+, 42s+, 32s, "
    "A2o+, K2o+, Q2o+, J2o+, T2o+, 92o+, 82o+, 72o+, 62o+, 53o+, 43o",
)
REST = ("22-AA, A2s+, K9s+, QTs+, JTs, T9s, 98s, AJo+, KQo", "22-QQ, A2s+, K8s+, Q9s+, J9s+, ATo+")
SPOTS = {
    "single-raised": Spot(board="8s2sJs", pot=50, stack=975, oop=WIDE[0], ip=WIDE[1], menu=MENU),
    "three-bet": Spot(board="9c7c4d", pot=150, stack=925, oop=REST[0], ip=REST[1], menu=MENU),
    "two sizes later": Spot(
        board="8s2sJs", pot=50, stack=975, oop=WIDE[0], ip=WIDE[1],
        menu="50%, 100% | 100% ; cap 2 / 50%, 100% ; cap 1 / 50%, 100% ; cap 1",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Speed:
    """What one run took."""

    boards: int
    wall: float
    cpu: float
    set_up: float
    num_bytes: int


def measure(spot: Spot, settings: SampledSettings, seconds: float) -> Speed:
    """Build a solver and run it for a time."""
    tree = spot.tree()
    begun = time.process_time()
    solver = SampledSolver(spot, settings, tree=tree)
    set_up = time.process_time() - begun
    solver.run(20)
    before, cpu, wall = solver.boards, time.process_time(), time.perf_counter()
    while time.perf_counter() - wall < seconds:
        solver.run(20)
    return Speed(
        solver.boards - before,
        time.perf_counter() - wall,
        time.process_time() - cpu,
        set_up,
        solver.num_bytes,
    )


def main() -> None:
    """Print a row per spot, batch and number of threads."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    options = parser.parse_args()
    print("spot              hands        turns x rivers  threads  boards/s  ms CPU  set-up  MB")
    for name, spot in SPOTS.items():
        hands = " v ".join(f"{held.support:,}" for held in spot.ranges)
        for turns, rivers in ((2, 1), (1, 2)):
            for threads in options.threads:
                if threads > turns:
                    continue
                settings = SampledSettings(threads=threads, turns=turns, rivers=rivers)
                found = measure(spot, settings, options.seconds)
                print(
                    f"{name:17} {hands:12} {turns} x {rivers}           {threads:7} "
                    f"{found.boards / found.wall:9,.0f} {1000 * found.cpu / found.boards:7.3f} "
                    f"{found.set_up:6.3f}s {found.num_bytes / 1e6:4.0f}"
                )


if __name__ == "__main__":
    main()
