"""What a certificate costs to check, next to the run of the solver that gave it."""

from __future__ import annotations

from statistics import median, quantiles
from time import perf_counter
from typing import Final

import anyio
import msgspec

from backends.answer import Answer
from backends.checker_programs import Z3
from backends.examination import Examiner, Standing
from backends.limits import Limits
from backends.spacer import SPACER
from backends.spacer_releases import own_spacer
from benchmarks.figures import Aim, Figure, Report, Row
from benchmarks.inputs import Input, Inputs, Scale, evenly
from chc.instance import Instance
from chc.script import read_instance
from chc.witness import Truth, proved_by
from daemon.bench import Bench
from transformations.corpus import corpus

_AIM: Final = Aim(1 / 3)
_LIMITS: Final = Limits(wall_seconds=2, memory_mb=4096)
_REPEATS: Final = 3


class Cost(msgspec.Struct, frozen=True):
    """Of one valid certificate, in seconds: the solver's run, all of the examination, and reading the witness."""

    truth: Truth
    solving: float
    checking: float
    reading: float

    @property
    def ratio(self) -> float:
        return self.checking / self.solving


def measure(inputs: Inputs, scale: Scale) -> Report:
    """One row for each kind of witness and origin, and one for all."""
    costs, asked = anyio.run(_costs, {"embedded": _embedded(), "seeds": list(inputs.seeds)}, scale)
    rows = [
        _row(f"{truth} of {origin}", [cost for cost in found if cost.truth is truth])
        for origin, found in costs.items()
        for truth in Truth
        if any(cost.truth is truth for cost in found)
    ]
    every = [cost for found in costs.values() for cost in found]
    if every:
        rows.append(_row("all", every))
    notes = (
        f"{asked} instances asked of Spacer, {len(every)} gave a certificate that z3, alone and warm, calls valid; "
        f"medians, each the median of {_REPEATS}; checking is reading the witness, recovering and checking it",
        *inputs.notes,
    )
    return Report("checking a certificate", tuple(rows), notes)


def _embedded() -> list[Input]:
    return [Input(each.name, each.text) for each in corpus()]


async def _costs(texts: dict[str, list[Input]], scale: Scale) -> tuple[dict[str, list[Cost]], int]:
    costs: dict[str, list[Cost]] = {}
    asked = 0
    async with Bench(Examiner((Z3,))) as bench:
        for origin, all_of_them in texts.items():
            chosen = evenly(all_of_them, scale.checked)
            found = [await cost_of(each.text, bench) for each in chosen]
            costs[origin] = [cost for cost in found if cost is not None]
            asked += len(chosen)
    return costs, asked


async def cost_of(text: str, bench: Bench) -> Cost | None:
    """None where there is no valid certificate: what is wrong or missing is not what is measured here."""
    instance = read_instance(text)
    answer = await bench.ask(SPACER.for_witnesses(own_spacer()), instance, _LIMITS)
    examination = await bench.thorough.examine_answer(instance, answer)
    if examination.standing is not Standing.valid or examination.witness is None:
        return None
    truth = proved_by(examination.witness)
    del examination  # with its witness, whose terms the next reading would find already made
    again = [await bench.ask(answer.configuration, instance, _LIMITS) for _ in range(_REPEATS - 1)]
    return Cost(
        truth=truth,
        solving=median(each.seconds for each in (answer, *again)),
        checking=median([await _examine(instance, answer, bench) for _ in range(_REPEATS)]),
        reading=median(_read(instance, answer) for _ in range(_REPEATS)),
    )


async def _examine(instance: Instance, answer: Answer, bench: Bench) -> float:
    started = perf_counter()
    await bench.thorough.examine_answer(instance, answer)
    return perf_counter() - started


def _read(instance: Instance, answer: Answer) -> float:
    started = perf_counter()
    SPACER.read_witness(answer, instance)
    return perf_counter() - started


def _row(subject: str, costs: list[Cost]) -> Row:
    return Row(
        subject,
        (
            Figure("certificates", len(costs), ""),
            Figure("solving", _median_ms([cost.solving for cost in costs]), "ms"),
            Figure("checking", _median_ms([cost.checking for cost in costs]), "ms"),
            Figure("of it reading", _median_ms([cost.reading for cost in costs]), "ms"),
            Figure("share of solving", median(cost.ratio for cost in costs), "median", _AIM),
            Figure("share of solving", _ninth_decile([cost.ratio for cost in costs]), "9th decile"),
        ),
    )


def _median_ms(seconds: list[float]) -> float:
    return 1000 * median(seconds)


def _ninth_decile(values: list[float]) -> float:
    return quantiles(values, n=10, method="inclusive")[-1] if len(values) > 1 else values[0]
