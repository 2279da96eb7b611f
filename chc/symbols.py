"""What a script has declared so far: sorts, datatypes, predicates and defined functions."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from chc.build import BUILTIN_NAMES, SortError, coerce
from chc.build import apply as apply_builtin
from chc.sorts import (
    BUILTIN_SORT_NAMES,
    RESERVED_WORDS,
    Constructor,
    Datatype,
    DatatypeGroup,
    Sort,
    make_sort,
    show_sort,
    substitute_sorts,
)
from chc.terms import (
    Term,
    constructor_term,
    predicate_term,
    selector_term,
    substitute,
    subterms,
    tester_term,
    tree_size,
)


class Definition(msgspec.Struct, frozen=True):
    """A `define-fun`: a macro, replaced by its body wherever it is used."""

    params: tuple[Term, ...]
    body: Term
    size: int


class Symbols:
    """The names in scope of a script. Names are declared once; nothing is ever redeclared."""

    def __init__(self) -> None:
        self.sorts: dict[str, int] = {}
        self.sort_macros: dict[str, tuple[tuple[Sort, ...], Sort]] = {}
        self.datatypes: dict[str, Datatype] = {}
        self.groups: list[DatatypeGroup] = []
        self.constructors: dict[str, tuple[Datatype, Constructor]] = {}
        self.selectors: dict[str, tuple[Datatype, Constructor, int]] = {}
        self.predicates: dict[str, tuple[Sort, ...]] = {}
        self.definitions: dict[str, Definition] = {}
        self.expanded_nodes = 0

    def check_new_sort(self, name: str) -> None:
        if name in BUILTIN_SORT_NAMES or name in self.sorts or name in self.sort_macros or name in self.datatypes:
            raise SortError(f"the sort `{name}` exists already")

    def check_new_function(self, name: str) -> None:
        taken = (self.constructors, self.selectors, self.predicates, self.definitions)
        if name in BUILTIN_NAMES or name in RESERVED_WORDS:
            raise SortError(f"`{name}` belongs to SMT-LIB and cannot be declared again")
        if any(name in table for table in taken):
            raise SortError(f"`{name}` is declared already")

    def hides(self, name: str) -> bool:
        """Whether a variable of this name would hide a symbol that may have to be printed in its scope."""
        return name in self.predicates or name in self.constructors or name in self.selectors or name in BUILTIN_NAMES

    def declare_datatypes(self, group: DatatypeGroup) -> None:
        """Adds the constructors, selectors and testers of datatypes whose sort names are known already."""
        for datatype in group.datatypes:
            for constructor in datatype.constructors:
                self.check_new_function(constructor.name)
                self.constructors[constructor.name] = (datatype, constructor)
                for position, selector in enumerate(constructor.selectors):
                    self.check_new_function(selector.name)
                    self.selectors[selector.name] = (datatype, constructor, position)
        self.groups.append(group)

    def sort_of(self, name: str, args: tuple[Sort, ...]) -> Sort:
        """The declared sort of this name over these arguments."""
        if name in self.sort_macros:
            params, body = self.sort_macros[name]
            _check_arity(name, len(params), len(args))
            return substitute_sorts(body, dict(zip(params, args, strict=True)))
        arity = {"Bool": 0, "Int": 0, "Real": 0, "Array": 2}.get(name, self.sorts.get(name))
        if name in self.datatypes:
            arity = len(self.datatypes[name].parameters)
        if arity is None:
            raise SortError(f"the sort `{name}` is not declared")
        _check_arity(name, arity, len(args))
        return make_sort(name, args)

    def apply(self, name: str, args: tuple[Term, ...], params: tuple[object, ...] = ()) -> Term:
        """The symbol `name` applied to `args`, whatever it was declared as."""
        if params and name == "is":
            return self.test(str(params[0]), args)
        if name in BUILTIN_NAMES or params:
            return apply_builtin(name, args, params)
        if name in self.predicates:
            return predicate_term(name, self._fitting(name, args, self.predicates[name]))
        if name in self.constructors:
            return self.construct(name, args, None)
        if name in self.selectors:
            return self._select(name, args)
        if name in self.definitions:
            return self._expand(name, args)
        if name.startswith("is-") and name[3:] in self.constructors:
            return self.test(name[3:], args)
        return apply_builtin(name, args)

    def construct(self, name: str, args: tuple[Term, ...], result: Sort | None) -> Term:
        """A constructor applied; `result` is the sort of `(as name result)`, where the text says it."""
        datatype, constructor = self.constructors[name]
        if result is None:
            result = self._result_sort(datatype, constructor, args)
        elif result.name != datatype.name:
            raise SortError(f"`{name}` does not construct {show_sort(result)}")
        fields = next(c for c in datatype.instantiate(result) if c.name == name).selectors
        return constructor_term(name, self._fitting(name, args, [field.sort for field in fields]), result)

    def test(self, name: str, args: tuple[Term, ...]) -> Term:
        """`((_ is name) arg)`."""
        if name not in self.constructors:
            raise SortError(f"`{name}` is no constructor of a declared datatype")
        datatype, _ = self.constructors[name]
        if len(args) != 1 or args[0].sort.name != datatype.name:
            raise SortError(f"(_ is {name}) expects one argument of sort {datatype.name}")
        return tester_term(name, args[0])

    def _select(self, name: str, args: tuple[Term, ...]) -> Term:
        datatype, constructor, position = self.selectors[name]
        if len(args) != 1 or args[0].sort.name != datatype.name:
            found = " ".join(show_sort(arg.sort) for arg in args)
            raise SortError(f"`{name}` expects one argument of sort {datatype.name}, found ({found})")
        here = next(c for c in datatype.instantiate(args[0].sort) if c.name == constructor.name)
        return selector_term(here.selectors[position], constructor.name, position, args[0])

    def _expand(self, name: str, args: tuple[Term, ...]) -> Term:
        definition = self.definitions[name]
        args = self._fitting(name, args, [param.sort for param in definition.params])
        self.expanded_nodes += definition.size
        return substitute([definition.body], dict(zip(definition.params, args, strict=True)))[0]

    def define(self, name: str, params: tuple[Term, ...], body: Term) -> None:
        self.check_new_function(name)
        # Below quantifiers sharing ends where a variable is bound anew, so that every use may cost all of it.
        size = tree_size(body) if body.has_quantifier else sum(1 for _ in subterms([body]))
        self.definitions[name] = Definition(params, body, size)

    def _fitting(self, name: str, args: tuple[Term, ...], sorts: Sequence[Sort]) -> tuple[Term, ...]:
        _check_arity(name, len(sorts), len(args))
        args = coerce(args, sorts)
        for number, (arg, sort) in enumerate(zip(args, sorts, strict=True), 1):
            if arg.sort is not sort:
                raise SortError(
                    f"argument {number} of `{name}` is of sort {show_sort(arg.sort)}, expected {show_sort(sort)}"
                )
        return args

    def _result_sort(self, datatype: Datatype, constructor: Constructor, args: tuple[Term, ...]) -> Sort:
        """The sort that a constructor of a parametric datatype builds, read off its arguments."""
        if not datatype.parameters:
            return make_sort(datatype.name)
        binding: dict[Sort, Sort] = {}
        for selector, arg in zip(constructor.selectors, args, strict=False):
            _match_sorts(selector.sort, arg.sort, set(datatype.parameters), binding)
        missing = [p.name for p in datatype.parameters if p not in binding]
        if missing:
            raise SortError(
                f"the sort of `{constructor.name}` is open in {', '.join(missing)}; write (as {constructor.name} SORT)"
            )
        return make_sort(datatype.name, tuple(binding[p] for p in datatype.parameters))


def _check_arity(name: str, expected: int, found: int) -> None:
    if expected != found:
        raise SortError(f"`{name}` expects {expected} argument{'s' * (expected != 1)}, found {found}")


def _match_sorts(pattern: Sort, sort: Sort, parameters: set[Sort], binding: dict[Sort, Sort]) -> None:
    pending = [(pattern, sort)]
    while pending:
        left, right = pending.pop()
        if left in parameters:
            binding.setdefault(left, right)
        elif left.name == right.name and len(left.args) == len(right.args):
            pending.extend(zip(left.args, right.args, strict=True))
