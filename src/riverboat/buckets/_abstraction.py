"""Fitted card abstractions: a rule for each street, with perfect or imperfect recall.

An abstraction is built from a text. Blueprints contain it as JSON and small arrays, from which a
machine computes the bucket of any hand without tables, or builds the tables for training.
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

#: Increased when saved rules would produce other buckets; other versions are refused.
VERSION: Final = 1

_MOST_BUCKETS: Final = 2**32


@dataclass(frozen=True)
class CardAbstraction:
    """Buckets of hold'em by street.

    Attributes
    ----------
    name
        Its text, such as `distribution 169/200/200/200`.
    rules
        By street: preflop, flop, turn, river, or the first few of them.
    recall
        Whether a player remembers the buckets of earlier streets (perfect recall). The bucket on a
        street is then `(.. (b0 * n1 + b1) * n2 + ..) + b`, with n the rules' numbers of buckets.
    """

    name: str
    rules: tuple[StreetRule, ...]
    recall: bool = False

    @property
    def num_buckets(self) -> tuple[int, ...]:
        """Number of buckets by street, including remembered ones."""
        counts = [rule.num_buckets for rule in self.rules]
        if not self.recall:
            return tuple(counts)
        return tuple(prod(counts[: street + 1]) for street in range(len(counts)))

    def street_bucket(self, hole: CardsLike, board: CardsLike = "") -> int:
        """Return the bucket of one hand on its street alone, computed without tables."""
        sizes = BOARD_CARDS[: len(self.rules)]
        held, table = hole_and_board(hole, board, sizes)
        return self.rules[sizes.index(len(table))].bucket(held, table)

    def combine(self, street_buckets: Sequence[int]) -> int:
        """Return the bucket in strategy tables from the buckets on this and all earlier streets.

        Parameters
        ----------
        street_buckets
            `street_bucket` of each street so far, with the hole cards on that street.
        """
        if not self.recall:
            return street_buckets[-1]
        bucket = 0
        for street_bucket, rule in zip(street_buckets, self.rules, strict=False):
            bucket = bucket * rule.num_buckets + street_bucket
        return bucket

    def save(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Convert the abstraction to JSON values and small arrays.

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
        """Restore an abstraction from the result of `save`.

        Parameters
        ----------
        values
            The JSON values.
        arrays
            Arrays by name; others are ignored.

        Raises
        ------
        AbstractionError
            If the version or a kind is unknown, or a part is missing.

        Examples
        --------
        >>> CardAbstraction.restore(*make_abstraction("suitless 2").save()).num_buckets
        (169, 76895)
        """
        version = values.get("version") if isinstance(values, Mapping) else None
        if version != VERSION:
            raise AbstractionError(
                f"the card abstraction has version {version!r}; this Riverboat reads {VERSION}"
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
    """Fit the card abstraction of a text.

    Parameters
    ----------
    text
        Such as `percentile 169/200/200/200`, `suitless 2`, `equity-bins 3/4/3/4 recall` or
        `lossless | distribution 200 | distribution 200 | percentile 200`; see
        docs/buckets.md and `KINDS`.
    tables
        The hand-strength tables; the user's by default, opened (and built if missing) only if the
        kind needs them.
    seed
        Random seed, for kinds that use random numbers.
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
    parsed = parse_abstraction(text)
    opened = tables_opener(tables, progress)
    rules = tuple(
        KINDS[spec.kind].fit(FitTask(street, spec.num_buckets, opened, seed, progress))
        for street, spec in zip(STREETS, parsed.streets, strict=False)
    )
    counts = [rule.num_buckets for rule in rules]
    if parsed.recall and prod(counts) >= _MOST_BUCKETS:
        raise AbstractionError(
            f"{parsed} has {prod(counts):,} buckets: at most {_MOST_BUCKETS - 1:,} are possible"
        )
    return CardAbstraction(str(parsed), rules, parsed.recall)


def _under(street: str, arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Return the arrays of one street, without its name in their names."""
    prefix = f"{street}."
    return {name.removeprefix(prefix): arrays[name] for name in arrays if name.startswith(prefix)}


def _restored(saved: Any, arrays: dict[str, NDArray[Any]]) -> StreetRule:
    name = saved.get("kind") if isinstance(saved, Mapping) else saved
    rule = rule_named(name)
    try:
        return rule.restore(saved["parameters"], arrays)
    except AbstractionError:
        raise
    except (KeyError, TypeError, IndexError, ValueError, OverflowError) as error:
        raise AbstractionError(f"the saved {name} buckets are incomplete: {error}") from error


# ---- Fitted abstractions on disk: a fit takes seconds, reading it takes milliseconds
#
# One small file for each text, seed and version of Riverboat. A damaged file is never used, and
# fitted again. If files cannot be written, each call fits.

#: Increased when fits of the same text and seed change, or the layout changes.
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
    """Fit the card abstraction of a text like `make_abstraction`, and cache it in a file.

    Parameters
    ----------
    text, tables, seed, progress
        As for `make_abstraction`.
    folder
        Folder of the cache; by default the folder of the hand-strength tables.

    Examples
    --------
    >>> fitted_abstraction("suitless 2").num_buckets
    (169, 76895)
    """
    parsed = parse_abstraction(text)
    if not any(KINDS[street.kind].fitted for street in parsed.streets):
        return make_abstraction(parsed, tables, seed, progress)
    root = Path(folder or (tables.folder if tables else cache_folder()))
    path = fit_path(root, str(parsed), seed)
    try:
        return _read(path, str(parsed), seed)
    except OSError:
        pass
    except (DamagedFileError, AbstractionError):
        path.unlink(missing_ok=True)
    abstraction = make_abstraction(parsed, tables, seed, progress)
    with suppress(OSError):  # the result is valid without a cache
        _write(path, abstraction, seed)
    return abstraction


def open_fitted_file(path: Path) -> ArrayFile:
    """Open the file of a fitted abstraction and check its header and structure.

    Raises DamagedFileError if they are wrong.
    """
    file = ArrayFile(path)
    if file.metadata.get("kind") != _KIND or "cards" not in file.metadata:
        raise DamagedFileError(f"{path} is damaged: it is not a fitted card abstraction")
    return file


def fit_path(folder: Path, text: str, seed: int) -> Path:
    key = json.dumps([FIT_VERSION, __version__, text, seed])
    digest = hashlib.sha256(key.encode()).hexdigest()[:16]
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
        raise DamagedFileError(f"{path} is damaged: it contains another card abstraction")
    values = json_value(file.metadata["cards"], f"{path} is damaged: its header", DamagedFileError)
    return CardAbstraction.restore(
        values, {name: np.array(file.array(name)) for name in file.names}
    )


def _write(path: Path, abstraction: CardAbstraction, seed: int) -> None:
    values, arrays = abstraction.save()
    metadata = {**_metadata(abstraction.name, seed), "cards": json.dumps(values)}
    ArrayFile.save(path, arrays, metadata)
