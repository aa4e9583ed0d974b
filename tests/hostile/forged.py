"""Files of every kind, and ways to forge them so that all their checksums are right."""

import json
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from hostile.mutations import json_texts, spoilt_values
from riverboat.blueprint import Blueprint, Header, Training, prune, write_blueprint
from riverboat.bots import make_bot
from riverboat.buckets import _abstraction as _fit_cache
from riverboat.buckets import abstraction_files, bucket_tables, make_abstraction
from riverboat.files import ArrayFile
from riverboat.game import Hand, catalogue
from riverboat.runs import Stop
from riverboat.spots import (
    FlopSolution,
    FlopSolving,
    SampledSettings,
    Solution,
    SolveSettings,
    Spot,
    solve,
    solve_file,
)
from riverboat.training import Member, Recipe, load_recipe, prepare_run, train
from riverboat.tree import Tree

__all__ = ["KINDS", "damage", "forge", "make_files", "open_wholly", "reseal", "sums_are_right"]

RECIPE = {
    "game": "leduc",
    "menu": "min",
    "scheme": "external",
    "threads": 1,
    "bound": {"every": 0},
    "budget": {"iterations": 20},
}
FITTED = "lossless | semantic"
SPOT = Spot(board="Ks7h2d2c", pot=20, stack=20, oop="QQ", ip="AKs", menu="a")
FLOP = Spot(board="Ks7h2d", pot=20, stack=20, oop="QQ", ip="AKs", menu="a")
SIX_MAX = "min ; cap 1 ; limp never ; flop 2 / min ; cap 1"


def leduc_recipe() -> Recipe:
    return load_recipe(RECIPE)


def make_files(folder: Path) -> dict[str, Path]:
    """Write a good file of each kind."""
    for _ in train(leduc_recipe(), folder / "whole", plot=False):
        pass
    prune(Blueprint.open(folder / "whole.blueprint"), folder / "pruned.blueprint")
    tree, cards = Tree(catalogue("cardiff"), "min ; cap 1"), make_abstraction("suitless 2")
    header = Header.of(tree, cards, Training(iterations=1), values="uint8")
    ones = np.ones(header.entries, np.float32)
    write_blueprint(folder / "cards.blueprint", header, tree, ones, cards)
    six = Tree(catalogue("cardiff", 6), SIX_MAX)
    many = Header.of(six, make_abstraction("suitless 2"), Training(iterations=1), values="uint8")
    ones = np.ones(many.entries, np.float32)
    write_blueprint(folder / "six.blueprint", many, six, ones, make_abstraction("suitless 2"))
    flop = FlopSolving(FLOP, SampledSettings(seed=1), iterations=3)
    flop.solver.run(3)
    flop.save(folder / "flop.checkpoint")
    for _ in flop.write(folder / "spot.flop", Stop()):
        pass
    fitted = make_abstraction(FITTED)
    bucket_tables(fitted, folder=folder)
    _fit_cache._write(folder / "fitted.safetensors", fitted, 0)
    for _ in solve_file(SPOT, folder / "spot", SolveSettings(target=0, iterations=2), plot=False):
        pass
    solve(SPOT, SolveSettings(target=0, iterations=2)).finish().write(
        folder / "small.solution", rivers=False
    )
    return {
        "strategy": folder / "whole.blueprint",
        "pruned strategy": folder / "pruned.blueprint",
        "strategy with cards": folder / "cards.blueprint",
        "strategy of six players": folder / "six.blueprint",
        "checkpoint": folder / "whole.checkpoint",
        "bucket table": next(folder.glob("buckets-flop-*")),
        "fitted abstraction": folder / "fitted.safetensors",
        "solution": folder / "spot.solution",
        "solution without rivers": folder / "small.solution",
        "checkpoint of a spot": folder / "spot.checkpoint",
        "flop strategy": folder / "spot.flop",
        "checkpoint of a flop": folder / "flop.checkpoint",
    }


def _open_strategy(path: Path) -> None:
    blueprint = Blueprint.open(path)
    _ = blueprint.visit_scale, blueprint.cards, repr(blueprint), blueprint.frame_columns()
    blueprint.dense()
    for _ in blueprint.file.verify():
        pass
    bot = make_bot(f"blueprint:{path}", seed=1)
    hand = Hand(blueprint.tree.spec, seed=1)
    bot.act(hand.view(hand.actor or 0))


def _open_checkpoint(path: Path) -> None:
    recipe = leduc_recipe()
    setup = prepare_run(recipe, path.with_suffix(".blueprint"), resume=True)
    Member(setup, recipe).resume(path)


def _open_buckets(path: Path) -> None:
    for _ in abstraction_files(path.parent)[path]().verify():
        pass


def _open_solution(path: Path) -> None:
    solution = Solution.open(path)
    for _ in ArrayFile(path).verify():
        pass
    _ = repr(solution), solution.node().equity, solution.node("k").frequencies()
    if len(solution.spot.cards) == 4:
        solution.node("kk", [solution.next_cards()[0]]).frame_columns()


def _open_spot_checkpoint(path: Path) -> None:
    solve(SPOT).resume(path)


def _open_flop(path: Path) -> None:
    flop = FlopSolution.open(path)
    _ = repr(flop), flop.share, flop.frame_columns(), flop.node("k").frequencies()


def _open_flop_checkpoint(path: Path) -> None:
    FlopSolving(FLOP, SampledSettings(seed=1)).resume(path)


def _open_fitted(path: Path) -> None:
    _fit_cache._read(path, FITTED, 0)


#: How a file of each kind is opened, and read to its end.
KINDS: dict[str, Callable[[Path], None]] = {
    "strategy": _open_strategy,
    "pruned strategy": _open_strategy,
    "strategy with cards": _open_strategy,
    "strategy of six players": _open_strategy,
    "checkpoint": _open_checkpoint,
    "bucket table": _open_buckets,
    "fitted abstraction": _open_fitted,
    "solution": _open_solution,
    "solution without rivers": _open_solution,
    "checkpoint of a spot": _open_spot_checkpoint,
    "flop strategy": _open_flop,
    "checkpoint of a flop": _open_flop_checkpoint,
}


def open_wholly(kind: str, path: Path) -> None:
    """Open a file as Riverboat does, and use all of it."""
    KINDS[kind](path)


def reseal(data: bytes, header: str) -> bytes:
    """Put another header before the arrays of a file, and make its checksum right."""
    start = 8 + int.from_bytes(data[:8], "little")
    text = header.encode("utf-8", "surrogatepass")
    text += b" " * (-(len(text) + 8) % 64)
    body = data[start:-4]
    tail = body[_tail_start(data) :]
    checksum = zlib.crc32(tail, zlib.crc32(text))
    return len(text).to_bytes(8, "little") + text + body + checksum.to_bytes(4, "little")


def _tail_start(data: bytes) -> int:
    """Where the checksums begin among the arrays."""
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    sums = [entry for name, entry in header.items() if name.endswith(".crc32")]
    return min(int(entry["data_offsets"][0]) for entry in sums)


def forge(data: bytes, random: Random) -> bytes:
    """Change values of a header: of its layout, or of a text of JSON within it."""
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    said = header["__metadata__"]
    inner = [key for key, text in said.items() if text[:1] == "{"]
    if inner and random.random() < 0.75:
        key = random.choice(inner)
        said[key] = json_texts(_spoilt_often(json.loads(said[key]), random))
        return reseal(data, json.dumps(header))
    return reseal(data, json_texts(_spoilt_often(header, random)))


def _spoilt_often(value: Any, random: Random) -> Any:
    for _ in range(random.choice((1, 1, 2, 4))):
        if isinstance(value, dict | list) and value:
            if isinstance(value, dict) and random.random() < 0.9:
                key = random.choice(list(value))
                value = {**value, key: spoilt_values(value[key], random)}
            else:
                value = spoilt_values(value, random)
    return value


def damage(data: bytes, random: Random) -> bytes:
    """Cut a file short, or change a bit of it."""
    if random.random() < 0.3:
        return data[: random.randrange(len(data))]
    at = random.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :]


def sums_are_right(path: Path) -> bool:
    """Whether a forged file is one that its checksums do not give away."""
    try:
        for _ in ArrayFile(path).verify():
            pass
    except ValueError:
        return False
    return True
