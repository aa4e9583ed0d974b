"""JSON lines over standard input and output: a bot in any language at our table.

Version 1. The arena speaks first; every line is one JSON object with a `type`. docs/protocols.md
has the fields.

>>> from riverboat.game import Hand, catalogue
>>> told = describe(Hand(catalogue("nolimit-100bb"), hole=["AhKd", None]).view(0))
>>> told["hole"], told["legal"]["call"], told["legal"]["bet"]
('AhKd', 5, [20, 1000])
"""

from riverboat.protocols.lines._bot import ENGINE, VERSION, LinesBot, describe

__all__ = ["ENGINE", "VERSION", "LinesBot", "describe"]
