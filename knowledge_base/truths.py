"""Witnesses, certificates and truths. A truth is never replaced by its opposite: that is an alarm."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import msgspec

from chc.witness import Truth
from knowledge_base.codec import key_of, pack, to_json, unpack
from knowledge_base.instances import id_of
from knowledge_base.records import CertificateRecord, Contradiction, WitnessOrigin, WitnessRecord
from knowledge_base.writer import RecordedError

_CHECKERS = msgspec.json.Decoder(tuple[str, ...])
_WITNESS = "digest, witnesses.truth, data, witnesses.origin, witnesses.source, witnesses.at"


class UnknownWitness(Exception):
    """A key of no stored witness."""


class ContradictoryTruth(RecordedError):
    """A certificate for the opposite of what is known. The known truth stays, and the contradiction is recorded."""

    def __init__(self, contradiction: Contradiction) -> None:
        witness = contradiction.witness
        super().__init__(
            f"instance {witness.instance} is certified {contradiction.known}, and now it was certified {witness.truth}"
            f" by {', '.join(contradiction.checkers)}: one of the checkers is wrong, or our own code;"
            " until it is known which, trust no finding that rests on either"
        )
        self.contradiction = contradiction

    def record(self, connection: sqlite3.Connection) -> None:
        witness = self.contradiction.witness
        connection.execute(
            "INSERT INTO contradictions (key, digest, known, truth, data, origin, source, checkers, witness_at, at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (
                key_of(witness.instance, witness.truth, witness.data, self.contradiction.at),
                bytes.fromhex(witness.instance),
                self.contradiction.known,
                witness.truth,
                pack(witness.data),
                witness.origin,
                witness.source,
                to_json(self.contradiction.checkers),
                witness.at,
                self.contradiction.at,
            ),
        )


def witness_key(witness: WitnessRecord) -> bytes:
    return key_of(witness.instance, witness.truth, witness.data)


def add_witness(connection: sqlite3.Connection, witness: WitnessRecord) -> str:
    """Store a witness that nobody has called valid yet; returns its key. The same witness is stored once."""
    key = witness_key(witness)
    connection.execute(
        "INSERT INTO witnesses (key, instance, truth, data, origin, source, at) VALUES (?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (key) DO NOTHING",
        (
            key,
            id_of(connection, witness.instance),
            witness.truth,
            pack(witness.data),
            witness.origin,
            witness.source,
            witness.at,
        ),
    )
    return key.hex()


def certify(connection: sqlite3.Connection, key: str, checkers: Sequence[str], at: float) -> None:
    """Record that these checkers call the witness valid, which settles the truth of its instance."""
    if not checkers:
        raise ValueError("a certificate needs at least one checker that called the witness valid")
    number, instance = _locate(connection, key)
    witness = _get_witness(connection, number)
    known = truth_of(connection, witness.instance)
    if known is not None and known is not witness.truth:
        raise ContradictoryTruth(Contradiction(witness, tuple(sorted(set(checkers))), known, at))
    add_checkers(connection, number, checkers, at)
    rest_on_the_oldest(connection, instance, witness.truth)


def rest_on_the_oldest(connection: sqlite3.Connection, instance: int, truth: Truth) -> None:
    """Let the truth of an instance name the oldest of its certificates: a rule that no order of events can bend."""
    connection.execute(
        "INSERT INTO truths (instance, truth, certificate) SELECT instance, truth, id FROM witnesses"
        " JOIN certificates ON witness = id WHERE instance = ? AND truth = ? ORDER BY certificates.at, key LIMIT 1"
        " ON CONFLICT (instance) DO UPDATE SET certificate = excluded.certificate",
        (instance, truth),
    )


def settle(connection: sqlite3.Connection, witness: WitnessRecord, checkers: Sequence[str], at: float) -> str:
    """Store a witness together with its certificate; returns the key."""
    key = add_witness(connection, witness)
    certify(connection, key, checkers, at)
    return key


def add_checkers(connection: sqlite3.Connection, number: int, checkers: Sequence[str], at: float) -> None:
    """Make or extend the certificate of a witness: all who vouch for it, and the time of the first."""
    found = connection.execute("SELECT checkers, at FROM certificates WHERE witness = ?", (number,)).fetchone()
    known, first = ((), at) if found is None else (_CHECKERS.decode(found[0]), found[1])
    connection.execute(
        "INSERT INTO certificates (witness, checkers, at) VALUES (?, ?, ?)"
        " ON CONFLICT (witness) DO UPDATE SET checkers = excluded.checkers, at = excluded.at",
        (number, to_json(sorted({*known, *checkers})), min(at, first)),
    )


def truth_of(connection: sqlite3.Connection, address: str) -> Truth | None:
    row = connection.execute(
        "SELECT truth FROM truths JOIN instances ON instances.id = instance WHERE digest = ?",
        (bytes.fromhex(address),),
    ).fetchone()
    return None if row is None else Truth(row[0])


def certificate_of(connection: sqlite3.Connection, address: str) -> CertificateRecord | None:
    """The certificate on which the truth of the instance rests; None where there is no truth."""
    row = connection.execute(
        "SELECT certificate FROM truths JOIN instances ON instances.id = instance WHERE digest = ?",
        (bytes.fromhex(address),),
    ).fetchone()
    return None if row is None else _get_certificate(connection, row[0])


def get_certificate(connection: sqlite3.Connection, key: str) -> CertificateRecord | None:
    number, _ = _locate(connection, key)
    found = connection.execute("SELECT 1 FROM certificates WHERE witness = ?", (number,)).fetchone()
    return None if found is None else _get_certificate(connection, number)


def witnesses_of(connection: sqlite3.Connection, address: str) -> list[WitnessRecord]:
    """Every witness of the instance, checked or not, the oldest first."""
    rows = connection.execute(
        "SELECT witnesses.id FROM witnesses JOIN instances ON instances.id = instance WHERE digest = ?"
        " ORDER BY at, key",
        (bytes.fromhex(address),),
    ).fetchall()
    return [_get_witness(connection, number) for (number,) in rows]


def certified(connection: sqlite3.Connection, truth: Truth) -> list[str]:
    """The addresses of all instances of this truth."""
    rows = connection.execute(
        "SELECT digest FROM truths JOIN instances ON instances.id = instance WHERE truth = ? ORDER BY instance",
        (truth,),
    )
    return [digest.hex() for (digest,) in rows]


def contradictions(connection: sqlite3.Connection) -> list[Contradiction]:
    rows = connection.execute(
        "SELECT digest, truth, data, origin, source, witness_at, checkers, known, at FROM contradictions"
        " ORDER BY at, key"
    )
    return [
        Contradiction(_read_witness(row[:6]), _CHECKERS.decode(row[6]), Truth(row[7]), row[8])
        for row in rows.fetchall()
    ]


def _locate(connection: sqlite3.Connection, key: str) -> tuple[int, int]:
    row = connection.execute("SELECT id, instance FROM witnesses WHERE key = ?", (bytes.fromhex(key),)).fetchone()
    if row is None:
        raise UnknownWitness(f"there is no witness {key} in the knowledge base")
    return int(row[0]), int(row[1])


def _get_certificate(connection: sqlite3.Connection, number: int) -> CertificateRecord:
    key, checkers, at = connection.execute(
        "SELECT key, checkers, certificates.at FROM certificates JOIN witnesses ON witnesses.id = witness"
        " WHERE witness = ?",
        (number,),
    ).fetchone()
    return CertificateRecord(key.hex(), _get_witness(connection, number), _CHECKERS.decode(checkers), at)


def _get_witness(connection: sqlite3.Connection, number: int) -> WitnessRecord:
    row = connection.execute(
        f"SELECT {_WITNESS} FROM witnesses JOIN instances ON instances.id = instance WHERE witnesses.id = ?", (number,)
    ).fetchone()
    return _read_witness(row)


def _read_witness(row: tuple[bytes, str, bytes, str, str, float]) -> WitnessRecord:
    digest, truth, data, origin, source, at = row
    return WitnessRecord(digest.hex(), Truth(truth), unpack(data), WitnessOrigin(origin), at, source)
