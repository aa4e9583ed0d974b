"""Spots: heads-up hold'em from a board on, for two ranges, solved hand by hand."""

from riverboat.spots._engine import Engine, Forecast
from riverboat.spots._schedule import SCHEDULES, Schedule

__all__ = ["SCHEDULES", "Engine", "Forecast", "Schedule"]
