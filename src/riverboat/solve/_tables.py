"""The tables of a run: which a scheme has, of which dtype, and how large. Known only here."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from riverboat.errors import SolveError
from riverboat.solve._scheme import Scheme
from riverboat.tree import Tree

__all__ = ["Tables", "bytes_per_entry", "table_dtypes", "table_sizes"]

_PIECE: Final = 2**19  # entries that one thread copies at a time: a large page at least


def table_dtypes(scheme: Scheme) -> dict[str, np.dtype[Any]]:
    """Return the dtype of each table of a scheme, by name.

    Integers count what pure sampling draws. Regrets of sampled schemes fill the memory in
    hold'em: they are float32; averages grow without end and are float64.

    Examples
    --------
    >>> table_dtypes(Scheme("external"))
    {'regrets': dtype('float32'), 'average': dtype('float64')}
    """
    regret, average = {
        "pure": (np.int32, np.uint32),
        "full": (np.float64, np.float64),
    }.get(scheme.sampling, (np.float32, np.float64))
    found = {"regrets": np.dtype(regret), "average": np.dtype(average)}
    return found | ({"predictions": np.dtype(regret)} if scheme.rule == "predictive+" else {})


def bytes_per_entry(scheme: Scheme) -> int:
    """Return the bytes of a solver's tables for each strategy entry.

    Examples
    --------
    >>> bytes_per_entry(Scheme("external")), bytes_per_entry(Scheme("pure"))
    (12, 8)
    """
    return sum(dtype.itemsize for dtype in table_dtypes(scheme).values())


def table_sizes(tree: Tree, num_buckets: Sequence[int]) -> tuple[int, int]:
    """Return how many infosets and strategy entries a tree has with buckets by group.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> table_sizes(Tree(catalogue("kuhn"), "min"), (3, 3))
    (12, 24)
    """
    infosets = sum(map(int.__mul__, num_buckets, tree.group_decisions.tolist()))
    return infosets, sum(map(int.__mul__, num_buckets, tree.group_entries.tolist()))


@dataclass(frozen=True, eq=False)
class Tables:
    """Tables that kernels write into, [entries] each; predictions are empty where none are."""

    regrets: NDArray[Any]
    average: NDArray[Any]
    predictions: NDArray[Any]

    @classmethod
    def empty(cls, scheme: Scheme, entries: int) -> Self:
        """Make the tables of a scheme, all zero."""
        made = {name: np.zeros(entries, dtype) for name, dtype in table_dtypes(scheme).items()}
        return cls(**{"predictions": np.zeros(0, made["regrets"].dtype), **made})

    def named(self) -> dict[str, NDArray[Any]]:
        """Return the tables that there are, by name."""
        found = {"regrets": self.regrets, "average": self.average}
        return found | ({"predictions": self.predictions} if len(self.predictions) else {})

    def copy_from(self, arrays: Mapping[str, NDArray[Any]], threads: int) -> None:
        """Take over arrays of the same sizes and types.

        Memory belongs to the part of the machine that touches it first: with several threads each
        copies some pages, as each brings some in where a run begins from nothing.
        """
        with ThreadPoolExecutor(threads) as pool:
            for name, table in self.named().items():
                copy = partial(_copy_piece, table, arrays[name])
                list(pool.map(copy, range(0, len(table), _PIECE)))

    def start_from(self, regrets: NDArray[Any]) -> None:
        """Begin with regrets that somebody gives, refused unless they fit."""
        self.regrets[:] = _checked_start(regrets, self.regrets)


def _copy_piece(to: NDArray[Any], given: NDArray[Any], begin: int) -> None:
    to[begin : begin + _PIECE] = given[begin : begin + _PIECE]


def _checked_start(start: NDArray[Any], regrets: NDArray[Any]) -> NDArray[Any]:
    start = np.asarray(start)
    if start.shape != regrets.shape or start.dtype.kind not in "iuf":
        raise SolveError(
            f"starting regrets are {len(regrets)} numbers, not {start.shape} of {start.dtype}"
        )
    whole = regrets.dtype == np.int32
    # Sums of a few floats have to stay finite, too.
    most = float(np.iinfo(np.int32).max if whole else np.finfo(regrets.dtype).max / 2**20)
    if not (np.abs(start.astype(np.float64)) <= most).all():
        raise SolveError(
            f"starting regrets are finite numbers of at most {most:g} here, either way"
        )
    return np.rint(start) if whole else start
