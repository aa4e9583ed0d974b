"""Solve spots on a GPU: iterations, times to targets, batches of rivers, bytes moved.

    uv run python bench/gpu.py [--cpu]

Absolute times are valid for the GPU that `riverboat doctor` names. The time to a target is measured
in a warm process and includes everything: tree, boards, arrays, transfers to the GPU, iterations
and checks. Iterations are timed in sequence without checks. Memory is the size of the arrays on the
GPU after an exact check, next to the memory of two CPU threads. With `--cpu` the same flop is also
solved by two CPU threads.
"""

import argparse
import time
from pathlib import Path
from typing import Any

from riverboat.gpu import DeviceSpot, gpu_cards, packed, require_card
from riverboat.runs import num_cores
from riverboat.spots import (
    SCHEDULES,
    DeviceEngine,
    Engine,
    SolveSettings,
    Spot,
    flat_spot,
    forecast,
    solve,
    solve_many,
)

SPOTS = Path(__file__).parent / "spots"
#: Menus that make half a million decisions of the 3-bet pot, and with twice the chips behind three
#: million.
HALF_MILLION = "33%, 75% | 3x / 33%, 75%, a | a / 33%, 75%, a | a ; force 20% called"
THREE_MILLION = "33%, 75% | 60% / 33%, 75%, 150% | 60%, a / 33%, 75%, 150% | 60%, a"
#: Table bytes that each iteration must move: regrets are read twice and written, the average is
#: read and written.
FLOOR_BYTES = 20


def spot_of(name: str, **changes: Any) -> Spot:
    """Return a spot of the benchmark, changed."""
    return Spot.read(SPOTS / f"{name}.spot").changed(changes)


def made(spot: Spot, kind: type[Engine], **options: Any) -> Engine:
    """Return an engine of a spot."""
    first, second = (each.weights for each in spot.ranges)
    return kind(spot.tree(), spot.cards, (first, second), **options)


def iteration(engine: Engine, least: float = 0.5) -> float:
    """Return seconds of an iteration."""
    engine.run(2)
    count, spent = 0, 0.0
    while spent < least:
        began = time.perf_counter()
        engine.run(20 if isinstance(engine, DeviceEngine) else 1)
        spent += time.perf_counter() - began
        count += 20 if isinstance(engine, DeviceEngine) else 1
    return spent / count


def to_target(spot: Spot, target: float) -> tuple[float, int]:
    """Return seconds with set-up to a target, and iterations."""
    began = time.perf_counter()
    solving = solve(spot, SolveSettings(target=target, device="gpu"))
    reports = list(solving)
    return time.perf_counter() - began, reports[-1].iteration


def single(label: str, spot: Spot, targets: tuple[float, ...]) -> float:
    """Print the figures of one spot; return seconds of an iteration."""
    plan = forecast(spot, SolveSettings(threads=2))
    began = time.perf_counter()
    engine = made(spot, DeviceEngine, threads=num_cores())
    setup = time.perf_counter() - began
    assert isinstance(engine, DeviceEngine)
    numbers = sum(engine.flat.num_numbers)
    each = iteration(engine)
    engine.exploitability()  # an exact check takes most memory
    memory = require_card().get_default_memory_pool().used_bytes()
    told = engine.bytes / memory
    speed = FLOOR_BYTES * numbers / each
    print(
        f"{label}: {plan.engine.num_nodes:,} decisions, {numbers / 1e6:.1f} M numbers, "
        f"{memory / 1e9:.2f} GB ({memory / plan.engine.bytes:.2f} of the CPU's, forecast "
        f"{told:.2f} of it), set-up "
        f"{setup * 1e3:.0f} ms, iteration {each * 1e3:.3f} ms, tables moved at {speed / 1e12:.2f} "
        f"TB/s",
        flush=True,
    )
    del engine
    for target in targets:
        to_target(spot, 0.05)
        seconds, iterations = to_target(spot, target)
        print(f"    to {100 * target:g} %: {seconds:.3f} s, {iterations} iterations", flush=True)
    return each


def rivers(label: str, name: str, count: int) -> None:
    """Print the speed of a batch of rivers: different boards, the same ranges and bet menu."""
    base = spot_of(name)
    began = time.perf_counter()
    flats = []
    for i in range(64):
        other = base.changed({"board": RIVERS[i % len(RIVERS)]})
        flats.append(flat_spot(made(other, Engine)))
    one = time.perf_counter() - began
    whole = packed([flats[i % len(flats)] for i in range(count)])
    device = DeviceSpot(whole)
    device.run(SCHEDULES["ramp"].factors(0, 2))
    factors = SCHEDULES["ramp"].factors(0, 100)
    began = time.perf_counter()
    device.run(factors)
    spent = time.perf_counter() - began
    rate = count * len(factors) / spent
    print(
        f"{label}: {count:,} rivers, {rate / 1e6:.2f} M river-iterations/s, {count / spent:,.0f} "
        f"rivers/s at 100 iterations; arrays {one / 64 * 1e3:.2f} ms a river on one thread",
        flush=True,
    )


def whole(label: str, name: str, count: int) -> None:
    """Print the speed of complete river solves: arrays, iterations, checks, tables."""
    base = spot_of(name)
    spots = [base.changed({"board": RIVERS[i % len(RIVERS)]}) for i in range(count)]
    began = time.perf_counter()
    solved = sum(1 for _ in solve_many(spots, SolveSettings(target=0.003, device="gpu")))
    spent = time.perf_counter() - began
    print(
        f"{label}: {solved:,} rivers to 0.3 %, with everything: {solved / spent:,.0f} rivers/s",
        flush=True,
    )


RIVERS = ("Ks7h2d3c8d", "AcTd5s5h3c", "Qh9h4s2h9c", "Jd8c7s6h2d", "Ts9s4d4c2h", "AhKdQc7s3s")


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cpu", action="store_true")
    asked = parser.parse_args()
    print(gpu_cards()[0])
    single("river, every hand", spot_of("river_all"), (0.003,))
    single("turn, 3-bet pot", spot_of("turn_3bet"), (0.003,))
    single("turn, every hand", spot_of("turn_all"), (0.003,))
    single("flop, 3-bet pot", spot_of("flop_3bet"), (0.003, 0.001))
    single("flop, single-raised pot", spot_of("flop_srp"), (0.003,))
    half = spot_of("flop_3bet", menu=HALF_MILLION)
    on_card = single("flop, half a million decisions", half, (0.003, 0.001))
    large = spot_of("flop_3bet", menu=THREE_MILLION, stack=1800)
    single("flop, three million decisions", large, ())
    rivers("every hand", "river_all", 4000)
    rivers("3-bet pot", "river_narrow", 10000)
    whole("3-bet pot", "river_narrow", 10000)
    whole("every hand", "river_all", 2000)
    if asked.cpu:
        on_cpu = iteration(made(half, Engine, threads=2))
        print(f"the CPU, two threads: {on_cpu * 1e3:.0f} ms, {on_cpu / on_card:.0f} times as long")


if __name__ == "__main__":
    main()
