"""How often training came to an infoset: what tells knowledge from what was tried a few times.

The weight of an infoset is the sum of its row in the average-strategy table. A visit adds 1 to it
under uniform averaging (in the mean, where a scheme samples with other chances), or its player's
reach and the chance of the deal where a scheme weighs by them; under other averagings a visit in
step t adds t to a power. So visits are the weight divided by what a visit adds in the mean
over the steps. Nobody can tell for files that were not trained here, such as those from CSV.
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

#: A row that sampled deals visited less often is mostly noise.
FEW_VISITS: Final = 100
#: Full-width walks see all deals each time, by their chance: there a row is noise if its player
#: would not have come once.
_FEW_FULL_VISITS: Final = 1


class VisitScale(NamedTuple):
    """How weights of a file become visits."""

    weight: float
    """What one visit adds, in the mean."""
    few: int
    """Fewer visits than this are few."""


def visit_scale(header: Header) -> VisitScale | None:
    """Return how a file's weights are read; None where nobody can tell.

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
        found = {_scale(_training(each), _parents(each)) for each in parents}
        return found.pop() if len(found) == 1 else None
    # An empty scheme alone may be the default one of an old file, or none at all.
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
    found = parent.get("parents")
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _mean_weight(scheme: Scheme, iterations: int) -> float:
    """Mean of t^power over the steps that are averaged, by the midpoint rule."""
    steps = max(1, -(-iterations // scheme.step_iterations) - scheme.delay)
    power = scheme.average_power + 1
    return float(((steps + 0.5) ** power - 0.5**power) / (power * steps))
