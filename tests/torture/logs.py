"""What the writers logged, read again and again while they write."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.torture.application import Operation
from tests.torture.writer import read_log


@dataclass
class Logs:
    """The logs of all writers of one store.

    Attributes:
        folder: where they are; named ``<writer>-<life>-<kind>``.
        intents: what was about to be done, in the order of each writer.
        ends: how it ended: ``ack``, ``refused``, ``unknown``; a writer that was killed said nothing.
        acknowledged: by kind of client.
        refusals: by reason.
        faults: what a writer saw that can never be.
        stale: reads that showed an earlier state than the writer knew of.
        finished: whether nothing will be added any more.
    """

    folder: Path
    intents: dict[str, Operation] = field(default_factory=dict)
    ends: dict[str, str] = field(default_factory=dict)
    acknowledged: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    finished: bool = False
    _offsets: dict[Path, int] = field(default_factory=dict)

    def read(self) -> None:
        """Read what was added since."""
        for path in sorted(self.folder.iterdir()):
            writer, _, kind = path.name.split("-")
            lines, self._offsets[path] = read_log(path, self._offsets.get(path, 0))
            for line in lines:
                if "intent" in line:
                    operation = Operation.of(line["intent"])
                    self.intents[operation.name] = operation
                elif "end" in line:
                    self.ends[line["end"]] = line["how"]
                    self.acknowledged[kind] += line["how"] == "ack"
                    if line["how"] == "refused":
                        self.refusals[line["why"]] += 1
                elif "refused" in line:
                    self.refusals[line["refused"]] += 1
                elif "fault" in line:
                    self.faults.append(f"writer {writer} ({kind}): {line['fault']}")
                else:
                    self.stale.append(f"writer {writer} ({kind}): {line['stale']}")

    def acked(self) -> set[str]:
        return {name for name, how in self.ends.items() if how == "ack"}
