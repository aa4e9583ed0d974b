"""Card abstractions: hands grouped into buckets.

>>> from riverboat.buckets import make_abstraction
>>> make_abstraction("suitless 2").num_buckets
(169, 76895)
"""

from riverboat.buckets._abstraction import (
    CardAbstraction,
    fitted_abstraction,
    make_abstraction,
)
from riverboat.buckets._distribution import fit_clusters
from riverboat.buckets._kinds import (
    KINDS,
    AbstractionText,
    kind_faults,
    parse_abstraction,
    register_kind,
)
from riverboat.buckets._rule import (
    AbstractionProgress,
    BucketKind,
    FitTask,
    Parameters,
    ProgressCall,
    StreetRule,
    no_progress,
)
from riverboat.buckets._semantic import semantic_features
from riverboat.buckets._sizes import BucketSizes, bucket_examples, bucket_sizes
from riverboat.buckets._streets import (
    dead_holes,
    num_boards,
    pair_points,
    street_named,
    swap_values,
)
from riverboat.buckets._tables import (
    BucketTables,
    abstraction_files,
    bucket_tables,
    built_tables,
)

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
    "ProgressCall",
    "StreetRule",
    "abstraction_files",
    "bucket_examples",
    "bucket_sizes",
    "bucket_tables",
    "built_tables",
    "dead_holes",
    "fit_clusters",
    "fitted_abstraction",
    "kind_faults",
    "make_abstraction",
    "no_progress",
    "num_boards",
    "pair_points",
    "parse_abstraction",
    "register_kind",
    "semantic_features",
    "street_named",
    "swap_values",
]
