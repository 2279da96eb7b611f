"""Answers of configurations, and the memory of what was asked already."""

from __future__ import annotations

import sqlite3

import msgspec

from backends.answer import Answer, Configuration, Verdict
from knowledge_base import traces
from knowledge_base.codec import key_of, pack, to_json, unpack
from knowledge_base.instances import id_of
from knowledge_base.records import AnswerRecord, Choice

_CHOICE = msgspec.json.Decoder(Choice)
_COMMAND = msgspec.json.Decoder(tuple[str, ...])
_CONFIGURATION = msgspec.json.Decoder(Configuration)


def configuration_id(connection: sqlite3.Connection, configuration: Configuration) -> int:
    """The number of a configuration, stored if it is new."""
    data = to_json(configuration)
    found = connection.execute("SELECT id FROM configurations WHERE data = ?", (data,)).fetchone()
    if found is None:
        found = connection.execute(
            "INSERT INTO configurations (solver, version, data) VALUES (?, ?, ?) RETURNING id",
            (configuration.solver, configuration.version, data),
        ).fetchone()
    return int(found[0])


def get_configuration(connection: sqlite3.Connection, number: int) -> Configuration:
    (data,) = connection.execute("SELECT data FROM configurations WHERE id = ?", (number,)).fetchone()
    return _CONFIGURATION.decode(data)


def record(connection: sqlite3.Connection, record: AnswerRecord) -> str:
    """Store an answer to a stored instance, and that it was asked; returns its key."""
    answer = record.answer
    key = _key(record)
    note_asked(connection, record.instance, answer.configuration, record.at)
    connection.execute(
        "INSERT INTO answers (key, instance, configuration, verdict, seconds, cpu_seconds, peak_memory_mb, detail,"
        " command, model_text, proof_text, is_warm, limit_seconds, choice, run, at, trace)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING",
        (
            key,
            id_of(connection, record.instance),
            configuration_id(connection, answer.configuration),
            answer.verdict,
            answer.seconds,
            answer.cpu_seconds,
            answer.peak_memory_mb,
            answer.detail,
            to_json(answer.command),
            None if answer.model_text is None else pack(answer.model_text),
            None if answer.proof_text is None else pack(answer.proof_text),
            int(record.is_warm),
            record.limit_seconds,
            None if record.choice is None else to_json(record.choice),
            record.run,
            record.at,
            None if answer.trace is None else traces.keep(connection, answer.trace),
        ),
    )
    return key.hex()


def _key(record: AnswerRecord) -> bytes:
    answer = record.answer
    return key_of(record.instance, answer.configuration, record.at, record.is_warm, answer.verdict, answer.seconds)


def note_asked(connection: sqlite3.Connection, address: str, configuration: Configuration, at: float) -> None:
    """Remember that a text was asked, also where neither it nor its answer is worth storing."""
    connection.execute(
        "INSERT INTO asked (digest, configuration, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        (bytes.fromhex(address), configuration_id(connection, configuration), at),
    )


def was_asked(connection: sqlite3.Connection, address: str, configuration: Configuration) -> bool:
    row = connection.execute(
        "SELECT 1 FROM asked JOIN configurations ON configurations.id = configuration WHERE digest = ? AND data = ?",
        (bytes.fromhex(address), to_json(configuration)),
    ).fetchone()
    return row is not None


def answers_of(connection: sqlite3.Connection, address: str) -> list[AnswerRecord]:
    """Every stored answer to the instance, the oldest first."""
    rows = connection.execute(
        "SELECT configuration, command, verdict, seconds, cpu_seconds, peak_memory_mb, detail, model_text, proof_text,"
        " at, is_warm, limit_seconds, run, choice, trace FROM answers"
        " WHERE instance = (SELECT id FROM instances WHERE digest = ?) ORDER BY at, key",
        (bytes.fromhex(address),),
    ).fetchall()
    return [_read(connection, address, row) for row in rows]


_Row = tuple[
    int,
    str,
    str,
    float,
    float,
    float,
    str,
    bytes | None,
    bytes | None,
    float,
    int,
    float | None,
    str | None,
    str | None,
    int | None,
]


def _read(connection: sqlite3.Connection, address: str, row: _Row) -> AnswerRecord:
    number, command, verdict, seconds, cpu, memory, detail, model, proof, at, is_warm, limit, run, choice, trace = row
    answer = Answer(
        configuration=get_configuration(connection, number),
        command=_COMMAND.decode(command),
        verdict=Verdict(verdict),
        seconds=seconds,
        cpu_seconds=cpu,
        peak_memory_mb=memory,
        detail=detail,
        model_text=None if model is None else unpack(model),
        proof_text=None if proof is None else unpack(proof),
        trace=None if trace is None else traces.get(connection, trace),
    )
    chosen = None if choice is None else _CHOICE.decode(choice)
    return AnswerRecord(address, answer, at, bool(is_warm), limit, run, chosen)
