"""MIT Pokerbots since 2023 and engines derived from it: our bots there, their players here.

>>> sorted(VARIANTS)
['2023', '2024', '2025', '2026', 'husky']
"""

from riverboat.protocols.mit._bot import ENGINE, MitBot
from riverboat.protocols.mit._export import export_player, main
from riverboat.protocols.mit._player import MitPlayer
from riverboat.protocols.mit._variants import VARIANTS, Variant, find_variant, variant_for

__all__ = [
    "ENGINE",
    "VARIANTS",
    "MitBot",
    "MitPlayer",
    "Variant",
    "export_player",
    "find_variant",
    "main",
    "variant_for",
]
