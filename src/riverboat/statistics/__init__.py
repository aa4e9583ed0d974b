"""Means with intervals: how sure a number is."""

from riverboat.statistics._estimate import (
    NORMAL_95,
    Estimate,
    Share,
    moments_estimate,
    ratio_estimate,
    student_95,
    wilson,
)
from riverboat.statistics._power_law import PowerLaw, fit_power_law
from riverboat.statistics._sequence import ConfidenceSequence

__all__ = [
    "NORMAL_95",
    "ConfidenceSequence",
    "Estimate",
    "PowerLaw",
    "Share",
    "fit_power_law",
    "moments_estimate",
    "ratio_estimate",
    "student_95",
    "wilson",
]
