"""The same jobs on other machines: Ray behind `riverboat.runs`.

Nothing below imports Ray. Whoever starts a command opens a place, and jobs go there:

>>> from riverboat.cluster import opened
>>> from riverboat.runs import run_jobs
>>> with opened("local"):  # or "ray", or "ray://host:port"
...     list(run_jobs(abs, [-1, 2], workers=1))
[(-1, 1), (2, 2)]
"""

from riverboat.cluster._exchange import (
    Change,
    added,
    check_divisible,
    cuts,
    slice_here,
    walk_range,
)
from riverboat.cluster._far import Node, fit, stamp
from riverboat.cluster._nodes import Link, bandwidths, check_same, nodes_of
from riverboat.cluster._place import RayPlace, opened
from riverboat.cluster._ranges import Ranges
from riverboat.cluster._ray import connected, parse_address, ray_module
from riverboat.cluster._training import Sliced, helpers, slice_length
from riverboat.cluster._walker import Walked

__all__ = [
    "Change",
    "Link",
    "Node",
    "Ranges",
    "RayPlace",
    "Sliced",
    "Walked",
    "added",
    "bandwidths",
    "check_divisible",
    "check_same",
    "connected",
    "cuts",
    "fit",
    "helpers",
    "nodes_of",
    "opened",
    "parse_address",
    "ray_module",
    "slice_here",
    "slice_length",
    "stamp",
    "walk_range",
]
