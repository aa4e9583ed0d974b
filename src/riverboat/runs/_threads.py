"""Work on all cores, a few pieces ahead, so that what is stopped stops soon."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from riverboat.runs._machine import num_cores

if TYPE_CHECKING:
    from concurrent.futures import Future

_Piece = TypeVar("_Piece")
_Result = TypeVar("_Result")


def in_order(
    compute: Callable[[_Piece], _Result],
    pieces: Iterable[_Piece],
    *,
    threads: int | None = None,
    stop: Callable[[], object] = lambda: None,
) -> Iterator[_Result]:
    """Compute pieces in threads, a few ahead, and yield the results in order.

    Parameters
    ----------
    compute
        Called with each piece in some thread; a kernel that releases the GIL.
    pieces
        What to compute.
    threads
        How many to use; all cores by default.
    stop
        Called where the work ends early (an error, Ctrl-C, or nobody takes the
        rest): it may make pieces that are being computed return soon.

    Examples
    --------
    >>> list(in_order(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - slow to import

    count = threads or num_cores()
    ahead: deque[Future[_Result]] = deque()
    with ThreadPoolExecutor(count) as pool:
        try:
            for piece in pieces:
                ahead.append(pool.submit(compute, piece))
                if len(ahead) > 2 * count:
                    yield ahead.popleft().result()
            while ahead:
                yield ahead.popleft().result()
        except BaseException:
            stop()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
