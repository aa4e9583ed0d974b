"""A card abstraction, fitted: a rule for each street, and whether earlier buckets are remembered.

It is made from a text, and it is what a blueprint carries, as JSON and small arrays: enough to
find the bucket of any hand on a machine that has built no table, and to build the tables for
training.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from riverboat import __version__
from riverboat.buckets._kinds import KINDS, AbstractionText, parse_abstraction, rule_named
from riverboat.buckets._rule import FitTask, ProgressCall, StreetRule, no_progress, tables_opener
from riverboat.cards import BOARD_CARDS, STREETS, CardsLike, HandStrength, hole_and_board
from riverboat.errors import AbstractionError, DamagedFileError
from riverboat.files import ArrayFile, cache_folder, json_value

#: Raised whenever a saved rule would mean other buckets; other versions are refused.
VERSION: Final = 1

_MOST_BUCKETS: Final = 2**32


@dataclass(frozen=True)
class CardAbstraction:
    """Buckets of hold'em, street by street.

    Attributes
    ----------
    name
        The text that it was made from, such as `distribution 169/200/200/200`.
    rules
        By street: preflop, flop, turn, river, or the first few of them.
    recall
        Whether a player remembers the buckets of his earlier streets. His bucket on a street is
        then `(.. (b0 * n1 + b1) * n2 + ..) + b`, with n the rules' numbers of buckets.
    """

    name: str
    rules: tuple[StreetRule, ...]
    recall: bool = False

    @property
    def num_buckets(self) -> tuple[int, ...]:
        """Buckets by street, with what is remembered."""
        counts = [rule.num_buckets for rule in self.rules]
        if not self.recall:
            return tuple(counts)
        return tuple(prod(counts[: street + 1]) for street in range(len(counts)))

    def street_bucket(self, hole: CardsLike, board: CardsLike = "") -> int:
        """Bucket of one hand on its street alone, without tables and without memory."""
        sizes = BOARD_CARDS[: len(self.rules)]
        held, table = hole_and_board(hole, board, sizes)
        return self.rules[sizes.index(len(table))].bucket(held, table)

    def combine(self, street_buckets: Sequence[int]) -> int:
        """Bucket in the strategy tables from a player's buckets on this and all earlier streets.

        Parameters
        ----------
        street_buckets
            `street_bucket` of each street so far, with the cards that the player held then.
        """
        if not self.recall:
            return street_buckets[-1]
        bucket = 0
        for own, rule in zip(street_buckets, self.rules, strict=False):
            bucket = bucket * rule.num_buckets + own
        return bucket

    def save(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Turn it into plain JSON values and small arrays.

        Returns
        -------
        values
            For the header of a file.
        arrays
            By name, such as `flop.limits`.

        Examples
        --------
        >>> values, arrays = make_abstraction("suitless 2").save()
        >>> values["name"], sorted(arrays)
        ('suitless 2', ['preflop.buckets'])
        """
        values = {
            "version": VERSION,
            "name": self.name,
            "recall": self.recall,
            "streets": [
                {"kind": rule.name, "parameters": rule.parameters()} for rule in self.rules
            ],
        }
        arrays = {
            f"{street}.{name}": np.ascontiguousarray(array)
            for street, rule in zip(STREETS, self.rules, strict=False)
            for name, array in rule.arrays().items()
        }
        return values, arrays

    @classmethod
    def restore(cls, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Make an abstraction from what `save` returned.

        Parameters
        ----------
        values
            The JSON values.
        arrays
            By name; those that are not the abstraction's are left alone.

        Raises
        ------
        AbstractionError
            If it is of another version, of an unknown kind, or if something is missing.

        Examples
        --------
        >>> CardAbstraction.restore(*make_abstraction("suitless 2").save()).num_buckets
        (169, 76895)
        """
        version = values.get("version") if isinstance(values, Mapping) else None
        if version != VERSION:
            raise AbstractionError(
                f"the card abstraction is of version {version!r}; this Riverboat reads {VERSION}"
            )
        name, recall, streets = (values.get(key) for key in ("name", "recall", "streets"))
        if (
            not isinstance(name, str)
            or not isinstance(recall, bool)
            or not isinstance(streets, list)
        ):
            raise AbstractionError("the card abstraction lacks its name, recall or streets")
        if not 1 <= len(streets) <= len(STREETS):
            raise AbstractionError(f"a card abstraction has 1 to 4 streets, not {len(streets)}")
        rules = tuple(
            _restored(saved, _under(street, arrays))
            for street, saved in zip(STREETS, streets, strict=False)
        )
        return cls(name, rules, recall)


def make_abstraction(
    text: str | AbstractionText,
    tables: HandStrength | None = None,
    seed: int = 0,
    progress: ProgressCall = no_progress,
) -> CardAbstraction:
    """Fit the card abstraction that a text names.

    Parameters
    ----------
    text
        Such as `percentile 169/200/200/200`, `suitless 2`, `equity-bins 3/4/3/4 recall` or
        `lossless | distribution 200 | distribution 200 | percentile 200`; see
        docs/buckets.md and `KINDS`.
    tables
        The hand-strength tables; the user's by default, opened (and built where they are
        missing) only if the kind needs them.
    seed
        For kinds that draw random numbers.
    progress
        Called with each `AbstractionProgress`.

    Returns
    -------
    CardAbstraction
        Its name is the canonical text.

    Raises
    ------
    AbstractionError
        If the text cannot be read, or has more buckets than 32 bits can count.

    Examples
    --------
    >>> cards = make_abstraction("lossless | suitless")
    >>> cards.num_buckets, cards.name
    ((169, 76895), 'lossless | suitless')
    """
    wanted = parse_abstraction(text)
    opened = tables_opener(tables, progress)
    rules = tuple(
        KINDS[said.kind].fit(FitTask(street, said.num_buckets, opened, seed, progress))
        for street, said in zip(STREETS, wanted.streets, strict=False)
    )
    counts = [rule.num_buckets for rule in rules]
    if wanted.recall and prod(counts) >= _MOST_BUCKETS:
        raise AbstractionError(
            f"{wanted} remembers {prod(counts):,} buckets: there can be {_MOST_BUCKETS - 1:,}"
        )
    return CardAbstraction(str(wanted), rules, wanted.recall)


def _under(street: str, arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Arrays of one street, without its name."""
    prefix = f"{street}."
    return {name.removeprefix(prefix): arrays[name] for name in arrays if name.startswith(prefix)}


def _restored(saved: Any, arrays: dict[str, NDArray[Any]]) -> StreetRule:
    name = saved.get("kind") if isinstance(saved, Mapping) else saved
    found = rule_named(name)
    try:
        return found.restore(saved["parameters"], arrays)
    except AbstractionError:
        raise
    except (KeyError, TypeError, IndexError, ValueError, OverflowError) as error:
        raise AbstractionError(f"the saved {name} buckets are not whole: {error}") from error


# ---- Fitted abstractions on disk: what took seconds to fit is read again in milliseconds
#
# One small file for each text, seed and version of Riverboat. A file that is damaged is fitted
# anew and never used; where none can be kept, everything is fitted each time.

#: Raised whenever the same text and seed are fitted otherwise, or the layout changes.
FIT_VERSION: Final = 1
FITTED_PREFIX: Final = "fitted-"
_KIND: Final = "fitted"


def fitted_abstraction(
    text: str | AbstractionText,
    tables: HandStrength | None = None,
    seed: int = 0,
    progress: ProgressCall = no_progress,
    folder: Path | str | None = None,
) -> CardAbstraction:
    """Fit the card abstraction that a text names, as `make_abstraction` does, but only once.

    Parameters
    ----------
    text, tables, seed, progress
        As there.
    folder
        Where it is kept; by default where the hand-strength tables are.

    Examples
    --------
    >>> fitted_abstraction("suitless 2").num_buckets
    (169, 76895)
    """
    said = parse_abstraction(text)
    if not any(KINDS[street.kind].fitted for street in said.streets):
        return make_abstraction(said, tables, seed, progress)
    root = Path(folder or (tables.folder if tables else cache_folder()))
    path = fit_path(root, str(said), seed)
    try:
        return _read(path, str(said), seed)
    except OSError:
        pass
    except (DamagedFileError, AbstractionError):
        path.unlink(missing_ok=True)
    made = make_abstraction(said, tables, seed, progress)
    with suppress(OSError):  # the fit itself is good
        _write(path, made, seed)
    return made


def open_fitted_file(path: Path) -> ArrayFile:
    """Open a fitted abstraction's file; header and structure are checked.

    Raises
    ------
    DamagedFileError
        If it is not a whole one.
    """
    file = ArrayFile(path)
    if file.metadata.get("kind") != _KIND or "cards" not in file.metadata:
        raise DamagedFileError(f"{path} is damaged: it is no fitted card abstraction")
    return file


def fit_path(folder: Path, text: str, seed: int) -> Path:
    said = json.dumps([FIT_VERSION, __version__, text, seed])
    digest = hashlib.sha256(said.encode()).hexdigest()[:16]
    return folder / f"{FITTED_PREFIX}{digest}-v{FIT_VERSION}.safetensors"


def _metadata(text: str, seed: int) -> dict[str, str]:
    return {
        "kind": _KIND,
        "version": str(FIT_VERSION),
        "riverboat": __version__,
        "made_for": text,
        "seed": str(seed),
    }


def _read(path: Path, text: str, seed: int) -> CardAbstraction:
    file = open_fitted_file(path)
    if not _metadata(text, seed).items() <= file.metadata.items():
        raise DamagedFileError(f"{path} is damaged: it holds another card abstraction")
    values = json_value(file.metadata["cards"], f"{path} is damaged: its header", DamagedFileError)
    return CardAbstraction.restore(
        values, {name: np.array(file.array(name)) for name in file.names}
    )


def _write(path: Path, made: CardAbstraction, seed: int) -> None:
    values, arrays = made.save()
    metadata = {**_metadata(made.name, seed), "cards": json.dumps(values)}
    ArrayFile.save(path, arrays, metadata)
