"""Fitted card abstractions on disk: what took seconds to fit is read again in milliseconds.

One small file for each text, seed and version of Riverboat. A file that is damaged is fitted
anew and never used; where none can be kept, everything is fitted each time.
"""

import hashlib
import json
from contextlib import suppress
from pathlib import Path
from typing import Final

import numpy as np

from riverboat import __version__
from riverboat.buckets._abstraction import (
    CardAbstraction,
    make_abstraction,
    restore_abstraction,
    save_abstraction,
)
from riverboat.buckets._fit_task import ProgressCall, no_progress
from riverboat.buckets._kinds import KINDS
from riverboat.buckets._text import AbstractionText, parse_abstraction
from riverboat.cards import HandStrength
from riverboat.errors import AbstractionError, DamagedFileError
from riverboat.files import ArrayFile, ArrayFileWriter, ArraySpec, cache_folder, json_value

__all__ = ["fitted_abstraction", "fitted_files", "open_fitted_file"]

#: Raised whenever the same text and seed are fitted otherwise, or the layout changes.
VERSION: Final = 1
_PREFIX: Final = "fitted-"
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


def fitted_files(folder: Path | str | None = None) -> list[Path]:
    """List the fitted abstractions in a cache folder, by name; those of other versions too."""
    return sorted(Path(folder or cache_folder()).glob(f"{_PREFIX}*.safetensors"))


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
    said = json.dumps([VERSION, __version__, text, seed])
    digest = hashlib.sha256(said.encode()).hexdigest()[:16]
    return folder / f"{_PREFIX}{digest}-v{VERSION}.safetensors"


def _metadata(text: str, seed: int) -> dict[str, str]:
    return {
        "kind": _KIND,
        "version": str(VERSION),
        "riverboat": __version__,
        "made_for": text,
        "seed": str(seed),
    }


def _read(path: Path, text: str, seed: int) -> CardAbstraction:
    file = open_fitted_file(path)
    if not _metadata(text, seed).items() <= file.metadata.items():
        raise DamagedFileError(f"{path} is damaged: it holds another card abstraction")
    values = json_value(file.metadata["cards"], f"{path} is damaged: its header", DamagedFileError)
    return restore_abstraction(values, {name: np.array(file.array(name)) for name in file.names})


def _write(path: Path, made: CardAbstraction, seed: int) -> None:
    values, arrays = save_abstraction(made)
    metadata = {**_metadata(made.name, seed), "cards": json.dumps(values)}
    specs = {name: ArraySpec(array.dtype, array.shape) for name, array in arrays.items()}
    with ArrayFileWriter(path, specs, metadata) as writer:
        for name, array in arrays.items():
            writer.write(name, array)
