"""Which build of the compiled kernels runs here."""

from riverboat import _core


def kernels() -> str:
    """Return the instruction set that the loaded kernels are built for.

    Examples
    --------
    >>> kernels() in ("baseline", "x86-64-v3")
    True
    """
    return str(_core.ISA)
