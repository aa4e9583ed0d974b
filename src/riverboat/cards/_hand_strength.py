"""Exact strength of any hole pair on any board against one unknown hand.

`HandStrength` reads tables that are built once (see `_strength_tables`) and memory-mapped.
Strength on the river is win + tie / 2. Before the river the tables contain its exact mean and
mean square over the runouts; `histograms` computes its distribution.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from riverboat import _core
from riverboat.cards._boards import (
    BOARD_CARDS,
    NUM_BOARDS,
    STREETS,
    StreetName,
    canonical_board,
    hole_permutations,
)
from riverboat.cards._card import CardsLike, as_cards, cards_text
from riverboat.cards._checks import hole_and_board, whole_array, whole_number
from riverboat.cards._holes import NUM_HOLES, hole_index
from riverboat.cards._strength_tables import (
    BuildProgress,
    build_tables,
    open_table,
    table_path,
)
from riverboat.errors import CardError, DamagedFileError
from riverboat.files import ArrayFile, cache_folder
from riverboat.runs import in_order

_OPPONENTS: Final = 990
_POINTS: Final = 2 * _OPPONENTS
_STREET_OF: Final = dict(zip(BOARD_CARDS, STREETS, strict=True))
_RUNOUTS: Final[dict[StreetName, int]] = {
    "preflop": 2_118_760,
    "flop": 1_081,
    "turn": 46,
    "river": 1,
}


@dataclass(frozen=True, slots=True)
class Strength:
    """Strength of one hole pair on one board."""

    win: float
    """Probability of winning."""
    tie: float
    """Probability of a tie."""
    mean: float
    """E[HS]: mean over the runouts of the river strength win + tie / 2."""
    mean_square: float
    """E[HS^2]: mean over the runouts of the squared river strength."""


@dataclass(frozen=True, slots=True)
class BoardStrength:
    """Strength of all hole pairs on one board, arrays [1326] float64; NaN for dead pairs."""

    win: NDArray[np.float64]
    tie: NDArray[np.float64]
    mean: NDArray[np.float64]
    mean_square: NDArray[np.float64]


class HandStrength:
    """The hand-strength tables; missing ones are built first.

    A damaged table, found on opening or when a block is first read, is never
    used: it is rebuilt.

    Parameters
    ----------
    folder
        Folder of the tables; the user's cache folder by default.
    progress
        Called with each `BuildProgress` while tables are built.

    Examples
    --------
    >>> tables = HandStrength()
    >>> round(tables.strength("AhKh", "Qh7c2d").mean, 6)
    0.580426
    """

    def __init__(
        self,
        folder: Path | str | None = None,
        progress: Callable[[BuildProgress], object] = lambda _: None,
    ) -> None:
        self.folder = Path(folder or cache_folder())
        self._progress = progress
        self._files: dict[StreetName, ArrayFile] = {}
        self._building = Lock()
        self._build()

    def strength(self, hole: CardsLike, board: CardsLike = "") -> Strength:
        """Look up one hole pair on a board of 0, 3, 4 or 5 cards."""
        held, table = hole_and_board(hole, board)
        street = _STREET_OF[len(table)]
        row, moved = self._place(street, table)
        hole_there = moved[hole_index(*held)]
        win, tie = (int(n) for n in self._rows(street, "win_tie", row, row + 1)[0, hole_there])
        if street == "river":
            square = (2 * win + tie) ** 2
        else:
            square = int(self._rows(street, "square", row, row + 1)[0, hole_there])
        deals = _RUNOUTS[street] * _OPPONENTS
        return Strength(
            win / deals, tie / deals, (2 * win + tie) / (2 * deals), square / _square_scale(street)
        )

    def counts(self, hole: int, board: Sequence[int]) -> tuple[int, int, int]:
        """Look up one hole pair in an inner loop: wins, ties and the number of deals.

        Parameters
        ----------
        hole
            Index of the hole pair.
        board
            0, 3, 4 or 5 cards; the caller checks that none is in the hole pair.

        Examples
        --------
        >>> HandStrength().counts(hole_index(50, 51), ())  # two aces: 84.93 % and 0.54 %
        (1781508418, 11402312, 2097572400)
        """
        street = _STREET_OF[len(board)]
        row = 0
        if board:
            ids, moves = np.empty(1, np.uint32), np.empty(1, np.uint8)
            _core.find_boards_into(np.array([board], np.uint8), ids, moves)
            row, hole = int(ids[0]), int(hole_permutations()[moves[0], hole])
        win, tie = self._rows(street, "win_tie", row, row + 1)[0, hole].tolist()
        return win, tie, _RUNOUTS[street] * _OPPONENTS

    def board_strength(self, board: CardsLike = "") -> BoardStrength:
        """Look up all hole pairs on a board of 0, 3, 4 or 5 cards."""
        table = as_cards(board)
        street = _street_of(table)
        row, moved = self._place(street, table)
        cells = self._rows(street, "win_tie", row, row + 1)[0][moved]
        counts = cells.astype(np.float64)
        counts[cells[:, 0] == np.iinfo(cells.dtype).max] = np.nan
        win, tie = (counts / (_RUNOUTS[street] * _OPPONENTS)).T
        mean = win + tie / 2
        if street == "river":
            return BoardStrength(win, tie, mean, mean**2)
        square = self._rows(street, "square", row, row + 1)[0][moved] / _square_scale(street)
        return BoardStrength(win, tie, mean, np.where(np.isnan(mean), np.nan, square))

    def cells(self, street: StreetName) -> NDArray[Any]:
        """Return the whole (win, tie) table of a street, [boards, 1326, 2], verified.

        Counts over opponent hands and runouts; pairs with a board card have the
        dtype's maximum. The array is a read-only memory map.
        """
        if street not in STREETS:
            raise CardError(f"{street!r} is not a street: they are {', '.join(STREETS)}")
        return self._guarded(street, lambda file: file.array("win_tie"))

    def squares(self, street: StreetName) -> NDArray[Any]:
        """Return the sums over the runouts of (2 * win + tie)^2, [boards, 1326], verified.

        For streets before the river; pairs with a board card have the dtype's maximum. The array
        is a read-only memory map.
        """
        if street not in STREETS[:-1]:
            raise CardError(f"{street!r} has no squares: {', '.join(STREETS[:-1])} have")
        return self._guarded(street, lambda file: file.array("square"))

    def histograms(
        self, street: StreetName, boards: ArrayLike, bins: int | ArrayLike = 50
    ) -> NDArray[np.uint16]:
        """Return the distribution of the river strength over the runouts, for clustering.

        Parameters
        ----------
        street
            `flop` or `turn`.
        boards
            [n] canonical board ids.
        bins
            Number of equal bins of strength 0..1 (1 is in the last bin), or an
            array [1981] with the bin of each value of 2 * win + tie, 0..1980.

        Returns
        -------
        [n, 1326, bins] uint16
            Numbers of runouts: in total 1,081 on the flop and 46 on the turn;
            zero for dead pairs.
        """
        if street not in ("flop", "turn"):
            raise CardError(f"histograms exist on the flop and the turn, not on {street!r}")
        size = 3 if street == "flop" else 4
        ids = whole_array(boards, ("n",), np.uint32, range(2**32), ("a list of ids", "a board"))
        if ids.size and int(ids.max()) >= NUM_BOARDS[size]:
            raise CardError(f"{ids.max()} is not a {street}: ids are 0 to {NUM_BOARDS[size] - 1}")
        bin_of = _bins(bins)
        out = np.empty((len(ids), NUM_HOLES, int(bin_of.max()) + 1), np.uint16)
        river = self.cells("river")
        step = 8 if street == "flop" else 128  # some hundredths of a second

        def fill(begin: int) -> None:
            part = slice(begin, begin + step)
            _core.run_out_histograms_into(size, ids[part], river, bin_of, out[part])

        for _ in in_order(fill, range(0, len(ids), step)):
            pass
        return out

    def _build(self) -> None:
        for report in build_tables(self.folder):
            self._progress(report)
        self._files = {street: open_table(street, self.folder) for street in STREETS}

    def _rows(self, street: StreetName, name: str, begin: int, end: int) -> NDArray[Any]:
        return self._guarded(street, lambda file: file.rows(name, begin, end))

    def _guarded(
        self, street: StreetName, read: Callable[[ArrayFile], NDArray[Any]]
    ) -> NDArray[Any]:
        """Read from a table; if a block is damaged, rebuild the table first."""
        with suppress(DamagedFileError):
            return read(self._files[street])
        with self._building:  # only one thread builds
            with suppress(DamagedFileError):
                return read(self._files[street])
            table_path(street, self.folder).unlink(missing_ok=True)
            self._build()
            return read(self._files[street])

    @staticmethod
    def _place(street: StreetName, board: list[int]) -> tuple[int, NDArray[np.uint16]]:
        """Return the row of a board in its table, and the column of each hole pair."""
        if street == "preflop":
            return 0, np.arange(NUM_HOLES, dtype=np.uint16)
        canonical = canonical_board(board)
        return canonical.id, hole_permutations()[canonical.permutation]


def _street_of(board: list[int]) -> StreetName:
    if len(board) not in _STREET_OF:
        raise CardError(f"a board has 0, 3, 4 or 5 cards, not {len(board)}: {cards_text(board)}")
    return _STREET_OF[len(board)]


def _square_scale(street: StreetName) -> float:
    return float(_RUNOUTS[street]) * _POINTS**2


def _bins(bins: int | ArrayLike) -> NDArray[np.uint16]:
    """Return the bin of each value of 2 * win + tie, [1981]; `bins` is that or a number of bins."""
    points = np.arange(_POINTS + 1)
    if isinstance(bins, Sequence) or (isinstance(bins, np.ndarray) and bins.ndim > 0):
        names = ("a list of bins", "a bin")
        bin_of = whole_array(bins, (len(points),), np.uint16, range(len(points)), names)
        if bin_of.max() > _POINTS:
            raise CardError(f"{bin_of.max()} is not a bin: bins are 0 to {_POINTS}")
        return bin_of
    sentence = f"{bins!r} bins are not possible: take 1 to {len(points)}"
    count = whole_number(bins, range(1, len(points) + 1), sentence)
    return np.minimum(points * count // _POINTS, count - 1).astype(np.uint16)


def built_strength() -> HandStrength | None:
    """Return the hand-strength tables if they are built already, else None."""
    folder = cache_folder()
    built = all(table_path(street, folder).exists() for street in STREETS)
    return _opened(folder) if built else None


@lru_cache(maxsize=1)
def _opened(folder: Path) -> HandStrength:
    """Open the tables once: a second opening would verify the same blocks again."""
    return HandStrength(folder)
