"""The same jobs on other machines: Ray behind `riverboat.work`.

Nothing below imports Ray. Whoever starts a command opens a place, and jobs go there:

>>> from riverboat.cluster import opened
>>> from riverboat.work import run_jobs
>>> with opened("local"):  # or "ray", or "ray://host:port"
...     list(run_jobs(abs, [-1, 2], workers=1))
[(-1, 1), (2, 2)]
"""

from riverboat.cluster._far import Node
from riverboat.cluster._nodes import Link, bandwidths, check_same, nodes_of
from riverboat.cluster._place import RayPlace, opened
from riverboat.cluster._ray import connected, parse_address

__all__ = [
    "Link",
    "Node",
    "RayPlace",
    "bandwidths",
    "check_same",
    "connected",
    "nodes_of",
    "opened",
    "parse_address",
]
