"""The confined process: `python -P -m riverboat.sandbox._run MODULE DESCRIPTOR`.

It reads a policy from standard input and confines itself. Only then it imports the module and calls
its `main(channel, protections)`. Standard input stays open until the parent process ends.
"""

import os
import socket
import sys
from importlib import import_module

import msgspec

from riverboat.sandbox._channel import Channel
from riverboat.sandbox._confine import confine
from riverboat.sandbox._policy import Policy


def main() -> None:
    """Confine this process and run the module of the command line."""
    module, descriptor = sys.argv[1:]
    nothing = os.open(os.devnull, os.O_RDWR)
    policy = _policy()
    # Last, so that no file there replaces a module of Python.
    sys.path += [folder for folder in policy.path if folder not in sys.path]
    protections = confine(policy, 0)
    os.dup2(nothing, 0)
    os.close(nothing)
    sys.argv[:] = [module, descriptor]
    run = import_module(module).main
    run(Channel(socket.socket(fileno=int(descriptor))), protections)


def _policy() -> Policy:
    """Read the policy, one line of JSON, and nothing after it."""
    line = b""
    while not line.endswith(b"\n"):
        line += os.read(0, 1 << 16) or sys.exit("standard input has no policy")
    return msgspec.json.decode(line, type=Policy)


if __name__ == "__main__":
    main()
