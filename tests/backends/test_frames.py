"""Framed messages over pipes: whole, in order, of any size, and an end that is noticed."""

import os
from collections.abc import Iterator

import anyio
import pytest

from backends.frames import Broken, Frames

pytestmark = pytest.mark.anyio


class Ends:
    """Two ends of a conversation; their descriptors are closed in the end."""

    def __init__(self) -> None:
        (here, there), (from_there, from_here) = os.pipe(), os.pipe()
        self.descriptors = {here, there, from_there, from_here}
        self.left, self.right = Frames(here, from_here), Frames(from_there, there)
        self.right_writes = there
        self.left_reads = here

    def close(self, descriptor: int) -> None:
        self.descriptors.remove(descriptor)
        os.close(descriptor)


@pytest.fixture
def ends() -> Iterator[Ends]:
    pair = Ends()
    yield pair
    for descriptor in pair.descriptors:
        os.close(descriptor)


async def test_messages_arrive_in_order(ends: Ends) -> None:
    """Empty ones too."""
    for message in (b"first", b"", b"\x00" * 10):
        await ends.right.send(message)
    assert [b"first", b"", b"\x00" * 10] == [await ends.left.receive() for _ in range(3)]


async def test_a_message_larger_than_the_pipe(ends: Ends) -> None:
    """The sender waits for the reader, and several senders do not mix their messages."""
    messages = [bytes([n]) * 1_000_000 for n in range(3)]
    received: list[bytes] = []
    async with anyio.create_task_group() as group:
        for message in messages:
            group.start_soon(ends.right.send, message)
        received = [await ends.left.receive() for _ in messages]
    assert messages == sorted(received)


async def test_the_end_is_noticed(ends: Ends) -> None:
    """Also in the middle of a message."""
    os.write(ends.right_writes, b"\x00\x00\x00\x05abc")
    ends.close(ends.right_writes)
    with pytest.raises(Broken, match="closed"):
        await ends.left.receive()


async def test_nobody_listens(ends: Ends) -> None:
    """A sender is told so."""
    ends.close(ends.left_reads)
    with pytest.raises(Broken):
        await ends.right.send(b"hello")


async def test_nonsense_is_refused(ends: Ends) -> None:
    """Whatever prints into the pipe is not taken for the length of a message to wait for."""
    os.write(ends.right_writes, b"Segmentation fault")
    with pytest.raises(Broken, match="bytes"):
        await ends.left.receive()


async def test_who_is_cancelled_loses_nothing(ends: Ends) -> None:
    """What had come before is still there for the next who asks."""
    os.write(ends.right_writes, b"\x00\x00\x00\x02a")
    with anyio.move_on_after(0):
        await ends.left.receive()
    os.write(ends.right_writes, b"b")
    assert b"ab" == await ends.left.receive()
