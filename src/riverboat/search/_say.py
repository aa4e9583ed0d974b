"""What a person is told, once."""

from __future__ import annotations

import logging
from typing import Final

from riverboat.runs import in_worker

__all__ = ["say"]

_log: Final = logging.getLogger("riverboat.search")
_said: set[str] = set()


def say(sentence: str) -> None:
    """Tell the person a sentence, once; workers leave it to who started them."""
    if sentence not in _said and not in_worker():
        _said.add(sentence)
        _log.warning(sentence)
