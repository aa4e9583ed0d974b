"""Bots act on threads: who goes away in the middle does not leave two at work on one table."""

from __future__ import annotations

import asyncio
import threading

import pytest

from own_loop import run_alone
from riverboat.web._turns import on_thread

pytestmark = pytest.mark.browser


def test_who_is_cancelled_waits_for_the_end() -> None:
    began, may_end, ended = threading.Event(), threading.Event(), []

    def work() -> None:
        began.set()
        may_end.wait(10)
        ended.append(True)

    async def cancelled() -> None:
        task = asyncio.create_task(on_thread(work))
        await asyncio.to_thread(began.wait, 10)
        for _ in range(2):
            task.cancel()
            await asyncio.sleep(0)
            assert not task.done()
        may_end.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert ended == [True]

    run_alone(cancelled())


def test_results_and_errors_come_back() -> None:
    assert run_alone(on_thread(lambda: 3)) == 3
    with pytest.raises(ZeroDivisionError):
        run_alone(on_thread(lambda: 1 // 0))
