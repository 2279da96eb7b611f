"""Errands: read, certified, interrogated within their budget, and over exactly once, whatever is lost on the way."""

from collections.abc import Sequence
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backends.answer import Answer, Configuration, Verdict
from chc.witness import Truth
from daemon.errands import MOST_DEATHS, MOST_MISSES, Errands, Step, Task
from daemon.jobs import Draft, Proof, Report
from daemon.protocol import Event, Interrogated, Judged, Over, Read, Trust, Unjudged, Unreadable, read_event
from knowledge_base.errands import Budget, Errand, Note, Plan, Priority, Progress, State
from knowledge_base.records import Features, Severity

ADDRESS = "a" * 64
SPACER = Configuration("spacer", "4.13.4", "/opt/z3")
SLICING = Configuration("spacer", "4.13.4", "/opt/z3", (("fp.xform.slice", "false"),))
ANSWER = Answer(SPACER, ("/opt/z3",), Verdict.sat, 0.01, 0.01, 10.0, "")
PROOF = Proof(Truth.sat, "{}", ("z3", "cvc5"), "confirmation")
READ = Report(1, text="(text)", address=ADDRESS, features=Features("LIA", 3, 2, 20))
SAT = Report(1, text="(text)", address=ADDRESS, answer=ANSWER, proof=PROOF)
MISS = Report(1)
WRONG = msgspec.structs.replace(SAT, findings=(Draft(Severity.unsound, ANSWER, "because"),))


def errand(
    budget: Budget | None = None, priority: Priority = Priority.normal, id: str = "e1", both: bool = True
) -> Errand:
    return Errand(id, 1000, "my.smt2", Plan((SPACER, SLICING) if both else (SPACER,), 10.0, budget, priority), 1.0)


def events_of(*notes: Note | None) -> list[Event]:
    return [read_event(each.data) for note in notes if note is not None for each in note.happenings]


def under_way(*given_: Errand) -> Errands:
    errands = Errands()
    for each in given_:
        errands.add(each, 0.0)
    return errands


def step_of(errands: Errands, seed: int = 1) -> Step:
    step = errands.next_step(Random(seed))
    assert step is not None
    return step


def answer(errands: Errands, report: Report, at: float = 1.0, is_kept: bool = False) -> Note:
    """Take the next step, and let it end like this."""
    note = errands.absorb(step_of(errands), report, is_kept=is_kept, at=at)
    assert note is not None
    return note


def certified(budget: Budget | None, priority: Priority = Priority.high) -> Errands:
    """An errand that has come to its interrogation."""
    errands = under_way(errand(budget, priority, both=False))
    answer(errands, READ)
    answer(errands, SAT)
    return errands


def test_it_is_read_before_anybody_is_asked() -> None:
    """And only once at a time."""
    errands = under_way(errand())
    step = step_of(errands)
    assert Task.read is step.task
    assert errands.next_step(Random(1)) is None
    note = errands.absorb(step, READ, is_kept=False, at=1.0)
    assert note is not None
    assert (State.certifying, ADDRESS) == (note.errand.state, note.errand.instance)
    assert [Read(ADDRESS, "LIA", 3, 2)] == events_of(note)


def test_every_solver_is_asked_once_and_then_it_is_over() -> None:
    """Both at the same time; the last judgement ends it."""
    errands = under_way(errand())
    answer(errands, READ)
    first, second = step_of(errands), step_of(errands)
    assert {(Task.certify, 0), (Task.certify, 1)} == {(each.task, each.place) for each in (first, second)}
    assert errands.next_step(Random(1)) is None
    one = errands.absorb(second, SAT, is_kept=True, at=2.0)
    two = errands.absorb(first, SAT, is_kept=True, at=3.0)
    judged, again, over = events_of(one, two)
    assert isinstance(judged, Judged)
    assert isinstance(again, Judged)
    assert (Trust.certified, Truth.sat, ("z3", "cvc5")) == (judged.trust, judged.truth, judged.certified_by)
    assert Over(State.done, 0, 0.0, 0) == over
    assert 0 == len(errands)


@pytest.mark.parametrize(
    ("report", "trust"),
    [
        (SAT, Trust.certified),
        (msgspec.structs.replace(SAT, proof=None), Trust.undecided),
        (msgspec.structs.replace(SAT, proof=msgspec.structs.replace(PROOF, truth=Truth.unsat)), Trust.undecided),
        (WRONG, Trust.wrong),
        (
            msgspec.structs.replace(SAT, findings=(Draft(Severity.wrong_model, ANSWER, "", known="inliners"),)),
            Trust.certified,
        ),
    ],
    ids=["certified", "no proof", "another truth", "wrong", "known trouble"],
)
def test_trust_is_what_the_certificate_says(report: Report, trust: Trust) -> None:
    """Known trouble of a right answer is no reason to distrust it."""
    errands = under_way(errand(both=False))
    answer(errands, READ)
    judged = events_of(answer(errands, report))[0]
    assert isinstance(judged, Judged)
    assert trust is judged.trust


def test_what_is_no_instance_is_refused_with_the_reason() -> None:
    """Nobody is asked."""
    errands = under_way(errand())
    note = answer(errands, Report(1, refusal="my.smt2:1:1: nonsense"))
    assert [Unreadable("my.smt2:1:1: nonsense"), Over(State.refused, 0, 0.0, 0)] == events_of(note)
    assert 0 == len(errands)


def test_the_budget_of_queries_is_kept_also_with_several_under_way() -> None:
    """No step begins that could go beyond it."""
    errands = certified(Budget(queries=2))
    first, second = step_of(errands), step_of(errands)
    assert [Task.interrogate] * 2 == [first.task, second.task]
    assert errands.next_step(Random(1)) is None
    notes = [errands.absorb(step, SAT, is_kept=False, at=2.0) for step in (first, second)]
    one, two, over = events_of(*notes)
    assert [1, 2] == [each.queries for each in (one, two) if isinstance(each, Interrogated)]
    assert Over(State.done, 2, 1.0, 0) == over


def test_the_budget_of_time_counts_from_the_beginning_of_the_interrogation() -> None:
    """What reading and certifying took is not part of it, and neither is a pause."""
    errands = certified(Budget(seconds=10.0))
    assert State.interrogating is answer(errands, SAT, at=9.0).errand.state
    errands.go_on(1000.0)
    note = answer(errands, SAT, at=1001.0)
    assert (State.interrogating, 9.0) == (note.errand.state, note.errand.progress.seconds)
    assert State.done is answer(errands, SAT, at=1003.0).errand.state


def test_findings_of_the_interrogation_are_counted() -> None:
    """But not what is known, nor what happened only once."""
    errands = certified(Budget(queries=3))
    answer(errands, WRONG)
    answer(errands, msgspec.structs.replace(SAT, findings=(Draft(Severity.unsound, ANSWER, "", is_flaky=True),)))
    note = answer(errands, msgspec.structs.replace(SAT, findings=(Draft(Severity.unsound, ANSWER, "", known="so"),)))
    assert 1 == note.errand.progress.findings


def test_a_neighbourhood_that_gives_nothing_more_is_left() -> None:
    """However much of the budget is left."""
    errands = certified(Budget(seconds=1e6))
    notes = [answer(errands, MISS) for _ in range(MOST_MISSES)]
    over = events_of(notes[-1])[-1]
    assert isinstance(over, Over)
    assert (State.done, 0) == (over.state, over.queries)
    assert "no transformation" in over.reason


def test_children_that_are_kept_become_parents() -> None:
    """Each once."""
    errands = certified(Budget(queries=5))
    child = msgspec.structs.replace(SAT, address="b" * 64)
    for is_kept in (True, True, False):
        answer(errands, child, is_kept=is_kept)
    assert ["b" * 64] == errands.relatives("e1")


def test_a_text_over_which_workers_die_is_given_up() -> None:
    """After it was tried again."""
    errands = under_way(errand())
    notes = [errands.lose(step_of(errands), 1.0) for _ in range(MOST_DEATHS)]
    over = events_of(*notes)[-1]
    assert isinstance(over, Over)
    assert (State.failed, 1) == (over.state, len(events_of(*notes)))
    assert "too large" in over.reason


def test_a_judgement_that_was_lost_is_made_again_and_then_given_up() -> None:
    """The other solvers are judged all the same."""
    errands = under_way(errand())
    answer(errands, READ)
    for _ in range(MOST_DEATHS):
        lost = step_of(errands)
        assert 0 == lost.place
        note = errands.lose(lost, 1.0)
    unjudged = events_of(note)[0]
    assert isinstance(unjudged, Unjudged)
    assert "spacer@4.13.4" == unjudged.solver
    assert State.done is answer(errands, SAT).errand.state


def test_trouble_of_ours_is_told() -> None:
    """And not blamed on the solver."""
    errands = under_way(errand(both=False))
    answer(errands, READ)
    unjudged, over = events_of(answer(errands, Report(1, trouble="Traceback")))
    assert isinstance(unjudged, Unjudged)
    assert isinstance(over, Over)
    assert "the log has more" in unjudged.reason


def test_what_was_cancelled_hears_nothing_more() -> None:
    """Also if something of it was under way."""
    errands = under_way(errand())
    step = step_of(errands)
    note = errands.cancel("e1", "cancelled by user 7", 1.0)
    assert [Over(State.cancelled, 0, 0.0, 0, "cancelled by user 7")] == events_of(note)
    assert errands.absorb(step, READ, is_kept=False, at=2.0) is None
    assert errands.cancel("e1", "again", 2.0) is None


def test_a_report_is_counted_once() -> None:
    """Whatever the supervisor does after it."""
    errands = certified(Budget(queries=5))
    step = step_of(errands)
    assert errands.absorb(step, SAT, is_kept=False, at=2.0) is not None
    assert errands.lose(step, 2.0) is None


def test_after_a_restart_it_goes_on_where_it_was() -> None:
    """Who has been judged is not asked again."""
    half = msgspec.structs.replace(
        errand(), state=State.certifying, instance=ADDRESS, progress=Progress(judged=(0,), events=3)
    )
    errands = under_way(half)
    step = step_of(errands)
    assert (Task.certify, 1) == (step.task, step.place)
    note = errands.absorb(step, SAT, is_kept=True, at=2.0)
    assert note is not None
    assert [4, 5] == [each.number for each in note.happenings]


def test_after_a_restart_at_the_very_end_it_is_over() -> None:
    """Nobody would take another step for it."""
    spent = msgspec.structs.replace(
        errand(Budget(queries=1)),
        state=State.interrogating,
        instance=ADDRESS,
        progress=Progress(judged=(0, 1), queries=1),
    )
    errands = Errands()
    note = errands.add(spent, 5.0)
    assert [Over(State.done, 1, 0.0, 0)] == events_of(note)
    assert 0 == len(errands)


@pytest.mark.parametrize(("priority", "least", "most"), [("low", 0.09, 0.16), ("normal", 0.45, 0.55), ("high", 1, 1)])
def test_the_interrogation_takes_its_share(priority: str, least: float, most: float) -> None:
    """By priority; the rest is the hunt's."""
    errands = certified(Budget(seconds=1e6), Priority(priority))
    rng = Random(1)
    share = sum(errands.next_step(rng) is not None for _ in range(2000)) / 2000
    assert least <= share <= most


def test_somebody_who_waits_goes_first() -> None:
    """Certifying comes before any interrogation, whatever their priorities."""
    errands = certified(Budget(seconds=1e6), Priority.high)
    errands.add(errand(None, Priority.low, "e2"), 1.0)
    assert ("e2", Task.read) == ((step := step_of(errands)).errand.id, step.task)


@given(
    budgets=st.lists(st.integers(0, 5), min_size=1, max_size=4),
    fates=st.lists(st.sampled_from(["read", "sat", "wrong", "miss", "lost", "trouble", "cancel"]), max_size=200),
    seed=st.integers(0, 1000),
)
def test_every_errand_ends_once_and_its_events_are_numbered(
    budgets: Sequence[int], fates: Sequence[str], seed: int
) -> None:
    """Whatever happens in whatever order; no more queries than asked for, and no step for what is over."""
    rng = Random(seed)
    errands = Errands()
    for number, queries in enumerate(budgets):
        errands.add(errand(Budget(queries=queries) if queries else None, Priority.high, f"e{number}"), 0.0)
    notes: list[Note | None] = []
    begun: list[Step] = []
    for at, fate in enumerate([*fates, *["ends"] * 80]):
        if step := errands.next_step(rng):
            assert step.errand.id not in {note.errand.id for note in notes if note and note.errand.state.is_final}
            begun.append(step)
        if not begun:
            continue
        ended = begun.pop(rng.randrange(len(begun)))
        notes.append(_end(errands, ended, fate, float(at)))
    assert 0 == len(errands)
    for number, queries in enumerate(budgets):
        happened = [each for note in notes if note and note.errand.id == f"e{number}" for each in note.happenings]
        assert list(range(1, len(happened) + 1)) == [each.number for each in happened]
        events = [read_event(each.data) for each in happened]
        assert [len(events) - 1] == [place for place, event in enumerate(events) if isinstance(event, Over)]
        assert sum(isinstance(event, Interrogated) for event in events) <= queries


def _end(errands: Errands, step: Step, fate: str, at: float) -> Note | None:
    fitting = {Task.read: READ, Task.certify: SAT, Task.interrogate: SAT}[step.task]
    if fate == "cancel":
        return errands.cancel(step.errand.id, "because", at)
    if fate == "lost":
        return errands.lose(step, at)
    if step.task is Task.interrogate and fate == "miss":
        fitting = MISS
    if step.task is not Task.read and fate == "wrong":
        fitting = WRONG
    if fate == "trouble":
        fitting = Report(1, trouble="Traceback")
    return errands.absorb(step, fitting, is_kept=False, at=at)
