"""Witnesses before all checkers: what a solver offered as a proof, and whether it is one."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from enum import StrEnum

import anyio
import msgspec

from backends.adapters import adapter_of
from backends.answer import Answer, Verdict
from backends.certificates import Check, Outcome, check_witness
from backends.checker_programs import Effort
from backends.recovery import Gap, recover
from backends.smt_checker import CHECKERS, SmtChecker
from backends.unreadable import Malformed, Unreadable
from chc.instance import Instance
from chc.refutation import Derivation
from chc.witness import Witness


class Standing(StrEnum):
    """What is to be held of a witness."""

    absent = "absent"
    valid = "valid"
    """At least one checker calls it valid, and none invalid."""
    invalid = "invalid"
    """At least one checker calls it invalid, and none valid; or it is malformed."""
    disputed = "disputed"
    """The checkers contradict one another."""
    undecided = "undecided"


class Examination(msgspec.Struct, frozen=True):
    """What the checkers say of a witness; `witness` is there as soon as one could be read."""

    standing: Standing
    reason: str = ""
    witness: Witness | None = None
    certified_by: tuple[str, ...] = ()


_ABOUT_OTHER_CLAUSES = "under these options its refutation speaks of what preprocessing made of the clauses"
_GUESSED = "but some of its words are the solver's own, and what they mean is a guess"
ABSENT = Examination(Standing.absent)


class Examiner:
    """The checkers, each in warm processes of its own. The first of them also finds the values of refutations."""

    def __init__(self, names: Sequence[str] = CHECKERS, processes: int = 1, effort: Effort | None = None) -> None:
        self._checkers = [SmtChecker(name, processes, effort) for name in names]
        self._stack = AsyncExitStack()

    @classmethod
    def of(cls, checkers: Sequence[SmtChecker]) -> Examiner:
        """An examiner before checkers of one's own making."""
        examiner = cls(())
        examiner._checkers.extend(checkers)
        return examiner

    async def __aenter__(self) -> Examiner:
        for checker in self._checkers:
            await self._stack.enter_async_context(checker)
        return self

    async def __aexit__(self, *problem: object) -> None:
        await self._stack.aclose()

    async def examine_answer(self, instance: Instance, answer: Answer) -> Examination:
        """The witness that came with the answer, read, completed and checked, and what the solver holds of it."""
        found = await self._examine_answer(instance, answer)
        if found.witness is not None and found.standing is Standing.invalid and _is_guessed(answer, instance):
            found = msgspec.structs.replace(found, standing=Standing.undecided, reason=f"{found.reason}; {_GUESSED}")
        if found.standing in (Standing.absent, Standing.valid) or not answer.own_check:
            return found
        return msgspec.structs.replace(found, reason=f"{found.reason}; {answer.own_check}")

    async def _examine_answer(self, instance: Instance, answer: Answer) -> Examination:
        adapter = adapter_of(answer.configuration)
        try:
            offered = adapter.read_witness(answer, instance)
        except Malformed as problem:
            # What was stopped while it printed may well break off.
            standing = Standing.undecided if answer.detail else Standing.invalid
            return Examination(standing, f"its witness is malformed: {problem}")
        except Unreadable as problem:
            if answer.verdict is Verdict.unsat and not adapter.speaks_of_clauses(answer.configuration.options):
                return Examination(Standing.undecided, _ABOUT_OTHER_CLAUSES)
            return Examination(Standing.undecided, f"its witness cannot be read: {problem}")
        if offered is None:
            return ABSENT
        if isinstance(offered, Derivation):
            return await self._examine_derivation(instance, offered, answer)
        return await self.examine(instance, offered)

    async def _examine_derivation(self, instance: Instance, offered: Derivation, answer: Answer) -> Examination:
        found = await recover(instance, offered, self._checkers[0])
        if not isinstance(found, Gap):
            return await self.examine(instance, found)
        speaks_of_clauses = adapter_of(answer.configuration).speaks_of_clauses(answer.configuration.options)
        if found.certain and speaks_of_clauses:
            return Examination(Standing.invalid, found.reason)
        if found.certain:
            return Examination(Standing.undecided, f"{found.reason}; {_ABOUT_OTHER_CLAUSES}")
        return Examination(Standing.undecided, found.reason)

    async def examine(self, instance: Instance, witness: Witness) -> Examination:
        """All checkers at the same time."""
        checks: list[Check] = []

        async def check(checker: SmtChecker) -> None:
            checks.append(await check_witness(instance, witness, checker))

        async with anyio.create_task_group() as group:
            for checker in self._checkers:
                group.start_soon(check, checker)
        return conclude(checks, witness, [checker.name for checker in self._checkers])


def conclude(checks: Sequence[Check], witness: Witness, order: Sequence[str]) -> Examination:
    """What follows from what each checker said."""
    by_outcome: dict[Outcome, list[Check]] = {outcome: [] for outcome in Outcome}
    for check in sorted(checks, key=lambda check: order.index(check.checker)):
        by_outcome[check.outcome].append(check)
    valid, invalid = by_outcome[Outcome.valid], by_outcome[Outcome.invalid]
    names = tuple(check.checker for check in valid)
    doubts = "; ".join(check.reason for check in by_outcome[Outcome.undecided])
    if valid and invalid:
        reason = f"CHECKERS CONTRADICT EACH OTHER: {', '.join(names)} call it valid, but {invalid[0].reason}"
        return Examination(Standing.disputed, reason, witness)
    if invalid:
        return Examination(Standing.invalid, invalid[0].reason, witness)
    if valid:
        return Examination(Standing.valid, doubts, witness, names)
    return Examination(Standing.undecided, doubts, witness)


def _is_guessed(answer: Answer, instance: Instance) -> bool:
    return not adapter_of(answer.configuration).reads_surely(answer, instance)
