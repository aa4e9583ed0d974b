"""The backup bot's two guessed numbers, varied: what each bot wins from each version of it."""

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np

from riverboat.report import new_panels, save_figure
from riverboat.reproductions._run import Found, ReproductionRun
from riverboat.reproductions.pineapple._training import DATA, shop_of
from riverboat.statistics import Estimate


def play_map(run: ReproductionRun) -> Found:
    """Play each bot against the backup bot with each pair of the guessed numbers."""
    shop = shop_of(run)
    shares, scores = shop.amounts.map_shares, shop.amounts.map_scores
    document = shop.bot(run.found.training.points[-1].strategy)
    bots = {"document": document, "better": shop.better, "allin": "allin"}
    rivals = [
        f"{DATA.opponent}:preflop_share={share:g},all_in={score:g}"
        for score, share in product(scores, shares)
    ]
    pairs = [(bot, rival) for bot in bots.values() for rival in rivals]
    won = shop.play(run, pairs, shop.amounts.map_hands)
    size = len(rivals)
    cells = {name: _rows(won[at * size :], len(shares), size) for at, name in enumerate(bots)}
    return Found(shares=list(shares), scores=list(scores), **cells)


def _rows(won: Sequence[Estimate], width: int, size: int) -> list[list[Estimate]]:
    """Cut the results of one bot into rows, one for each all-in score."""
    return [list(won[at : at + width]) for at in range(0, size, width)]


def cells_of(rows: Sequence[Sequence[Estimate]]) -> list[Estimate]:
    """Return all cells of a map."""
    return [won for row in rows for won in row]


def gained(found: Found) -> list[Estimate]:
    """Return what the better bot wins more than the document's, cell by cell, mbb/hand.

    Both play the same deals against the same bot; the margin counts them as independent.
    """
    pairs = zip(cells_of(found.better), cells_of(found.document), strict=True)
    return [ours.minus(theirs) for ours, theirs in pairs]


def draw_map(path: Path, found: Found) -> None:
    """Draw the winnings of each bot over the two numbers."""
    shape = len(found.scores), len(found.shares)
    panels = {
        "as the authors trained": cells_of(found.document),
        "better choices": cells_of(found.better),
        "always all-in": cells_of(found.allin),
    }
    most = max(1.0, *(abs(won.mean) for cells in panels.values() for won in cells)) / 1000
    figure, grid = new_panels(1, len(panels), (3.4 * len(panels), 3.6))
    for axes, (title, cells) in zip(grid, panels.items(), strict=True):
        means = np.array([won.mean / 1000 for won in cells]).reshape(shape)
        axes.imshow(means, cmap="PuOr_r", vmin=-most, vmax=most, origin="lower", aspect="auto")
        for (row, column), mean in np.ndenumerate(means):
            open_ = not cells[row * shape[1] + column].sign
            dark = abs(mean) > 0.6 * most
            text = f"({mean:+.1f})" if open_ else f"{mean:+.1f}"
            axes.text(
                column, row, text, ha="center", va="center", color="white" if dark else "black"
            )
        axes.set_title(title)
        axes.set_xticks(range(shape[1]), [f"{share:g}" for share in found.shares])
        axes.set_yticks(range(shape[0]), [f"{score:g}" for score in found.scores])
        axes.set_xlabel("limit before the flop, share of the stack")
    grid[0].set_ylabel("score for all-in")
    save_figure(figure, path)
