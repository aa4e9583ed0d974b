"""The stranger's side: `python -P -m riverboat.sandbox._run MODULE DESCRIPTOR`.

Reads a policy from standard input, confines itself, and only then imports the module and calls
its `main(channel, protections)`. Standard input stays open as long as the other side lives.
"""

import json
import os
import socket
import sys
from importlib import import_module

from riverboat.sandbox._channel import Channel
from riverboat.sandbox._confine import confine
from riverboat.sandbox._policy import Policy, Protection

__all__ = ["main"]


def main() -> None:
    """Confine this process and run the module that the command line names."""
    module, descriptor = sys.argv[1:]
    nothing = os.open(os.devnull, os.O_RDWR)
    sys.path.append(os.getcwd())  # last, so that no file there hides a module of Python
    protections = confine(_policy(), 0)
    os.dup2(nothing, 0)
    os.close(nothing)
    sys.argv[:] = [module, descriptor]
    run = import_module(module).main
    run(Channel(socket.socket(fileno=int(descriptor))), protections)


def _policy() -> Policy:
    """Read the policy, a line of JSON, and nothing after it."""
    line = b""
    while not line.endswith(b"\n"):
        line += os.read(0, 1 << 16) or sys.exit("no policy came")
    values = json.loads(line)
    return Policy(**{k: tuple(v) if isinstance(v, list) else v for k, v in values.items()})


if __name__ == "__main__":
    main()
