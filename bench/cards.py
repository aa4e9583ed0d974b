"""Speed of the card package compared with treys, eval7, phevaluator and PokerKit, in one run.

    uv run --group peers python bench/cards.py [--json]

The libraries run in turns, and the best round of each counts, because machines are noisy: compare
ratios of one run, never figures of two runs. Everything runs on one thread unless the name of the
figure says otherwise.

With `--json` the script prints one object:

    machine   cpu, cores, python, isa (the kernels' instruction set), load (1-minute average)
    figures   a list, each with
        key           short name of the figure, the same in every version
        name          what was measured, in words
        unit          "M hands/s", "M calls/s" (more is better), "ms", "s" or "GB" (less is better)
        riverboat     Riverboat's figure
        peers         figures of the other libraries by name, without those that have no such call
        wrong         peers left out of the ratio because their answer is wrong, with that answer
        ratio         Riverboat's figure over that of the best correct peer; null without a peer
        target        the target of the figure, or null
        met           whether this run reached the target, or null
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import eval7
import numpy as np
import pokerkit
import treys
from numpy.typing import NDArray
from phevaluator import _pheval
from phevaluator.evaluator import evaluate_cards
from rich.console import Console

from riverboat import _core
from riverboat.cards import (
    NUM_BOARDS,
    HandStrength,
    StreetName,
    card_text,
    equity,
    evaluate,
    evaluate_batch,
)
from riverboat.report import Table, number, print_table
from riverboat.runs import num_cores

HAND, FLOP, TURN = "AhKh", "Qh7c2d", "Qh7c2d9s"
SAMPLES = 10_000
#: Exact share of the pot of HAND against a random hand on FLOP: (615,678 + 10,976 / 2) / 1,070,190.
FLOP_EQUITY = 0.580426
NUM_SEVEN_CARD_HANDS = 133_784_560
PHEVALUATOR_PRIVATE = "phevaluator (private C call)"


@dataclass
class Figure:
    """One line of the result."""

    key: str
    name: str
    unit: str
    riverboat: float
    peers: dict[str, float] = field(default_factory=dict)
    wrong: dict[str, float] = field(default_factory=dict)
    target: float | None = None

    @property
    def more_is_better(self) -> bool:
        """Whether the figure is a speed."""
        return self.unit.endswith("/s")

    @property
    def ratio(self) -> float | None:
        """How many times better than the best peer whose answer is right."""
        right = [figure for peer, figure in self.peers.items() if peer not in self.wrong]
        if not right:
            return None
        return self.riverboat / max(right) if self.more_is_better else min(right) / self.riverboat

    @property
    def met(self) -> bool | None:
        """Whether the target was reached."""
        if self.target is None:
            return None
        if self.more_is_better:
            return self.riverboat >= self.target
        return self.riverboat <= self.target

    def as_dict(self) -> dict[str, object]:
        """Return the values that `--json` prints."""
        names = ("key", "name", "unit", "riverboat", "peers", "wrong", "ratio", "target", "met")
        return {name: getattr(self, name) for name in names}


def best_seconds(tasks: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Shortest time of each task in seconds; the tasks take turns."""
    best = dict.fromkeys(tasks, float("inf"))
    for _ in range(rounds):
        for name, task in tasks.items():
            start = time.perf_counter()
            task()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def random_hands(number: int) -> NDArray[np.uint8]:
    """Seven different cards in random order, [number, 7]."""
    deck = np.tile(np.arange(52, dtype=np.uint8), (number, 1))
    shuffled = np.random.default_rng(1).permuted(deck, axis=1)
    return np.ascontiguousarray(shuffled[:, :7])


def each(call: Callable[[Any], object], hands: Sequence[Any]) -> Callable[[], None]:
    """Return a loop that calls with every hand as one argument."""

    def loop() -> None:
        for hand in hands:
            call(hand)

    return loop


def each_unpacked(call: Callable[..., object], hands: Sequence[Any]) -> Callable[[], None]:
    """Return a loop that calls with the parts of every hand as arguments."""

    def loop() -> None:
        for hand in hands:
            call(*hand)

    return loop


def single_calls(num_hands: int = 5_000, num_pokerkit: int = 200) -> Figure:
    """One evaluation of seven cards from Python, cards prepared in each library's own form."""
    hands: list[list[int]] = random_hands(num_hands).tolist()
    texts = [[card_text(card) for card in hand] for hand in hands]
    treys_hands = [[treys.Card.new(card) for card in hand] for hand in texts]
    kit_hands = [tuple(pokerkit.Card.parse("".join(hand))) for hand in texts[:num_pokerkit]]
    tasks = {
        "riverboat": each(evaluate, hands),
        PHEVALUATOR_PRIVATE: each_unpacked(_pheval.evaluate_7cards, hands),
        "phevaluator": each_unpacked(evaluate_cards, hands),
        "eval7": each(eval7.evaluate, [[eval7.Card(card) for card in hand] for hand in texts]),
        "treys": each_unpacked(
            treys.Evaluator().evaluate, [(hand[:2], hand[2:]) for hand in treys_hands]
        ),
        "pokerkit": each_unpacked(
            pokerkit.StandardHighHand.from_game, [(hand[:2], hand[2:]) for hand in kit_hands]
        ),
    }
    times = best_seconds(tasks, rounds=12)
    speeds = {
        name: (num_pokerkit if name == "pokerkit" else num_hands) / seconds / 1e6
        for name, seconds in times.items()
    }
    ours = speeds.pop("riverboat")
    best = max(speeds.values())
    return Figure("single", "one evaluate call, 7 cards", "M calls/s", ours, speeds, target=best)


def batches(single: Figure) -> list[Figure]:
    """Many hands at once; the peers have no such call, so their fastest loop is compared."""
    quickest = max(single.peers, key=lambda peer: single.peers[peer])
    loop = {f"a loop over {quickest}": single.peers[quickest]}
    hands = random_hands(1_000_000)
    walked = combinations(range(51, -1, -1), 7)  # neighbours differ in the last cards only
    listed = np.fromiter(islice(walked, 1_000_000), np.dtype((np.uint8, 7)))
    counts = np.zeros(7462, np.int64)
    times = best_seconds(
        {"random": lambda: evaluate_batch(hands), "listed": lambda: evaluate_batch(listed)},
        rounds=20,
    )
    count_all = partial(_core.count_strengths_into, counts, 7, 0, 52, short_deck=False)
    times |= best_seconds({"all": count_all}, rounds=4)
    names = {
        "random": ("batch of random hands", len(hands), 150),
        "listed": ("batch of enumerated hands", len(listed), None),
        "all": ("all 133,784,560 hands, enumerated and counted", NUM_SEVEN_CARD_HANDS, 300),
    }
    return [
        Figure(f"batch_{key}", name, "M hands/s", number / times[key] / 1e6, loop, target=target)
        for key, (name, number, target) in names.items()
    ]


def cards_of(text: str) -> list[str]:
    """Split text into single cards."""
    return [text[at : at + 2] for at in range(0, len(text), 2)]


def eval7_cards(text: str) -> list[Any]:
    """Cards in eval7's form."""
    return [eval7.Card(card) for card in cards_of(text)]


def eval7_everything() -> Any:
    """All 1,326 hands in eval7's form."""
    return eval7.HandRange(",".join(f"{rank}2+" for rank in "23456789TJQKA"))


def sampled_equity() -> Figure:
    """10,000 samples of a hand against a random one on a flop."""
    deck = [card_text(card) for card in range(52) if card_text(card) not in cards_of(HAND + FLOP)]
    kit_ranges = (
        pokerkit.parse_range(HAND),
        pokerkit.parse_range(";".join(map("".join, combinations(deck, 2)))),
    )
    hero, everything, board = eval7_cards(HAND), eval7_everything(), eval7_cards(FLOP)
    kit_board, kit_hands = tuple(pokerkit.Card.parse(FLOP)), (pokerkit.StandardHighHand,)

    def ask_riverboat() -> float:
        result = equity(HAND, "random", board=FLOP, method="monte-carlo", samples=SAMPLES)
        return result.players[0].equity

    def ask_eval7() -> float:
        return float(eval7.py_hand_vs_range_monte_carlo(hero, everything, board, SAMPLES))

    def ask_pokerkit() -> float:
        shares = pokerkit.calculate_equities(
            *(kit_ranges, kit_board, 2, 5, pokerkit.Deck.STANDARD, kit_hands), sample_count=SAMPLES
        )
        return float(shares[0])

    times = best_seconds({"riverboat": ask_riverboat, "eval7": ask_eval7}, rounds=60)
    answers: list[float] = []  # PokerKit takes seconds, so it runs once
    times |= best_seconds({"pokerkit": lambda: answers.append(ask_pokerkit())}, rounds=1)
    found = {"eval7": ask_eval7(), "pokerkit": answers[0]}
    allowed = 4 * 0.5 / SAMPLES**0.5  # four standard errors of the worst case
    wrong = {peer: share for peer, share in found.items() if abs(share - FLOP_EQUITY) > allowed}
    figure = in_milliseconds("equity_sampled", "10,000-sample equity on a flop", times, wrong)
    figure.target = 0.4
    return figure


def exact_equity(street: str, text: str, target: float) -> Figure:
    """Exact equity of a hand against a random one; eval7's "exact" deals no further cards."""
    hero, everything, board = eval7_cards(HAND), eval7_everything(), eval7_cards(text)

    def ask_riverboat() -> float:
        return equity(HAND, "random", board=text, method="exact").players[0].equity

    def ask_eval7() -> float:
        return float(eval7.py_hand_vs_range_exact(hero, everything, board))

    times = best_seconds({"riverboat": ask_riverboat, "eval7": ask_eval7}, rounds=40)
    found = ask_eval7()
    wrong = {"eval7": found} if abs(found - ask_riverboat()) > 1e-6 else {}
    name = f"exact equity against a random hand on a {street}"
    figure = in_milliseconds(f"equity_exact_{street}", name, times, wrong)
    figure.target = target
    return figure


def in_milliseconds(
    key: str, name: str, times: dict[str, float], wrong: dict[str, float]
) -> Figure:
    """Make a figure of times in seconds."""
    peers = {peer: 1e3 * seconds for peer, seconds in times.items() if peer != "riverboat"}
    return Figure(key, name, "ms", 1e3 * times["riverboat"], peers, wrong)


def tables(folder: Path) -> list[Figure]:
    """All hand-strength tables, built by a separate process to measure its memory."""
    program = (
        "import collections, pathlib, resource, sys, time\n"
        "from riverboat.cards import build_tables\n"
        "start = time.perf_counter()\n"
        "collections.deque(build_tables(pathlib.Path(sys.argv[1])), maxlen=0)\n"
        "print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
    )
    seconds, kilobytes = run_python(program, str(folder))
    cores = num_cores()
    return [
        Figure("tables", f"all hand-strength tables, {cores} cores", "s", seconds, target=20),
        Figure("tables_memory", "the same, peak memory", "GB", kilobytes * 1024 / 1e9, target=2),
    ]


def histograms(strength: HandStrength, street: StreetName, slice_boards: int = 256) -> Figure:
    """Runout histograms of a whole street, in slices on all cores; results are discarded."""
    strength.cells("river")  # checksums are verified at first touch: not part of the figure
    ids = np.arange(NUM_BOARDS[3 if street == "flop" else 4])
    slices = [ids[begin : begin + slice_boards] for begin in range(0, len(ids), slice_boards)]

    def count(boards: NDArray[np.int64]) -> int:
        return len(strength.histograms(street, boards))

    with ThreadPoolExecutor(num_cores()) as pool:
        start = time.perf_counter()
        done = sum(pool.map(count, slices))
        seconds = time.perf_counter() - start
    name = f"50-bin histograms of all {done:,} {street}s, {num_cores()} cores"
    return Figure(f"histograms_{street}", name, "s", seconds)


def imports(rounds: int = 7) -> list[Figure]:
    """Time of an import in a fresh interpreter, without the interpreter's own start."""
    modules = {
        "riverboat": "riverboat",
        "riverboat.cards": "riverboat.cards",
        "eval7": "eval7",
        "phevaluator": "phevaluator.evaluator",
        "treys": "treys",
        "pokerkit": "pokerkit",
        "numpy alone": "numpy",
    }
    best = dict.fromkeys(modules, float("inf"))
    for _ in range(rounds):
        for name, module in modules.items():
            program = (
                "import time\nstart = time.perf_counter()\n"
                f"import {module}\nprint(time.perf_counter() - start)\n"
            )
            best[name] = min(best[name], run_python(program)[0])
    ours, cards = best.pop("riverboat"), best.pop("riverboat.cards")
    return [
        Figure("import", "import riverboat", "s", ours, best, target=0.2),
        Figure("import_cards", "import riverboat.cards", "s", cards, best),
    ]


def run_python(program: str, *arguments: str) -> list[float]:
    """Run a program in a fresh interpreter and return the numbers that it prints."""
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return [float(number) for number in done.stdout.split()]


def measure(report: Callable[[str], None]) -> list[Figure]:
    """Measure all figures; `report` is called with the name of the next one."""
    report("single calls")
    single = single_calls()
    figures = [single]
    report("batches")
    figures += batches(single)
    report("equity")
    figures += [sampled_equity()]
    figures += [exact_equity("flop", FLOP, 6), exact_equity("turn", TURN, 0.25)]
    with tempfile.TemporaryDirectory() as folder:
        report("hand-strength tables")
        figures += tables(Path(folder))
        report("histograms")
        strength = HandStrength(Path(folder))
        figures += [histograms(strength, "flop"), histograms(strength, "turn")]
    report("imports")
    return figures + imports()


def machine() -> dict[str, object]:
    """Describe the machine."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return {
        "cpu": models[0] if models else platform.processor(),
        "cores": num_cores(),
        "python": platform.python_version(),
        "isa": _core.ISA,
        "load": os.getloadavg()[0],
    }


def show(console: Console, place: dict[str, object], figures: list[Figure]) -> None:
    """Print the figures as a table."""
    title = "Card layer: {cpu}, {cores} cores, Python {python}, {isa}, load {load:.1f}"
    columns = ("figure", "riverboat", "target", "ratio to best peer", "peers")
    rows = tuple(map(_row, figures))
    print_table(Table(title.format(**place), columns, rows), console)


def _row(figure: Figure) -> tuple[str, ...]:
    """Write one figure; red is one that missed its target."""
    sign = "≥" if figure.more_is_better else "≤"
    target = "" if figure.target is None else f"{sign} {number(figure.target)}"
    colour = {None: "default", True: "green", False: "red"}[figure.met]
    peers = [
        f"{peer} {number(value)}"
        + (f" (wrong: {figure.wrong[peer]:.4f})" if peer in figure.wrong else "")
        for peer, value in figure.peers.items()
    ]
    return (
        figure.name,
        f"[{colour}]{number(figure.riverboat)}[/] {figure.unit}",
        target,
        "" if figure.ratio is None else f"{number(figure.ratio)}x",
        ", ".join(peers),
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Benchmark of the card layer.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    place = machine()
    with Console(stderr=True).status("starting") as status:
        figures = measure(lambda what: status.update(f"measuring {what}"))
    if options.json:
        print(json.dumps({"machine": place, "figures": [f.as_dict() for f in figures]}, indent=2))
    else:
        show(Console(), place, figures)


if __name__ == "__main__":
    main()
