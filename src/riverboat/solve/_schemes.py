"""Schemes by name: the usual algorithms, and what the authors of the five source documents ran."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from riverboat.errors import SolveError, did_you_mean
from riverboat.settings import shown
from riverboat.solve._scheme import Scheme

__all__ = ["SCHEMES", "find_scheme"]

_NAMED: Final[dict[str, Scheme]] = {
    # Zinkevich, Johanson, Bowling & Piccione 2007.
    "cfr": Scheme("full"),
    # Tammelin 2014.
    "cfr+": Scheme("full", "cfr+", "linear"),
    # Brown & Sandholm 2019: linear CFR, and DCFR with alpha 1.5, beta 0, gamma 2.
    "linear": Scheme("full", "linear", "linear"),
    "dcfr": Scheme("full", "dcfr"),
    # Farina, Kroer & Sandholm 2021.
    "predictive+": Scheme("full", "predictive+", "quadratic"),
    # Lanctot, Waugh, Zinkevich & Bowling 2009.
    "external": Scheme("external"),
    "external-linear": Scheme("external", "linear", "linear"),
    "outcome": Scheme("outcome", epsilon=0.6),
    "chance": Scheme("chance"),
    # Gibson, Burch, Lanctot & Szafron 2012.
    "average-strategy": Scheme("average-strategy", epsilon=0.05, tau=1000.0, beta_offset=1e6),
    # Gibson 2014.
    "pure": Scheme("pure"),
    # Johanson, Bard, Lanctot, Gibson & Bowling 2012.
    "public-chance": Scheme("public-chance"),
    "public-chance-cfr+": Scheme("public-chance", "cfr+", "linear"),
    # Of the source documents. Pineapple left tau out, which is tau 1; caltech's other half is
    # `starting_regrets`.
    "cardiff": Scheme("chance"),
    "pineapple": Scheme("average-strategy", epsilon=0.1, tau=1.0, beta_offset=10.0),
    "yerevan": Scheme("pure"),
    "husky": Scheme("chance"),
    "caltech": Scheme("external", floor=((100_000, 0.05), (150_000, 0.01))),
}

SCHEMES: Final[Mapping[str, Scheme]] = MappingProxyType(_NAMED)
"""By name: `SCHEMES["caltech"]`."""


def find_scheme(named: str | Mapping[str, Any]) -> Scheme:
    """Return the scheme of a name, of up to three words, or of a table with its settings.

    Examples
    --------
    >>> find_scheme("external-linear").name
    'external linear, linear average'
    >>> find_scheme("external linear").name
    'external linear, uniform average'
    >>> find_scheme({"sampling": "pure"}).name
    'pure cfr, uniform average'
    """
    if not isinstance(named, str):
        return Scheme.from_dict(named)
    if named in SCHEMES:
        return SCHEMES[named]
    words = named.split()
    if not 1 < len(words) <= 3:
        raise SolveError(
            f"there is no scheme {shown(named)}{did_you_mean(named, SCHEMES)}: there are "
            f"{', '.join(SCHEMES)}, or write a sampling, a regret rule and an averaging, such as "
            "'external linear linear'"
        )
    return Scheme(*words)  # type: ignore[arg-type]  # it checks them
