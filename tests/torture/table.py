"""Tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(rows: Sequence[Iterable[object]]) -> str:
    """Lay out rows of cells, the first of which names the columns; numbers stand to the right."""
    texts = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    lines = [
        "  ".join(
            text.ljust(width) if column == 0 else text.rjust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in texts
    ]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])
