"""Threads that stay for a whole run."""

from riverboat import _core

__all__ = ["Crew"]


class Crew(_core.Crew):
    """Threads that wait for the iterations of the next slice; the caller's is one of them.

    Kernels of the core hand it their iterations in blocks. Whoever has done one takes the next, so
    that all threads end a slice together. One caller at a time.

    Parameters
    ----------
    threads
        How many, the caller's included.

    Attributes
    ----------
    threads
        The same.

    Examples
    --------
    >>> Crew(2).threads
    2
    """
