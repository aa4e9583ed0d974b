"""Training visits of an infoset, computed from its averaging weight.

The weight of an infoset is the sum of its row in the average-strategy table. Under uniform
averaging a visit adds 1 (on average, if a scheme samples with other probabilities), or the
player's reach times the probability of the deal if the scheme weights by these. Under other
averagings a visit in step t adds a power of t. So visits are the weight divided by the mean weight
of a visit. Visits are unknown for files that Riverboat did not train, such as those from CSV.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from riverboat.blueprint._header import Training
from riverboat.errors import SolveError
from riverboat.solve import Scheme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riverboat.blueprint._header import Header

#: With fewer visits by sampled deals a row is mostly noise.
FEW_VISITS: Final = 100
#: Full-width walks visit all deals, weighted by probability: a row is noise if its player reached
#: it less than once.
_FEW_FULL_VISITS: Final = 1


class VisitScale(NamedTuple):
    """Scale from a file's weights to visits."""

    weight: float
    """Mean weight of a visit."""
    few: int
    """Below this number an infoset has few visits."""


def visit_scale(header: Header) -> VisitScale | None:
    """Return the scale from a file's weights to visits; None if unknown.

    Examples
    --------
    >>> from riverboat.blueprint import Header, Training
    >>> from riverboat.game import catalogue
    >>> from riverboat.tree import Tree
    >>> tree, scheme = Tree(catalogue("kuhn"), "min"), {"sampling": "outcome"}
    >>> visit_scale(Header.of(tree, (3, 3), Training(scheme=scheme, iterations=1000)))
    VisitScale(weight=1.0, few=100)
    >>> visit_scale(Header.of(tree, (3, 3))) is None
    True
    """
    return _scale(header.training, header.parents)


def _scale(training: Training, parents: Sequence[dict[str, Any]]) -> VisitScale | None:
    if parents:  # their weights were added up
        scales = {_scale(_training(parent), _parents(parent)) for parent in parents}
        return scales.pop() if len(scales) == 1 else None
    # An empty scheme may be the default scheme of an old file, or no scheme.
    if not training.iterations or not (training.scheme or training.recipe):
        return None
    try:
        scheme = Scheme.from_dict(training.scheme)
    except (SolveError, TypeError):  # of another version
        return None
    few = _FEW_FULL_VISITS if scheme.sampling == "full" else FEW_VISITS
    return VisitScale(_mean_weight(scheme, training.iterations), few)


def _training(parent: dict[str, Any]) -> Training:
    try:
        return msgspec.convert(parent.get("training", {}), Training)
    except msgspec.ValidationError:
        return Training()


def _parents(parent: dict[str, Any]) -> list[dict[str, Any]]:
    parents = parent.get("parents")
    return [item for item in parents if isinstance(item, dict)] if isinstance(parents, list) else []


def _mean_weight(scheme: Scheme, iterations: int) -> float:
    """Mean of t^power over the steps that are averaged, by the midpoint rule."""
    steps = max(1, -(-iterations // scheme.step_iterations) - scheme.delay)
    power = scheme.average_power + 1
    return float(((steps + 0.5) ** power - 0.5**power) / (power * steps))
