"""Numbers for Prometheus, in its text format. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec


class Metric(msgspec.Struct, frozen=True):
    """One number of the status, or several by a label. What only grows in a life of the daemon is a counter."""

    path: str
    """Where it stands in the status."""
    name: str
    help: str
    label: str = ""

    @property
    def kind(self) -> str:
        return "counter" if self.name.endswith("_total") else "gauge"


METRICS: Final = (
    Metric("uptime", "uptime_seconds", "How long the daemon has been running."),
    Metric("open", "open_queries", "Queries under way, prepared or to be judged."),
    Metric("summary.queries", "queries_total", "Queries since the daemon was started."),
    Metric("summary.verdicts", "verdicts_total", "Their answers.", "verdict"),
    Metric("summary.findings", "findings_total", "Findings that are news.", "severity"),
    Metric("summary.known", "known_trouble_total", "Findings of known trouble.", "severity"),
    Metric("summary.flaky", "flaky_total", "Findings that happened only once.", "severity"),
    Metric("summary.transported", "transported_total", "Carried witnesses by what the checker says.", "standing"),
    Metric("summary.own_faults", "own_faults_total", "Mistakes of ours that were found."),
    Metric("summary.troubles", "troubles_total", "Jobs in which something of ours went wrong."),
    Metric("summary.lost", "lost_total", "Jobs that died with their worker."),
    Metric("summary.inapplicable", "inapplicable_total", "Jobs for which no transformation applied."),
    Metric("summary.repeated", "repeated_total", "Jobs whose text had been asked before."),
    Metric("summary.suspicions", "suspicions", "Suspicions that are kept."),
    Metric("summary.instances", "instances", "Instances that can be parents."),
    Metric("summary.truths", "truths", "How many of them are certified."),
    Metric("summary.slots", "slots", "Solvers at the same time."),
    Metric("summary.slots_busy", "slots_busy_ratio", "Share of the time in which they were running."),
    Metric("summary.longest_stall", "longest_stall_seconds", "How long the event loop was held up at most."),
    Metric("hygiene.memory_mb", "memory_megabytes", "Resident memory of the daemon."),
    Metric("hygiene.workers_mb", "workers_memory_megabytes", "Resident memory of its workers."),
    Metric("hygiene.descriptors", "descriptors", "Open file descriptors of the daemon."),
    Metric("hygiene.threads", "threads", "Threads of the daemon."),
    Metric("hygiene.processes", "processes", "Children of the daemon."),
    Metric("hygiene.database_mb", "database_megabytes", "Size of the knowledge base."),
    Metric("hygiene.scratch_files", "scratch_files", "Instances that are being asked."),
    Metric("hygiene.disk_free_mb", "disk_free_megabytes", "Room where the state directory lies."),
)
_CLIENTS: Final = Metric("", "clients", "Connections to the socket.")
_TURNED_AWAY: Final = Metric("", "clients_turned_away_total", "Connections that were refused.")
_REQUESTS: Final = Metric("", "requests_total", "Requests over the socket.", "request")
_REFUSED: Final = Metric("", "refused_total", "Requests that were refused.", "code")
_UNWELL: Final = Metric("", "unwell", "What is not as it should be at the moment.")


def metrics(status: Mapping[str, object], counts: Mapping[str, int], unwell: int) -> str:
    """The numbers of the status, of the socket (who came, what was refused), and of health."""
    lines = [line for metric in METRICS for line in _written(metric, _value(status, metric.path))]
    lines += _written(_CLIENTS, counts.get("clients", 0))
    lines += _written(_TURNED_AWAY, counts.get("clients turned away", 0))
    lines += _written(_REQUESTS, _part(counts, "request "))
    lines += _written(_REFUSED, _part(counts, "refused "))
    lines += _written(_UNWELL, unwell)
    return "\n".join(lines) + "\n"


def _value(status: object, path: str) -> object:
    for name in path.split("."):
        status = status.get(name) if isinstance(status, Mapping) else None
    return status


def _part(counts: Mapping[str, int], prefix: str) -> dict[str, int]:
    return {name.removeprefix(prefix): counts[name] for name in sorted(counts) if name.startswith(prefix)}


def _written(metric: Metric, value: object) -> Iterator[str]:
    samples = list(_samples(metric, value))
    if samples:
        yield f"# HELP hornblower_{metric.name} {metric.help}"
        yield f"# TYPE hornblower_{metric.name} {metric.kind}"
        yield from samples


def _samples(metric: Metric, value: object) -> Iterable[str]:
    if isinstance(value, int | float):
        return [f"hornblower_{metric.name} {value:.15g}"]
    if not isinstance(value, Mapping):
        return []
    return [f'hornblower_{metric.name}{{{metric.label}="{_escaped(str(key))}"}} {each}' for key, each in value.items()]


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
