"""Memory and time of a sampled solve, estimated before it: against what a solve then needs."""

import subprocess
import sys
from pathlib import Path

import pytest

from riverboat.errors import SpotError
from riverboat.spots import SampledSettings, SampledSolver, Spot, forecast_flop, solve_flop_file
from riverboat.spots import _flop_forecast as module
from sanitized import not_sanitized
from spots.test_sampled import SPOTS

WIDE = Spot(
    board="8s2dJs", pot=50, stack=975, oop="22+, A2s+, KTs+", ip="22+, A9s+, KJo+",
    menu="33%, 75% | 60%",
)  # fmt: skip

#: Solves a spot into a file, and prints how much memory that took in bytes.
SOLVE = """
import sys
from pathlib import Path
from riverboat.runs import resident_memory
from riverboat.spots import SampledSettings, Spot, forecast_flop, solve_flop_file

spot = Spot.read(sys.argv[1])
small = Spot(board=spot.board, pot=2, stack=2, oop="AA", ip="KK", menu="a")
for each in solve_flop_file(small, sys.argv[2] + "small", iterations=9):
    pass  # what a first solve loads
before = resident_memory()
for each in solve_flop_file(spot, sys.argv[2], SampledSettings(threads=2), iterations=20):
    pass
lines = Path("/proc/self/status").read_text().splitlines()
# Not `getrusage`, which begins with the peak of the process that started this one.
(peak,) = (int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
print(1024 * peak - before)
"""


@pytest.mark.parametrize("name", [*SPOTS, "wide"])
@pytest.mark.parametrize("threads", [1, 2])
def test_memory_is_what_the_solver_allocates(name: str, threads: int) -> None:
    spot = WIDE if name == "wide" else SPOTS[name]
    settings = SampledSettings(threads=threads, turns=3, turn_bins=7, river_bins=5)
    plan = forecast_flop(spot, settings)
    assert plan.solver_bytes == pytest.approx(SampledSolver(spot, settings).num_bytes, rel=0.02)
    assert plan.threads == threads


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc")
@not_sanitized("sanitizers take memory of their own")
def test_a_run_takes_the_memory_that_was_estimated(tmp_path: Path) -> None:
    """Of the whole process, 160 MB: solver, evaluation, checkpoint, file."""
    WIDE.write(tmp_path / "spot.toml")
    words = (sys.executable, "-c", SOLVE, tmp_path / "spot.toml", tmp_path / "mine")
    told = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    needed = forecast_flop(WIDE, SampledSettings(threads=2)).memory_bytes
    assert 150e6 < needed < 250e6
    assert needed == pytest.approx(int(told), rel=0.05)


def test_time_counts_what_is_done() -> None:
    plan = forecast_flop(WIDE, SampledSettings(threads=1))
    each = plan.seconds_per_iteration
    # The evaluation is a quarter of the iterations, from 90 to 4,500.
    assert plan.seconds(100) == pytest.approx(190 * each)
    assert plan.seconds(1000) == pytest.approx(1250 * each)
    assert plan.seconds(100_000) == pytest.approx(104_500 * each)
    assert plan.iterations() == 10_000
    assert plan.iterations(7) == plan.iterations(7, 1000 * each) == 7
    assert plan.iterations(seconds=500.5 * each) == plan.iterations(7000, 500.5 * each) == 500
    two = forecast_flop(WIDE, SampledSettings(threads=2))
    assert two.seconds_per_iteration == pytest.approx(each / 2)  # a turn card each
    longer = forecast_flop(WIDE.changed({"menu": "33%, 75% | 60%, 90%"}), plan.settings)
    assert longer.seconds_per_iteration > 2 * each
    rivers = forecast_flop(WIDE, SampledSettings(threads=1, rivers=2))
    assert each < rivers.seconds_per_iteration < 2 * each


def test_what_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "available_memory", lambda: 50_000_000)
    words = r"this flop needs 1\d\d.* MB of memory, and 50.0 MB are free: use fewer bet sizes"
    with pytest.raises(SpotError, match=words):
        list(solve_flop_file(WIDE, "never.flop", SampledSettings(threads=1)))
    with pytest.raises(SpotError, match="must have 3 cards, not 4"):
        forecast_flop(WIDE.changed({"board": "8s2dJs3c"}))
