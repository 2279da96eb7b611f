"""Models: for each predicate a formula over its arguments that says where it holds."""

from __future__ import annotations

import msgspec

from chc.instance import Atom, Instance, Predicate
from chc.lexer import ReadError
from chc.printer import show_term
from chc.sorts import BOOL, Sort, show_sort
from chc.symbols import Symbols
from chc.terms import Term, free_variables, substitute, variable
from chc.vocabulary import read_sort, read_term, symbols_without_predicates


class Interpretation(msgspec.Struct, frozen=True):
    """Where one predicate holds: `body` is a formula whose free variables are among `params`."""

    params: tuple[Term, ...]
    body: Term

    def at(self, args: tuple[Term, ...]) -> Term:
        """The body with the arguments in place of the parameters."""
        return substitute([self.body], dict(zip(self.params, args, strict=True)))[0]


class Model(msgspec.Struct, frozen=True):
    """An interpretation for every predicate of an instance, by name."""

    interpretations: dict[str, Interpretation]

    def holds(self, atom: Atom) -> Term:
        """The formula that says when the atom holds in this model."""
        return self.interpretations[atom.predicate].at(atom.args)


def misfit(interpretation: Interpretation, predicate: Predicate) -> str | None:
    """What keeps the interpretation from being one of this predicate, in words; None if nothing does."""
    found = tuple(param.sort for param in interpretation.params)
    if found != predicate.sorts:
        return f"`{predicate.name}` takes ({_show_sorts(predicate.sorts)}), not ({_show_sorts(found)})"
    if interpretation.body.sort is not BOOL:
        sort = show_sort(interpretation.body.sort)
        return f"the interpretation of `{predicate.name}` is of sort {sort}, not a formula"
    if len(set(interpretation.params)) < len(interpretation.params):
        return f"the interpretation of `{predicate.name}` names two arguments alike"
    strangers = [var.name for var in free_variables([interpretation.body]) if var not in interpretation.params]
    if strangers:
        return f"the interpretation of `{predicate.name}` speaks of `{strangers[0]}`, which is no argument"
    return None


def _show_sorts(sorts: tuple[Sort, ...]) -> str:
    return " ".join(show_sort(sort) for sort in sorts)


class _Written(msgspec.Struct, frozen=True):
    """An interpretation as stored: names and sorts of the parameters, and the body as text."""

    params: tuple[tuple[str, str], ...]
    body: str


def model_to_json(model: Model) -> dict[str, object]:
    """The model as plain data, the same for the same model; predicates in alphabetical order."""
    return {
        name: {
            "params": [[param.name, show_sort(param.sort)] for param in interpretation.params],
            "body": show_term(interpretation.body),
        }
        for name, interpretation in sorted(model.interpretations.items())
    }


def model_from_json(data: object, instance: Instance) -> Model:
    """The model of this instance that `model_to_json` wrote; `ReadError` where the data is something else."""
    try:
        stored = msgspec.convert(data, dict[str, _Written], strict=True)
    except msgspec.ValidationError as problem:
        raise ReadError(f"the data is not a model: {problem}") from None
    symbols = symbols_without_predicates(instance)
    read = {name: _read_written(written, symbols) for name, written in stored.items()}
    for predicate in instance.predicates:
        if predicate.name not in read:
            raise ReadError(f"the model says nothing about the predicate `{predicate.name}`")
        reason = misfit(read[predicate.name], predicate)
        if reason is not None:
            raise ReadError(reason)
    return Model(read)


def _read_written(written: _Written, symbols: Symbols) -> Interpretation:
    params = tuple(variable(name, read_sort(sort, symbols)) for name, sort in written.params)
    return Interpretation(params, read_term(written.body, symbols, params))
