"""The numbers for Prometheus: every one is where it is said to be, and written as its format wants it."""

import re
import typing

import msgspec
import pytest

from daemon.metrics import METRICS, Metric, metrics
from daemon.status_report import Status

_LINE = re.compile(r'hornblower_[a-z_]+(\{[a-z]+="(?:[^"\\\n]|\\.)*"\})? -?[0-9.e+-]+')
STATUS = {"uptime": 12.5, "summary": {"queries": 7, "verdicts": {"sat": 3, 'a"b\n': 4}}, "hygiene": {}}


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_every_number_is_in_the_status(metric: Metric) -> None:
    """A field that is renamed would otherwise be gone without a word."""
    kind: object = Status
    for name in metric.path.split("."):
        assert isinstance(kind, type)
        assert issubclass(kind, msgspec.Struct)
        kind = typing.get_type_hints(kind)[name]
    expected = (dict[str, int],) if metric.label else (int, float)
    assert kind in expected


def test_the_format_is_that_of_prometheus() -> None:
    """Help and type before the samples; labels escaped."""
    lines = metrics(STATUS, {"clients": 2, "request submit": 3, "refused malformed": 1}, 1).splitlines()
    assert "# TYPE hornblower_queries_total counter" in lines
    assert "hornblower_queries_total 7" in lines
    assert 'hornblower_verdicts_total{verdict="a\\"b\\n"} 4' in lines
    assert 'hornblower_requests_total{request="submit"} 3' in lines
    assert ["hornblower_uptime_seconds 12.5", "hornblower_unwell 1"] == [
        line for line in lines if line.startswith(("hornblower_uptime", "hornblower_unwell"))
    ]
    assert [] == [line for line in lines if not line.startswith("# ") and not _LINE.fullmatch(line)]


def test_what_is_not_known_is_left_out() -> None:
    """No number is made up."""
    assert "instances" not in metrics({}, {}, 0)
