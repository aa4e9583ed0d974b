"""What the `recipe.toml` of every seed has in common."""

from hashlib import sha256
from importlib.resources import files
from typing import TypeVar

import msgspec

__all__ = ["Part", "Published", "SettingRow", "load_data", "recipe_digest"]

T = TypeVar("T")


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the file; unknown keys are refused."""


class SettingRow(Part, frozen=True):
    """A line of "what the author ran, what we run"; ours may have fields in braces."""

    what: str
    theirs: str
    ours: str


class Published(Part, frozen=True):
    """A figure of the author's, and where in the document it stands."""

    value: float
    where: str


def load_data(name: str, kind: type[T]) -> T:
    """Read a seed's recipe: settings, published figures, and how much each effort computes.

    Parameters
    ----------
    name
        Of the seed; its file is `recipes/NAME/recipe.toml`.
    kind
        A msgspec struct that says what the file holds.
    """
    return msgspec.toml.decode(_read(name), type=kind)


def recipe_digest(name: str) -> str:
    """Return a short digest of a seed's recipe, by which a run knows an edited one."""
    return sha256(_read(name)).hexdigest()[:16]


def _read(name: str) -> bytes:
    return (files("riverboat.seeds") / name / "recipe.toml").read_bytes()
