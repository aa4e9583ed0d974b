"""Which protections this system has: a sandbox is built once, and says."""

from collections.abc import Iterable

import msgspec

from riverboat.errors import SandboxError
from riverboat.sandbox._channel import Channel
from riverboat.sandbox._policy import Policy, Protection
from riverboat.sandbox._stranger import Stranger

_START_SECONDS = 60.0


def protections(policy: Policy | None = None) -> list[Protection]:
    """Try a sandbox and return what is in force in it, with reasons for what is not.

    Parameters
    ----------
    policy
        Of the sandbox; None = a usual one.

    Raises
    ------
    SandboxError
        If it does not come up.

    Examples
    --------
    >>> from riverboat.sandbox import Policy
    >>> {each.on for each in protections(Policy(mode="off"))}
    {False}
    """
    trial = Stranger(__name__, policy or Policy())
    try:
        found = msgspec.json.decode(trial.channel.receive(_START_SECONDS), type=list[Protection])
    except (OSError, EOFError, ValueError) as error:
        code = trial.exit_code()
        raise SandboxError(f"a sandbox does not come up (exit code {code})") from error
    finally:
        trial.end()
    return found


def missing(found: Iterable[Protection]) -> str:
    """Return the protections that are not in force, and why, for a sentence; nothing if all are.

    Examples
    --------
    >>> missing([Protection("network", "", "unshare: not permitted"), Protection("files", "x")])
    'network (unshare: not permitted)'
    """
    return ", ".join(f"{each.name} ({each.reason})" for each in found if not each.on)


def main(channel: Channel, found: list[Protection]) -> None:
    """Say what is in force, from inside."""
    channel.send(msgspec.json.encode(found))
