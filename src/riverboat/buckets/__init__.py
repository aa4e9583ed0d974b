"""Cards to buckets.

>>> from riverboat.buckets import make_abstraction
>>> make_abstraction("suitless 2").num_buckets
(169, 76895)
"""

from riverboat.buckets._abstraction import (
    CardAbstraction,
    fitted_abstraction,
    fitted_files,
    make_abstraction,
    open_fitted_file,
    restore_abstraction,
    save_abstraction,
)
from riverboat.buckets._distribution import distribution_units, fit_clusters, sampled_points
from riverboat.buckets._fixed import rank_buckets
from riverboat.buckets._kinds import KINDS, kind_faults, register_kind
from riverboat.buckets._kmeans import Points, assigned, squared_error
from riverboat.buckets._percentiles import strength_percentiles
from riverboat.buckets._rule import (
    AbstractionProgress,
    BucketKind,
    FitTask,
    Parameters,
    ProgressCall,
    StreetRule,
    no_progress,
)
from riverboat.buckets._semantic import SemanticFeatures, semantic_features
from riverboat.buckets._sizes import BucketSizes, bucket_examples, bucket_sizes
from riverboat.buckets._streets import dead_holes, num_boards, street_named, swap_values
from riverboat.buckets._table_cache import (
    bucket_files,
    bucket_tables,
    built_tables,
    open_bucket_file,
)
from riverboat.buckets._tables import BucketTables
from riverboat.buckets._text import AbstractionText, parse_abstraction

__all__ = [
    "KINDS",
    "AbstractionProgress",
    "AbstractionText",
    "BucketKind",
    "BucketSizes",
    "BucketTables",
    "CardAbstraction",
    "FitTask",
    "Parameters",
    "Points",
    "ProgressCall",
    "SemanticFeatures",
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
    "fitted_abstraction",
    "fitted_files",
    "kind_faults",
    "make_abstraction",
    "no_progress",
    "num_boards",
    "open_bucket_file",
    "open_fitted_file",
    "parse_abstraction",
    "rank_buckets",
    "register_kind",
    "restore_abstraction",
    "sampled_points",
    "save_abstraction",
    "semantic_features",
    "squared_error",
    "street_named",
    "strength_percentiles",
    "swap_values",
]
