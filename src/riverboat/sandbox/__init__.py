"""A process for other people's programs: what it may touch, how one talks to it, how it ends.

Every protection is taken where the system has it; `protections` says which.

>>> from riverboat.sandbox import protections
>>> [each.name for each in protections()]
['processes', 'network', 'files', 'system calls', 'limits', 'ending']
"""

from riverboat.sandbox._channel import Channel
from riverboat.sandbox._policy import Mode, Policy, Protection
from riverboat.sandbox._stranger import Stranger, missing, protections

__all__ = ["Channel", "Mode", "Policy", "Protection", "Stranger", "missing", "protections"]
