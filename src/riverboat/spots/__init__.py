"""Spots: a public state with two ranges, solved hand by hand.

>>> from riverboat.spots import Spot
>>> Spot(board="Ks7h2d", pot=55, stack=975, oop="QQ-22", ip="AK").street
'flop'
"""

from riverboat.spots._card_report import (
    REPORT_FORMATS,
    ReportRow,
    SpotTable,
    card_report,
    spot_table,
)
from riverboat.spots._device_engine import DeviceEngine, device_bytes, flat_spot
from riverboat.spots._devices import Device, gpu_notice
from riverboat.spots._engine import Engine, Forecast
from riverboat.spots._follow import Imported
from riverboat.spots._forecast import SpotForecast, forecast
from riverboat.spots._gadget import GADGET_MODES, Gadget, GadgetMode
from riverboat.spots._library import (
    Library,
    LibraryForecast,
    LibraryReport,
    LibrarySpot,
    parse_boards,
)
from riverboat.spots._locks import Lock, parse_locks
from riverboat.spots._many import solve_many, solving_many
from riverboat.spots._one_card import one_card_holes
from riverboat.spots._run import SolveFiles, solve_file
from riverboat.spots._schedule import SCHEDULES, Schedule
from riverboat.spots._settings import SolveSettings
from riverboat.spots._solution import Solution, is_solution
from riverboat.spots._solve import Solving, SpotReport, read_log, solve
from riverboat.spots._spot import Spot
from riverboat.spots._textures import (
    ALL_FLOPS,
    TEXTURES,
    Texture,
    by_texture,
    few_flops,
    flop_counts,
    texture_of,
)
from riverboat.spots._to_core import checked_down

__all__ = [
    "ALL_FLOPS",
    "GADGET_MODES",
    "REPORT_FORMATS",
    "SCHEDULES",
    "TEXTURES",
    "Device",
    "DeviceEngine",
    "Engine",
    "Forecast",
    "Gadget",
    "GadgetMode",
    "Imported",
    "Library",
    "LibraryForecast",
    "LibraryReport",
    "LibrarySpot",
    "Lock",
    "ReportRow",
    "Schedule",
    "Solution",
    "SolveFiles",
    "SolveSettings",
    "Solving",
    "Spot",
    "SpotForecast",
    "SpotReport",
    "SpotTable",
    "Texture",
    "by_texture",
    "card_report",
    "checked_down",
    "device_bytes",
    "few_flops",
    "flat_spot",
    "flop_counts",
    "forecast",
    "gpu_notice",
    "is_solution",
    "one_card_holes",
    "parse_boards",
    "parse_locks",
    "read_log",
    "solve",
    "solve_file",
    "solve_many",
    "solving_many",
    "spot_table",
    "texture_of",
]
