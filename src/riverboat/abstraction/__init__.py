"""Cards to buckets.

>>> from riverboat.abstraction import rank_buckets
>>> rank_buckets(num_streets=2).num_buckets
(169, 76895)
"""

from riverboat.abstraction.bucket_tables import BucketTables
from riverboat.abstraction.card_abstraction import CardAbstraction
from riverboat.abstraction.percentiles import strength_percentiles
from riverboat.abstraction.ranks import rank_buckets
from riverboat.abstraction.street_rule import StreetRule
from riverboat.abstraction.swaps import swap_values

__all__ = [
    "BucketTables",
    "CardAbstraction",
    "StreetRule",
    "rank_buckets",
    "strength_percentiles",
    "swap_values",
]
