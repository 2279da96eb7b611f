"""Traces: equal for equal runs, and named alike where only the number of rounds differs a little."""

from backends.trace import Trace, capped, trace_of


def transitions(trace: Trace | None) -> set[tuple[str, str, int]]:
    assert trace is not None
    return {(trace.states[before], trace.states[after], count) for before, after, count in trace.transitions}


def test_transitions_are_counted() -> None:
    """From the beginning, which has a state of its own."""
    assert {("", "a", 1), ("a", "b", 2), ("b", "a", 1)} == transitions(trace_of(["a", "b", "a", "b"]))


def test_without_steps_there_is_no_trace() -> None:
    """It is not known then what the solver did."""
    assert trace_of([]) is None


def test_names_are_equal_up_to_a_factor_of_two() -> None:
    """One round more is the same behaviour, another step is not, nor are many rounds."""
    names = [trace.id for n in (5, 6, 9) if (trace := trace_of(["a", *["b", "c"] * n])) is not None]
    other = trace_of(["a", *["b", "d"] * 4])
    assert other is not None
    assert names[0] == names[1] != names[2] != other.id


def test_large_numbers_are_alike() -> None:
    """Small ones are told apart."""
    assert [0, 7, 8, 8] == [capped(number) for number in (0, "7", 8, "1000")]
