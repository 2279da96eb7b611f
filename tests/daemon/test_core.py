"""Playbooks: reports go into the core, and what is to be stored, told and counted comes out."""

import msgspec

from backends.answer import Verdict
from chc.witness import Truth
from daemon.jobs import Draft, Kind
from daemon.suspicion import Suspicion
from knowledge_base.records import Features, Severity, Status, WitnessOrigin
from tests.daemon.playbook import OLD, SPACER, address, answer, core, draft, fault, play, report, with_parents

BOTH = (Truth.sat, Truth.unsat)


def test_a_child_that_teaches_something_becomes_a_parent() -> None:
    """It is stored with everything that belongs to it, and can be chosen from then on."""
    hunt = with_parents(core(), BOTH)
    told = play(hunt, 100)
    assert told.entry is not None
    assert told.entry.instance is not None
    assert told.entry.answer is not None
    assert told.entry.witness is not None
    assert "(text 100)" == told.entry.instance.text
    assert WitnessOrigin.transported is told.entry.witness.origin
    assert ("z3",) == told.entry.checkers
    assert Truth.sat is hunt.view.truth(address(100))
    assert 1 == told.entry.counts["queries"]


def test_the_parent_learns_too() -> None:
    """Its standing is stored with the child."""
    hunt = with_parents(core(), (Truth.sat,))
    request = hunt.next_request()
    while request.job.kind is not Kind.trick:
        request = hunt.next_request()
    told = hunt.absorb(report(request), 1.0)
    assert told.entry is not None
    assert 2 == told.entry.standings[request.parents[0]].queries
    assert {request.job.first} == set(told.entry.arms)


def test_what_has_been_asked_before_is_no_query() -> None:
    """It is counted apart, teaches nothing and stores nothing."""
    hunt = with_parents(core(), BOTH)
    told = play(hunt, 100, is_repeated=True, answer=None)
    assert told.entry is None
    assert (0, 1) == (hunt.counts["queries"], hunt.counts["repeated"])
    assert address(100) not in hunt.view


def test_where_nothing_applies_there_is_no_query() -> None:
    """The transformation that was to begin is known to have been tried."""
    hunt = with_parents(core(), BOTH)
    request = hunt.next_request()
    while request.job.first is None:
        request = hunt.next_request()
    told = hunt.absorb(report(request, text=None, answer=None), 1.0)
    assert told.entry is None
    assert (0, 1) == (hunt.counts["queries"], hunt.counts["inapplicable"])
    assert (1, 0) == (hunt.view.arms[request.job.first].tried, hunt.view.arms[request.job.first].applied)


def test_trouble_of_a_worker_is_counted() -> None:
    """A mistake of ours is neither a query nor a finding."""
    hunt = with_parents(core(), BOTH)
    told = play(hunt, 100, trouble="Traceback", text=None, answer=None)
    assert told.entry is not None
    assert {"troubles": 1} == told.entry.counts
    assert (0, 1) == (hunt.counts["queries"], hunt.counts["troubles"])


def test_a_finding_is_stored_with_its_lineage() -> None:
    """It names the answer that is to blame, what was expected, and how the instance was made."""
    hunt = with_parents(core(), BOTH)
    request = hunt.next_request()
    while request.job.first is None:
        request = hunt.next_request()
    told = hunt.absorb(report(request, findings=(draft(),), proof=None), 7.0)
    assert told.entry is not None
    (finding,) = told.entry.findings
    assert (Severity.unsound, Status.confirmed, SPACER) == (finding.severity, finding.status, finding.configuration)
    assert Truth.sat is finding.expected
    assert finding.lineage is not None
    assert request.job.first == finding.lineage.chain[0].transformation
    assert (request.parents[0],) == finding.lineage.parents
    assert told.drafts == told.news
    assert 1 == hunt.counts["finding 1"]
    assert 1 == hunt.counts[f"found {request.job.first}"]


def test_unresolved_and_flaky_findings_have_their_own_status() -> None:
    """Neither is passed off as confirmed, and what is flaky is no news."""
    hunt = with_parents(core(), BOTH)
    unresolved = play(hunt, 100, findings=(draft(Severity.unresolved),)).entry
    flaky = Draft(Severity.unsound, answer(), "once", is_flaky=True)
    told = play(hunt, 101, findings=(flaky,))
    assert unresolved is not None
    assert told.entry is not None
    assert Status.unresolved is unresolved.findings[0].status
    assert Status.flaky is told.entry.findings[0].status
    assert () == told.news
    assert (1, 1) == (hunt.counts["finding unresolved"], hunt.counts["flaky 1"])


def test_our_own_fault_is_no_finding() -> None:
    """It is stored as what it is, and counted apart."""
    hunt = with_parents(core(), BOTH)
    told = play(hunt, 100, fault=fault(), proof=None)
    assert told.entry is not None
    assert told.entry.fault is not None
    assert () == told.entry.findings
    assert (1, 0) == (hunt.counts["own faults"], sum(n for name, n in hunt.counts.items() if "finding " in name))


def test_known_trouble_is_counted_apart_and_capped() -> None:
    """Twenty examples of what the developers know are enough; the count goes on."""
    hunt = with_parents(core(), BOTH)
    told = [play(hunt, 100 + n, findings=(draft(Severity.wrong_model, known="inliners"),)) for n in range(30)]
    stored = [finding for each in told if each.entry is not None for finding in each.entry.findings]
    assert 20 == len(stored)
    assert {Status.known} == {finding.status for finding in stored}
    assert (30, 0) == (hunt.counts["known 3a"], hunt.counts["finding 3a"])
    assert not any(each.news for each in told)


def test_what_is_capped_does_not_keep_its_instance() -> None:
    """An instance too large to be a parent is stored only where a finding needs it."""
    hunt = with_parents(core(), BOTH)
    last = [play(hunt, 100 + n, findings=(draft(known="k"),), proof=None).entry for n in range(21)][-1]
    assert last is not None
    assert last.instance is None
    assert address(120) not in hunt.view


def test_failures_that_say_the_same_are_capped() -> None:
    """Numbers make no difference; another message does."""
    hunt = with_parents(core(), BOTH)
    for n in range(10):
        play(hunt, 100 + n, findings=(draft(Severity.failure, f"line {n}: no such thing"),))
    told = play(hunt, 200, findings=(draft(Severity.failure, "segmentation fault"),))
    assert 4 == hunt.counts["finding 4b"]
    assert 7 == hunt.counts["repeated findings"]
    assert 1 == len(told.news)


def test_other_findings_are_never_capped() -> None:
    """Wrong answers in the same words may have different causes."""
    hunt = with_parents(core(), BOTH)
    told = [play(hunt, 100 + n, findings=(draft(),)) for n in range(30)]
    assert 30 == sum(len(each.drafts) for each in told)


def test_instances_of_one_shape_are_kept_a_few_times() -> None:
    """The knowledge base is for what is different."""
    hunt = with_parents(core(), BOTH)
    like = report(hunt.next_request()).features
    told = [play(hunt, 200 + n, features=like) for n in range(10)]
    assert 4 == sum(each.entry is not None and each.entry.instance is not None for each in told)
    assert 10 == hunt.counts["queries"]


def test_only_the_strongest_suspicions_are_kept() -> None:
    """Five of each kind; a stronger one takes the place of the weakest, which is named."""
    hunt = with_parents(core(), (Truth.sat,))
    stored: list[Suspicion] = []
    displaced: list[Suspicion] = []
    for n in range(40):
        request = hunt.next_request()
        nodes = 10 + abs(20 - n)
        features = Features("LIA", 1, 1, nodes, shape=f"s{n}")
        found = report(request, 100 + n, answer=answer(Verdict.timeout), features=features, proof=None)
        told = hunt.absorb(found, float(n))
        if told.suspicion is not None:
            assert told.entry is not None
            assert Status.open is told.entry.findings[-1].status
            stored.append(told.suspicion)
        displaced.extend(told.weaker)
    kept = sorted(each.score for each in stored if each not in displaced)
    assert 5 == len(kept) == len(hunt.suspicions)
    assert len(stored) > len(kept)
    assert kept[0] >= max(each.score for each in displaced)


def test_suspicions_are_no_findings_of_the_summary() -> None:
    """They do not end a hunt that is to go on until a bug is found."""
    hunt = with_parents(core(), (Truth.sat,))
    request = hunt.next_request()
    while not request.parents:
        request = hunt.next_request()
    told = hunt.absorb(report(request, answer=answer(Verdict.timeout), proof=None), 1.0)
    assert told.suspicion is not None
    assert () == told.news
    assert not [name for name in hunt.counts if name.startswith("finding ")]


def test_lost_jobs_are_counted_and_forgotten() -> None:
    """Their parents are free to go again."""
    hunt = with_parents(core(), BOTH)
    requests = [hunt.next_request() for _ in range(20)]
    assert {parent for request in requests for parent in request.parents} == hunt.in_use()
    for request in requests:
        hunt.lose(request.job.id)
    assert (20, set()) == (hunt.counts["lost"], hunt.in_use())


def test_what_was_forgotten_is_not_chosen() -> None:
    """Neither as a parent nor from the list of those to be asked; a late report about its child does no harm."""
    hunt = with_parents(core(), (Truth.sat, None))
    hunt.ask([address(0), address(1)])
    late = hunt.next_request()
    hunt.forget(address(0))
    hunt.forget(address(1))
    assert {()} == {hunt.next_request().parents for _ in range(20)}
    told = hunt.absorb(report(late), 1.0)
    assert told.entry is not None
    assert address(0) not in told.entry.standings


def test_an_asked_parent_gets_its_truth() -> None:
    """What was open moves to the certified."""
    hunt = with_parents(core(), (None,))
    hunt.ask([address(0)])
    request = hunt.next_request()
    while request.job.kind is not Kind.ask:
        request = hunt.next_request()
    hunt.absorb(report(request, 0, links=()), 1.0)
    assert Truth.sat is hunt.view.truth(address(0))


def test_a_finding_about_another_than_the_one_who_was_asked_has_its_own_answer() -> None:
    """Both answers are stored."""
    hunt = with_parents(core(), BOTH)
    other = msgspec.structs.replace(answer(Verdict.unsat), configuration=OLD)
    told = play(hunt, 100, findings=(Draft(Severity.false_refutation, other, "it lies"),))
    assert told.entry is not None
    assert told.entry.answer is not None
    assert (SPACER, (other,)) == (
        told.entry.answer.answer.configuration,
        tuple(each.answer for each in told.entry.others),
    )
    assert [OLD] == [each.configuration for each in told.entry.findings]


def test_what_nobody_supports_is_counted_and_held_against_no_transformation() -> None:
    """It is no query, and was not for nothing that the transformation applied."""
    hunt = with_parents(core(), BOTH)
    request = hunt.next_request()
    while request.job.first is None:
        request = hunt.next_request()
    told = hunt.absorb(report(request, answer=None, is_unsupported=True), 1.0)
    assert told.entry is None
    assert (0, 1) == (hunt.counts["queries"], hunt.counts["unsupported"])
    assert 0 == hunt.view.arms[request.job.first].tried


def test_the_suspect_who_was_asked_instead_is_the_one_who_answered() -> None:
    """Its warmth and its options are those that are stored."""
    hunt = with_parents(core(configurations=(SPACER, OLD)), BOTH)
    request = next(
        r for r in iter(hunt.next_request, None) if r.suspects == (OLD, SPACER) and r.job.candidates[1].is_warm
    )
    told = hunt.absorb(report(request, asked=1), 1.0)
    assert told.entry is not None
    assert told.entry.answer is not None
    assert told.entry.answer.is_warm
