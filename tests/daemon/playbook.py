"""Made-up reports, for tests that ask the core what follows from them."""

from random import Random

import msgspec

from backends.answer import Answer, Configuration, Verdict
from backends.examination import Standing as WitnessStanding
from chc.witness import Truth
from daemon.choosing import Request
from daemon.core import Core, Told
from daemon.jobs import Draft, Fault, Proof, Report, WireLink
from daemon.settings import Settings, Switches
from knowledge_base.energy import Standing
from knowledge_base.records import Features, Severity
from transformations.catalogue import CATALOGUE

SPACER = Configuration("spacer", "4.13.4", "/opt/z3")


OLD = Configuration("spacer", "4.8.14", "/opt/old")
BY_PATH = Configuration("spacer", "path:/opt/z3", "/opt/z3")


def core(
    switches: Switches | None = None,
    *,
    seed: int = 1,
    done: int = 0,
    configurations: tuple[Configuration, ...] = (SPACER,),
) -> Core:
    settings = Settings(configurations, slots=2, seed=1, schedule="adaptive", switches=switches or Switches())
    return Core(settings, CATALOGUE, Random(seed), "run", done)


def address(number: int) -> str:
    return f"{number:064x}"


def with_parents(hunt: Core, truths: tuple[Truth | None, ...]) -> Core:
    """The core with one instance of each of these truths, all of them asked before."""
    for number, truth in enumerate(truths):
        hunt.view.put(address(number), Standing(size=10, queries=1, recent=(0.01,), decided=(0.01,)), truth)
    return hunt


def answer(verdict: Verdict = Verdict.sat, detail: str = "", seconds: float = 0.01) -> Answer:
    return Answer(SPACER, ("/opt/z3", "-in"), verdict, seconds, seconds, 10.0, detail)


def proof(truth: Truth = Truth.sat) -> Proof:
    return Proof(truth, "{}", ("z3",), "transported")


def report(request: Request, number: int = 100, **changes: object) -> Report:
    """A child that was decided as its promise says, certified, with a shape of its own unless told otherwise."""
    first = request.job.first
    plain = Report(
        request.job.id,
        text=f"(text {number})",
        address=address(number),
        features=Features("LIA", 3, 2, 20, shape=f"shape {number}"),
        links=() if first is None else (WireLink(first, "{}"),),
        promise=Truth.sat,
        transported=WitnessStanding.valid,
        answer=answer(),
        proof=proof(),
    )
    return msgspec.structs.replace(plain, **changes)


def draft(severity: Severity = Severity.unsound, detail: str = "", known: str | None = None) -> Draft:
    return Draft(severity, answer(Verdict.sat, detail), "because", known)


def fault() -> Fault:
    return Fault(Truth.sat, "{}", "does not check")


def play(hunt: Core, number: int, **changes: object) -> Told:
    """One round: the next request is answered with a report."""
    return hunt.absorb(report(hunt.next_request(), number, **changes), float(number))
