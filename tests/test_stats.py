"""Signals over weeks, from outside: what the nights did, day by day, as a table, as JSON and as one page."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from consolidate.operate.stats import sparkline
from tests.night import DAY, NOW, Finished, Store, at, command


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Three nights of two tenants; the third night of one of them is rejected."""
    root = tmp_path / "tenants"
    store, other = Store(root, "acme"), Store(root, "b & <co>")
    other.fact("x", "cat", day=1, attribute="pet")
    other.good_night(now=NOW - 2 * DAY)
    for number, value in enumerate(["Boston", "Austin", "Oslo", "oslo", "Rome"]):
        store.fact(f"f{number}", value, day=number + 1)
    store.fact("old", "tea", day=1, attribute="drink", expires_at=at(5))
    store.fact("guess", "Paris", day=9, source="inferred")
    store.fact("tom", "Kiel", day=1, user="tom")
    assert store.good_night(now=NOW - 2 * DAY)["actions"]["merge"] == 1
    store.fact("tom2", "Bonn", day=29, user="tom")
    store.good_night(now=NOW - DAY)
    store.path.with_name("probes.toml").write_text('[[probe]]\nuser = "maya"\nattribute = "pet"\ncount = 1\n')
    store.fact("tom3", "Lima", day=30, user="tom")
    assert store.night().status == 65
    return root


def stats(root: Path, *more: str) -> Finished:
    return command("stats", "--root", str(root), "--now", str(NOW), "--days", "5", *more)


def test_every_signal_has_a_value_for_every_day(root: Path) -> None:
    ended = stats(root, "--json")
    assert (ended.status, ended.err) == (0, "")
    document = json.loads(ended.out)
    assert document["dates"] == ["2026-05-24", "2026-05-25", "2026-05-26", "2026-05-27", "2026-05-28"]
    total = document["total"]
    assert all(len(values) == 5 for values in total.values())
    assert total["expire"] == [0, 0, 1, 0, 0]
    assert total["merge"] == [0, 0, 1, 0, 0]
    assert total["clusters"] == [0, 0, 1, 0, 0]
    assert total["supersede"] == [0, 0, 3, 1, 0]
    assert total["review"] == [0, 0, 1, 0, 0]
    assert total["two_values"] == [0, 0, 1, 1, 0]
    assert total["review_queue"] == [0, 0, 1, 1, 1]
    assert total["rejected"] == [0, 0, 0, 0, 1]
    assert total["bytes"][2] > 0
    assert total["seconds"][2] > 0
    acme = next(item for item in document["tenants"] if item["tenant"] == "acme")
    assert acme["facts"] == 10
    assert acme["longest_chain"] == 4
    assert acme["statuses"] == {"active": 3, "expired": 1, "merged": 1, "review": 1, "superseded": 4}
    assert acme["stale_share"] == pytest.approx(0.7)
    assert (acme["review"], acme["review_oldest"]) == (1, NOW - 2 * DAY)


def test_the_table_has_sparklines(root: Path) -> None:
    lines = stats(root).out.splitlines()
    assert lines[0] == "2 tenants, 2026-05-24 to 2026-05-28"
    table = {line[:22].strip(): line[22:].split() for line in lines[2:16]}
    assert table["superseded"] == ["··█▃·", "0", "0", "3"]
    assert table["rejected runs"] == ["····█", "1", "0", "1"]
    assert table["review queue"] == ["··███", "1", "1", "1"]
    assert lines[-2].split()[:6] == ["acme", "10", "4", "4", "70%", "1"]
    only = stats(root, "--tenant", "b & <co>").out
    assert only.startswith("1 tenant, ")
    assert "acme" not in only


@pytest.mark.parametrize(
    ("values", "drawn"), [([], ""), ([0, 0], "··"), ([1, 2, 4, 8], "▂▃▅█"), ([0.01, 100], "▁█"), ([5, 5], "██")]
)
def test_sparklines_fill_their_height(values: list[float], drawn: str) -> None:
    assert sparkline(values) == drawn


class _Page(HTMLParser):
    """Collects what a browser would fetch, what it shows, and whether every tag is closed."""

    VOID = frozenset({"meta", "rect", "line", "circle", "polygon", "polyline"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []
        self.text = ""
        self.charts = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.charts += tag == "svg"
        self.fetched += [str(value) for name, value in attrs if name in ("src", "href", "xlink:href", "data")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_is_whole_and_needs_no_network(root: Path, tmp_path: Path) -> None:
    page = tmp_path / "stats.html"
    assert stats(root, "--html", str(page)).status == 0
    text = page.read_text("utf-8")
    parsed = _Page()
    parsed.feed(text)
    parsed.close()
    assert parsed.open == []
    assert parsed.fetched == []
    assert not re.search(r"https?:|url\(|@import|<script", text)
    assert parsed.charts == 9 + 2
    assert "b & <co>" in parsed.text
    assert "prefers-color-scheme: dark" in text
    assert 'name="viewport"' in text
    assert "2026-05-28: 1 unchanged" not in parsed.text
    assert "2026-05-28: 1 rejected" in parsed.text
    assert "nan" not in text.lower().replace("tenant", "")
    refused = stats(root, "--html", str(tmp_path / "no" / "such.html"))
    assert refused.status == 74


def test_a_store_that_cannot_be_asked_keeps_its_history(root: Path) -> None:
    (root / "acme" / "memory.db").write_text("not a database")
    ended = stats(root, "--json")
    assert ended.status == 0
    document: dict[str, Any] = json.loads(ended.out)
    acme = next(item for item in document["tenants"] if item["tenant"] == "acme")
    assert "is not a store" in acme["error"]
    assert document["total"]["supersede"] == [0, 0, 3, 1, 0]
    assert "is not a store" in stats(root).out


def test_reading_changes_nothing_and_an_empty_root_is_no_error(root: Path, tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}
    stats(root)
    assert {path: path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()} == before
    empty = tmp_path / "empty"
    empty.mkdir()
    assert stats(empty).out == f"There are no tenants under {empty}.\n"
    assert command("stats", "--root", str(root), "--days", "1").status == 2


def test_a_chain_that_bites_its_tail_ends(tmp_path: Path) -> None:
    store = Store(tmp_path / "tenants")
    for name, after in (("a", "b"), ("b", "c"), ("c", "a"), ("d", "a"), ("e", "gone")):
        store.fact(name, name, day=1, attribute=name, status="superseded", superseded_by=after, valid_to=at(2))
    [found] = json.loads(stats(store.root, "--json").out)["tenants"]
    assert found["longest_chain"] >= 4
