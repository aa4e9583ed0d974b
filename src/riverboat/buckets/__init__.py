"""Cards to buckets.

>>> from riverboat.buckets import make_abstraction
>>> make_abstraction("suitless 2").num_buckets
(169, 76895)
"""

from riverboat.buckets._bucket_tables import BucketTables
from riverboat.buckets._card_abstraction import CardAbstraction
from riverboat.buckets._compiled import bucket_files, bucket_tables, built_tables, open_bucket_file
from riverboat.buckets._distribution import distribution_units, fit_clusters
from riverboat.buckets._distribution_sample import sampled_points
from riverboat.buckets._fitted import fitted_abstraction, fitted_files, open_fitted_file
from riverboat.buckets._fitting import AbstractionProgress, FitTask, ProgressCall, no_progress
from riverboat.buckets._kinds import KINDS, Kind
from riverboat.buckets._kmeans import Points, assigned, squared_error
from riverboat.buckets._make import make_abstraction
from riverboat.buckets._percentiles import (
    fit_percentile,
    fit_percentile_squared,
    strength_percentiles,
)
from riverboat.buckets._ranks import rank_buckets
from riverboat.buckets._rules import NEED_NO_TABLES, RULES, restore_abstraction, save_abstraction
from riverboat.buckets._sizes import BucketSizes, Example, bucket_examples, bucket_sizes
from riverboat.buckets._street_rule import StreetRule
from riverboat.buckets._streets import dead_holes, num_boards, street_named
from riverboat.buckets._swaps import swap_values
from riverboat.buckets._text import AbstractionText, parse_abstraction

__all__ = [
    "KINDS",
    "NEED_NO_TABLES",
    "RULES",
    "AbstractionProgress",
    "AbstractionText",
    "BucketSizes",
    "BucketTables",
    "CardAbstraction",
    "Example",
    "FitTask",
    "Kind",
    "Points",
    "ProgressCall",
    "StreetRule",
    "assigned",
    "bucket_examples",
    "bucket_files",
    "bucket_sizes",
    "bucket_tables",
    "built_tables",
    "dead_holes",
    "distribution_units",
    "fit_clusters",
    "fit_percentile",
    "fit_percentile_squared",
    "fitted_abstraction",
    "fitted_files",
    "make_abstraction",
    "no_progress",
    "num_boards",
    "open_bucket_file",
    "open_fitted_file",
    "parse_abstraction",
    "rank_buckets",
    "restore_abstraction",
    "sampled_points",
    "save_abstraction",
    "squared_error",
    "street_named",
    "strength_percentiles",
    "swap_values",
]
