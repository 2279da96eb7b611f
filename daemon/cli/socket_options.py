"""What all commands share that talk to the daemon: where it listens, and what its silence means."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Final

from daemon.client import Client
from daemon.listening import VARIABLE, socket_candidates

NO_DAEMON: Final = 5
EXIT_CODES: Final = """\
  4  the daemon refuses, and says why
  5  no daemon answers"""


def add_options(parser: argparse.ArgumentParser) -> None:
    where = f"where the daemon listens (${VARIABLE}, or {socket_path()})"
    parser.add_argument("--socket", type=Path, metavar="PATH", help=where)
    parser.add_argument("--json", action="store_true", help="for programs: one JSON object per line")


def connect(arguments: argparse.Namespace) -> Client:
    return Client(arguments.socket or socket_path())


def socket_path() -> Path:
    """The first place where something listens, or else the one where a daemon of this user would."""
    candidates = socket_candidates(os.environ)
    return next((path for path in candidates if path.exists()), candidates[-1])
