"""The schemes whose convergence and signatures are recorded, and how to record them again.

    uv run python tests/solve/schemes.py

writes `recorded.json` (exploitabilities of 16 seeds for each scheme and game) and
`signatures.json` (checksums of regrets). Only a commit that means to change behaviour does
that, and says so.
"""

from __future__ import annotations

import json
import sys
import zlib
from pathlib import Path

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from riverboat.evaluate import exploitability
from riverboat.solve import Explore, Prune, Scheme, Solver
from solve.games import classic

HERE = Path(__file__).parent
RECORDED_SEEDS = range(1, 17)

# Name: scheme and iterations on Leduc; a fifth of them on Kuhn.
SCHEMES: dict[str, tuple[Scheme, int]] = {
    "full cfr": (Scheme("full"), 1_000),
    "full cfr+": (Scheme("full", "cfr+", "linear"), 1_000),
    "full linear": (Scheme("full", "linear", "linear"), 1_000),
    "full dcfr": (Scheme("full", "dcfr", "quadratic"), 1_000),
    "full predictive+": (Scheme("full", "predictive+", "quadratic"), 1_000),
    "chance cfr": (Scheme("chance"), 30_000),
    "chance linear": (Scheme("chance", "linear", "linear", step=300), 30_000),
    "chance dcfr": (Scheme("chance", "dcfr", "quadratic", step=300), 30_000),
    "external cfr": (Scheme("external"), 100_000),
    "external linear": (Scheme("external", "linear", "linear", step=1000), 100_000),
    "external explore": (Scheme("external", explore=Explore(0.2, 0.01)), 100_000),
    "external pruned": (Scheme("external", prune=Prune(-1000.0, after=10_000)), 100_000),
    "external floor": (Scheme("external", floor=((5_000, 0.05), (10_000, 0.01))), 100_000),
    "external cfr+": (Scheme("external", "cfr+", experimental=True), 100_000),
    "external dcfr": (
        Scheme("external", "dcfr", "quadratic", step=1000, experimental=True),
        100_000,
    ),
    "outcome cfr": (Scheme("outcome"), 500_000),
    "outcome linear": (Scheme("outcome", "linear", "linear", step=5000), 500_000),
    "average-strategy cfr": (Scheme("average-strategy"), 100_000),
    "average-strategy linear": (
        Scheme("average-strategy", "linear", "linear", step=1000),
        100_000,
    ),
    "pure cfr": (Scheme("pure"), 200_000),
}
# With three players nothing is proven, yet these two find an equilibrium of kuhn3.
THREE_PLAYERS = ("external cfr", "outcome cfr")


def runs() -> list[tuple[str, str, int]]:
    """Game, scheme and iterations of every recorded run."""
    found = []
    for name, (_, iterations) in SCHEMES.items():
        found.append(("kuhn", name, iterations // 5))
        found.append(("leduc", name, iterations))
        if name in THREE_PLAYERS:
            found.append(("kuhn3", name, iterations))
    return found


def measured(game: str, name: str, iterations: int, seed: int, threads: int = 1) -> float:
    """Exact exploitability after a run, chips a hand."""
    solver = Solver(classic(game), SCHEMES[name][0], seed=seed, threads=threads)
    solver.run_all(iterations=iterations)
    return exploitability(solver.deals, solver.strategy()).exploitability


def signature(name: str) -> str:
    """Checksum of the regrets after a short seeded run on Leduc; zeros without their signs."""
    scheme, iterations = SCHEMES[name]
    solver = Solver(classic("leduc"), scheme, seed=12345)
    solver.run_all(iterations=iterations // 10)
    regrets = solver.regrets + solver.regrets.dtype.type(0)
    return f"{zlib.crc32(regrets.tobytes()):08x}"


def record() -> None:
    """Write both files."""
    recorded: dict[str, dict[str, dict[str, object]]] = {}
    for game, name, iterations in runs():
        seeds = RECORDED_SEEDS if SCHEMES[name][0].sampling != "full" else range(1)
        found = [round(measured(game, name, iterations, seed), 9) for seed in seeds]
        entry = {"iterations": iterations, "exploitability": found}
        recorded.setdefault(game, {})[name] = entry
        print(f"{game} {name}: {np.mean(found):.6f} +- {np.std(found):.6f}")
    (HERE / "recorded.json").write_text(json.dumps(recorded, indent=1) + "\n")
    signatures = {name: signature(name) for name in SCHEMES}
    (HERE / "signatures.json").write_text(json.dumps(signatures, indent=1) + "\n")


if __name__ == "__main__":
    record()
