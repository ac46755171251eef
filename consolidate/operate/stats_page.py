"""The figures of `stats` as one page that needs no network: charts for a wall, readable on a phone, light and dark."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from consolidate.operate.stats import ACTIONS, Series, TenantStats
from consolidate.operate.status import size_text
from consolidate.times import format_when

_WIDTH, _HEIGHT = 320, 110

_STYLE = """
:root { color-scheme: light dark; --page: #f6f7f9; --card: #fff; --ink: #16191d; --soft: #5b6470; --line: #dfe3e8;
  --a: #2a6fdb; --b: #1b9e77; --c: #d95f02; --d: #7b57c8; --e: #c2378a; --good: #2e8b57; --quiet: #9db8a6; --bad: #c62f3b;
  --warn: #d98c00; }
@media (prefers-color-scheme: dark) { :root { --page: #0f1216; --card: #191e24; --ink: #e8ebef; --soft: #9aa5b1;
  --line: #2c343d; --a: #6ea8ff; --b: #4fd1a5; --c: #ff9d57; --d: #b197fc; --e: #f783c5; --good: #4cc38a; --quiet: #47614f;
  --bad: #ff6b75; --warn: #f2b84b; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 1.25rem; background: var(--page); color: var(--ink); font: 16px/1.45 system-ui, sans-serif; }
main { max-width: 1160px; margin: 0 auto; }
h1 { font-size: 1.5rem; margin: 0; }
p { color: var(--soft); margin: .15rem 0 1.1rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 330px), 1fr)); gap: .9rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .8rem .9rem; min-width: 0; }
.card h2 { font-size: .95rem; font-weight: 600; margin: 0; color: var(--soft); }
.card b { font-size: 1.5rem; font-weight: 650; }
.card small { color: var(--soft); }
svg { display: block; width: 100%; height: auto; margin-top: .4rem; }
svg text { fill: var(--soft); font: 9px system-ui, sans-serif; }
.axis { stroke: var(--line); stroke-width: 1; }
.key { display: flex; flex-wrap: wrap; gap: .2rem .8rem; margin-top: .4rem; font-size: .8rem; color: var(--soft); }
.key i { display: inline-block; width: .7em; height: .7em; border-radius: 2px; margin-right: .35em; }
.scroll { overflow-x: auto; margin-top: 1.1rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
table { border-collapse: collapse; width: 100%; font-size: .88rem; }
th, td { text-align: right; padding: .45rem .7rem; border-top: 1px solid var(--line); white-space: nowrap; }
tr:first-child th { border-top: 0; color: var(--soft); font-weight: 600; }
th:first-child, td:first-child { text-align: left; }
td svg { width: 110px; margin: 0 0 0 auto; }
.bad { color: var(--bad); font-weight: 600; }
"""


def page(
    found: Sequence[TenantStats], dates: Sequence[str], total: Series, per_tenant: Sequence[Series], now: float
) -> str:
    """Return the page.

    Args:
        found: the tenants.
        dates: the days.
        total: one value per day of each signal, over all tenants.
        per_tenant: the same for each tenant of ``found``.
        now: when it was made, Unix seconds.
    """
    cards = "".join(_cards(found, dates, total, now))
    title = "The memory of " + (escape(found[0].tenant) if len(found) == 1 else f"{len(found)} tenants")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{_STYLE}</style></head><body><main>"
        f"<h1>{title}</h1><p>{len(dates)} days to {dates[-1]}, drawn {escape(format_when(now))} UTC.</p>"
        f'<div class="cards">{cards}</div>{_table(found, per_tenant)}</main></body></html>\n'
    )


def _cards(found: Sequence[TenantStats], dates: Sequence[str], total: Series, now: float) -> list[str]:
    facts = sum(item.facts for item in found)
    stale = sum(item.stale_share * item.facts for item in found) / facts if facts else 0.0
    oldest = min((item.review_oldest for item in found if item.review_oldest is not None), default=None)
    waiting = sum(item.review for item in found)
    since = "" if oldest is None else f"the oldest for {max(0, round((now - oldest) / 86_400))} days"
    nights = [
        ("swapped", "--good"), ("unchanged", "--quiet"), ("busy", "--warn"), ("rejected", "--bad"), ("failed", "--d"),
    ]  # fmt: skip
    actions = list(zip(ACTIONS, ("--warn", "--a", "--b", "--d", "--e"), strict=True))
    bad = sum(total["rejected"]) + sum(total["failed"])
    return [
        _card("Runs by outcome", f"{bad:.0f}", "rejected or failed", _bars(dates, total, nights)),
        _card("Actions", f"{sum(sum(total[name]) for name in ACTIONS):,.0f}", "in all", _bars(dates, total, actions)),
        _card("Review queue", f"{waiting}", since or "waiting", _line(dates, total["review_queue"], "--e")),
        _card(
            "Users with two values before a run", f"{total['two_values'][-1]:.0f}", "on the last day",
            _bars(dates, total, [("two_values", "--c")]),
        ),
        _card(
            "Clusters of duplicates merged", f"{sum(total['clusters']):,.0f}", "in all",
            _bars(dates, total, [("clusters", "--a")]),
        ),
        _card(
            "Size of the stores", size_text(sum(item.bytes for item in found)), f"{facts:,} facts, {stale:.0%} stale",
            _line(dates, total["bytes"], "--b", lambda value: size_text(round(value))),
        ),
        _card("Time taken", f"{total['seconds'][-1]:.1f} s", "on the last day", _line(dates, total["seconds"], "--d", _seconds)),
        _card(
            "Stores locked", f"{1000 * max(total['lock_seconds'], default=0):.0f} ms", "on the worst day",
            _line(dates, total["lock_seconds"], "--c", _milliseconds),
        ),
        _card(
            "Rows written by others meanwhile", f"{sum(total['late_rows']):,.0f}", "in all",
            _bars(dates, total, [("late_rows", "--a")]),
        ),
    ]  # fmt: skip


def _card(title: str, figure: str, meaning: str, chart: str) -> str:
    return (
        f'<section class="card"><h2>{escape(title)}</h2><b>{escape(figure)}</b> <small>{escape(meaning)}</small>'
        f"{chart}</section>"
    )


def _frame(dates: Sequence[str], top: str, inner: str, label: str) -> str:
    base = _HEIGHT - 14
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(label)}">'
        f'<line class="axis" x1="0" x2="{_WIDTH}" y1="{base}" y2="{base}"/>{inner}'
        f'<text x="0" y="8">{escape(top)}</text><text x="0" y="{_HEIGHT - 3}">{dates[0]}</text>'
        f'<text x="{_WIDTH}" y="{_HEIGHT - 3}" text-anchor="end">{dates[-1]}</text></svg>'
    )


def _bars(dates: Sequence[str], total: Series, kinds: Sequence[tuple[str, str]]) -> str:
    """Draw stacked bars, one a day, with a key if there are several kinds."""
    sums = [sum(total[name][place] for name, _ in kinds) for place in range(len(dates))]
    top = max(sums, default=0) or 1
    step, base, room = _WIDTH / len(dates), _HEIGHT - 14, _HEIGHT - 26
    parts = []
    for place, date in enumerate(dates):
        told = ", ".join(f"{total[name][place]:g} {_words(name)}" for name, _ in kinds if total[name][place])
        bars, y = [], float(base)
        for name, colour in kinds:
            height = room * total[name][place] / top
            if height > 0:
                y -= height
                bars.append(
                    f'<rect x="{place * step + step * 0.1:.1f}" y="{y:.1f}" width="{step * 0.8:.1f}" height="{height:.1f}" '
                    f'style="fill:var({colour})"/>'
                )
        parts.append(f"<g><title>{date}: {escape(told or 'nothing')}</title>{''.join(bars)}</g>")
    key = "".join(f'<span><i style="background:var({colour})"></i>{_words(name)}</span>' for name, colour in kinds)
    drawn = _frame(dates, f"{max(sums, default=0):,.0f}", "".join(parts), ", ".join(_words(name) for name, _ in kinds))
    return drawn + (f'<div class="key">{key}</div>' if len(kinds) > 1 else "")


def _line(
    dates: Sequence[str], values: Sequence[float], colour: str, shown: Callable[[float], str] = "{:,.0f}".format
) -> str:
    """Draw a line over the days with the area below it."""
    top = max(values, default=0) or 1
    base, room, step = _HEIGHT - 14, _HEIGHT - 26, _WIDTH / max(1, len(values) - 1)
    points = " ".join(f"{place * step:.1f},{base - room * value / top:.1f}" for place, value in enumerate(values))
    marks = "".join(
        f'<circle cx="{place * step:.1f}" cy="{base - room * value / top:.1f}" r="5" fill="transparent">'
        f"<title>{date}: {escape(shown(value))}</title></circle>"
        for place, (date, value) in enumerate(zip(dates, values, strict=True))
    )
    inner = (
        f'<polygon points="0,{base} {points} {_WIDTH},{base}" style="fill:var({colour});opacity:.14"/>'
        f'<polyline points="{points}" style="fill:none;stroke:var({colour});stroke-width:2;stroke-linejoin:round"/>{marks}'
    )
    return _frame(dates, shown(max(values, default=0)), inner, "over the days")


def _table(found: Sequence[TenantStats], per_tenant: Sequence[Series]) -> str:
    head = ("Tenant", "Actions", "Rejected", "Facts", "Stale", "Longest chain", "Review", "Size")
    rows = []
    for item, own in zip(found, per_tenant, strict=True):
        acted = [sum(own[name][place] for name in ACTIONS) for place in range(len(own["bytes"]))]
        bad = int(sum(own["rejected"]) + sum(own["failed"]))
        cells = [
            _spark(acted),
            f'<span class="bad">{bad}</span>' if bad else "0",
            f"{item.facts:,}",
            f"{item.stale_share:.0%}",
            f"{item.longest_chain}",
            f"{item.review}",
            size_text(item.bytes),
        ]
        note = f' <span class="bad" title="{escape(item.error)}">not read</span>' if item.error else ""
        rows.append(f"<tr><td>{escape(item.tenant)}{note}</td>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
    heads = "".join(f"<th>{name}</th>" for name in head)
    return f'<div class="scroll"><table><tr>{heads}</tr>{"".join(rows)}</table></div>'


def _spark(values: Sequence[float]) -> str:
    top = max(values, default=0) or 1
    step = 110 / max(1, len(values))
    bars = "".join(
        f'<rect x="{place * step:.1f}" y="{20 - 18 * value / top:.1f}" width="{step * 0.8:.1f}" '
        f'height="{18 * value / top:.1f}" style="fill:var(--a)"/>'
        for place, value in enumerate(values)
        if value > 0
    )
    return f'<svg viewBox="0 0 110 20" role="img" aria-label="actions over the days">{bars}</svg>'


def _seconds(value: float) -> str:
    return f"{value:.2f} s"


def _milliseconds(value: float) -> str:
    return f"{1000 * value:.0f} ms"


def _words(name: str) -> str:
    return name.replace("_", " ")
