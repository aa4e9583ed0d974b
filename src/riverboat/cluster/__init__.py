"""The same jobs on other machines: Ray behind `riverboat.runs`.

No other package imports Ray. A command opens a place, and its jobs run there:

>>> from riverboat.cluster import opened
>>> from riverboat.runs import run_jobs
>>> with opened("local"):  # or "ray", or "ray://host:port"
...     list(run_jobs(abs, [-1, 2], workers=1))
[(-1, 1), (2, 2)]
"""

from riverboat.cluster._far import Node
from riverboat.cluster._place import RayPlace, opened
from riverboat.cluster._ray import (
    Link,
    bandwidths,
    check_same,
    connected,
    nodes_of,
    parse_address,
    ray_module,
)
from riverboat.cluster._training import Ranges, Sliced, helpers
from riverboat.cluster._walker import Change, Walked, slice_here

__all__ = [
    "Change",
    "Link",
    "Node",
    "Ranges",
    "RayPlace",
    "Sliced",
    "Walked",
    "bandwidths",
    "check_same",
    "connected",
    "helpers",
    "nodes_of",
    "opened",
    "parse_address",
    "ray_module",
    "slice_here",
]
