"""One process, one query: start it, feed it, bound it, and leave nothing of it behind."""

import ctypes
import functools
import os
import re
import resource
import signal as signals
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from enum import StrEnum
from pathlib import Path

import anyio
import msgspec

from backends.guardian import HOUSEHOLD, VARIABLE
from backends.limits import Limits, Usage, forbid_core, high_water_mb, impose, measure

_CHUNK = 64 * 1024
_WATCH_SECONDS = 0.2
_CRUMBS_SECONDS = 0.005
"""Logs come in crumbs, for which nobody waits: they are gathered for so long."""
_PATIENCE_SECONDS = 10.0
_PR_SET_CHILD_SUBREAPER = 36
_SHELL_SIGNAL_BASE = 128
_MEMORY_WORDS = re.compile(
    rb"out.?of.?memory|bad_alloc|MemoryError|cannot allocate memory|memory exhausted"
    rb"|memory allocation of \d+ bytes failed",
    re.IGNORECASE,
)


class Ending(StrEnum):
    """How a query came to its end. Only a warm process can end with `answered`: it lives on."""

    answered = "answered"
    exited = "exited"
    timeout = "timeout"
    cpu_timeout = "cpu_timeout"
    memout = "memout"
    signal = "signal"
    flood = "flood"
    could_not_start = "could_not_start"


class Run(msgspec.Struct, frozen=True):
    """What a process did.

    `peak_memory_mb` is exact when it exceeds the daemon's own peak. Below that the kernel reports the
    daemon's (a child shares its memory until it executes its program), and the greatest sample is given instead:
    taken at the first output and five times a second, 0 if the run was too short for one.
    """

    argv: tuple[str, ...]
    ending: Ending
    exit_code: int | None = None
    signal: int | None = None
    stdout: bytes = b""
    stderr: bytes = b""
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_memory_mb: float = 0.0
    message: str = ""


class Exit(msgspec.Struct, frozen=True):
    """What the kernel says about a process that has ended."""

    exit_code: int | None
    signal: int | None
    cpu_seconds: float
    memory_mb: float


class Child:
    """A running process in a session of its own, with the reading and writing ends of its pipes."""

    def __init__(self, popen: "subprocess.Popen[bytes]", pidfd: int, mark: str) -> None:
        assert popen.stdout is not None
        assert popen.stderr is not None
        self._popen = popen
        self._mark = mark
        self.pid = popen.pid
        self.pidfd = pidfd
        self.stdin = popen.stdin
        self.stdout, self.stderr = popen.stdout.fileno(), popen.stderr.fileno()
        for pipe in (popen.stdin, popen.stdout, popen.stderr):
            if pipe is not None:
                os.set_blocking(pipe.fileno(), False)

    @classmethod
    def start(
        cls,
        argv: Sequence[str],
        *,
        has_stdin: bool,
        cwd: str | Path | None = None,
        env: Mapping[str, str] | None = None,
    ) -> "Child":
        """Raises OSError or ValueError if there is nothing to start."""
        if not argv:
            raise ValueError("it has no first word, the program")
        become_subreaper()
        HOUSEHOLD.guardian.ensure()
        mark = HOUSEHOLD.next_mark()
        popen = subprocess.Popen(
            argv,
            bufsize=0,
            stdin=subprocess.PIPE if has_stdin else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env={**(os.environ if env is None else env), VARIABLE: mark},
            start_new_session=True,
        )
        HOUSEHOLD.register(popen.pid, mark)
        forbid_core(popen.pid)
        return cls(popen, _pidfd(popen), mark)

    def has_exited(self) -> bool:
        return os.waitid(os.P_PIDFD, self.pidfd, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def usage(self) -> Usage:
        """Of the whole tree, with those that have lost their parent."""
        return measure([self.pid, *HOUSEHOLD.adopted(self._mark)])

    def kill(self) -> None:
        """Kill the group. Harmless after the exit, as long as the process has not been reaped."""
        if self._popen.returncode is None:
            os.killpg(self.pid, signals.SIGKILL)

    async def end(self) -> Exit:
        """Kill and reap the whole tree, whatever is being cancelled around us. The pipes stay readable."""
        with anyio.CancelScope(shield=True):
            self.kill()
            with anyio.move_on_after(_PATIENCE_SECONDS):
                if not self.has_exited():
                    await anyio.wait_readable(self.pidfd)
            result = self._reap()
            HOUSEHOLD.release(self.pid)
            await _clear_strays()
        return result

    def _reap(self) -> Exit:
        pid, status, usage = os.wait4(self.pid, os.WNOHANG)
        # One that not even SIGKILL has ended yet is released all the same: a later sweep will reap it.
        code = os.waitstatus_to_exitcode(status) if pid else -signals.SIGKILL
        self._popen.returncode = code
        own = usage.ru_maxrss > resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return Exit(
            exit_code=code if code >= 0 else None,
            signal=-code if code < 0 else None,
            cpu_seconds=usage.ru_utime + usage.ru_stime,
            memory_mb=usage.ru_maxrss / 1024 if own else 0.0,
        )

    def close(self) -> None:
        os.close(self.pidfd)
        for pipe in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if pipe is not None:
                pipe.close()


@functools.cache
def become_subreaper() -> None:
    """From now on a process that loses its parent below us becomes our child instead of init's."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "cannot become the reaper of orphaned processes")


def _pidfd(popen: "subprocess.Popen[bytes]") -> int:
    try:
        return os.pidfd_open(popen.pid)
    except OSError:
        os.killpg(popen.pid, signals.SIGKILL)
        HOUSEHOLD.release(popen.pid)
        with popen:  # closes the pipes and waits
            raise


async def _clear_strays() -> None:
    with anyio.move_on_after(_PATIENCE_SECONDS):
        while HOUSEHOLD.sweep():  # noqa: ASYNC110 - nobody tells us when a stray has died
            await anyio.sleep(0.001)


class Conversation:
    """Feeds a child and reads what it says, until it exits, has said all, or breaks a limit."""

    def __init__(
        self, child: Child, limits: Limits, is_complete: Callable[[bytearray], bool] = lambda _: False
    ) -> None:
        self.stdout, self.stderr = bytearray(), bytearray()
        self.peak_memory_mb = 0.0
        self.broken: Ending | None = None
        self._child, self._limits, self._is_complete = child, limits, is_complete
        self._scope = anyio.CancelScope()

    async def hold(self, text: bytes, *, spent_cpu: float = 0.0, hang_up: bool = True) -> None:
        with anyio.move_on_after(self._limits.wall_seconds) as wall:
            async with anyio.create_task_group() as group:
                self._scope = group.cancel_scope
                group.start_soon(self._pump, self._child.stdout, self.stdout)
                group.start_soon(self._pump, self._child.stderr, self.stderr)
                group.start_soon(self._watch, spent_cpu)
                if self._child.stdin is not None:
                    group.start_soon(self._feed, text, hang_up)
                await anyio.wait_readable(self._child.pidfd)
                self._scope.cancel()
        if wall.cancelled_caught:
            self._break(Ending.timeout)

    def drain(self) -> None:
        """Take what is in the pipes, but no more than they hold, since a stray might go on writing."""
        for pipe, said in ((self._child.stdout, self.stdout), (self._child.stderr, self.stderr)):
            for _ in range(64):
                if not self._take(pipe, said):
                    break

    def _break(self, ending: Ending) -> None:
        self.broken = self.broken or ending
        self._scope.cancel()

    async def _pump(self, pipe: int, said: bytearray) -> None:
        await anyio.wait_readable(pipe)
        self.peak_memory_mb = max(self.peak_memory_mb, high_water_mb(self._child.pid))
        while self._take(pipe, said):
            if said is self.stdout and self._is_complete(said):
                self._scope.cancel()
            if said is self.stderr:
                await anyio.sleep(_CRUMBS_SECONDS)
            await anyio.wait_readable(pipe)

    def _take(self, pipe: int, said: bytearray) -> bool:
        """Read one piece; false when there is none."""
        try:
            piece = os.read(pipe, _CHUNK)
        except BlockingIOError:
            return False
        room = self._limits.output_bytes - len(self.stdout) - len(self.stderr)
        said += piece[:room]
        if len(piece) > room:
            self._break(Ending.flood)
        return bool(piece)

    async def _feed(self, text: bytes, hang_up: bool) -> None:
        assert self._child.stdin is not None
        rest = memoryview(text)
        try:
            while rest:
                rest = rest[self._child.stdin.write(rest) or 0 :]
                if rest:
                    await anyio.wait_writable(self._child.stdin)
        except BrokenPipeError:
            return  # it does not want to hear more; what it says decides
        if hang_up:
            self._child.stdin.close()

    async def _watch(self, spent_cpu: float) -> None:
        """For what the kernel bounds by process only: the sums over the tree."""
        memory, cpu = self._limits.memory_mb, self._limits.cpu_seconds
        while True:
            await anyio.sleep(_WATCH_SECONDS)
            usage = self._child.usage()
            self.peak_memory_mb = max(self.peak_memory_mb, usage.memory_mb)
            if memory is not None and usage.memory_mb > memory:
                self._break(Ending.memout)
            if cpu is not None and usage.cpu_seconds - spent_cpu > cpu:
                self._break(Ending.cpu_timeout)


def classify(talk: Conversation, end: Exit, limits: Limits) -> Ending:
    """How a process that is no more has ended."""
    if talk.broken is not None:
        return talk.broken
    if _ran_out_of_cpu(end, limits):
        return Ending.cpu_timeout
    if _ran_out_of_memory(talk, end, limits):
        return Ending.memout
    return Ending.exited if end.signal is None else Ending.signal


def _ran_out_of_cpu(end: Exit, limits: Limits) -> bool:
    """SIGXCPU says so itself; behind SIGKILL, which follows, the time must be near the limit."""
    if limits.cpu_seconds is None:
        return False
    deadly = {end.signal, (end.exit_code or 0) - _SHELL_SIGNAL_BASE}
    return signals.SIGXCPU in deadly or (signals.SIGKILL in deadly and end.cpu_seconds > 0.8 * limits.cpu_seconds)


def _ran_out_of_memory(talk: Conversation, end: Exit, limits: Limits) -> bool:
    """Whether a bad end under a limit of memory is due to it: it says so, or there is no likelier reason."""
    if limits.memory_mb is None or end.exit_code == 0:
        return False
    if any(_MEMORY_WORDS.search(said[-_CHUNK:]) for said in (talk.stderr, talk.stdout)):
        return True
    near = max(talk.peak_memory_mb, end.memory_mb) > 0.8 * limits.memory_mb
    return end.signal == signals.SIGKILL or (end.signal is not None and near)


async def run(
    argv: Sequence[str],
    limits: Limits,
    *,
    stdin: bytes = b"",
    cwd: str | Path | None = None,
    env: Mapping[str, str] | None = None,
) -> Run:
    """Run a program to its end, or to the first limit that it breaks; afterwards nothing of it is alive."""
    started = anyio.current_time()
    try:
        child = Child.start(argv, has_stdin=bool(stdin), cwd=cwd, env=env)
    except (OSError, ValueError) as error:
        return Run(tuple(argv), Ending.could_not_start, message=why_not_started(argv, error))
    with closing(child):
        impose(child.pid, limits)
        talk = Conversation(child, limits)
        try:
            await talk.hold(stdin)
        finally:
            seconds = anyio.current_time() - started
            end = await child.end()
        talk.drain()
    return _report(tuple(argv), talk, end, limits, seconds)


def _report(argv: tuple[str, ...], talk: Conversation, end: Exit, limits: Limits, seconds: float) -> Run:
    ending = classify(talk, end, limits)
    return Run(
        argv,
        ending,
        exit_code=end.exit_code,
        signal=end.signal,
        stdout=bytes(talk.stdout),
        stderr=bytes(talk.stderr),
        seconds=seconds,
        cpu_seconds=end.cpu_seconds,
        peak_memory_mb=max(talk.peak_memory_mb, end.memory_mb),
        message=describe(ending, end, limits),
    )


def why_not_started(argv: Sequence[str], error: OSError | ValueError) -> str:
    return f"cannot start {argv[0] if argv else 'an empty command'}: {error}"


def describe(ending: Ending, end: Exit, limits: Limits) -> str:
    """One line for people."""
    match ending:
        case Ending.timeout:
            return f"killed after {limits.wall_seconds:g} s"
        case Ending.cpu_timeout:
            return f"killed after {limits.cpu_seconds:g} s of CPU time"
        case Ending.memout:
            return f"ran out of its {limits.memory_mb} MB of memory"
        case Ending.flood:
            return f"killed after {limits.output_bytes} bytes of output"
        case Ending.signal:
            return f"died of {signals.strsignal(end.signal or 0) or f'signal {end.signal}'}"
        case _:
            return ""
