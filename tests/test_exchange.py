"""Import and export: exact, all or nothing, and never longer in the way of others than they must be."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consolidate.errors import DataError, NotAStoreError
from consolidate.store.contract import CONTRACT, SCHEMA
from consolidate.store.exchange import LONGEST_LINE, ImportRefusedError, export_lines, import_lines
from tests.conftest import MakeStore

NOW = 1_000.0

Query = Callable[..., list[tuple[Any, ...]]]


def lines(*records: Any) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def fact(**columns: Any) -> dict[str, Any]:
    return {"kind": "fact", "user_id": "maya", "attribute": "home_city", "value": "Boston", **columns}


def bring_in(path: Path, content: bytes) -> dict[str, int]:
    return import_lines(path, io.BytesIO(content), "facts.jsonl", now=NOW)


def test_what_a_line_leaves_out_has_its_default(make_store: MakeStore, query: Query) -> None:
    path = make_store()
    counts = bring_in(
        path,
        lines(
            {"kind": "tombstone", "user_id": "maya", "attribute": ""},
            fact(),
            {"kind": "episode", "user_id": "maya", "summary": "spoke of Boston"},
            fact(multi=True, confirmations=None),
        ),
    )
    assert counts == {"facts": 2, "episodes": 1, "tombstones": 1}
    first, second = query(path, "SELECT * FROM facts ORDER BY rowid")
    assert first[0] != second[0]
    assert first[1:] == ("maya", "home_city", "Boston", 0, "user", NOW, None, None, "active", None, "", 1)
    assert (second[4], second[12]) == (1, None)
    [episode] = query(path, "SELECT * FROM episodes")
    assert episode[1:] == ("maya", NOW, "spoke of Boston")
    assert query(path, "SELECT * FROM tombstones") == [("maya", "", None)]


def test_blank_lines_a_mark_and_line_ends_of_other_systems_do_not_matter(make_store: MakeStore, query: Query) -> None:
    path = make_store()
    content = (
        b"\xef\xbb\xbf" + lines(fact(id="f1")).replace(b"\n", b"\r\n") + b"\n   \n" + lines(fact(id="f2")).rstrip()
    )
    assert bring_in(path, content)["facts"] == 2
    assert bring_in(path, b"")["facts"] == 0
    assert query(path, "SELECT id FROM facts ORDER BY rowid") == [("f1",), ("f2",)]


BAD = [
    (b"{", "is not valid JSON at character 2"),
    (b'{"kind": "fact"} {}', "is not valid JSON at character 18"),
    (b'"fact"', "is not a JSON object"),
    (b"[1]", "is not a JSON object"),
    (b"\xff", "is not valid UTF-8 at byte 1"),
    (b"[" * 100_000, "is nested too deeply"),
    (b"1" * 10_000, "holds a number that is too long"),
    (b"{}", "kind is missing"),
    (b'{"kind": "facts"}', "kind must be fact, episode or tombstone"),
    (b'{"kind": ["fact"]}', "kind must be fact, episode or tombstone"),
    (b'{"kind": "fact", "value": "a", "value": "b"}', "has the same key twice"),
    (lines(fact(colour="red")), "unknown key 'colour'"),
    (lines({"kind": "tombstone", "user_id": "maya", "attribute": "a", "id": "t"}), "unknown key 'id'"),
    (lines({"kind": "fact", "user_id": "maya", "value": "x"}), "attribute is missing"),
    (lines({"kind": "tombstone", "user_id": "maya"}), "attribute is missing"),
    (lines({"kind": "episode", "user_id": "maya"}), "summary is missing"),
    (lines(fact(id=None)), "id is null; leave it out for its default"),
    (lines(fact(user_id=None)), "user_id is null"),
    (lines(fact(id=7)), "id must be text"),
    (lines(fact(value=5)), "value must be text"),
    (lines(fact(value=["tea"])), "value must be text"),
    (lines(fact(value="half \ud800")), "value holds half of a surrogate pair"),
    (lines(fact(multi=2)), "multi must be 0 or 1"),
    (lines(fact(multi="0")), "multi must be 0 or 1"),
    (lines(fact(valid_from="2026-01-01")), "valid_from must be a number of Unix seconds"),
    (lines(fact(valid_from=True)), "valid_from must be a number of Unix seconds"),
    (lines(fact(valid_from=1_700_000_000_000)), "valid_from must be Unix seconds between"),
    (lines(fact(valid_to=10**400)), "valid_to must be Unix seconds between"),
    (b'{"kind": "fact", "valid_from": NaN}', "holds NaN, which is no number"),
    (b'{"kind": "fact", "valid_from": -Infinity}', "holds -Infinity, which is no number"),
    (lines(fact()).replace(b'"Boston"', b'"Boston", "valid_from": 1e999'), "valid_from must be Unix seconds"),
    (lines(fact(status="done")), "status must be one of active, "),
    (lines(fact(evidence=["e1"])), "evidence must be text"),
    (lines(fact(confirmations=-1)), "confirmations must be a whole number"),
    (lines(fact(confirmations=1.0)), "confirmations must be a whole number"),
    (lines(fact(confirmations=2**63)), "confirmations must be a whole number"),
    (lines(fact(value={"$blob": "xy"})), "value is an object that is none of the exact forms"),
    (lines(fact(value={"$blob": "00", "$text": "a"})), "value is an object that is none of the exact forms"),
    (lines(fact(value={"$integer": 2**63})), "value is an object that is none of the exact forms"),
    (lines(fact(value={"$text": "\ud800"})), "value is an object that is none of the exact forms"),
    (lines(fact(id="taken")), "its id is already in the store or on an earlier line"),
    (lines(fact(id="f1")), "its id is already in the store or on an earlier line"),
]


@pytest.mark.parametrize(("line", "reason"), BAD)
def test_a_bad_line_is_named_and_nothing_is_imported(
    make_store: MakeStore, query: Query, line: bytes, reason: str
) -> None:
    path = make_store(facts=[{"id": "taken", "user_id": "maya", "attribute": "home_city", "value": "Austin"}])
    with pytest.raises(ImportRefusedError) as caught:
        bring_in(path, lines(fact(id="f1")) + b"\n" + line.strip() + b"\n" + lines(fact(id="f2")))
    assert [(bad.number, bad.reason[: len(reason)]) for bad in caught.value.lines] == [(3, reason)]
    assert f"line 3: {reason}" in str(caught.value)
    assert "Boston" not in str(caught.value)
    assert query(path, "SELECT id FROM facts") == [("taken",)]


def test_a_line_without_end_is_bad_and_the_next_one_is_read(make_store: MakeStore, query: Query) -> None:
    path = make_store()
    content = lines(fact(value="x" * LONGEST_LINE)) + lines(fact()) + lines(fact(value=1))
    with pytest.raises(ImportRefusedError) as caught:
        bring_in(path, content)
    assert [(bad.number, bad.reason) for bad in caught.value.lines] == [
        (1, "is longer than 64 MiB"),
        (3, "value must be text"),
    ]
    assert query(path, "SELECT count(*) FROM facts") == [(0,)]


def test_every_bad_line_is_counted_and_the_first_twenty_are_named(make_store: MakeStore) -> None:
    path = make_store()
    same = [fact(id="f1") for _ in range(31)]
    wrong = [fact(value=5) for _ in range(5)]
    with pytest.raises(ImportRefusedError) as caught:
        bring_in(path, lines(*wrong, *same, *wrong))
    assert caught.value.count == 40
    assert [bad.number for bad in caught.value.lines] == [*range(1, 6), *range(7, 22)]
    assert "and 20 more bad lines" in str(caught.value)


@pytest.mark.parametrize("action", ["ABORT", "FAIL", "ROLLBACK"])
def test_what_the_application_refuses_is_named_and_nothing_is_imported(
    make_store: MakeStore, query: Query, action: str
) -> None:
    trigger = f"""CREATE TRIGGER no_oslo BEFORE INSERT ON facts WHEN new.value = 'Oslo'
                  BEGIN SELECT RAISE({action}, 'not there'); END;"""
    path = make_store(schema=SCHEMA + trigger)
    with pytest.raises(ImportRefusedError, match="line 2: the store refuses it: not there"):
        bring_in(path, lines(fact(), fact(value="Oslo"), fact()))
    assert query(path, "SELECT count(*) FROM facts") == [(0,)]


def test_triggers_see_what_is_imported_in_the_order_of_the_lines(make_store: MakeStore, query: Query) -> None:
    schema = (
        SCHEMA
        + "CREATE TABLE seen(id); CREATE TRIGGER see AFTER INSERT ON facts BEGIN INSERT INTO seen VALUES (new.id); END;"
    )
    path = make_store(schema=schema)
    bring_in(path, lines(*[fact(id=f"f{number}") for number in (3, 1, 2)]))
    assert query(path, "SELECT id FROM seen") == [("f3",), ("f1",), ("f2",)]
    assert query(path, "SELECT id FROM facts ORDER BY rowid") == [("f3",), ("f1",), ("f2",)]


def test_a_file_that_is_no_store_is_refused(make_store: MakeStore) -> None:
    path = make_store(schema="CREATE TABLE facts(id TEXT PRIMARY KEY)")
    before = path.read_bytes()
    with pytest.raises(NotAStoreError, match="facts has no column user_id"):
        bring_in(path, lines(fact()))
    with pytest.raises(NotAStoreError, match="facts has no column user_id"):
        list(export_lines(path))
    assert path.read_bytes() == before


class Watched(io.BytesIO):
    """Input that looks, each time a line is read from it, whether the store can be written."""

    def __init__(self, content: bytes, path: Path) -> None:
        super().__init__(content)
        self.path = path
        self.written = 0

    def readline(self, size: int | None = -1, /) -> bytes:
        with closing(apsw.Connection(str(self.path))) as other:
            other.execute("INSERT INTO facts(id) VALUES (?)", (f"other{self.written}",))
        self.written += 1
        return super().readline(size)


@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_the_store_is_free_while_the_input_arrives(make_store: MakeStore, query: Query, journal: str) -> None:
    path = make_store(pragmas=[f"journal_mode={journal}"])
    stream = Watched(lines(fact(id="f1"), fact(id="f2")), path)
    import_lines(path, stream, "-", now=NOW, lock_timeout=0)
    assert stream.written == 3
    assert query(path, "SELECT id FROM facts ORDER BY rowid") == [(f"other{n}",) for n in range(3)] + [("f1",), ("f2",)]


@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_the_store_is_free_while_an_export_is_read_and_the_export_is_of_one_instant(
    make_store: MakeStore, journal: str
) -> None:
    rows = [{"user_id": "maya", "attribute": "home_city", "value": str(number)} for number in range(3)]
    path = make_store(facts=rows, pragmas=[f"journal_mode={journal}"])
    exported = export_lines(path)
    first = json.loads(next(exported))
    with closing(apsw.Connection(str(path))) as other:
        other.execute("PRAGMA locking_mode=EXCLUSIVE").fetchall()
        other.execute("BEGIN EXCLUSIVE")
        other.execute("DELETE FROM facts")
        other.execute("COMMIT")
        rest = [json.loads(line) for line in exported]
    assert [record["value"] for record in (first, *rest)] == ["0", "1", "2"]


def test_a_clean_store_is_exported_in_plain_json(make_store: MakeStore) -> None:
    path = make_store(
        facts=[{"user_id": "maya", "attribute": "home_city", "value": "東京 \u202e\x1b", "valid_from": 1.5}],
        episodes=[{"id": "e1", "user_id": "maya", "occurred_at": 2.0, "summary": "spoke"}],
        tombstones=[{"user_id": "maya", "attribute": "likes"}],
    )
    exported = list(export_lines(path))
    assert "東京".encode() in exported[0]
    assert b"".join(export_lines(path, ascii_only=True)).isascii()
    assert [json.loads(line) for line in exported] == [
        {
            "kind": "fact",
            "id": "f0",
            "user_id": "maya",
            "attribute": "home_city",
            "value": "東京 \u202e\x1b",
            "multi": 0,
            "source": "user",
            "valid_from": 1.5,
            "valid_to": None,
            "expires_at": None,
            "status": "active",
            "superseded_by": None,
            "evidence": "",
            "confirmations": 1,
        },
        {"kind": "episode", "id": "e1", "user_id": "maya", "occurred_at": 2.0, "summary": "spoke"},
        {"kind": "tombstone", "user_id": "maya", "attribute": "likes", "value": None},
    ]


cell = (
    st.none()
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False)
    | st.binary(max_size=4)
    | st.binary(max_size=4).map(bytearray)  # TEXT of these bytes
    | st.sampled_from(["active", "1", "", "0.0", 0, 1, 0.0])
)
ANY_COLUMNS = "; ".join(f"CREATE TABLE {table}({', '.join(columns)})" for table, columns in CONTRACT.items())
UNTYPED = ANY_COLUMNS.replace("(id,", "(id UNIQUE,") + ";"


def put(path: Path, schema: str, encoding: str, rows: dict[str, list[list[Any]]]) -> None:
    with closing(apsw.Connection(str(path))) as db:
        db.execute(f"PRAGMA encoding='{encoding}'")
        db.execute(schema)
        for table, cells in rows.items():
            for row in cells:
                plain = [bytes(item) if isinstance(item, bytearray) else item for item in row]
                db.execute(f"INSERT OR IGNORE INTO {table} VALUES (?{', ?' * (len(row) - 1)})", plain)
                for name, item in zip(CONTRACT[table], row, strict=True):
                    if isinstance(item, bytearray):
                        last = f"{table}.rowid = last_insert_rowid()"
                        db.execute(f"UPDATE OR IGNORE {table} SET {name} = CAST({name} AS TEXT) WHERE {last}")


def taken(path: Path) -> list[tuple[Any, ...]]:
    """Every cell of the contract's tables by storage class and content."""
    with closing(apsw.Connection(str(path))) as db:
        return [
            (table, *row)
            for table, names in CONTRACT.items()
            for row in db.execute(f"SELECT {', '.join(map(by_class, names))} FROM {table} ORDER BY rowid")
        ]


def by_class(name: str) -> str:
    return f"typeof({name}), CASE typeof({name}) WHEN 'text' THEN CAST({name} AS BLOB) ELSE {name} END"


ROWS = {
    table: st.lists(st.lists(cell, min_size=len(names), max_size=len(names)), max_size=3)
    for table, names in CONTRACT.items()
}


@pytest.mark.parametrize("schema", [SCHEMA, UNTYPED], ids=["typed", "untyped"])
@pytest.mark.parametrize("encoding", ["UTF-8", "UTF-16le"])
@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(
    rows=st.fixed_dictionaries(ROWS),
)
def test_whatever_a_store_holds_comes_back_exactly(
    schema: str, encoding: str, rows: dict[str, list[list[Any]]]
) -> None:
    with TemporaryDirectory() as folder:
        source, target = Path(folder, "source.db"), Path(folder, "target.db")
        put(source, schema, encoding, rows)
        put(target, schema, encoding, {})
        exported = list(export_lines(source))
        bring_in(target, b"".join(exported))
        assert list(export_lines(target)) == exported
        assert taken(target) == taken(source)


def test_import_refusals_are_data_errors() -> None:
    assert issubclass(ImportRefusedError, DataError)
    assert ImportRefusedError.exit_status == 65
