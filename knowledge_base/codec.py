"""How values are written into columns: texts compressed, records as JSON, identities as digests."""

from __future__ import annotations

import hashlib
import zlib

import msgspec


def pack(text: str) -> bytes:
    """A text as it is stored; clauses repeat themselves and shrink to a small part."""
    return zlib.compress(text.encode(), 6)


def unpack(data: bytes) -> str:
    return zlib.decompress(data).decode()


def to_json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def digest_of(text: str) -> bytes:
    """The content address of a text, as bytes."""
    return hashlib.sha256(text.encode()).digest()


def key_of(*parts: object) -> bytes:
    """An identity that the same content has in every knowledge base, so that merging finds what is there."""
    return hashlib.sha256(msgspec.json.encode(parts)).digest()[:16]
