"""`hornblower daemon`: hunt for ever, configured by one file, reached through a socket."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Final

import anyio

from backends.guardian import HOUSEHOLD
from daemon import gate
from daemon.config import SYSTEM_CONFIG, Config, LogFormat, state_of
from daemon.events import Level
from daemon.gate import MEANINGS, Code, Refused
from daemon.hunt import HuntFailed
from daemon.log import Log, Queued, RollingFile, Sink, Stream
from daemon.notify import notifier, watchdog_seconds
from daemon.service import House, Service

_MB: Final = 1024 * 1024
_EPILOG: Final = f"""\
exit codes:
   0  it was told to stop, and has finished what was under way
   2  the command is misspelt
  {{codes}}

signals: TERM or INT stops (a second one at once), HUP reads the configuration again
make a configuration with: hornblower config init {SYSTEM_CONFIG}
"""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    codes = "\n  ".join(f"{code:d}  {words}" for code, words in MEANINGS.items())
    parser = commands.add_parser(
        "daemon",
        help="hunt for ever, as a service",
        description="Hunts until it is told to stop, and serves clients at a local socket.",
        epilog=_EPILOG.format(codes=codes),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--config", type=Path, default=SYSTEM_CONFIG, metavar="FILE", help=f"({SYSTEM_CONFIG})")
    parser.set_defaults(command=run)


def run(arguments: argparse.Namespace) -> int:
    try:
        return _serve(arguments.config.absolute())
    except Refused as refusal:
        print(f"hornblower: {refusal}", file=sys.stderr)
        return refusal.code
    except HuntFailed as problem:
        print(f"hornblower: {problem}", file=sys.stderr)
        return Code.failed


def _serve(path: Path) -> int:
    admitted = gate.admit(path)
    config = admitted.config
    with gate.open_state(state_of(config, os.environ), config) as knowledge:
        listening, is_activated = gate.open_socket(config, os.environ, os.getpid())
        house = House(path, config, knowledge, listening, is_activated, admitted.sightings)
        own = None if is_activated else Path(listening.getsockname())
        try:
            with listening:
                anyio.run(_live, house)
        finally:
            HOUSEHOLD.guardian.stop()
            if own is not None:
                own.unlink(missing_ok=True)
    return 0


async def _live(house: House) -> None:
    section = house.config.log
    sink = Queued(RollingFile(Path(section.file), section.file_mb * _MB) if section.file else Stream())
    try:
        log = _log(house.config, sink)
        await Service(house, log, notifier(), watchdog_seconds(os.environ, os.getpid())).run()
    finally:
        sink.close()


def _log(config: Config, sink: Sink) -> Log:
    section = config.log
    is_console = section.format is LogFormat.console or (
        section.format is LogFormat.auto and not section.file and sys.stdout.isatty()
    )
    return Log(sink, Level[section.level], is_console=is_console)
