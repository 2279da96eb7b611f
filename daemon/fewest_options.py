"""A finding under options that were drawn, with as few of them as will do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from backends.answer import Configuration
from backends.examination import ABSENT, Examination, Standing
from backends.limits import Limits
from chc.instance import Instance
from daemon.bench import Bench
from daemon.certify import Judgement, certify
from knowledge_base.records import Severity


async def with_fewest_options(
    instance: Instance, judgement: Judgement, drawn: Sequence[str], limits: Limits, bench: Bench
) -> Judgement:
    """The judgement of a configuration of which each drawn option is needed for the same severity.

    First all of them are left out at once, then one by one, each time in a fresh process; so there is one run more than
    there are options at most. What nobody can prove stays as it is: it would cost everybody's help each time.
    """
    if judgement.severity in (None, Severity.unresolved):
        return judgement
    proof = ABSENT
    if judgement.witness is not None:
        proof = Examination(Standing.valid, witness=judgement.witness, certified_by=judgement.certified_by)
    for names in _attempts(drawn):
        fewer = without(judgement.answer.configuration, names)
        if fewer == judgement.answer.configuration:
            continue
        again = await certify(instance, fewer, limits, bench, proof)
        if again.severity is judgement.severity:
            judgement = msgspec.structs.replace(again, contradicted_by=judgement.contradicted_by)
    return judgement


def _attempts(drawn: Sequence[str]) -> Iterator[tuple[str, ...]]:
    yield tuple(drawn)
    if len(drawn) > 1:
        yield from ((name,) for name in drawn)


def without(configuration: Configuration, names: Sequence[str]) -> Configuration:
    options = tuple((name, value) for name, value in configuration.options if name not in names)
    return msgspec.structs.replace(configuration, options=options)


def needed(configuration: Configuration, drawn: Sequence[str]) -> tuple[str, ...]:
    """Those drawn options that are left, as people write them."""
    return tuple(f"{name}={value}" for name, value in configuration.options if name in drawn)
