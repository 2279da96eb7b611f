"""No process outlives its run, nor the daemon, wherever it hides.

`Household` knows the processes that the daemon has started. The daemon is a child subreaper, so a process
that leaves its group and loses its parent becomes a child of the daemon that nobody registered: a stray.

`Guardian` is one tiny process beside the daemon. It waits for the daemon's death, also by SIGKILL, and then
kills whatever carries the daemon's mark in its environment. It runs this very file by path, which is why only
light modules of the standard library are imported here.
"""

import os
import select
import signal
import sys
import time

VARIABLE = "HORNBLOWER_TREE"
_GONE = (FileNotFoundError, ProcessLookupError, PermissionError)
_LAST_EFFORT_SECONDS = 60.0
_FLAGS_FIELD = 6
_EXITING = 0x4
"""PF_EXITING, among the flags of a process."""


def read_proc(path: str) -> bytes:
    """A file of /proc, empty if its process has gone or is not ours to read."""
    try:
        with open(path, "rb", buffering=0) as file:
            return file.readall()
    except _GONE:
        return b""


def children(pid: int) -> list[int]:
    try:
        tasks = os.listdir(f"/proc/{pid}/task")
    except _GONE:
        return []
    return [int(child) for task in tasks for child in read_proc(f"/proc/{pid}/task/{task}/children").split()]


def is_dying(pid: int) -> bool:
    """Whether a process has begun to end, or has ended: the kernel says so before it closes what was open in it."""
    fields = read_proc(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    return not fields or bool(int(fields[_FLAGS_FIELD]) & _EXITING)


def mark_of(pid: int) -> str:
    """The value of the mark in a process's environment, or nothing."""
    prefix = f"{VARIABLE}=".encode()
    entries = read_proc(f"/proc/{pid}/environ").split(b"\0")
    return next((entry[len(prefix) :].decode("ascii", "replace") for entry in entries if entry.startswith(prefix)), "")


def kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def has_ended(pid: int) -> bool:
    """Whether a child has ended; reaps it if so."""
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return True


class Guardian:
    """The daemon's end of the guardian process, started on first need and replaced when found dead."""

    def __init__(self, tree: str) -> None:
        self._tree = tree
        self._lifeline: int | None = None
        self.pid: int | None = None

    def ensure(self) -> None:
        if self.pid is not None and has_ended(self.pid):
            self._forget()
        if self.pid is None:
            self._start()

    def stop(self) -> None:
        """Let the guardian go. It takes along every process that is still marked."""
        pid = self.pid
        self._forget()
        if pid is not None and not has_ended(pid):
            os.waitpid(pid, 0)

    def _forget(self) -> None:
        if self._lifeline is not None:
            os.close(self._lifeline)
        self._lifeline = self.pid = None

    def _start(self) -> None:
        reading, writing = os.pipe()
        try:
            self.pid = self._spawn(reading)
            self._lifeline = writing
        finally:
            os.close(reading)
            if self._lifeline is None:
                os.close(writing)

    def _spawn(self, lifeline: int) -> int:
        command = [sys.executable, "-I", "-S", os.path.abspath(__file__), self._tree, str(os.getpid())]
        environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
        return os.posix_spawn(
            sys.executable,
            command,
            environment,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, lifeline, 0),
                (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
            ],
            setsid=True,
            # A signal that stops the whole service must not stop the guardian before the daemon.
            setsigmask=[signal.SIGINT, signal.SIGTERM, signal.SIGHUP],
        )


class Household:
    """The processes that this daemon has started, and the rule by which its other children are strays.

    A stray is a child in a session other than the daemon's own that nobody registered and that does not carry
    the mark of a run still going on. A worker process of the daemon, which stays in its session, is never one.
    """

    def __init__(self) -> None:
        self.tree = os.urandom(8).hex()
        self.guardian = Guardian(self.tree)
        self._marks: dict[int, str] = {}
        self._count = 0

    def next_mark(self) -> str:
        self._count += 1
        return f"{self.tree}.{self._count}"

    def register(self, pid: int, mark: str) -> None:
        self._marks[pid] = mark

    def release(self, pid: int) -> None:
        self._marks.pop(pid, None)

    def adopted(self, mark: str) -> list[int]:
        """The children that a run still going on has shed."""
        return [pid for pid in self._unregistered() if mark_of(pid) == mark]

    def sweep(self) -> bool:
        """Kill and reap the strays. True if there were any: their own children may be the next."""
        living = set(self._marks.values())
        strays = [pid for pid in self._unregistered() if mark_of(pid) not in living]
        for pid in strays:
            kill(pid)
            has_ended(pid)
        return bool(strays)

    def _unregistered(self) -> list[int]:
        known = {*self._marks, self.guardian.pid}
        return [pid for pid in children(os.getpid()) if pid not in known and _in_foreign_session(pid)]


def _in_foreign_session(pid: int) -> bool:
    try:
        return os.getsid(pid) != os.getsid(0)
    except ProcessLookupError:
        return False


HOUSEHOLD = Household()
"""One for each process, because being a subreaper is a property of the process."""


def _await_end_of(daemon: int) -> None:
    """Until the daemon is dead, or has let go of the other end of our stdin."""
    poll = select.poll()
    poll.register(0, select.POLLIN)
    try:
        poll.register(os.pidfd_open(daemon), select.POLLIN)
    except ProcessLookupError:
        return
    if os.getppid() == daemon:
        poll.poll()


def _kill_marked(tree: str) -> bool:
    pids = [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]
    marked = [pid for pid in pids if mark_of(pid).startswith(f"{tree}.")]
    for pid in marked:
        kill(pid)
    return bool(marked)


def guard(tree: str, daemon: int) -> None:
    _await_end_of(daemon)
    deadline, quiet_rounds = time.monotonic() + _LAST_EFFORT_SECONDS, 0
    # Twice, because a process shows no environment while it replaces its program.
    while quiet_rounds < 2 and time.monotonic() < deadline:
        quiet_rounds = 0 if _kill_marked(tree) else quiet_rounds + 1
        time.sleep(0.01)


if __name__ == "__main__":
    guard(sys.argv[1], int(sys.argv[2]))
