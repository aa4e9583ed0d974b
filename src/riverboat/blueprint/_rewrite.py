"""Derive strategy files from others: combine, prune, quantise.

Strategies that were trained separately on the same game are combined in two ways. `sum` averages
the probabilities with equal weights, as the Caltech bot did with its ensemble. `weighted` weights
each strategy by its averaging weight in the infoset, like one run with the samples of all.

Pruning drops infosets that training never visited, or left uniform. A pruned file has the rows of
the kept infosets and two bits per infoset and action, so that it is smaller in memory, too. Dropped
infosets count as untrained. Quantising stores probabilities and weights in 8 bits instead of 32.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal, get_args

import msgspec
import numpy as np
from numpy.typing import NDArray

from riverboat import __version__
from riverboat.blueprint._blueprint import Blueprint
from riverboat.blueprint._header import FORMAT, Header, Training
from riverboat.blueprint._layout import Chunk, GroupRows, OnProgress
from riverboat.blueprint._sanity import Finding
from riverboat.blueprint._store import largest_shift
from riverboat.blueprint._writer import Rows, rows_with_progress, write_rows
from riverboat.errors import BlueprintError
from riverboat.report import FramedRow
from riverboat.tree import find_menu

_MOST_LETTERS: Final = 60

CombineMethod = Literal["sum", "weighted"]
_LEAST: Final = 2
#: Tolerance of uniform rows: float32 rounding, or 1/255.
_UNIFORM: Final = {"float32": 1e-6, "uint8": 1.01 / 255}


def derived_header(header: Header, note: str, **changes: Any) -> Header:
    """Return the header of a derived file, dated now."""
    return header.replace(
        riverboat=__version__,
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        notes=(*header.notes, note),
        **changes,
    )


def write_derived(
    path: Path | str, header: Header, source: Blueprint, rows: Rows, progress: OnProgress | None
) -> tuple[Finding, ...]:
    """Write new rows in the layout of a blueprint and with its cards."""
    reported = rows_with_progress(rows, header, progress)
    return write_rows(path, header, source.layout, reported, source.card_arrays())


def check_same_game(blueprints: Sequence[Blueprint]) -> None:
    """Refuse blueprints of different games, bet menus or cards."""
    first = blueprints[0]
    for other in blueprints[1:]:
        for what, ours, theirs in (
            ("game", _rules(first.header), _rules(other.header)),
            ("menu", *(str(find_menu(source.header.menu)) for source in (first, other))),
            ("cards", _card_name(first.header), _card_name(other.header)),
            ("buckets", first.header.num_buckets, other.header.num_buckets),
        ):
            if ours != theirs:
                raise BlueprintError(
                    f"{first.path.name} and {other.path.name} do not fit together: their {what} "
                    f"differ: {_difference(ours, theirs)}"
                )
        if not _same_cards(first, other):
            raise BlueprintError(
                f"{first.path.name} and {other.path.name} do not fit together: their cards differ: "
                f"both are '{_card_name(first.header)}', but with different clusters"
            )


def _rules(header: Header) -> dict[str, Any]:
    """The game without its name, which does not matter."""
    return {key: value for key, value in header.game.items() if key != "name"}


def _card_name(header: Header) -> str:
    return header.cards if isinstance(header.cards, str) else str(header.cards.get("name"))


def _difference(ours: Any, theirs: Any) -> str:
    """Describe the difference, field by field if there are fields."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        fields = [key for key in ours if ours[key] != theirs.get(key)]
        return "; ".join(_field_difference(key, ours[key], theirs.get(key)) for key in fields)
    return f"'{ours}' and '{theirs}'"


def _field_difference(key: str, ours: Any, theirs: Any) -> str:
    """Both values if they are short; otherwise only the field's name."""
    text = f"{key} {ours} and {theirs}"
    return text if len(text) <= _MOST_LETTERS else key


def _same_cards(first: Blueprint, other: Blueprint) -> bool:
    ours, theirs = first.card_arrays(), other.card_arrays()
    return (
        first.header.cards == other.header.cards
        and ours.keys() == theirs.keys()
        and all(np.array_equal(ours[name], theirs[name]) for name in ours)
    )


def combine(
    blueprints: Sequence[Blueprint],
    path: Path | str,
    method: CombineMethod = "sum",
    progress: OnProgress | None = None,
) -> tuple[Finding, ...]:
    """Combine several strategies into one file.

    Parameters
    ----------
    blueprints
        Two or more blueprints with the same game, bet menu and cards.
    path
        The new file.
    method
        `sum` or `weighted`; see the module. A strategy that is untrained in an infoset does not
        count there. Averaging weights are added up.
    progress
        Called with the work done and all work.

    Examples
    --------
    >>> import tempfile
    >>> from riverboat.blueprint import Header, write_blueprint
    >>> from riverboat.game import catalogue
    >>> from riverboat.tree import Tree
    >>> tree, folder = Tree(catalogue("kuhn"), "min"), Path(tempfile.mkdtemp())
    >>> for name, row in (("a", [3.0, 1.0]), ("b", [0.0, 4.0])):
    ...     average = np.array(row * 12)
    ...     _ = write_blueprint(folder / name, Header.of(tree, (3, 3)), tree, average)
    >>> _ = combine([Blueprint.open(folder / name) for name in "ab"], folder / "c")
    >>> Blueprint.open(folder / "c").row(0, 0).tolist()
    [0.375, 0.625]
    """
    if method not in get_args(CombineMethod):
        raise BlueprintError(f"method must be sum or weighted, not {method!r}")
    if len(blueprints) < _LEAST:
        raise BlueprintError(f"combining needs at least two strategies, not {len(blueprints)}")
    check_same_game(blueprints)

    def read(chunk: Chunk, rows: GroupRows) -> tuple[NDArray[Any], NDArray[Any]]:
        total = np.zeros((chunk.num_buckets, len(rows.owners)))
        weight = np.zeros((chunk.num_buckets, len(rows.nodes)))
        for blueprint in blueprints:
            block, weights = blueprint.read(chunk, rows)
            factors = weights.astype(np.float64) if method == "weighted" else weights > 0
            total += rows.spread(factors) * block
            weight += weights
        sums = rows.sums(total)
        strategy = total / rows.spread(np.where(sums > 0, sums, 1))
        strategy = np.where(rows.spread(sums > 0), strategy, rows.uniform)
        return strategy.astype(np.float32), weight.astype(np.float32)

    header = _header([blueprint.header for blueprint in blueprints], method)
    return write_derived(path, header, blueprints[0], read, progress)


def _header(headers: list[Header], method: CombineMethod) -> Header:
    trainings = [header.training for header in headers]
    first = headers[0]
    return derived_header(
        first.replace(notes=()),  # they stay in the parents' headers
        f"combined from {len(headers)} strategies: {method}",
        format=FORMAT,
        values="float32",
        greatest_weight=msgspec.UNSET,
        pruned=all(header.pruned for header in headers),
        fallback=first.fallback if len({header.fallback for header in headers}) == 1 else "",
        training=Training(
            scheme=_common([training.scheme for training in trainings]),
            seed=trainings[0].seed,
            threads=max(training.threads for training in trainings),
            iterations=sum(training.iterations for training in trainings),
            seconds=sum(training.seconds for training in trainings),
            recipe=_common([training.recipe for training in trainings]),
        ),
        parents=tuple(_parent(header) for header in headers),
    )


def _common(values: list[dict[str, Any]]) -> dict[str, Any]:
    """Settings that all have in common; the others are in the parents' headers."""
    first, *others = values
    return {k: v for k, v in first.items() if all(k in o and o[k] == v for o in others)}


def _parent(header: Header) -> dict[str, Any]:
    """A parent's header without the fields that the child's header has, too."""
    values = msgspec.json.decode(msgspec.json.encode(header))
    shared = ("game", "menu", "cards", "num_buckets", "tree")
    return {key: value for key, value in values.items() if key not in shared}


@dataclass(frozen=True, slots=True)
class PruneReport(FramedRow):
    """Result of pruning."""

    infosets: int
    """Infosets of the game."""
    before: int
    """Trained infosets before pruning."""
    uniform: int
    """Trained infosets dropped because they were still uniform."""
    after: int
    """Infosets after pruning."""
    bytes_before: int
    bytes_after: int


def prune(
    blueprint: Blueprint,
    path: Path | str,
    *,
    uniform: bool = False,
    progress: OnProgress | None = None,
) -> PruneReport:
    """Write a blueprint without its untrained infosets.

    Parameters
    ----------
    blueprint
        The blueprint.
    path
        The new file.
    uniform
        Also drop trained infosets whose strategy is still uniform, as the Cardiff thesis did.
    progress
        Called with the work done and all work.

    Examples
    --------
    >>> import tempfile
    >>> from riverboat.blueprint import Header, write_blueprint
    >>> from riverboat.game import catalogue
    >>> from riverboat.tree import Tree
    >>> tree, folder = Tree(catalogue("kuhn"), "min"), Path(tempfile.mkdtemp())
    >>> average = np.array([3.0, 1.0] * 4 + [0.0] * 8 + [1.0] * 8)
    >>> _ = write_blueprint(folder / "a", Header.of(tree, (3, 3)), tree, average)
    >>> report = prune(Blueprint.open(folder / "a"), folder / "b", uniform=True)
    >>> report.infosets, report.before, report.uniform, report.after
    (12, 8, 4, 4)
    """
    tolerance = _UNIFORM[blueprint.header.values]

    def dropped(block: NDArray[Any], weights: NDArray[Any], rows: GroupRows) -> NDArray[np.bool_]:
        """Trained rows to drop: [buckets, decisions]."""
        if not uniform:
            return np.zeros(weights.shape, bool)
        flat = rows.greatest(block) - rows.least(block) <= tolerance
        # A forced action is always uniform, and stays.
        drop: NDArray[np.bool_] = flat & (rows.counts > 1) & (weights > 0)
        return drop

    def read(chunk: Chunk, rows: GroupRows) -> tuple[NDArray[Any], NDArray[Any]]:
        block, weights = blueprint.read(chunk, rows)
        return block, np.where(dropped(block, weights, rows), np.float32(0), weights)

    before = flat = 0
    for _, rows, block, weights in blueprint.chunks():
        before += int(np.count_nonzero(weights))
        flat += int(np.count_nonzero(dropped(block, weights, rows)))
    note = f"pruned: {before - flat:,} of {blueprint.header.infosets:,} infosets"
    header = derived_header(blueprint.header, note, pruned=True)
    bytes_before = blueprint.path.stat().st_size
    write_derived(path, header, blueprint, read, progress)
    return PruneReport(
        header.infosets, before, flat, before - flat, bytes_before, Path(path).stat().st_size
    )


@dataclass(frozen=True, slots=True)
class QuantiseReport(FramedRow):
    """Result of quantising: shifts of rows in total variation distance."""

    mean_shift: float
    """Mean over trained infosets."""
    largest_shift: float
    bound: float
    """Largest possible shift in this tree; see `riverboat.blueprint._store`."""
    bytes_before: int
    bytes_after: int


def quantise(
    blueprint: Blueprint, path: Path | str, progress: OnProgress | None = None
) -> QuantiseReport:
    """Write a blueprint with 8-bit probabilities (255ths) and 8-bit weights (log scale).

    Every row sums to 255. See `riverboat.blueprint._store`.

    Parameters
    ----------
    blueprint
        A blueprint with float32 probabilities.
    path
        The new file.
    progress
        Called with the work done and all work.

    Examples
    --------
    >>> import tempfile
    >>> from riverboat.blueprint import Header, write_blueprint
    >>> from riverboat.game import catalogue
    >>> from riverboat.tree import Tree
    >>> tree, folder = Tree(catalogue("kuhn"), "min"), Path(tempfile.mkdtemp())
    >>> _ = write_blueprint(folder / "a", Header.of(tree, (3, 3)), tree, np.arange(24.0))
    >>> report = quantise(Blueprint.open(folder / "a"), folder / "b")
    >>> report.largest_shift <= report.bound
    True
    """
    if blueprint.header.byte_weights:
        raise BlueprintError(f"{blueprint.path} is already quantised")
    bytes_before = blueprint.path.stat().st_size
    header = derived_header(blueprint.header, "quantised to 8 bits", values="uint8")
    write_derived(path, header, blueprint, blueprint.read, progress)
    written = Blueprint.open(path)
    total, largest, trained = 0.0, 0.0, 0
    for chunk, rows, block, weights in blueprint.chunks():
        shifts = rows.sums(np.abs(written.read(chunk, rows)[0] - block)) / 2
        shifts = shifts[weights > 0]
        total += float(shifts.sum())
        trained += len(shifts)
        largest = max(largest, float(shifts.max(initial=0)))
    return QuantiseReport(
        total / max(1, trained),
        largest,
        largest_shift(int(blueprint.tree.num_actions.max())),
        bytes_before,
        Path(path).stat().st_size,
    )
