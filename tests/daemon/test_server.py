"""The socket from outside: whoever comes is answered or refused with a reason, and hurts nobody."""

import json
import os
import socket
from pathlib import Path

import anyio
import pytest

from daemon.lines import Gone, SocketRules
from tests.daemon.serving import Stand, Status, Talk, eventually, raw_connection, standing

pytestmark = pytest.mark.anyio

TEXT = "(set-logic HORN)\n(declare-fun p (Int) Bool)\n(assert (forall ((x Int)) (=> (= x 0) (p x))))\n(check-sat)\n"
MEGABYTE = 1024 * 1024
PATIENT = SocketRules()


async def greeted(stand: Stand) -> Talk:
    talk = await stand.connect()
    assert "hello" == (await talk.hear())["reply"]
    return talk


async def is_served(stand: Stand) -> bool:
    """Whether a client that behaves gets its answer."""
    talk = await greeted(stand)
    answer = await talk.ask("status")
    talk.close()
    return bool(answer["reply"] == "status")


def memory() -> int:
    """Resident memory of this process, in megabytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // MEGABYTE


async def test_the_daemon_speaks_first(tmp_path: Path) -> None:
    """Version, process, and how much it takes."""
    async with standing(tmp_path) as stand:
        talk = await stand.connect()
        hello = await talk.hear()
        assert ("hello", 1, os.getpid()) == (hello["reply"], hello["protocol"], hello["pid"])
        assert PATIENT.largest_line == hello["largest_line"]
        talk.close()


async def test_who_comes_is_logged(tmp_path: Path) -> None:
    """As the kernel says who it is."""
    async with standing(tmp_path) as stand:
        assert await is_served(stand)
        (client,) = [event for event in stand.log if event.name == "client"]
        assert (os.getpid(), os.getuid()) == (client.fields["pid"], client.fields["uid"])


GARBAGE: list[tuple[bytes, object]] = [
    (b"hello?", None),
    (bytes(range(1, 10)) + bytes(range(11, 256)), None),
    (b"[]", None),
    (b"{}", None),
    (b'{"id":1,"request":"destroy"}', 1),
    (b'{"id":"x","request":"status","please":true}', "x"),
    (b'{"id":1,"request":"submit"}', 1),
    (b'{"id":1,"request":"submit","text":7}', 1),
    (b'{"id":1,"request":"submit","text":"","seconds":-1}', 1),
    (b'{"id":1,"request":"submit","text":"","seconds":1e999}', 1),
    (b'{"id":1,"request":"findings","most":100000000}', 1),
    (b'{"id":1,"request":"instance","address":"../../etc/passwd"}', 1),
    (b'{"id":[],"request":"status"}', None),
    (b'{"id":"\xff","request":"status"}', None),
    (b"[" * 100_000, None),
    (b'{"id":1,"request":' + b"[" * 100_000, None),
    (b'{"id":1' + b"0" * 100_000 + b',"request":"status"}', None),
    (b"", None),
]


async def test_garbage_is_refused_with_a_reason(tmp_path: Path) -> None:
    """With the id of the request where it can be read; the same connection goes on to be served."""
    async with standing(tmp_path) as stand:
        talk = await greeted(stand)
        for line, id in GARBAGE:
            await talk.send(line + b"\n")
            refused = await talk.hear()
            assert ("refused", "malformed", id) == (refused["reply"], refused["code"], refused["id"]), line[:80]
            assert refused["reason"]
            assert "status" == (await talk.ask("status"))["reply"]
        talk.close()


async def test_who_sends_nothing_but_garbage_is_shown_the_door(tmp_path: Path) -> None:
    """After a while, and with the reason."""
    rules = SocketRules(most_mistakes=3)
    async with standing(tmp_path, rules) as stand:
        talk = await greeted(stand)
        await talk.send(b"x\n" * 10)
        codes = [(await talk.hear()).get("code") for _ in range(5)]
        assert ["malformed"] * 4 + [None] == codes
        assert await is_served(stand)
        talk.close()


async def test_half_a_message_is_waited_for_and_no_longer(tmp_path: Path) -> None:
    """Who leaves in the middle is forgotten; who stays silent is told so."""
    async with standing(tmp_path, SocketRules(line_seconds=0.2)) as stand:
        leaving, waiting = await greeted(stand), await greeted(stand)
        await leaving.send(b'{"id":1,"request":"st')
        leaving.close()
        await waiting.send(b'{"id":1,"request":"st')
        refused = await waiting.hear()
        assert ("refused", "too-slow") == (refused["reply"], refused["code"])
        assert {} == await waiting.hear()
        assert await is_served(stand)
        waiting.close()


async def test_a_message_may_come_in_pieces(tmp_path: Path) -> None:
    """And several in one piece."""
    async with standing(tmp_path) as stand:
        talk = await greeted(stand)
        for piece in (b'{"id":1,"requ', b'est":"status"', b"}\n" + b'{"id":2,"request":"jobs"}\n{"id":3,'):
            await talk.send(piece)
        assert [1, 2] == [(await talk.hear())["id"] for _ in range(2)]
        await talk.send(b'"request":"health"}\n')
        assert 3 == (await talk.hear())["id"]
        talk.close()


async def test_a_line_of_100_megabytes_is_refused_without_being_kept(tmp_path: Path) -> None:
    """The memory of the daemon stays what it was."""
    async with standing(tmp_path) as stand:
        assert await is_served(stand)
        before = memory()
        talk = await greeted(stand)
        highest = await _pour(talk, 100 * MEGABYTE)
        refused = await talk.hear()
        assert ("refused", "too-large") == (refused["reply"], refused["code"])
        assert "hornblower check" in refused["remedy"]
        assert highest - before < 3 * PATIENT.largest_line // MEGABYTE
        assert await is_served(stand)
        talk.close()


async def _pour(talk: Talk, count: int) -> int:
    """Send so many bytes, or as many as are taken; the most memory on the way."""
    piece = b"x" * 65536
    highest = 0
    for _ in range(count // len(piece)):
        try:
            await talk.send(piece)
        except Gone:
            break
        highest = max(highest, memory())
    return highest


async def test_many_large_lines_at_once_share_a_bounded_room(tmp_path: Path) -> None:
    """Those for which there is no room are told to come again; the others are served."""
    rules = SocketRules(largest_line=MEGABYTE, most_waiting=3 * MEGABYTE)
    async with standing(tmp_path, rules) as stand:
        talks = [await greeted(stand) for _ in range(6)]
        for talk in talks:
            await _pour(talk, 900 * 1024)
        codes: list[object] = []

        async def hear(talk: Talk) -> None:
            with anyio.move_on_after(2):
                codes.append((await talk.hear()).get("code"))

        async with anyio.create_task_group() as group:
            for talk in talks:
                group.start_soon(hear, talk)
        assert ["too-many"] * 3 == codes
        for talk in talks:
            talk.close()
        assert await eventually(lambda: stand.office.counts["clients"] == 0)
        assert await is_served(stand)


async def test_a_thousand_connections_do_no_harm(tmp_path: Path) -> None:
    """As many as there may be are served; the others are told why not, and leave no trace."""
    async with standing(tmp_path) as stand:
        assert await is_served(stand)
        before, files = memory(), len(os.listdir("/proc/self/fd"))
        held = [await greeted(stand) for _ in range(PATIENT.most_clients)]
        turned_away = 0
        for _ in range(1000 - len(held)):
            with raw_connection(stand.path) as connection:
                await anyio.wait_readable(connection)
                turned_away += json.loads(connection.recv(4096))["code"] == "too-many"
        assert 1000 - PATIENT.most_clients == turned_away
        assert 12 > len([event for event in stand.log if event.name == "client_refused"])
        assert all([(await talk.ask("status"))["reply"] == "status" for talk in held])
        for talk in held:
            talk.close()
        assert await eventually(lambda: stand.office.counts["clients"] == 0)
        assert await is_served(stand)
        assert memory() - before < 20
        assert await eventually(lambda: len(os.listdir("/proc/self/fd")) <= files + 2)


def _sends(connection: socket.socket, data: bytes) -> bool:
    """Whether somebody is still there to take it, some time."""
    try:
        connection.send(data)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return True


async def test_trouble_with_one_client_is_not_that_of_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistake of ours ends one connection, and is logged with its traceback."""
    async with standing(tmp_path) as stand:

        def stumble() -> Status:
            raise ZeroDivisionError("planted")

        monkeypatch.setattr(stand.office, "_status", stumble)
        talk = await greeted(stand)
        assert {} == await talk.ask("status")
        monkeypatch.undo()
        assert await is_served(stand)
        (trouble,) = [event for event in stand.log if event.name == "client_trouble"]
        assert "planted" in str(trouble.fields["traceback"])
        talk.close()


async def test_who_does_not_read_is_given_up(tmp_path: Path) -> None:
    """Its messages are not kept for it, and others do not notice."""
    async with standing(tmp_path, SocketRules(send_seconds=0.2)) as stand:
        with raw_connection(stand.path) as deaf:
            deaf.setblocking(False)
            while _sends(deaf, b'{"id":1,"request":"solvers"}\n' * 100):
                assert await is_served(stand)
        assert await eventually(lambda: stand.office.counts["clients"] == 0)


async def test_who_says_nothing_is_let_go(tmp_path: Path) -> None:
    """But not who listens to a stream."""
    async with standing(tmp_path, SocketRules(idle_seconds=0.2)) as stand:
        listening = await greeted(stand)
        await listening.send(b'{"id":1,"request":"tail","names":["nothing"]}\n')
        silent = await greeted(stand)
        assert "too-slow" == (await silent.hear())["code"]
        assert {} == await silent.hear()
        assert "status" == (await listening.ask("status"))["reply"]
        listening.close()
        silent.close()


async def test_who_has_said_everything_may_still_listen(tmp_path: Path) -> None:
    """As with a pipe into the socket; the stream ends when the listener is gone."""
    async with standing(tmp_path) as stand:
        talk = await greeted(stand)
        await talk.send(b'{"id":5,"request":"tail"}\n')
        talk.connection.shutdown(socket.SHUT_WR)
        assert await eventually(lambda: stand.office.counts["request tail"] == 1)
        assert await is_served(stand)
        assert ("logged", "client") == ((said := await talk.hear())["reply"], said["name"])
        talk.close()
        assert await eventually(lambda: stand.office.counts["clients"] == 0)


async def test_streams_on_one_connection_are_bounded(tmp_path: Path) -> None:
    """More are refused, and the others go on."""
    async with standing(tmp_path, SocketRules(most_streams=2)) as stand:
        talk = await greeted(stand)
        for _ in range(3):
            await talk.send(b'{"id":1,"request":"tail","names":["nothing"]}\n')
        assert "too-many" == (await talk.hear())["code"]
        assert "status" == (await talk.ask("status"))["reply"]
        talk.close()


async def test_a_slow_listener_misses_events_and_is_told_how_many(tmp_path: Path) -> None:
    """Nothing is kept for it beyond a bound."""
    async with standing(tmp_path) as stand:
        with stand.hub.subscription(most=2) as slow:
            for _ in range(5):
                assert await is_served(stand)
            assert [3, 0] == [(await slow.next()).missed for _ in range(2)]
