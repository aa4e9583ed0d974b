"""Riverboat trains, measures and plays Texas Hold'em bots on one ordinary computer."""

from importlib.metadata import version as _version

__version__ = _version("riverboat")
__all__ = ["__version__"]
