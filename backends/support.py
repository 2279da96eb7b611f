"""Which instances a solver takes, as data: what it reads, and what it can say something about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from chc.fragment import Theory
from chc.instance import Instance
from chc.terms import Kind, Term, subterms

EVERYTHING: Final = frozenset(Theory)
_COMPARISONS: Final = frozenset(("<=", "<", ">=", ">"))


def all_but(*theories: Theory) -> frozenset[Theory]:
    return EVERYTHING - set(theories)


class Support(msgspec.Struct, frozen=True):
    """What may occur in an instance."""

    theories: frozenset[Theory] = EVERYTHING
    nonlinear_clauses: bool = True
    """Bodies with more than one atom."""
    unknown_words: frozenset[str] = frozenset()
    """Operations of SMT-LIB, and sorts that may not be called so."""
    chains: bool = True
    """Comparisons of more than two, such as `(< 1 x y)`."""
    mutual_datatypes: bool = True

    def refusal(self, instance: Instance, name: str) -> str | None:
        """Why the instance is outside, in words; None if it is not."""
        return next((f"{name} does not support {what}" for what in self._missing(instance)), None)

    def _missing(self, instance: Instance) -> Iterator[str]:
        if strange := sorted(instance.fragment.theories - self.theories):
            yield ", ".join(strange)
        if not (instance.fragment.linear or self.nonlinear_clauses):
            yield "clauses with several atoms in the body"
        for group in instance.datatypes:
            if len(group.datatypes) > 1 and not self.mutual_datatypes:
                yield "datatypes that need each other"
            yield from (f"a sort `{each.name}`" for each in group.datatypes if each.name in self.unknown_words)
        if self.unknown_words or not self.chains:
            terms = (term for clause in instance.clauses for term in subterms(clause.terms))
            yield from (word for term in terms if (word := self._unknown(term)) is not None)

    def _unknown(self, term: Term) -> str | None:
        if term.kind is not Kind.BUILTIN:
            return None
        if term.name in self.unknown_words:
            return f"`{term.name}`"
        is_chain = term.name in _COMPARISONS and len(term.args) > 2
        return f"`{term.name}` between more than two" if is_chain and not self.chains else None
