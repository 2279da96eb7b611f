"""What is asked next: by the seed, the switches, and how far the hunt has come."""

from collections import Counter

import msgspec
import pytest

from backends.answer import Configuration
from chc.witness import Truth
from daemon.choosing import Request
from daemon.core import Core
from daemon.jobs import Kind, Report
from daemon.settings import Switches
from knowledge_base.energy import Standing
from knowledge_base.records import Origin
from tests.daemon.playbook import BY_PATH, OLD, SPACER, address, answer, core, play, report, with_parents
from transformations.catalogue import CATALOGUE

MANY = (Truth.sat, Truth.unsat, None) * 4


def requests(hunt: Core, count: int = 200) -> list[Request]:
    return [hunt.next_request() for _ in range(count)]


def sequence(seed: int) -> list[Request]:
    """Requests with reports in between, so that what was learnt has its say."""
    hunt = with_parents(core(seed=seed), MANY)
    found = []
    for number in range(100):
        request = hunt.next_request()
        found.append(request)
        hunt.absorb(report(request, 100 + number), float(number))
    return found


def test_the_same_seed_asks_the_same() -> None:
    """A campaign is reproducible up to the timing of solvers."""
    assert sequence(1) == sequence(1)
    assert sequence(1) != sequence(2)


def test_every_kind_has_its_share() -> None:
    """Most are tricks; seeds are generated and the knowledge base is enriched all the time."""
    kinds = Counter(request.job.kind for request in requests(with_parents(core(), MANY), 1000))
    assert kinds[Kind.trick] > 800
    assert min(kinds[Kind.generate], kinds[Kind.enrich]) > 20


def test_without_anything_known_seeds_are_generated() -> None:
    """There always is something to ask."""
    assert {Kind.generate} == {request.job.kind for request in requests(core())}


def test_tricks_start_from_certified_parents() -> None:
    """An instance of open truth can only be enriched from."""
    hunt = with_parents(core(), MANY)
    for request in requests(hunt):
        if request.job.kind is Kind.trick:
            assert hunt.view.truth(request.parents[0]) is not None


def test_depth_grows() -> None:
    """Chains are short at first, and never longer than six."""
    most = [max(r.job.depth for r in requests(with_parents(core(done=done), MANY))) for done in (0, 400, 1600, 10**9)]
    assert [1, 2, 4, 6] == most


def test_depth_grows_with_the_queries_of_this_run() -> None:
    """Each report that was a query counts."""
    hunt = with_parents(core(done=399), MANY)
    assert {1} == {request.job.depth for request in requests(hunt)}
    play(hunt, 100)
    assert {1, 2} == {request.job.depth for request in requests(hunt)}


def test_known_trouble_is_looked_for_most_at_first() -> None:
    """Later a few samples are enough."""
    shares = []
    for done in (0, 200, 10**6):
        asked = requests(with_parents(core(done=done), MANY), 1000)
        shares.append(sum(request.job.examines_known_trouble for request in asked) / 1000)
    assert 1.0 == shares[0]
    assert 0.4 < shares[1] < 0.6
    assert 0.02 < shares[2] < 0.1


def test_only_one_transformation() -> None:
    """No chain holds any other."""
    for request in requests(with_parents(core(Switches(only="swap-and")), MANY)):
        assert {"swap-and"} == set(request.job.weights)
        assert request.job.first in (None, "swap-and")


def test_without_witnesses() -> None:
    """No transformation that looks at a witness takes part."""
    for request in requests(with_parents(core(Switches(witnesses=False)), MANY)):
        assert not [name for name in request.job.weights if CATALOGUE[name].needs_witness]


def test_without_the_knowledge_base_the_last_child_is_the_next_parent() -> None:
    """As earlier tools do it, until it is time to begin again."""
    hunt = with_parents(core(Switches(knowledge_base=False)), (Truth.sat, Truth.unsat))
    play(hunt, 100)
    for number in range(101, 150):
        request = hunt.next_request()
        if request.job.kind is Kind.trick:
            assert address(number - 1) == request.parents[0]
        hunt.absorb(report(request, number), 1.0)


def test_without_the_knowledge_base_a_chain_begins_again() -> None:
    """After a hundred steps, a parent of the beginning may be chosen."""
    hunt = with_parents(core(Switches(knowledge_base=False)), (Truth.sat,))
    chosen = set()
    for number in range(100, 320):
        request = hunt.next_request()
        if request.job.kind is Kind.trick and number > 105:
            chosen.add(request.parents[0] == address(number - 1))
        hunt.absorb(report(request, number), 1.0)
    assert {True, False} == chosen


def test_with_the_knowledge_base_any_parent_can_be_the_next() -> None:
    """The counterpart of the above."""
    hunt = with_parents(core(), (Truth.sat, Truth.unsat))
    play(hunt, 100)
    firsts = {request.parents[0] for request in requests(hunt) if request.job.kind is Kind.trick}
    assert {address(0), address(1), address(100)} == firsts


def test_fusions_get_a_certified_partner() -> None:
    """Whenever the first transformation takes two parents, and now and then besides."""
    hunt = with_parents(core(), MANY)
    found = requests(hunt, 1000)
    fused = [r for r in found if r.job.first is not None and CATALOGUE[r.job.first].arity == 2]
    assert fused
    assert {2} == {len(request.parents) for request in fused}
    others = [r for r in found if r.job.first is not None and CATALOGUE[r.job.first].arity == 1]
    assert {1, 2} == {len(request.parents) for request in others}
    assert None not in {hunt.view.truth(request.parents[1]) for request in found if len(request.parents) == 2}


def test_what_nobody_has_asked_is_asked() -> None:
    """Each instance once, and with the options under which its witness can be checked."""
    hunt = with_parents(core(), ())
    for number, truth in enumerate(MANY):
        hunt.view.put(address(number), Standing(size=5), truth)
    hunt.ask_new_ones()
    asked = [request for request in requests(hunt) if request.job.kind is Kind.ask]
    assert sorted(address(number) for number in range(len(MANY))) == sorted(r.parents[0] for r in asked)
    assert all(dict(r.job.configuration.options)["fp.xform.slice"] == "false" for r in asked)


def test_a_program_given_by_its_path_is_always_asked_cold() -> None:
    """Nobody knows whether it serves more than one query."""
    hunt = with_parents(core(), MANY)
    assert {True, False} == {request.job.is_warm for request in requests(hunt)}
    cold = with_parents(core(configurations=(BY_PATH,)), MANY)
    assert {False} == {request.job.is_warm for request in requests(cold)}


def test_slow_instances_are_asked_cold() -> None:
    """A warm process gains nothing there, and would keep others waiting."""
    hunt = core()
    hunt.view.put(address(0), Standing(size=5, queries=1, recent=(2.0,), decided=(2.0,)), Truth.sat)
    assert {False} == {r.job.is_warm for r in requests(hunt) if r.parents}


def test_limits_follow_the_lineage_up_to_the_ceiling() -> None:
    """A child gets twenty times what its parent took, never more than the ceiling."""
    hunt = core()
    for seconds, limit in ((0.2, 4.0), (3.0, 10.0)):
        hunt.view.put(address(0), Standing(size=5, queries=1, decided=(seconds,)), Truth.sat)
        limits = {r.job.limit_seconds for r in requests(hunt) if r.parents}
        assert limit == pytest.approx(max(limits)) == pytest.approx(min(limits))


def test_all_suspects_are_candidates_of_each_job() -> None:
    """In the order of what they have had; in the first round only the one whose turn it is."""
    hunt = with_parents(core(configurations=(SPACER, OLD)), MANY)
    found = requests(hunt)
    assert {(SPACER, OLD), (OLD, SPACER)} == {request.suspects for request in found}
    for request in found:
        assert [s.program for s in request.suspects] == [c.configuration.program for c in request.job.candidates]


def test_the_first_round_asks_each_suspect_itself() -> None:
    """Every certified seed once of each."""
    hunt = core(configurations=(SPACER, OLD))
    for number, truth in enumerate((Truth.sat, Truth.unsat)):
        hunt.view.put(address(number), Standing(size=5), truth)
    hunt.ask_new_ones()
    alone = [(r.parents[0], r.suspects[0]) for r in requests(hunt) if len(r.suspects) == 1]
    assert {(address(n), each) for n in (0, 1) for each in (SPACER, OLD)} == set(alone)
    assert 4 == len(alone)


def test_a_slow_suspect_is_asked_less_often() -> None:
    """It gets the same time."""
    hunt = with_parents(core(configurations=(SPACER, OLD)), MANY)
    asked: Counter[Configuration] = Counter()
    for number in range(400):
        request = hunt.next_request()
        seconds = {SPACER: 0.1, OLD: 0.9}[request.suspects[0]]
        hunt.absorb(report(request, 100 + number, answer=answer(seconds=seconds)), float(number))
        asked[request.suspects[0]] += 1
    assert 7 < asked[SPACER] / asked[OLD] < 11


def test_some_queries_draw_options() -> None:
    """They are asked cold, and what was drawn is told apart from what the user has named."""
    named = msgspec.structs.replace(SPACER, options=(("fp.spacer.ctp", "false"),))
    found = [r.job for r in requests(with_parents(core(configurations=(named,)), MANY), 500)]
    drawn = [job for job in found if job.drawn]
    assert 50 < len(drawn) < 150
    assert not any(job.is_warm for job in drawn)
    for job in found:
        options = dict(job.configuration.options)
        assert set(job.drawn) <= options.keys() - {"fp.spacer.ctp"}
        assert "false" == options["fp.spacer.ctp"]


def test_without_options() -> None:
    """Suspects are asked as they were named, or so that each witness can be checked."""
    hunt = with_parents(core(Switches(options=False)), MANY)
    assert {0, 4} == {len(r.job.configuration.options) for r in requests(hunt)}


def configured(hunt: Core, **changes: object) -> Core:
    hunt.reconfigure(msgspec.structs.replace(hunt.settings, **changes))
    return hunt


def test_other_settings_count_from_the_next_request() -> None:
    """Whom to ask, for how long, by which schedule."""
    hunt = with_parents(core(), MANY)
    configured(hunt, configurations=(BY_PATH,), ceiling_seconds=0.25, schedule="simple", memory_mb=77)
    for request in requests(hunt, 50):
        job = request.job
        assert (BY_PATH.program, BY_PATH.version) == (job.configuration.program, job.configuration.version)
        assert (True, 77) == (job.limit_seconds <= 0.25, job.memory_mb)
        assert request.choice is None or "simple" == request.choice.schedule


def test_a_new_suspect_has_a_first_round_of_its_own() -> None:
    """Every certified seed, its clauses in another order; those that were asked before are not asked anew."""
    hunt = with_parents(core(), MANY)
    roots = [address(number) for number, truth in enumerate(MANY) if truth is not None]
    for each in roots:
        hunt.view.add_root(each)
    configured(hunt, configurations=(SPACER, BY_PATH))
    asked = [request.parents[0] for request in requests(hunt, 300) if request.suspects == (BY_PATH,)]
    assert sorted(roots) == sorted(asked)


def test_what_is_asked_again_is_asked_of_whom_it_is_meant_for() -> None:
    """As it is, and cold, whatever the hunt would choose."""
    hunt = with_parents(core(), MANY)
    hunt.ask_again([(address(0), BY_PATH), (address(99), BY_PATH)])
    again = [request for request in requests(hunt) if request.job.kind is Kind.ask]
    assert [(address(0),)] == [request.parents for request in again]
    assert (BY_PATH, False) == (again[0].job.configuration, again[0].job.is_warm)


def test_texts_are_read_before_anything_is_asked() -> None:
    """A seed that was found in a watched directory becomes an instance, and is asked."""
    hunt = with_parents(core(), MANY)
    hunt.unread.append(("a.smt2", "(text)"))
    request = hunt.next_request()
    assert (Kind.read, "a.smt2", "(text)") == (request.job.kind, request.job.source, request.job.parents[0].text)
    told = hunt.absorb(Report(request.job.id, text="(text)", address=address(50)), 1.0)
    assert told.entry is not None
    assert told.entry.instance is not None
    assert Origin.seed is told.entry.instance.origin
    assert (address(50),) in {each.parents for each in requests(hunt) if each.job.kind is Kind.ask}
