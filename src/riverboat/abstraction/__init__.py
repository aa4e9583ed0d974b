"""Cards to buckets.

>>> from riverboat.abstraction import make_abstraction
>>> make_abstraction("suitless 2").num_buckets
(169, 76895)
"""

from riverboat.abstraction.bucket_tables import BucketTables
from riverboat.abstraction.card_abstraction import CardAbstraction
from riverboat.abstraction.compiled import bucket_tables
from riverboat.abstraction.fitted import fitted_abstraction
from riverboat.abstraction.fitting import AbstractionProgress, FitTask
from riverboat.abstraction.kinds import KINDS, Kind
from riverboat.abstraction.make import make_abstraction
from riverboat.abstraction.percentiles import strength_percentiles
from riverboat.abstraction.ranks import rank_buckets
from riverboat.abstraction.rules import RULES, restore_abstraction, save_abstraction
from riverboat.abstraction.sizes import BucketSizes, Example, bucket_examples, bucket_sizes
from riverboat.abstraction.street_rule import StreetRule
from riverboat.abstraction.swaps import swap_values
from riverboat.abstraction.text import AbstractionText, parse_abstraction

__all__ = [
    "KINDS",
    "RULES",
    "AbstractionProgress",
    "AbstractionText",
    "BucketSizes",
    "BucketTables",
    "CardAbstraction",
    "Example",
    "FitTask",
    "Kind",
    "StreetRule",
    "bucket_examples",
    "bucket_sizes",
    "bucket_tables",
    "fitted_abstraction",
    "make_abstraction",
    "parse_abstraction",
    "rank_buckets",
    "restore_abstraction",
    "save_abstraction",
    "strength_percentiles",
    "swap_values",
]
