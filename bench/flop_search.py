"""What a flop strategy costs against an opponent who knows it: exact solves around a locked flop.

    uv run python bench/flop_search.py --log flops.jsonl --states /tmp/flops --resume

For each spot the whole game from the flop on is solved once, with the ranges that the default file
gives to the line. Then all flop decisions of one player are locked to a strategy, and everything
else (that player's turn and river, all of the opponent) is solved around them. The *cost* is the
drop of the player's value, in per cent of the pot. Strategies are the file's, the sampled solver's
by seed, and, as a control, the equilibrium's own flop, whose cost would be 0 if both solves were
exact. `low` and `high` are bounds of the cost by best responses. Each line of the log is one solve;
`--resume` continues.

A sampled solve gets `--seconds`, or `--iterations`, which repeat bit for bit.

With `--off-menu 0.33` the player in position may also bet 33 % of the pot after a check. The
strategies `relocked` and `unlocked` are two ways to answer out of position: play by a solve without
that bet, and solve again when it is made, with the own first decision locked, or free. The search
bot locks it.

    uv run python bench/flop_search.py --off-menu 0.33 --strategies relocked,unlocked
"""

import argparse
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint import Blueprint, default_blueprint
from riverboat.bots import BlueprintBot, DepthsBot, make_bot
from riverboat.cards import NUM_HOLES, hole_permutations
from riverboat.game import Action, Hand, catalogue
from riverboat.runs import PieceLog
from riverboat.spots import Engine, SampledSettings, SampledSolver, Spot
from riverboat.tree import DECISION, Tree

GAME: Final = catalogue("nolimit-100bb")
#: Flop sizes of the default file; its all-ins and later raises count as the next smaller action.
MENU: Final = "50%, 100% | 100% ; cap 2 / 75% ; cap 1 / 75% ; cap 1"
SPOTS: Final = {
    "limped two-tone": ("ck/", "Ts5s3d"),
    "limped monotone": ("ck/", "Ah9h4h"),
    "limped paired": ("ck/", "6c6d2h"),
    "raised monotone": ("b25c/", "8s2sJs"),
    "raised connected": ("b25c/", "KsQsTd"),
    "raised low": ("b25c/", "7c6d5h"),
    "raised paired": ("b25c/", "As8s8d"),
    "three-bet rainbow": ("b25b75c/", "Ks7h2d"),
    "three-bet two-tone": ("b25b75c/", "9c7c4d"),
    "three-bet paired": ("b25b75c/", "QcQd5c"),
    "four-bet two-tone": ("b25b75b225c/", "Qh8h4c"),
    "four-bet rainbow": ("b25b75b225c/", "AsTc3d"),
}
SEATS: Final = ("oop", "ip")
STRATEGIES: Final = ("control", "file", "sampled")
#: By strategy of `--off-menu`: whether the second solve locks the own first decision.
AFTER_BET: Final = {"relocked": True, "unlocked": False}

Rows = Mapping[int, NDArray[np.float64]]
"""Strategies `[actions, 1326]` of the flop's decisions, by node."""


class Piece(msgspec.Struct):
    """One locked solve: whose flop was locked to which strategy, and what that costs."""

    spot: str
    strategy: str
    player: str
    run: int
    limit: str
    cost: float
    low: float
    high: float
    iterations: int
    boards: int
    cpu_seconds: float
    """Of the strategy; a sampled solve counts its threads."""


class Base(NamedTuple):
    """The solved game of a spot."""

    engine: Engine
    state: dict[str, NDArray[Any]]
    values: tuple[float, float]
    best: tuple[float, float]
    own_flop: Rows


# ---- The game


def spot_of(name: str, cut: float) -> Spot:
    """Return a spot with the file's ranges, without hands that the line hardly ever has."""
    line, board = SPOTS[name]
    spot = Spot.from_blueprint(Blueprint.open(default_blueprint()), line, board, MENU)
    oop, ip = (np.where(held.weights >= cut, held.weights, 0.0) for held in spot.ranges)
    return spot.changed({"oop": oop.tolist(), "ip": ip.tolist()})


def flop_lines(tree: Tree, node: int = 0, line: str = "") -> Iterator[tuple[int, str]]:
    """Yield the flop's decisions with their lines."""
    if tree.kind[node] != DECISION:
        return
    yield node, line
    for action, child in zip(tree.actions(node), tree.children(node), strict=True):
        yield from flop_lines(tree, int(child), line + action)


def solve_base(spot: Spot, iterations: int, target: float, folder: Path | None) -> Base:
    """Solve the game, or read its tables."""
    engine = Engine(spot.tree(), spot.cards, weights_of(spot))
    state = read_state(folder, engine)
    if state is None:
        engine.run_checked(iterations, target * spot.pot, 30)
        state = {name: table.copy() for name, table in engine.state().items()}
        if folder is not None:
            write_state(folder, state)
    engine.load_state(state, iterations)
    flop = {
        node: np.nan_to_num(engine.strategy(node).astype(np.float64))
        for node, _ in flop_lines(engine.tree)
    }
    best = engine.best_response(0), engine.best_response(1)
    return Base(engine, state, engine.both_values(), best, flop)


def weights_of(spot: Spot) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return both ranges."""
    oop, ip = (held.weights.astype(np.float32) for held in spot.ranges)
    return oop, ip


def write_state(folder: Path, state: Mapping[str, NDArray[Any]]) -> None:
    """Write the tables; the last file says that all are there."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in state.items():
        np.save(folder / f"{name}.npy", table)
    (folder / "done").touch()


def read_state(folder: Path | None, engine: Engine) -> dict[str, NDArray[Any]] | None:
    """Return the tables of an earlier run, memory-mapped."""
    if folder is None or not (folder / "done").exists():
        return None
    return {name: np.load(folder / f"{name}.npy", mmap_mode="r") for name in engine.state()}


# ---- The strategies


def file_rows(name: str, tree: Tree) -> Rows:
    """Return the file's flop, with its actions as those of the tree."""
    line, board = SPOTS[name]
    bot = make_bot("blueprint", seed=1)
    assert isinstance(bot, BlueprintBot | DepthsBot)
    found = {}
    for node, flop_line in flop_lines(tree):
        hand = Hand.from_line(GAME, line.rstrip("/"), board=board)
        hand.play(flop_line)
        assert hand.actor is not None
        told = bot.strategies(hand.view(hand.actor))
        columns = np.zeros((int(tree.num_actions[node]), NUM_HOLES))
        for action, column in zip(told.actions, told.rows.T, strict=True):
            columns[nearest(action, tree.actions(node))] += column
        found[node] = columns
    return found


def nearest(action: str, actions: tuple[str, ...]) -> int:
    """Return the same action, or of a bet the next smaller one: at least a check or call."""
    if action in actions:
        return actions.index(action)
    amount = Action(action).amount
    lower = [i for i, each in enumerate(actions) if each != "f" and Action(each).amount < amount]
    return max(lower, key=lambda i: Action(actions[i]).amount)


def sampled_rows(
    spot: Spot,
    tree: Tree,
    seed: int,
    options: argparse.Namespace,
    locked: NDArray[np.float64] | None = None,
) -> tuple[Rows, int, int, float]:
    """Return the sampled solver's flop, its iterations, boards and CPU seconds."""
    began, until = time.process_time(), time.perf_counter() + options.seconds
    settings = SampledSettings(seed=seed, threads=options.threads, turns=options.turns)
    solver = SampledSolver(spot, settings, tree=tree)
    if locked is not None:
        solver.lock(0, locked)
    if options.iterations:
        solver.run(iterations=options.iterations)
    while not options.iterations and time.perf_counter() < until:
        solver.run(iterations=10)
    spent = time.process_time() - began
    rows = {}
    for node, line in flop_lines(tree):
        told = solver.node(line)
        rows[node] = np.nan_to_num(told.strategy.T.astype(np.float64))
    return rows, solver.iterations, solver.boards, spent


def rows_after_bet(
    spot: Spot, tree: Tree, seed: int, options: argparse.Namespace, *, lock: bool
) -> tuple[Rows, int, int, float]:
    """Return the flop of somebody who solves again when a bet is made that the menu lacks."""
    plain = spot.changed({"added": ()})
    first, iterations, boards, spent = sampled_rows(plain, plain.tree(), seed, options)
    lines = {line: first[node] for node, line in flop_lines(plain.tree())}
    played = np.where(first[0].sum(axis=0) > 0, first[0], 1 / len(first[0])) if lock else None
    second, more, more_boards, longer = sampled_rows(spot, tree, seed, options, played)
    rows = {
        node: second[node] if line.startswith(spot.added[0]) else lines.get(line, second[node])
        for node, line in flop_lines(tree)
        if tree.player[node] == 0
    }
    return rows, iterations + more, boards + more_boards, spent + longer


def symmetric(spot: Spot, rows: Rows) -> Rows:
    """Return strategies that isomorphic hands share, which a lock demands.

    A mean over all renamings of suits that leave board and ranges as they are.
    """
    kept = [mapping for mapping in hole_permutations() if stays(spot, mapping)]
    found = {}
    for node, columns in rows.items():
        even = np.where(columns.sum(axis=0) > 0, columns, 1 / len(columns))
        each = np.sort(np.stack([even[:, mapping] for mapping in kept]), axis=0)
        mean = each.mean(axis=0)
        found[node] = mean / mean.sum(axis=0)
    return found


def stays(spot: Spot, mapping: NDArray[Any]) -> bool:
    """Return whether a renaming leaves the board and both ranges as they are."""
    live = GAME.live_holes(spot.cards)
    if not np.array_equal(live, live[mapping]):
        return False
    return all(np.allclose(held, held[mapping], atol=1e-6) for held in weights_of(spot))


# ---- The judge


def locked_cost(
    base: Base, pot: int, rows: Rows, player: int, iterations: int
) -> tuple[float, float, float]:
    """Return the cost of locking a player's flop, and its bounds, in per cent of the pot."""
    engine, tree = base.engine, base.engine.tree
    own = [node for node, _ in flop_lines(tree) if tree.player[node] == player]
    engine.load_state(base.state, min(20, iterations))
    for node in own:
        engine.lock(node, None, rows[node])
    try:
        engine.run(iterations)
        value, best = engine.value(player), engine.best_response(player)
        other = engine.best_response(1 - player)
    finally:
        for node in own:
            engine.unlock(node, None)
    percent = 100 / pot
    total = sum(base.values)
    cost = base.values[player] - value
    low = total - base.best[1 - player] - best
    high = base.best[player] - (total - other)
    return percent * cost, percent * low, percent * high


def wanted(options: argparse.Namespace) -> Iterator[tuple[str, int, str]]:
    """Yield strategies with seeds and their limits."""
    for strategy in options.strategies.split(","):
        if strategy == "sampled" or strategy in AFTER_BET:
            limit = f"{options.iterations} it" if options.iterations else f"{options.seconds:g} s"
            for seed in range(1, options.seeds + 1):
                yield strategy, seed, limit
        else:
            yield strategy, 0, ""


def seats_of(strategy: str) -> tuple[str, ...]:
    """Return who is judged."""
    return SEATS[:1] if strategy in AFTER_BET else SEATS


def judge(name: str, options: argparse.Namespace, log: PieceLog[Piece]) -> None:
    """Judge all strategies on a spot that the log lacks."""
    done = {(each.spot, each.strategy, each.run, each.limit, each.player) for each in log.done}
    left = [
        each
        for each in wanted(options)
        if any((name, *each, seat) not in done for seat in seats_of(each[0]))
    ]
    if not left:
        return
    spot = spot_of(name, options.cut)
    if options.off_menu:
        spot = spot.changed({"added": (f"kb{round(options.off_menu * spot.pot)}",)})
    folder = None if options.states is None else options.states / name.replace(" ", "-")
    began = time.process_time()
    base = solve_base(spot, options.base, options.target, folder)
    gap = 100 * (sum(base.best) - sum(base.values)) / 2 / spot.pot
    hands = [len(held) for held in base.engine.hands]
    print(f"{name}: {hands} hands, exploitable by {gap:.2f} % of the pot, "
          f"{time.process_time() - began:.0f} s of CPU", flush=True)  # fmt: skip
    tree = base.engine.tree
    for strategy, seed, limit in left:
        rows, iterations, boards, spent = base.own_flop, 0, 0, 0.0
        if strategy == "file":
            rows = file_rows(name, tree)
        elif strategy == "sampled":
            rows, iterations, boards, spent = sampled_rows(spot, tree, seed, options)
        elif strategy in AFTER_BET:
            rows, iterations, boards, spent = rows_after_bet(
                spot, tree, seed, options, lock=AFTER_BET[strategy]
            )
        rows = symmetric(spot, rows)
        for player, seat in enumerate(seats_of(strategy)):
            if (name, strategy, seed, limit, seat) in done:
                continue
            cost, low, high = locked_cost(base, spot.pot, rows, player, options.locked)
            piece = Piece(
                spot=name,
                strategy=strategy,
                player=seat,
                run=seed,
                limit=limit,
                cost=round(cost, 3),
                low=round(low, 3),
                high=round(high, 3),
                iterations=iterations,
                boards=boards,
                cpu_seconds=round(spent, 3),
            )
            log.add(piece)
            print(f"  {strategy} {seed} {limit} {seat}: {piece.cost} ({piece.low} to "
                  f"{piece.high}) %", flush=True)  # fmt: skip


def main() -> None:
    """Judge all spots."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="spots whose name contains this word")
    parser.add_argument("--strategies", default=",".join(STRATEGIES), help="some of them")
    parser.add_argument("--seconds", type=float, default=5, help="of a sampled solve")
    parser.add_argument("--iterations", type=int, default=0, help="of a sampled solve")
    parser.add_argument("--seeds", type=int, default=3, help="sampled solves of a spot")
    parser.add_argument("--threads", type=int, default=2, help="of a sampled solve")
    parser.add_argument("--turns", type=int, default=2, help="turn cards of an iteration")
    parser.add_argument("--off-menu", type=float, default=0, help="bet after a check, in pots")
    parser.add_argument("--cut", type=float, default=0.05, help="least weight of a hand")
    parser.add_argument("--base", type=int, default=120, help="most iterations of the base")
    parser.add_argument("--target", type=float, default=0.003, help="of the base, in pots")
    parser.add_argument("--locked", type=int, default=25, help="iterations of a locked solve")
    parser.add_argument("--log", type=Path, help="JSON lines, one for each locked solve")
    parser.add_argument("--states", type=Path, help="folder that keeps the solved bases")
    parser.add_argument("--resume", action="store_true", help="continue the log")
    options = parser.parse_args()
    if not options.off_menu and set(AFTER_BET) & set(options.strategies.split(",")):
        parser.error("relocked and unlocked need --off-menu, such as --off-menu 0.33")
    identity = {"menu": MENU, **{key: getattr(options, key) for key in ("cut", "locked")}}
    if options.off_menu:
        identity["off_menu"] = options.off_menu
    log = PieceLog(options.log, identity, Piece, resume=options.resume)
    for name in SPOTS:
        if options.only in name:
            judge(name, options, log)


if __name__ == "__main__":
    main()
