"""Count source files that a command enters, calls between packages, and repeated work.

With `sys.setprofile`, after all imports, the script counts the files of `src/riverboat` that are
entered, *hops* (calls from one package into another, without other libraries), trees that are
built, texts that are parsed, and hands that are replayed. Run with

    uv run python bench/walks.py [COMMAND...] [--json] [--files]

A hand counts as replayed if a new `Hand` makes a move. `--files` lists the files.
"""

import argparse
import contextlib
import importlib
import io
import json
import multiprocessing
import os
import pkgutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from inspect import CO_COROUTINE, CO_GENERATOR
from pathlib import Path
from types import FrameType
from typing import Any

import riverboat
from riverboat.blueprint import default_blueprint
from riverboat.bots import make_bot
from riverboat.buckets import bucket_tables, fitted_abstraction
from riverboat.cli import main as command
from riverboat.game import Hand, catalogue

COLUMNS = ("files", "hops", "trees", "texts", "hands")
ROOT = str(Path(riverboat.__file__).parent) + os.sep

#: Functions that parse a text, or turn a table of values into an object.
PARSERS = {
    ("training", "load_recipe"): "recipe",
    ("game", "catalogue"): "game",
    ("game", "game_from_table"): "game",
    ("tree", "parse_menu"): "menu",
    ("buckets", "parse_abstraction"): "cards",
    ("solve", "find_scheme"): "scheme",
    ("cards", "parse_weights"): "range",
    ("spots", "Spot.__post_init__"): "spot",
    ("bots", "parse_bot"): "bot",
}
SPOT = """board = "Ks7h2d3c"
pot = 50
stack = 200
oop = "QQ+, AK"
ip = "JJ+, AQ"
menu = "50%, a"
"""


@dataclass
class Walk:
    """The counts of a command."""

    files: Counter[str] = field(default_factory=Counter)
    hops: Counter[str] = field(default_factory=Counter)
    trees: int = 0
    parsed: Counter[str] = field(default_factory=Counter)
    hands: int = 0

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {
            "files": len(self.files),
            "hops": self.hops.total(),
            "trees": self.trees,
            "texts": self.parsed.total(),
            "hands": self.hands,
            "texts_by": dict(self.parsed.most_common()),
            "hops_by": dict(self.hops.most_common()),
            "file_names": sorted(self.files),
        }


class Counting:
    """Counts while the block runs."""

    def __init__(self) -> None:
        self.walk = Walk()

    def __enter__(self) -> Walk:
        self._play, self._do, self._init = Hand.play, Hand.do, Hand.__init__
        fresh: set[int] = set()

        def made(hand: Hand, *args: Any, **options: Any) -> None:
            self._init(hand, *args, **options)
            fresh.add(id(hand))

        def moved(act: Callable[..., Any]) -> Callable[..., Any]:
            def counted(hand: Hand, moves: str) -> Any:
                if id(hand) in fresh and moves:
                    fresh.discard(id(hand))
                    self.walk.hands += 1
                return act(hand, moves)

            return counted

        Hand.__init__ = made  # type: ignore[assignment, method-assign]
        Hand.play, Hand.do = moved(self._play), moved(self._do)  # type: ignore[method-assign]
        sys.setprofile(self._profile)
        return self.walk

    def __exit__(self, *error: object) -> None:
        sys.setprofile(None)
        Hand.__init__, Hand.play, Hand.do = self._init, self._play, self._do  # type: ignore[method-assign]

    def _profile(self, frame: FrameType, event: str, arg: object) -> None:
        del arg
        if event != "call":
            return
        code = frame.f_code
        file = code.co_filename
        if not file.startswith(ROOT) or code.co_name == "<module>" or _resumed(frame):
            return
        package = _package(file)
        self.walk.files[file[len(ROOT) :]] += 1
        if (package, code.co_qualname) in PARSERS:
            self.walk.parsed[PARSERS[package, code.co_qualname]] += 1
        if (package, code.co_qualname) == ("tree", "Tree.__init__"):
            self.walk.trees += 1
        caller = frame.f_back
        if caller is not None and caller.f_code.co_filename.startswith(ROOT):
            other = _package(caller.f_code.co_filename)
            if other != package:
                self.walk.hops[f"{other} -> {package}"] += 1


def _resumed(frame: FrameType) -> bool:
    """Whether a call resumes a generator; only its first entry counts."""
    generator = frame.f_code.co_flags & (CO_GENERATOR | CO_COROUTINE)
    return bool(generator) and frame.f_lasti > 8


def _package(file: str) -> str:
    return file[len(ROOT) :].split(os.sep, maxsplit=1)[0]


# ---- Commands to measure


def training(folder: Path) -> Callable[[], None]:
    """Train Leduc hold'em, 2,000 iterations."""
    return _command("train leduc --iterations 2000 --threads 1 -o", folder / "leduc.blueprint")


def training_holdem(folder: Path) -> Callable[[], None]:
    """Train hold'em with the menu of the recipe `laptop` and few buckets, 50 iterations."""
    cards = "percentile 169/5/5/5"
    bucket_tables(fitted_abstraction(cards, seed=0))  # they are in the cache, then
    return _command(
        "train laptop --threads 1 --bound-every 0 --iterations 50 --cards",
        cards,
        *("-o", folder / "laptop.blueprint"),
    )


def estimate(_: Path) -> Callable[[], None]:
    """Estimate the cost of a training."""
    return _command("train leduc --estimate")


def solving(folder: Path) -> Callable[[], None]:
    """Solve a turn spot and write the solution."""
    path = folder / "spot.toml"
    path.write_text(SPOT, encoding="utf-8")
    return _command(
        "solve --iterations 20 --threads 1 --file", path, "-o", folder / "spot.solution"
    )


def search(_: Path) -> Callable[[], None]:
    """Decide on the river with the `search` bot, which has solved the turn before."""
    bot = make_bot("search:iterations=5,threads=1", seed=1)
    hand = Hand.from_line(catalogue("nolimit-100bb"), "b25c/kk/kb25c/k", seed=1)
    turn = Hand.from_line(hand.spec, "b25c/kk/k", seed=1)
    bot.act(turn.view(0))
    view = hand.view(0)

    def decide() -> None:
        bot.act(view)

    return decide


def show(_: Path) -> Callable[[], None]:
    """Show the first decision of the default strategy."""
    return _command("show", default_blueprint())


COMMANDS: dict[str, Callable[[Path], Callable[[], None]]] = {
    "train leduc": training,
    "train hold'em": training_holdem,
    "train --estimate": estimate,
    "solve": solving,
    "search": search,
    "show": show,
}


def _command(text: str, *more: object) -> Callable[[], None]:
    """Return a function that runs a command line without its output."""
    arguments = ["riverboat", *text.split(), *map(str, more)]

    def run() -> None:
        sys.argv = arguments
        silence = io.StringIO()
        with contextlib.redirect_stdout(silence), contextlib.redirect_stderr(silence):
            try:
                command()
            except SystemExit as end:
                if end.code:
                    raise RuntimeError(silence.getvalue()) from end

    return run


def measure(name: str) -> Walk:
    """Count one command, after all imports."""
    for module in modules():
        with contextlib.suppress(ImportError):  # an extra that is not installed
            importlib.import_module(module)
    with tempfile.TemporaryDirectory() as folder:
        run = COMMANDS[name](Path(folder))
        with Counting() as walk:
            run()
    return walk


def modules() -> Iterator[str]:
    """Yield all modules of Riverboat."""
    for module in pkgutil.walk_packages(riverboat.__path__, "riverboat."):
        if "_core" not in module.name and not module.name.endswith("__main__"):
            yield module.name


def main() -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("commands", nargs="*", help=", ".join(COMMANDS))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--files", action="store_true", help="list the files")
    asked = parser.parse_args()
    # One process per command: otherwise caches of earlier commands would count.
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn, max_tasks_per_child=1) as pool:
        names = asked.commands or list(COMMANDS)
        walks = dict(zip(names, pool.map(measure, names), strict=True))
    if asked.json:
        print(json.dumps({name: walk.as_dict() for name, walk in walks.items()}, indent=1))
        return
    print(f"{'command':<18}" + "".join(f"{key:>6}" for key in COLUMNS) + "  texts by kind")
    for name, walk in walks.items():
        counts = walk.as_dict()
        row = "".join(f"{counts[key]:>6}" for key in COLUMNS)
        print(f"{name:<18}{row}  {counts['texts_by']}")
        if asked.files:
            print("    " + "\n    ".join(counts["file_names"]))


if __name__ == "__main__":
    main()
