"""Its training, repeated: how much of the game is reached, how often, and what all-in gets there.

In each tenth of the training it is noted which infosets got a share of the average strategy. How
many tenths an infoset was reached in says how well it was trained; averaging weights do not,
because average-strategy sampling weighs a single rare visit by thousands.
"""

import time
from pathlib import PurePath

import msgspec
import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint import GroupRows, Layout
from riverboat.errors import DamagedFileError
from riverboat.files import ArrayFile, ArrayFileWriter, ArraySpec
from riverboat.reproductions._run import ReproductionRun
from riverboat.reproductions._work import iterate_told
from riverboat.reproductions.pineapple._own_game import without_swaps
from riverboat.reproductions.pineapple._results import AllIn, Point, Training
from riverboat.reproductions.pineapple._workshop import Workshop
from riverboat.solve import Deals
from riverboat.training import Until, restore_checkpoint, save_checkpoint, write_result
from riverboat.tree import Tree

_SAVE_SECONDS = 30.0
_TENTHS = "tenths.safetensors"
_BET = 3  # kind of action
_NEAR = 0.1


def marks_of(iterations: int, snapshots: tuple[int, ...] = ()) -> tuple[int, ...]:
    """Return where a training is looked at: its tenths, and where its strategy is kept.

    Examples
    --------
    >>> marks_of(100, (5, 20))
    (5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
    """
    tenths = {-(-iterations * tenth // 10) for tenth in range(1, 11)}
    return tuple(sorted(tenths | set(snapshots)))


def train(shop: Workshop) -> Training:
    """Train as the authors did; keep the strategy on its way, too."""
    last, snapshots = shop.amounts.iterations, shop.amounts.snapshots
    course, marks = _Course(shop), marks_of(last, snapshots)
    stops = [Until(iterations=mark) for mark in marks]
    for now in iterate_told(shop.run, course.solver, stops, "samples"):
        if now.stop is not None:
            course.look(keep_strategy=now.iterations in {*snapshots, last})
            if now.iterations in marks_of(last):
                course.note(save=now.iterations < last)
    return course.result()


class _Course:
    """A training under way, and what is noted of it; it goes on where an earlier was stopped."""

    def __init__(self, shop: Workshop) -> None:
        self.shop, self.setup = shop, shop.setup(shop.recipe)
        self.layout = Layout(self.setup.tree, self.setup.deals.num_buckets)
        self.solver = self.setup.solver(shop.recipe)
        self.tenths = np.zeros(self.layout.num_infosets, np.uint8)
        self.points: list[Point] = []
        self.checkpoint = shop.run.path("training.checkpoint")
        if self.checkpoint.exists():
            self._restore()
        self.sums = _sums(self.layout, self.solver.average)
        self.saved = time.monotonic()

    def look(self, *, keep_strategy: bool) -> None:
        """Count what was reached, and keep the strategy if it is to be played."""
        solver = self.solver
        name = f"after-{solver.iterations}" if keep_strategy else ""
        if name:
            write_result(self.shop.file(name), self.setup, self.shop.recipe, solver)
        now = solver.report()
        self.points.append(Point(now.iterations, now.seconds, now.visited, now.averaged, name))

    def note(self, *, save: bool) -> None:
        """Note which infosets this tenth of the training has reached."""
        now = _sums(self.layout, self.solver.average)
        self.tenths += (now > self.sums).astype(np.uint8)
        self.sums = now
        if save and time.monotonic() - self.saved > _SAVE_SECONDS:
            self.save()
            self.saved = time.monotonic()

    def save(self) -> None:
        """Save all that is needed to go on; the notes first, under the number of iterations."""
        name = f"noted-{self.solver.iterations}.safetensors"
        points = msgspec.json.encode(self.points).decode()
        _write_tenths(self.shop.run, name, self.tenths, {"points": points})
        save_checkpoint(self.checkpoint, self.solver, self.shop.recipe.identity())
        self._remove_notes(but=name)

    def _restore(self) -> None:
        restore_checkpoint(self.checkpoint, self.solver, self.shop.recipe.identity())
        file = ArrayFile(self.shop.run.path(f"noted-{self.solver.iterations}.safetensors"))
        self.points, self.tenths = _notes_in(file, self.layout.num_infosets)

    def _remove_notes(self, but: str = "") -> None:
        for path in self.shop.run.folder.glob("noted-*.safetensors"):
            if path.name != but:
                path.unlink()

    def result(self) -> Training:
        """Sum up; the tenths are kept, and the checkpoint has done its duty."""
        _write_tenths(self.shop.run, _TENTHS, self.tenths, {})
        self.checkpoint.unlink(missing_ok=True)
        self._remove_notes()
        decisions, others = sum(self.setup.tree.num_decisions), _sizes_without(self.setup.deals)
        size = self.shop.file(self.points[-1].strategy).stat().st_size
        infosets, memory = self.layout.num_infosets, self.solver.memory_bytes
        all_in = all_in_by_tenths(self.layout, self.solver.average, self.tenths)
        return Training(tuple(self.points), infosets, decisions, *others, memory, size, all_in)


def _notes_in(file: ArrayFile, infosets: int) -> tuple[list[Point], NDArray[np.uint8]]:
    """Return what was noted of a training; the file may be anybody's."""
    try:
        points = msgspec.json.decode(file.metadata["points"], type=list[Point])
        tenths = np.array(file.array("tenths"))
    except (KeyError, msgspec.MsgspecError, RecursionError) as error:
        raise DamagedFileError(f"{file.path} is damaged: it has no notes of a training") from error
    own = all(PurePath(point.strategy).name == point.strategy for point in points)
    if tenths.shape != (infosets,) or tenths.dtype != np.uint8 or not own:
        raise DamagedFileError(f"{file.path} is damaged: its notes are not those of this training")
    return points, tenths


def _write_tenths(
    run: ReproductionRun, name: str, tenths: NDArray[np.uint8], metadata: dict[str, str]
) -> None:
    specs = {"tenths": ArraySpec(tenths.dtype, tenths.shape)}
    with ArrayFileWriter(run.path(name), specs, metadata) as writer:
        writer.write("tenths", tenths)


def read_tenths(run: ReproductionRun) -> NDArray[np.uint8]:
    """Return how many tenths of the training each infoset was reached in, [infosets]."""
    return np.array(ArrayFile(run.path(_TENTHS)).array("tenths"))


def _sums(layout: Layout, average: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum of the average of each infoset, [infosets]."""
    sums = np.empty(layout.num_infosets)
    for chunk in layout.chunks():
        block = average[chunk.entries].reshape(chunk.num_buckets, -1)
        sums[chunk.infosets] = layout.groups[chunk.group].sums(block).ravel()
    return sums


def _sizes_without(deals: Deals) -> tuple[int, int]:
    """Infosets without any swaps, and with the own ones only."""
    spec = deals.tree.spec
    plain = Tree(without_swaps(spec), deals.tree.menu)
    buckets = dict(zip(deals.tree.group_street.tolist(), deals.num_buckets, strict=True))
    by_street = plain.num_infosets([buckets[street] for street in range(len(spec.streets))])
    lines, own = 1, 0
    for street, count in zip(spec.streets, by_street, strict=True):
        lines *= 2 if street.discard == "swap" else 1
        own += count * lines
    return sum(by_street), own


def all_in_by_tenths(
    layout: Layout, average: NDArray[np.float64], tenths: NDArray[np.uint8]
) -> tuple[AllIn, ...]:
    """Sum up the probability of all-in by how well infosets were trained.

    Parameters
    ----------
    layout
        Of the tables.
    average
        [entries] the average strategy, not normalised.
    tenths
        [infosets] tenths of the training that each was reached in, 0 to 10.
    """
    totals = np.zeros((11, 4))  # infosets, all-in, uniform, near
    for chunk in layout.chunks():
        rows = layout.groups[chunk.group]
        block = average[chunk.entries].reshape(chunk.num_buckets, -1)
        known = tenths[chunk.infosets].reshape(chunk.num_buckets, -1)
        totals += _chunk_totals(rows, block, known, _all_in_entries(layout.tree, rows))
    means = totals[:, 1:] / np.maximum(1.0, totals[:, :1])
    counts = totals[:, 0].astype(int).tolist()
    return tuple(AllIn(n, counts[n], *line) for n, line in enumerate(means.tolist()))


def _chunk_totals(
    rows: GroupRows,
    block: NDArray[np.float64],
    known: NDArray[np.uint8],
    flags: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Infosets with all-in on the menu by tenths, and sums over them: [11, 4]."""
    offered = np.add.reduceat(flags, rows.starts) > 0
    sums = rows.spread(rows.sums(block))
    shares = np.where(sums > 0, block / np.maximum(sums, 1e-300), rows.uniform)
    all_in = rows.sums(shares * flags)[:, offered].ravel()
    far = rows.greatest(np.abs(shares - rows.uniform))[:, offered].ravel()
    uniform = np.broadcast_to(1 / rows.counts, known.shape)[:, offered].ravel()
    tenths = known[:, offered].ravel()
    weights = (np.ones(len(tenths)), all_in, uniform, (far < _NEAR).astype(np.float64))
    return np.stack([np.bincount(tenths, each, 11) for each in weights], axis=1)


def _all_in_entries(tree: Tree, rows: GroupRows) -> NDArray[np.float64]:
    """1 at entries that are all-in bets, [entries of a bucket]."""
    within = np.arange(len(rows.owners)) - rows.starts[rows.owners]
    nodes = rows.nodes[rows.owners]
    children = tree.first_child[nodes].astype(np.int64) + within
    players = tree.player[nodes].astype(np.int64)
    stacks = np.array(tree.spec.stacks)[players]
    whole = tree.contributions[children, players] == stacks
    flags: NDArray[np.float64] = ((tree.action_kind[children] == _BET) & whole).astype(np.float64)
    return flags
