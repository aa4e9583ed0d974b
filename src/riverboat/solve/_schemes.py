"""Schemes by name: the usual algorithms, and what the authors of the five seeds ran."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from riverboat.solve._scheme import Scheme

__all__ = ["SCHEMES"]

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
    # The seeds. Pineapple left tau out, which is tau 1; caltech's other half is `starting_regrets`.
    "cardiff": Scheme("chance"),
    "pineapple": Scheme("average-strategy", epsilon=0.1, tau=1.0, beta_offset=10.0),
    "yerevan": Scheme("pure"),
    "husky": Scheme("chance"),
    "caltech": Scheme("external", floor=((100_000, 0.05), (150_000, 0.01))),
}

SCHEMES: Final[Mapping[str, Scheme]] = MappingProxyType(_NAMED)
"""By name: `SCHEMES["caltech"]`."""
