"""Witnesses about an instance whose predicates had to be renamed before a solver saw it, under the old names."""

from __future__ import annotations

from collections.abc import Mapping

from chc.instance import Atom
from chc.model import Model
from chc.refutation import Derivation, DerivedFact


def rename_model(model: Model, names: Mapping[str, str]) -> Model:
    return Model({names[name]: interpretation for name, interpretation in model.interpretations.items()})


def rename_derivation(derivation: Derivation, names: Mapping[str, str]) -> Derivation:
    def rename(fact: Atom | None) -> Atom | None:
        return None if fact is None else Atom(names[fact.predicate], fact.args)

    return Derivation(tuple(DerivedFact(rename(each.fact), each.premises) for each in derivation.facts))
