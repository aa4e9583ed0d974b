"""Estimates with confidence intervals, and confidence sequences."""

from riverboat.statistics._estimate import (
    NORMAL_95,
    Estimate,
    PowerLaw,
    as_good_as_best,
    estimate_columns,
    fit_power_law,
    mean_estimate,
    moments_estimate,
    ratio_estimate,
    share_estimate,
)
from riverboat.statistics._sequence import ConfidenceSequence

__all__ = [
    "NORMAL_95",
    "ConfidenceSequence",
    "Estimate",
    "PowerLaw",
    "as_good_as_best",
    "estimate_columns",
    "fit_power_law",
    "mean_estimate",
    "moments_estimate",
    "ratio_estimate",
    "share_estimate",
]
