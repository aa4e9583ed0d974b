"""Means with intervals: how sure a number is."""

from riverboat.statistics._estimate import (
    NORMAL_95,
    Estimate,
    IntervalKind,
    as_good_as_best,
    mean_estimate,
    moments_estimate,
    ratio_estimate,
    share_estimate,
    student_95,
    wilson,
)
from riverboat.statistics._power_law import PowerLaw, fit_power_law
from riverboat.statistics._sequence import ConfidenceSequence

__all__ = [
    "NORMAL_95",
    "ConfidenceSequence",
    "Estimate",
    "IntervalKind",
    "PowerLaw",
    "as_good_as_best",
    "fit_power_law",
    "mean_estimate",
    "moments_estimate",
    "ratio_estimate",
    "share_estimate",
    "student_95",
    "wilson",
]
