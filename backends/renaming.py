"""Predicates renamed before a solver sees the instance, and its witnesses under the old names again."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from chc.instance import Atom, Instance
from chc.model import Model
from chc.refutation import Derivation, DerivedFact, Refutation, Step
from chc.renaming import rename_predicates
from chc.terms import fresh_name


def rename_model(model: Model, names: Mapping[str, str]) -> Model:
    return Model({names[name]: interpretation for name, interpretation in model.interpretations.items()})


def rename_proof(proof: Derivation | Refutation, names: Mapping[str, str]) -> Derivation | Refutation:
    def rename(fact: Atom | None) -> Atom | None:
        return None if fact is None else Atom(names[fact.predicate], fact.args)

    if isinstance(proof, Derivation):
        return Derivation(tuple(DerivedFact(rename(each.fact), each.premises) for each in proof.facts))
    steps = (Step(rename(each.fact), each.clause, each.values, each.premises) for each in proof.steps)
    return Refutation(tuple(steps))


def without_names(instance: Instance, is_misread: Callable[[str], bool]) -> Instance:
    """The instance with other names for those predicates whose names a solver would misread or misprint."""
    taken = set(instance.signature)
    renaming: dict[str, str] = {}
    for predicate in instance.predicates:
        if is_misread(predicate.name):
            renaming[predicate.name] = fresh_name(f"user_{predicate.name}", taken.__contains__)
            taken.add(renaming[predicate.name])
    return rename_predicates(instance, renaming) if renaming else instance
