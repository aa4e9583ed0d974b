"""What is said and done where no card can be used, and where one is wanted."""

import json
from contextlib import nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from cli.typed import riverboat
from gpu.made import CARD, engine_of
from riverboat.cli._machine import _gpu_text
from riverboat.errors import GameError, GpuError, SpotError
from riverboat.gpu import DeviceSpot, GpuCard
from riverboat.gpu import _device as on_card
from riverboat.gpu._cards import _driver
from riverboat.spots import (
    SCHEDULES,
    Device,
    DeviceEngine,
    SolveSettings,
    flat_spot,
    forecast,
    solve,
    solve_many,
)
from riverboat.spots import _device_engine as device_engine
from riverboat.spots import _forecast as devices
from riverboat.spots._device_engine import check_device_options, device_bytes
from spots.made import BLUFF


@pytest.fixture
def no_card(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing() -> list[GpuCard]:
        raise GpuError("CUDA finds no NVIDIA GPU")

    monkeypatch.setattr(devices, "gpu_cards", nothing)
    monkeypatch.setattr("riverboat.spots._many.gpu_cards", nothing)


@pytest.mark.usefixtures("no_card")
def test_the_cpu_serves() -> None:
    cases: list[tuple[Device, str]] = [("gpu", "no NVIDIA GPU"), ("auto", ""), ("cpu", "")]
    for device, words in cases:
        solving = solve(BLUFF, SolveSettings(target=0.01, device=device))
        assert (solving.device, words in solving.notice) == ("cpu", True)
        assert bool(solving.notice) == bool(words)
        assert solving.finish().facts.values[0] == pytest.approx(13.3, abs=0.2)
    assert len(list(solve_many([BLUFF, BLUFF], SolveSettings(target=0.01, device="gpu")))) == 2
    assert devices.gpu_notice()


def test_auto_takes_the_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "gpu_cards", lambda: [CARD])
    flop = devices.place_for("auto", 2**30, cpu_pace=2, options={})
    assert (flop.name, flop.notice) == ("gpu", "")
    assert devices.place_for("auto", 10**5, cpu_pace=5000, options={}).name == "cpu"
    assert devices.place_for("auto", 2**34, cpu_pace=0.1, options={}).name == "cpu"  # no room
    half = devices.place_for("auto", 2**29, cpu_pace=2, options={"bits": 16})
    assert half == flop  # as many numbers in half the memory
    # What lies beside the tables does not halve.
    for bits, most in ((32, 1.3), (16, 1.6)):
        for share, name in ((1.02 * most, "gpu"), (0.98 * most, "cpu")):
            tables = int(CARD.free_bytes / share)
            assert devices.place_for("auto", tables, 0.1, {"bits": bits}).name == name
    wanted = devices.place_for("gpu", 2**30, 2, {"bits": 16, "gadget": object()})
    assert wanted.name == "cpu"
    assert "supports gadgets only with 32 bits" in wanted.notice


def test_auto_goes_to_the_cpu_where_a_card_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> DeviceSpot:
        raise SpotError("this spot needs 9 GB of GPU memory, and 1 GB are free")

    monkeypatch.setattr(devices, "gpu_cards", lambda: [CARD])
    monkeypatch.setattr(DeviceEngine, "_allocate", full)
    monkeypatch.setattr(devices, "_SETUP_SECONDS", -1e9)  # a card is sooner, whatever it is
    solving = solve(BLUFF, SolveSettings(target=0.01, device="auto"))
    assert solving.device == "cpu"
    assert solving.notice.startswith("Solving on the CPU: this spot needs 9 GB")
    assert solving.finish().facts.values[0] == pytest.approx(13.3, abs=0.2)
    with pytest.raises(SpotError, match="needs 9 GB"):
        solve(BLUFF, SolveSettings(target=0.01, device="gpu"))


def test_what_only_the_cpu_does_is_refused() -> None:
    with pytest.raises(SpotError, match="supports gadgets only with 32 bits"):
        check_device_options({"bits": 16, "gadget": object()})
    with pytest.raises(SpotError, match="device='tpu' is not allowed: it must be cpu, gpu or auto"):
        SolveSettings(device="tpu")  # type: ignore[arg-type]


def test_a_small_card_is_told_what_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    flat = flat_spot(engine_of("turn"))
    whole, half = device_bytes(flat), device_bytes(flat, 16)
    assert half < whole < 2 * half
    for free, words in ((whole - 1, "use 16 bits \\("), (half - 1, "use fewer bet sizes")):
        small = replace(CARD, free_bytes=free)
        monkeypatch.setattr(device_engine, "gpu_cards", lambda small=small: [small])
        with pytest.raises(SpotError, match=f"are free: {words}"):
            engine_of("turn", kind=DeviceEngine)
    with pytest.raises(SpotError, match="are free: use fewer bet sizes"):
        engine_of("turn", kind=DeviceEngine, schedule=SCHEDULES["pcfr+"])  # 32 bits alone


def test_16_bits_have_no_predictions_there_either() -> None:
    with pytest.raises(GameError, match="a predictive schedule needs 32 bits, not 16"):
        engine_of("turn", kind=DeviceEngine, bits=16, schedule=SCHEDULES["pcfr+"])


def test_a_full_card_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of iterations are made at the start, where search can fall back to the CPU."""

    class FullError(Exception):
        pass

    free = 0
    memory = SimpleNamespace(OutOfMemoryError=FullError)
    cuda = SimpleNamespace(memory=memory, Stream=lambda **_: nullcontext())

    def empty(size: int, **_: object) -> None:
        if size > free:
            raise FullError(f"{size} bytes are too many")

    def rooms(_: DeviceSpot, real: str) -> object:
        return SimpleNamespace(sizes=[17 if real == "float" else 34], take=lambda _: None)

    monkeypatch.setattr(on_card, "require_card", lambda: SimpleNamespace(cuda=cuda, empty=empty))
    monkeypatch.setattr(on_card, "_Rooms", rooms)
    for name in ("_upload", "_fill_contexts", "_let_rooms_go"):
        monkeypatch.setattr(DeviceSpot, name, lambda *_: None)
    flat = flat_spot(engine_of("river"))
    with pytest.raises(GpuError, match="does not fit into GPU memory: 17 bytes"):
        DeviceSpot(flat)
    free = 17
    spot = DeviceSpot(flat)
    with pytest.raises(GpuError, match="does not fit into GPU memory: 34 bytes"):
        spot.root_values(0)


@pytest.mark.usefixtures("no_card")
def test_the_command_says_that_there_is_no_card(tmp_path: Path) -> None:
    BLUFF.write(tmp_path / "river.toml")
    words = ("solve", "--file", str(tmp_path / "river.toml"), "--device", "gpu", "--no-plot")
    ended = riverboat(*words, "-o", str(tmp_path / "solved"))
    assert "Solving on the CPU: CUDA finds no NVIDIA GPU" in ended.stderr


def test_the_command_says_the_cards_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(devices, "gpu_cards", lambda: [CARD])
    BLUFF.write(tmp_path / "river.toml")
    words = ("solve", "--file", str(tmp_path / "river.toml"), "--estimate", "--device")
    assert "to 0.3 % of the pot on the GPU" in riverboat(*words, "gpu").stdout
    assert "to 0.3 % of the pot with 1 thread" in riverboat(*words, "auto").stdout  # sooner
    cpu, card = (forecast(BLUFF, SolveSettings(device=device)).seconds for device in ("cpu", "gpu"))
    told = [json.loads(riverboat(*words, device, "--json").stdout) for device in ("cpu", "gpu")]
    assert [each["estimated_seconds"] for each in told] == [cpu, card]
    assert cpu < 0.1 < card  # to set up a card takes longer


def test_doctor_says_what_runs_where() -> None:
    text = _gpu_text([asdict(CARD)])
    assert text.startswith("a card, 7.5 GB of 8.6 GB free, CUDA 13.0; --device gpu solves spots")
    assert "--device auto all but small rivers" in text
    assert "free, driver 580.9, CUDA 13.0;" in _gpu_text([asdict(replace(CARD, driver="580.9"))])


def test_linux_tells_the_driver(tmp_path: Path) -> None:
    told = tmp_path / "version"
    assert not _driver(told)
    told.write_text("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release")
    assert _driver(told) == "580.159.04"
