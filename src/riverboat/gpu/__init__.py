"""Spots on a graphics card: flat arrays in, tables and values out. It knows no cards.

>>> from riverboat.gpu import kernel_source
>>> "__global__" in kernel_source()
True
"""

from riverboat.gpu._cards import GpuCard, gpu_cards, kernel_source, require_card
from riverboat.gpu._device import DeviceSpot, Mode
from riverboat.gpu._flat import FlatHands, FlatSpot, FlatView, packed
from riverboat.gpu._twin import TwinSpot

__all__ = [
    "DeviceSpot",
    "FlatHands",
    "FlatSpot",
    "FlatView",
    "GpuCard",
    "Mode",
    "TwinSpot",
    "gpu_cards",
    "kernel_source",
    "packed",
    "require_card",
]
