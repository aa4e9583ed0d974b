"""All bots that mean harm."""

from hostile.bots_that_reach import MEDDLING, NETWORK, NOTES, PRINTS, READING, WRITING
from hostile.bots_that_take import MEMORY, PROCESSES
from hostile.bots_that_talk import ENDS, MESSAGES, PYTHON, STALLS
from hostile.hostile_bot import KINDS, Hostile, tries

__all__ = ["HOSTILE", "KINDS", "MEDDLING", "NOTES", "Hostile", "tries"]

HOSTILE = (
    *MESSAGES,
    *STALLS,
    *ENDS,
    *MEMORY,
    *PROCESSES,
    *READING,
    *WRITING,
    *NETWORK,
    *PRINTS,
    *PYTHON,
)
