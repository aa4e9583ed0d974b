"""A message is whole by its deadline and of bounded size, whatever the other side sends."""

import socket
from collections.abc import Iterator

import pytest

from riverboat.sandbox import Channel

Ends = tuple[Channel, socket.socket]


@pytest.fixture
def ends() -> Iterator[Ends]:
    """A channel that takes a hundred bytes, and the other side's socket."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield Channel(ours, most=100), theirs


def framed(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


@pytest.mark.parametrize("sent", [b"", b"\0", b"\0\0\0", b"\0\0\0\x05", b"\0\0\0\x05hell"])
def test_half_a_message_is_late(ends: Ends, sent: bytes) -> None:
    channel, theirs = ends
    theirs.sendall(sent)
    with pytest.raises(TimeoutError):
        channel.receive(within=0.01)
    theirs.sendall(framed(b"hello")[len(sent) :])  # and is not lost
    assert channel.receive(within=1.0) == b"hello"


@pytest.mark.parametrize("length", [101, 1 << 20, (1 << 32) - 1])
def test_a_long_message_is_refused_by_its_length(ends: Ends, length: int) -> None:
    channel, theirs = ends
    theirs.sendall(length.to_bytes(4, "big"))
    with pytest.raises(ValueError, match=f"a message of {length:,} bytes; the maximum is 100"):
        channel.receive(within=1.0)


def test_messages_come_one_by_one(ends: Ends) -> None:
    channel, theirs = ends
    theirs.sendall(framed(b"one") + framed(b"") + framed(b"x" * 100))
    assert channel.receive(within=1.0) == b"one"
    assert channel.pending
    assert [channel.receive(within=1.0) for _ in range(2)] == [b"", b"x" * 100]
    assert not channel.pending


def test_an_end_that_does_not_read_is_not_waited_for(ends: Ends) -> None:
    channel, _ = ends
    with pytest.raises(TimeoutError):
        channel.send(bytes(1 << 24), within=0.01)


def test_an_end_that_has_hung_up(ends: Ends) -> None:
    channel, theirs = ends
    theirs.sendall(b"\0\0")
    theirs.close()
    with pytest.raises(EOFError):
        channel.receive(within=1.0)
    with pytest.raises(OSError, match="Broken pipe"):
        channel.send(b"hello", within=1.0)
