"""Sandbox for untrusted programs: a confined process with limits and a message channel.

It uses every protection that the system has; `protections` lists them.

>>> from riverboat.sandbox import protections
>>> [protection.name for protection in protections()]
['processes', 'network', 'files', 'system calls', 'limits', 'ending']
"""

from riverboat.sandbox._channel import Channel
from riverboat.sandbox._policy import Mode, Policy, Protection
from riverboat.sandbox._stranger import Stranger, missing, protections

__all__ = ["Channel", "Mode", "Policy", "Protection", "Stranger", "missing", "protections"]
