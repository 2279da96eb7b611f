"""The log: what is loud enough, in the one form or the other, to a stream or to files that do not grow for ever."""

from __future__ import annotations

import os
import tempfile
import threading
from pathlib import Path

import msgspec
import pytest

from daemon.events import Ending, Evicted, Level, Trouble, Unwell
from daemon.log import Log, Queued, RollingFile, Stream


def told(level: Level, *, is_console: bool = False) -> str:
    with tempfile.TemporaryFile() as file:
        log = Log(Stream(file.fileno()), level, is_console=is_console, clock=lambda: 7.0)
        for event in (Ending(3), Unwell("disk", "", "full", "make room"), Trouble(1, "Traceback")):
            log(event)
        file.seek(0)
        return file.read().decode()


def test_one_object_per_line() -> None:
    """What all have in common comes first."""
    first = told(Level.info).splitlines()[0]
    assert '{"event":"ending","at":7.0,"level":"info","v":1,"open":3}' == first


@pytest.mark.parametrize(("level", "count"), [(Level.debug, 3), (Level.info, 3), (Level.warning, 2), (Level.error, 1)])
def test_what_is_not_loud_enough_is_left_out(level: Level, count: int) -> None:
    assert count == len(told(level).splitlines())


def test_in_colours() -> None:
    """For people: the remedy can be read."""
    shown = told(Level.warning, is_console=True)
    assert "make room" in shown
    assert not shown.startswith("{")


def test_a_reader_that_has_gone_does_not_matter() -> None:
    """What is said then is counted as lost."""

    reading, writing = os.pipe()
    os.close(reading)
    stream = Stream(writing)
    Log(stream, Level.info)(Evicted(1, None))
    os.close(writing)
    assert 1 == stream.lost


def test_a_slow_reader_holds_up_nobody() -> None:
    """What it does not take in time is lost, the newest first; what it takes is whole and in order."""
    reading, writing = os.pipe()
    sink = Queued(Stream(writing), most=10)
    log = Log(sink, Level.info)
    for number in range(5000):
        log(Ending(number))
    assert sink.lost > 0

    def close() -> None:
        sink.close()
        os.close(writing)

    with open(reading, "rb") as taken:
        closing = threading.Thread(target=close)
        closing.start()
        found = [msgspec.json.decode(line)["open"] for line in taken]
        closing.join()
    assert 5000 == len(found) + sink.lost
    assert sorted(set(found)) == found


def test_files_do_not_grow_for_ever(tmp_path: Path) -> None:
    """Three old ones are kept; no line is torn, and none is lost but with the oldest file."""
    path = tmp_path / "log"
    log = Log(RollingFile(path, 200), Level.info, clock=lambda: 7.0)
    for number in range(40):
        log(Ending(number))
    names = ["log", "log.1", "log.2", "log.3"]
    assert names == sorted(each.name for each in tmp_path.iterdir())
    lines = [line for name in reversed(names) for line in (tmp_path / name).read_text().splitlines()]
    kept = [msgspec.json.decode(line)["open"] for line in lines]
    assert list(range(kept[0], 40)) == kept
    assert all((tmp_path / name).stat().st_size <= 200 for name in names)


def test_a_file_that_somebody_has_renamed_is_opened_anew(tmp_path: Path) -> None:
    """As logrotate does it."""
    path = tmp_path / "log"
    log = Log(RollingFile(path, 10_000), Level.info)
    log(Ending(1))
    path.rename(tmp_path / "old")
    log.sink.reopen()
    log(Ending(2))
    assert [1, 1] == [len((tmp_path / name).read_text().splitlines()) for name in ("old", "log")]
