"""Messages between two processes over a pair of pipes: four bytes of length, then so many bytes."""

from __future__ import annotations

import os
import struct
from typing import Final

import anyio

_LENGTH: Final = struct.Struct("!I")
_CHUNK: Final = 256 * 1024
LARGEST: Final = 256 * 1024 * 1024


class Broken(Exception):
    """The other side has gone, or does not keep to the form."""


class Frames:
    """One end of a conversation over two descriptors that do not block."""

    def __init__(self, reading: int, writing: int) -> None:
        self._reading, self._writing = reading, writing
        self._buffer = bytearray()
        self._turn = anyio.Lock()
        os.set_blocking(reading, False)
        os.set_blocking(writing, False)

    async def send(self, message: bytes) -> None:
        """Raises `Broken` where nobody listens any more."""
        rest = memoryview(_LENGTH.pack(len(message)) + message)
        async with self._turn:
            while rest:
                try:
                    rest = rest[os.write(self._writing, rest) :]
                except BlockingIOError:
                    await anyio.wait_writable(self._writing)
                except OSError as problem:
                    raise Broken(str(problem)) from problem

    async def receive(self) -> bytes:
        """The next message; `Broken` where there will be none. Who is cancelled meanwhile takes nothing away."""
        await self._gather(_LENGTH.size)
        length = _LENGTH.unpack_from(self._buffer)[0]
        if length > LARGEST:
            raise Broken(f"a message of {length} bytes")
        end = _LENGTH.size + length
        await self._gather(end)
        message = bytes(self._buffer[_LENGTH.size : end])
        del self._buffer[:end]
        return message

    async def _gather(self, count: int) -> None:
        """Read until so many bytes have come."""
        while len(self._buffer) < count:
            try:
                piece = os.read(self._reading, _CHUNK)
            except BlockingIOError:
                await anyio.wait_readable(self._reading)
                continue
            if not piece:
                raise Broken("the other side has closed its end")
            self._buffer += piece
