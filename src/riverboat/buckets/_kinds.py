"""The kinds of card abstraction that can be named in text, and what fits each."""

from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from riverboat.buckets._fitting import FitTask
from riverboat.buckets._street_rule import StreetRule
from riverboat.errors import AbstractionError

__all__ = ["KINDS", "Kind", "load"]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of buckets.

    Attributes
    ----------
    name
        As written in the text of an abstraction.
    counted
        Whether a number of buckets is given for each street.
    sentence
        What it does.
    preflop, postflop
        `module:function` of the fitter, which takes a `FitTask` and returns a `StreetRule`;
        imported when first used.
    numbers
        Buckets by street of kinds that leave no choice: known without fitting.
    """

    name: str
    counted: bool
    sentence: str
    preflop: str
    postflop: str
    numbers: tuple[int, ...] = ()

    @property
    def example(self) -> str:
        """A text of all four streets."""
        counts = _COUNTS.get(self.name, "169/200/200/200")
        return f"{self.name} {counts}" if self.counted else self.name

    def fit(self, task: FitTask) -> StreetRule:
        """Fit one street."""
        place = self.preflop if task.street == "preflop" else self.postflop
        rule: StreetRule = load(place)(task)
        return rule


_COUNTS: Final = {"equity-bins": "3/4/3/4"}
_HERE: Final = "riverboat.buckets"
_LOSSLESS: Final = f"{_HERE}._classes:ClassesRule.fit_lossless"
_PERCENTILES: Final = f"{_HERE}._percentiles"

#: By name.
KINDS: Final[dict[str, Kind]] = {
    kind.name: kind
    for kind in (
        Kind(
            "lossless",
            False,
            "hands share a bucket only if they are the same up to the names of the suits",
            _LOSSLESS,
            f"{_HERE}._isomorphism:IsomorphismRule.fit",
            (169, 1_286_792, 13_960_050, 123_156_254),
        ),
        Kind(
            "suitless",
            False,
            "starting class and the ranks on the board; flushes are not seen",
            _LOSSLESS,
            f"{_HERE}._ranks:RanksRule.fit",
            (169, 76_895, 307_580, 1_043_575),
        ),
        Kind(
            "equity-bins",
            True,
            "bins of equal width of the chance to win",
            f"{_PERCENTILES}:fit_equity_bins",
            f"{_PERCENTILES}:fit_equity_bins",
        ),
        Kind(
            "percentile",
            True,
            "equally many deals in each bucket, by mean strength E[HS]",
            f"{_PERCENTILES}:fit_percentile",
            f"{_PERCENTILES}:fit_percentile",
        ),
        Kind(
            "percentile-squared",
            True,
            "equally many deals in each bucket, by mean squared strength E[HS^2]",
            f"{_PERCENTILES}:fit_percentile_squared",
            f"{_PERCENTILES}:fit_percentile_squared",
        ),
        Kind(
            "distribution",
            True,
            "k-means of the distributions of river strength over the run-outs",
            f"{_HERE}._distribution:fit_distribution",
            f"{_HERE}._distribution:fit_distribution",
        ),
        Kind(
            "semantic",
            False,
            "made hand, kicker, texture of the board and draws, in words",
            _LOSSLESS,
            f"{_HERE}._semantic:fit_semantic",
            (169, 560, 1_678, 626),
        ),
    )
}


def load(place: str) -> Any:
    """Import what `module:name` or `module:Class.name` names."""
    module, _, name = place.partition(":")
    try:
        found: Any = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise AbstractionError(
            f"this version of Riverboat has no {module.rpartition('.')[2]} buckets: {error}"
        ) from error
    return found
