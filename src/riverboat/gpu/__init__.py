"""Solve spots on a GPU: flat arrays in, tables and values out. No knowledge of playing cards.

>>> from riverboat.gpu import kernel_source
>>> "__global__" in kernel_source()
True
"""

from riverboat.gpu._cards import Bits, GpuCard, gpu_cards, kernel_source, require_card
from riverboat.gpu._device import DeviceSpot
from riverboat.gpu._flat import FlatHands, FlatSpot, FlatView, Mode, packed
from riverboat.gpu._root import Root
from riverboat.gpu._shapes import LastStreet, last_street, row_bytes, row_numbers
from riverboat.gpu._tables import TableName, card_regrets, cpu_regrets

__all__ = [
    "Bits",
    "DeviceSpot",
    "FlatHands",
    "FlatSpot",
    "FlatView",
    "GpuCard",
    "LastStreet",
    "Mode",
    "Root",
    "TableName",
    "card_regrets",
    "cpu_regrets",
    "gpu_cards",
    "kernel_source",
    "last_street",
    "packed",
    "require_card",
    "row_bytes",
    "row_numbers",
]
