"""Numbers for Prometheus, in its text format. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

_KINDS = {"slots": "gauge", "slots_busy": "gauge", "instances": "gauge", "truths": "gauge", "longest_stall": "gauge"}
_LABELS = {"verdicts": "verdict", "findings": "severity", "known": "severity", "flaky": "severity",
           "transported": "standing"}  # fmt: skip


def metrics(status: Mapping[str, object], counts: Mapping[str, int], unwell: int) -> str:
    """Of the status whatever is a number, or numbers by name; of the socket who came and what was refused."""
    lines = [*_of_status(status), *_of_socket(counts)]
    lines += _metric("health_episodes", "gauge", [("", float(unwell))])
    return "\n".join(lines) + "\n"


def _of_status(status: Mapping[str, object], prefix: str = "") -> Iterator[str]:
    for name, value in status.items():
        full = f"{prefix}{name}"
        kind = _KINDS.get(name, "gauge" if prefix else "counter")
        if isinstance(value, bool | int | float):
            yield from _metric(_counted(full, kind), kind, [("", float(value))])
        elif isinstance(value, Mapping) and name in _LABELS:
            samples = [(f'{{{_LABELS[name]}="{_escaped(str(key))}"}}', float(each)) for key, each in value.items()]
            yield from _metric(_counted(full, "counter"), "counter", samples)
        elif isinstance(value, Mapping) and name != "transformations":
            yield from _of_status(value, f"{full}_")


def _of_socket(counts: Mapping[str, int]) -> Iterator[str]:
    yield from _metric("clients", "gauge", [("", float(counts.get("clients", 0)))])
    yield from _metric("clients_turned_away_total", "counter", [("", float(counts.get("clients turned away", 0)))])
    for word, label in (("request", "request"), ("refused", "code")):
        found = sorted((name.split(" ", 1)[1], count) for name, count in counts.items() if name.startswith(f"{word} "))
        samples = [(f'{{{label}="{_escaped(name)}"}}', float(count)) for name, count in found]
        yield from _metric(f"socket_{word}{'s' if word == 'request' else ''}_total", "counter", samples)


def _counted(name: str, kind: str) -> str:
    return f"{name}_total" if kind == "counter" else name


def _metric(name: str, kind: str, samples: list[tuple[str, float]]) -> Iterator[str]:
    if samples:
        yield f"# TYPE hornblower_{name} {kind}"
        yield from (f"hornblower_{name}{labels} {value:.15g}" for labels, value in samples)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
