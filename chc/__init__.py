"""The language of constrained Horn clauses.

Sorts, terms, clauses, instances, models and refutations; reading and printing SMT-LIB; evaluation of ground
terms. Everything here is pure: no input or output, no solver, no clock, no randomness of its own. The package
imports nothing else of this project, and every other package may import it.

The way of an instance: text → `lexer` (tokens) → `term_reader` (sorted terms) → `script` (declarations and
assertions) → `clausify` (Horn clauses) → `instance.Instance` → `printer` (text again). What is printed reads back as
the same terms: see `shadowing` and `terms.builtin` for what that takes. `fragment` says what kind an instance is of.
"""
