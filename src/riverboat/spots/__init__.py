"""Spots: build, solve, store and query a public state with two ranges.

>>> from riverboat.spots import Spot
>>> Spot(board="Ks7h2d", pot=55, stack=975, oop="QQ-22", ip="AK").street
'flop'
"""

from riverboat.spots._device_engine import DeviceEngine, flat_spot
from riverboat.spots._engine import Engine
from riverboat.spots._flop_forecast import FlopForecast, forecast_flop
from riverboat.spots._flop_solution import FlopFacts, FlopSolution
from riverboat.spots._flop_solve import FlopFiles, FlopReport, FlopSolving, solve_flop_file
from riverboat.spots._flop_worth import FlopWorth
from riverboat.spots._follow import Imported
from riverboat.spots._forecast import SpotForecast, forecast, gpu_notice
from riverboat.spots._inputs import (
    SCHEDULES,
    Gadget,
    GadgetMode,
    Schedule,
    checked_down,
    one_card_holes,
)
from riverboat.spots._library import (
    Library,
    LibraryForecast,
    LibraryReport,
    parse_boards,
)
from riverboat.spots._many import solve_many
from riverboat.spots._reports import (
    ReportRow,
    SpotTable,
    Texture,
    card_report,
    few_flops,
)
from riverboat.spots._run import SolveFiles, solve_file
from riverboat.spots._sampled import SampledSettings, SampledSolver
from riverboat.spots._settings import Device, Lock, SolveSettings
from riverboat.spots._solution import Solution
from riverboat.spots._solve import Solving, SpotReport, solve
from riverboat.spots._spot import Spot

__all__ = [
    "SCHEDULES",
    "Device",
    "DeviceEngine",
    "Engine",
    "FlopFacts",
    "FlopFiles",
    "FlopForecast",
    "FlopReport",
    "FlopSolution",
    "FlopSolving",
    "FlopWorth",
    "Gadget",
    "GadgetMode",
    "Imported",
    "Library",
    "LibraryForecast",
    "LibraryReport",
    "Lock",
    "ReportRow",
    "SampledSettings",
    "SampledSolver",
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
    "card_report",
    "checked_down",
    "few_flops",
    "flat_spot",
    "forecast",
    "forecast_flop",
    "gpu_notice",
    "one_card_holes",
    "parse_boards",
    "solve",
    "solve_file",
    "solve_flop_file",
    "solve_many",
]
