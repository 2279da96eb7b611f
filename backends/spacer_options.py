"""The options of Spacer for each release, as far as they may be varied or must not be.

Names, values and defaults are what `z3 -pm:fp` says for 4.8.14, 4.13.4 and 5.4.0; where nothing else is noted they are
the same in all three. A name that a release does not know ends it at once, so nothing is offered for older releases.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from backends.options import Fairness, Option
from backends.places import order_of

SEED: Final = "fp.spacer.random_seed"
_FIRST: Final = (4, 8, 14)
_WITH_GLOBAL_GUIDANCE: Final = (4, 12, 2)

_ON: Final = (
    "spacer.ctp spacer.elim_aux spacer.eq_prop spacer.ground_pobs spacer.mbqi spacer.native_mbp spacer.q3"
    " spacer.q3.instantiate spacer.q3.qgen.normalize spacer.reach_dnf spacer.reset_pob_queue"
    " spacer.use_array_eq_generalizer spacer.use_derivations spacer.use_inc_clause spacer.use_inductive_generalizer"
    " spacer.weak_abs xform.coi xform.compress_unbound xform.inline_eager xform.inline_linear xform.slice"
    " xform.subsumption_checker xform.tail_simplifier_pve"
)
_OFF: Final = (
    "spacer.iuc.split_farkas_literals spacer.push_pob spacer.q3.use_qgen spacer.restarts spacer.simplify_lemmas_post"
    " spacer.simplify_lemmas_pre spacer.simplify_pob spacer.use_euf_gen spacer.use_lemma_as_cti spacer.use_lim_num_gen"
    " spacer.validate_lemmas xform.array_blast xform.array_blast_full xform.coalesce_rules xform.elim_term_ite"
    " xform.instantiate_quantifiers xform.transform_arrays"
)
_NEWER_ON: Final = "spacer.gg.concretize spacer.gg.conjecture spacer.gg.subsume spacer.use_iuc"
_NEWER_OFF: Final = "spacer.expand_bnd spacer.global"
_NUMBERS: Final = (
    ("spacer.arith.solver", "5 6", "2"),
    ("spacer.blast_term_ite_inflation", "0 1 10", "3"),
    ("spacer.iuc", "0 2", "1"),
    ("spacer.iuc.arith", "0 3", "1"),
    ("spacer.max_num_contexts", "1 2 10", "500"),
    ("spacer.min_level", "1 3", "0"),
    ("spacer.order_children", "1 2", "0"),
    ("spacer.push_pob_max_depth", "1 3", "4294967295"),
    ("spacer.restart_initial_threshold", "1 2", "10"),
    ("xform.elim_term_ite.inflation", "0 1 10", "3"),
)
_KNOWN: Final = (
    ("spacer.iuc.arith", "2", "1", "z3's own help calls this value broken"),
    ("spacer.iuc.old_hyp_reducer", "true", "false", "z3's own help calls it for debugging only"),
    ("spacer.keep_proxy", "false", "true", "z3's own help calls it internal"),
    ("spacer.propagate", "false", "true", "without pushing lemmas Spacer finds few invariants: it gives up or goes on"),
    ("xform.fix_unbound_vars", "true", "false", "Spacer gives up on most instances then"),
    ("xform.inline_linear_branch", "true", "false", "its models can be wrong (z3 issues 5882 and 5913)"),
    ("xform.unfold_rules", "1 2", "0", "its models are not those of the clauses before unfolding"),
)
_FORBIDDEN: Final = (
    ("engine", "auto-config bmc datalog", "auto-config", "another engine of z3 is another solver"),
    ("spacer.arith.solver", "0 1 3 4", "2", "Spacer gives up on any arithmetic then"),
    ("spacer.dump_benchmarks", "true", "false", "it writes files"),
    ("spacer.gpdr", "true", "false", "the strategy is unsound: it says sat to instances that have a refutation"),
    ("spacer.max_level", "0 1 2", "4294967295", "a limit, beyond which Spacer gives up"),
    ("spacer.p3.share_invariants", "true", "false", "without callbacks from a program it does nothing"),
    ("spacer.p3.share_lemmas", "true", "false", "without callbacks from a program it does nothing"),
    ("spacer.use_bg_invs", "true", "false", "without callbacks from a program it does nothing"),
    ("xform.bit_blast", "true", "false", "unsound: it loses transitions over bit-vectors and says sat"),
    ("xform.instantiate_arrays", "true", "false", "z3 refuses it for Horn clauses"),
    ("xform.instantiate_arrays.enforce", "true", "false", "without xform.instantiate_arrays it does nothing"),
    ("xform.magic", "true", "false", "z3 refuses it for Horn clauses"),
    ("xform.quantify_arrays", "true", "false", "z3 refuses it for Horn clauses"),
    ("xform.scale", "true", "false", "z3 refuses it for Horn clauses"),
)


def space(version: str) -> tuple[Option, ...]:
    """The options of a release; nothing for one of which it is not known what it has."""
    release = order_of(version) if version[:1].isdigit() else ()
    return tuple(_options(release)) if release >= _FIRST else ()


def _options(release: tuple[int, ...]) -> Iterator[Option]:
    has_guidance = release >= _WITH_GLOBAL_GUIDANCE
    for name in f"{_ON} {_NEWER_ON if has_guidance else ''}".split():
        yield Option(f"fp.{name}", ("false",), "true")
    for name in f"{_OFF} {_NEWER_OFF if has_guidance else ''}".split():
        yield Option(f"fp.{name}", ("true",), "false")
    for name, values, default in _NUMBERS:
        yield Option(f"fp.{name}", tuple(values.split()), default)
    for fairness, table in ((Fairness.known, _KNOWN), (Fairness.forbidden, _FORBIDDEN)):
        for name, values, default, reason in table:
            yield Option(f"fp.{name}", tuple(values.split()), default, fairness, reason)
