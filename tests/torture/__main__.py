"""The long form: ``python -m tests.torture``, which `scripts/torture` runs."""

from __future__ import annotations

import argparse
import secrets
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.torture.auditor import KINDS, summary
from tests.torture.clients import KINDS as CLIENTS
from tests.torture.commands import can_roll_back, hear_interrupts
from tests.torture.phase import Phase
from tests.torture.setting import Setting, Tally
from tests.torture.table import table

SETTINGS = (
    Setting("wal"),
    Setting("delete"),
    Setting("wal", lasting=True),
    Setting("delete", lasting=True),
    Setting("wal", "rename"),
    Setting("delete", "rename"),
    Setting("wal", "in-place", lasting=True, triggers=True),
    Setting("delete", "in-place", lasting=True, triggers=True),
    Setting("wal", triggers=True),
    Setting("delete", triggers=True),
)
_REPORT_EVERY = 60.0


class _Campaign:
    """All phases of one invocation."""

    def __init__(self, folder: Path, seed: str, writers: int, minutes: float) -> None:
        self._folder = folder
        self._seed = seed
        self._writers = writers
        self._seconds = minutes * 60
        self._began = time.monotonic()
        self._told = 0.0
        self.phases: list[Phase] = []

    def run(self, settings: Sequence[Setting]) -> None:
        for number, setting in enumerate(settings):
            phase = Phase(self._folder / f"phase{number}", setting, self._seed, self._writers)
            self.phases.append(phase)
            try:
                phase.start()
                for what in phase.schedule():
                    phase.act(what)
                    self._tell()
                    if (
                        time.monotonic() - self._began > self._seconds * (number + 1) / len(settings)
                        or phase.tally.faults
                    ):
                        break
                phase.finish()
            finally:
                phase.abandon()
            if not phase.tally.faults:
                shutil.rmtree(self._folder / f"phase{number}")

    def _tell(self) -> None:
        elapsed = time.monotonic() - self._began
        if elapsed - self._told < _REPORT_EVERY:
            return
        self._told = elapsed
        tallies, acknowledged, refusals = self._sums()
        ways = {way: sum(tally.count(way=way) for tally in tallies) for way in ("rename", "in-place")}
        parts = [
            f"{elapsed / 60:4.1f} min",
            "acknowledged " + ", ".join(f"{kind} {acknowledged[kind]}" for kind in CLIENTS),
            f"refused {sum(refusals.values())}",
            "runs " + ", ".join(f"{name} {count}" for name, count in _outcomes(tallies).most_common()),
            ", ".join(f"{way} {count}" for way, count in ways.items()),
            f"killed writers {sum(tally.killed_writers for tally in tallies)}",
            f"rolled back {sum(tally.count(what='rollback', outcome='swapped') for tally in tallies)}",
            f"stragglers {sum(tally.stragglers for tally in tallies)}",
            f"audits {sum(tally.audits for tally in tallies)}",
            f"errors {sum(len(tally.faults) for tally in tallies)}",
        ]
        print(" | ".join(parts), flush=True)

    def _sums(self) -> tuple[list[Tally], Counter[str], Counter[str]]:
        acknowledged: Counter[str] = Counter()
        refusals: Counter[str] = Counter()
        for phase in self.phases:
            if not phase.logs.finished:
                phase.logs.read()
            acknowledged += phase.logs.acknowledged
            refusals += phase.logs.refusals
        return [phase.tally for phase in self.phases], acknowledged, refusals

    def table(self) -> str:
        head = [
            "", *CLIENTS, "busy", "loud", "runs", "rename", "in-place", "unchanged", "rejected", "busy runs", "killed",
            "rolled back", "recovered", "stragglers", "killed writers", "audits", "judged", "excepted", *KINDS,
        ]  # fmt: skip
        rows = [[f"({number})", *_numbers(phase)] for number, phase in enumerate(self.phases, 1)]
        total = ["total", *(sum(column) for column in zip(*(_numbers(phase) for phase in self.phases), strict=True))]
        names = [f"({number}) {phase.setting.name}" for number, phase in enumerate(self.phases, 1)]
        # One phase is one column: there are more figures than fit side by side.
        return "\n".join([*names, "", table(list(zip(head, *rows, total, strict=True)))])

    def faults(self) -> list[str]:
        return summary([fault for phase in self.phases for fault in phase.tally.faults])


def _outcomes(tallies: Sequence[Tally]) -> Counter[str]:
    found: Counter[str] = Counter()
    for tally in tallies:
        for (_, outcome, _), count in tally.outcomes.items():
            found[outcome] += count
    return found


def _numbers(phase: Phase) -> list[int]:
    tally, logs = phase.tally, phase.logs
    faults = Counter(fault.kind for fault in tally.faults)
    return [
        *(logs.acknowledged[kind] for kind in CLIENTS),
        logs.refusals["busy"],
        logs.refusals["moved"],
        tally.count(),
        tally.count(way="rename"),
        tally.count(way="in-place"),
        tally.count(outcome="unchanged"),
        tally.count(outcome="rejected"),
        tally.count(outcome="busy"),
        tally.count(outcome="killed"),
        tally.count(what="rollback", outcome="swapped"),
        tally.recovered,
        tally.stragglers,
        tally.killed_writers,
        tally.audits,
        tally.judged,
        tally.excepted,
        *(faults[kind] for kind in KINDS),
    ]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/torture",
        description="Hammer stores with writers and runs that are killed, rejected and rolled back, and audit them.",
    )
    parser.add_argument("--minutes", type=float, default=10.0, help="how long, in minutes (default: 10)")
    parser.add_argument("--seed", default=None, help="what decides the random choices (default: another one each time)")
    parser.add_argument("--writers", type=int, default=6, help="how many writers at a time (default: 6)")
    parser.add_argument("--journal", choices=("wal", "delete"), help="only this journal mode")
    parser.add_argument("--mode", choices=("auto", "rename", "in-place"), help="only this swap.mode")
    parser.add_argument("--keep", action="store_true", help="keep the folder of a failure")
    return parser.parse_args()


def main() -> int:
    options = _options()
    hear_interrupts()
    seed = options.seed or secrets.token_hex(4)
    settings = [one for one in SETTINGS if options.journal in (None, one.journal) and options.mode in (None, one.mode)]
    folder = Path(tempfile.mkdtemp(prefix="consolidate-torture."))
    rolls_back = "with" if can_roll_back() else "without"
    print(
        f"seed {seed}, {options.writers} writers ({', '.join(CLIENTS)}), {len(settings)} phases, {rolls_back} rollbacks"
    )
    campaign = _Campaign(folder, seed, options.writers, options.minutes)
    failed = True
    try:
        campaign.run(settings)
        faults = campaign.faults()
        print("\n" + campaign.table())
        print("\n".join(["", *faults]) if faults else "\nNo discrepancy.", flush=True)
        failed = bool(faults)
    finally:
        if failed and options.keep:
            print(f"Everything is kept in {folder}.")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
