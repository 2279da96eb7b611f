"""Whom a client may have asked: nobody shall reach a file or start a program through the socket that is not theirs.

Solvers have options that write files. Whoever may do anything as the daemon's user may name any; everybody else names
installed releases with options that are known to be harmless, or what the hunt asks anyway.
"""

from __future__ import annotations

from collections.abc import Sequence

from backends.adapters import adapter_of
from backends.answer import Configuration
from backends.options import Fairness
from backends.store import parse_solver
from daemon.listening import Peer


class NotAllowed(Exception):
    """A solver that this client may not name in this way; the message says why."""


def allowed(name: str, suspects: Sequence[Configuration], peer: Peer) -> Configuration:
    """The configuration of this name; `BadSolver` and `SolverMissing` as on the command line."""
    for suspect in suspects:
        if name in (suspect.label, suspect.label.replace(" ", ",")):
            return suspect
    if not peer.is_owner and "path:" in name:
        raise NotAllowed(f"{name}: only the user of the daemon may name a program by its path")
    configuration = parse_solver(name)
    if not peer.is_owner:
        _require_harmless(configuration, suspects)
    return configuration


def _require_harmless(configuration: Configuration, suspects: Sequence[Configuration]) -> None:
    space = adapter_of(configuration).option_space(configuration.version)
    known = {(each.name, value) for each in space if each.fairness is not Fairness.forbidden for value in each.values}
    known |= {option for suspect in suspects if suspect.solver == configuration.solver for option in suspect.options}
    for option in configuration.options:
        if option not in known:
            raise NotAllowed(f"{option[0]}={option[1]} is not known to be harmless, and so only for the daemon's user")
