"""Small strategies for tests."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint import (
    Blueprint,
    Header,
    Layout,
    Training,
    write_blueprint,
)
from riverboat.buckets import make_abstraction
from riverboat.cards import HandStrength
from riverboat.game import GameSpec, catalogue
from riverboat.solve import Scheme, Solver, enumerate_deals
from riverboat.tree import Tree
from sizes import BUCKETS


def leduc_solver(iterations: int, scheme: Scheme | None = None, seed: int = 1) -> Solver:
    """Train Leduc for a while, full-width by default."""
    deals = enumerate_deals(Tree(catalogue("leduc"), "min"))
    solver = Solver(deals, scheme or Scheme("full", "cfr+", "linear"), seed=seed)
    solver.run_all(iterations=iterations)
    return solver


def save(solver: Solver, path: Path, **fields: Any) -> Path:
    """Write the average strategy of a solver."""
    deals = solver.deals
    training = Training(seed=solver.seed, iterations=solver.iterations, seconds=solver.seconds)
    header = Header.of(deals.tree, deals.num_buckets, training, **fields)
    write_blueprint(path, header, deals.tree, solver.average)
    return path


def random_blueprint(
    path: Path, tables: HandStrength, game: GameSpec, menu: str, least: int = 0
) -> Blueprint:
    """Random rows of hold'em, a fifth of them untrained if the least weight is 0."""
    cards, tree = make_abstraction(BUCKETS, tables), Tree(game, menu)
    layout = Layout(tree, Header.of(tree, cards).num_buckets)
    header = Header.of(tree, layout.num_buckets)
    write_blueprint(path, header, tree, random_table(layout, seed=3) + least, cards)
    return Blueprint.open(path)


def random_table(layout: Layout, seed: int) -> NDArray[np.float64]:
    """[entries] whole random weights, a fifth of the rows 0, some rows uniform or pure."""
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 1000, layout.num_entries).astype(np.float64)
    for chunk in layout.chunks():
        rows = layout.groups[chunk.group]
        block = table[chunk.entries].reshape(chunk.num_buckets, -1)
        drawn = rows.spread(rng.random((chunk.num_buckets, len(rows.nodes))))
        block[drawn < 0.2] = 0
        block[(drawn >= 0.2) & (drawn < 0.4)] = 30
    return table
