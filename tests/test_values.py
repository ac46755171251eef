"""The normal form of a value, the keys of stored values, and what a tombstone covers."""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path
from unicodedata import normalize

import apsw
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from consolidate.store import values
from consolidate.store.values import (
    hash_key,
    hashed_tombstone,
    normal_form,
    parse_hash,
    register,
    tombstone_matches,
    value_key,
)
from tests.value_pairs import DIFFERENT, SAME

# What the rules look at, so that generated text meets them often.
PIECES = [
    *" \t\n\x00\x1c'\"`.,!?…-+/^*;:#%$()[]0159aAbBkKmMgGsStTwWxX",
    *"\u00a0\u2028\u3000\u200d\u200c\u200f\u202e\ufeff\ufe0f\u0345\u0301\u0323\u0308\u0338\u3099ﾞ\u0f73\u0f71\u20e3",
    *"“”‘’„«»‹›「」『』｢｣。！？।؟‼⁉²½₂①⒈№℃㎎㎽㏠ﬁßẞİıςΣμµΜΏ¨´ªéÅКмМвВтТեՒשׁלا東한ㄱ👍🏽❤",
    *["mW", "MW", "Nm", "5 M", "5 mm", "PM", "...", "don't", "\u1100\u1161\u11a8", "\ufdfa", "\U0001d400", "ǰ"],
]
rule_text = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
any_text = st.one_of(st.text(), rule_text, st.tuples(rule_text, st.text(), rule_text).map("".join))
ascii_text = st.one_of(
    st.text(st.characters(max_codepoint=127)),
    st.lists(st.sampled_from([piece for piece in PIECES if piece.isascii()]), max_size=12).map("".join),
)


# --- The normal form --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("left", "right"), SAME)
def test_these_values_are_the_same(left: str, right: str) -> None:
    assert normal_form(left) == normal_form(right)


@pytest.mark.parametrize(("left", "right"), DIFFERENT)
def test_these_values_differ(left: str, right: str) -> None:
    assert normal_form(left) != normal_form(right)


@given(any_text)
@settings(max_examples=500, deadline=None)
@example("5 M\u0345")
@example("\ud800")
@example("''\"a\"''")
def test_the_normal_form_of_any_text_is_its_own_normal_form_and_not_empty(text: str) -> None:
    form = normal_form(text)
    assert normal_form(form) == form
    assert (form == "") == (text == "")


@given(any_text)
@settings(max_examples=300, deadline=None)
def test_composed_and_decomposed_spellings_are_the_same(text: str) -> None:
    assert normal_form(normalize("NFC", text)) == normal_form(text) == normal_form(normalize("NFD", text))


@given(ascii_text)
@settings(max_examples=500, deadline=None)
def test_the_short_way_for_ascii_gives_what_the_rules_for_all_text_give(text: str) -> None:
    assert normal_form(text) == (values._normal_form_of_unicode(text) if text else "")


@given(any_text, any_text)
@settings(deadline=None)
def test_whitespace_around_and_its_amount_never_matter(left: str, right: str) -> None:
    assert normal_form(f"\u2003{left}\n {right}\u00a0") == normal_form(f"{left} {right}")


@given(st.text(st.characters(categories=["Nd", "Sc", "So", "Sm", "Lo"], max_codepoint=0x2FFFF), min_size=1))
@settings(deadline=None)
def test_no_character_is_lost_from_text_without_case_quotes_and_sentence_ends(text: str) -> None:
    assert normal_form(text) == values._compatible(text).casefold()


@pytest.mark.parametrize("context", ["{}", "5{}", "5 M{}", "e{}5", '"{}".'])
def test_every_character_that_unicode_maps_is_handled_in_every_context(context: str) -> None:
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        if char.isascii() or normalize("NFKD", char.casefold()) != char:
            form = normal_form(context.format(char))
            assert form
            assert normal_form(form) == form
            assert normal_form(normalize("NFD", context.format(char))) == form


def test_symbols_alone_keep_all_of_them() -> None:
    for text in ["...", "???", '"', "''", '"?"', "👍!", ":-)", "-", "..", "«»", "¿?", "。", "\u0301", "\x00"]:
        assert normal_form(text) == text


def test_superscripts_subscripts_and_fractions_are_kept_as_they_are() -> None:
    assert normal_form("10⁵ H₂O and 1½ ㎢ ª") == "10⁵ h₂o and 1½ km² ª"


def test_a_unit_keeps_its_case_only_where_a_number_precedes_it() -> None:
    assert normal_form("MW of 5 MW, 5 Megawatt") == "mw of 5 MW, 5 megawatt"
    assert normal_form("3B5C B2B 2 H₂S 5B") == "3b5c b2b 2 h₂s 5B"


def test_surrounding_quotes_and_sentence_ends_are_peeled_in_any_nesting() -> None:
    assert normal_form("«“ ‘What?’! ”».") == "what"
    assert normal_form("\"'«Tea»'.\"!") == "tea"


# --- Size -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unit", "form"),
    [
        ("word 5 MW ", "word 5 MW "),
        ("Wörter ", "wörter "),
        ("東京", "東京"),
        ("'\"", "'\""),
        ("a! ", "a! "),
        ("5/m2", "5/m2"),
    ],
)
def test_a_megabyte_of_text_is_folded_whole(unit: str, form: str) -> None:
    times = 1_000_000 // len(unit)
    assert normal_form("x" + unit * times + "x") == "x" + form * times + "x"


def test_a_long_run_of_combining_marks_comes_into_canonical_order() -> None:
    marks = 100_000
    assert normal_form("q" + "\u0301\u0323" * marks) == "q" + "\u0323" * marks + "\u0301" * marks
    assert normal_form("\u0f73" * marks) == "\u0f71" * marks + "\u0f72" * marks


@given(st.text(min_size=1), st.lists(st.sampled_from("\u0301\u0323\u0345\u0f73\u0344éŪﾞ\u3099a한\u11a8"), min_size=1))
@settings(deadline=None)
def test_long_text_is_composed_as_short_text_is(text: str, marks: list[str]) -> None:
    long = (text + "".join(marks)) * values._LONG
    assert values._composed(long) == normalize("NFC", long)


# --- Keys of stored values --------------------------------------------------------------------------------------------


def test_each_storage_class_has_its_key() -> None:
    assert value_key(None, "null") is None
    assert value_key(b" Austin. ", "text") == "austin"
    assert value_key(b"", "text") == ""
    assert value_key(b"-5", "integer") == "-5"
    assert value_key(b"1.5e+300", "real") == "1.5e+300"
    assert value_key(b"a\x00B", "text") == "a\x00b"


def test_text_undecodable_text_and_blobs_of_the_same_bytes_never_have_one_key() -> None:
    for raw in [b"", b"Austin", b"uAustin", b"\xff", b"b\xff", b"u\xff", b"\xed\xa0\x80"]:
        keys = {value_key(raw, "text"), value_key(raw, "blob")}
        assert len(keys) == 2
    assert value_key(b"b\xff", "text") != value_key(b"\xff", "blob")
    assert value_key(b"\xff", "text") == value_key(b"\xff", "text")
    assert value_key(b"\xffA", "text") != value_key(b"\xffa", "text")
    assert value_key(b"A", "blob") != value_key(b"a", "blob")


ROWS = [
    ("'Austin'", "austin"),
    ("' “AUSTIN” '", "austin"),
    ("NULL", None),
    ("''", ""),
    ("5", "5"),
    ("-1.5", "-1.5"),
    ("9e999", "inf"),
    ("x'41'", b"bA"),
    ("char(65, 0, 66)", "a\x00b"),
    ("char(128077, 127997)", "👍🏽"),
]


@pytest.mark.parametrize("encoding", ["UTF-8", "UTF-16le", "UTF-16be"])
def test_sql_gives_the_same_keys_in_every_encoding_of_a_database(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "memory.db"
    outside = sqlite3.connect(path)
    outside.execute(f"PRAGMA encoding = '{encoding}'")
    outside.execute("CREATE TABLE facts (id INTEGER PRIMARY KEY, value)")
    for literal, _ in ROWS:
        outside.execute(f"INSERT INTO facts (value) VALUES ({literal})")
    outside.commit()
    outside.close()
    db = apsw.Connection(str(path))
    register(db)
    keys = [
        key for (key,) in db.execute("SELECT normal_key(CAST(value AS BLOB), typeof(value)) FROM facts ORDER BY id")
    ]
    db.close()
    assert keys == [key for _, key in ROWS]


def test_sql_keeps_undecodable_text_apart_from_the_blob_of_the_same_bytes() -> None:
    db = apsw.Connection(":memory:")
    register(db)
    select = "SELECT normal_key(CAST(value AS BLOB), typeof(value)) FROM (SELECT {} AS value)"
    assert db.execute(select.format("CAST(x'61ff' AS TEXT)")).get == b"ua\xff"
    assert db.execute(select.format("x'61ff'")).get == b"ba\xff"
    db.close()


def test_the_sql_functions_are_deterministic_so_that_an_index_can_use_them() -> None:
    db = apsw.Connection(":memory:")
    register(db)
    db.execute("CREATE TABLE facts (value TEXT)")
    db.execute("CREATE INDEX keys ON facts (normal_key(CAST(value AS BLOB), typeof(value)))")
    db.execute("CREATE INDEX covers ON facts (tombstone_matches(CAST(value AS BLOB), typeof(value), 'a'))")
    db.execute("INSERT INTO facts VALUES ('Tea'), ('coffee')")
    select = "SELECT value FROM facts WHERE normal_key(CAST(value AS BLOB), typeof(value)) = 'tea'"
    plan = db.execute("EXPLAIN QUERY PLAN " + select).get
    assert "keys" in str(plan)
    assert db.execute(select).get == "Tea"
    db.close()


# --- Tombstones -------------------------------------------------------------------------------------------------------


def test_a_tombstone_without_value_covers_every_value() -> None:
    for key in ["tea", "", b"b\xff", None]:
        assert tombstone_matches(None, "null", key)
        assert tombstone_matches(b"", "text", key)
    assert not tombstone_matches(b"", "blob", "tea")


def test_a_tombstone_covers_the_values_that_are_the_same_as_its_own() -> None:
    assert tombstone_matches("“Чай.”".encode(), "text", normal_form("ЧАЙ"))
    assert not tombstone_matches("чай".encode(), "text", normal_form("кофе"))
    assert not tombstone_matches(b"tea", "text", None)
    assert tombstone_matches(b"\xff", "text", value_key(b"\xff", "text"))
    assert not tombstone_matches(b"\xff", "blob", value_key(b"\xff", "text"))
    assert tombstone_matches(b"5", "integer", normal_form("5."))


@given(any_text, st.binary())
@settings(deadline=None)
def test_a_hashed_tombstone_covers_its_value_and_no_other(text: str, content: bytes) -> None:
    for key in (normal_form(text), b"b" + content):
        tombstone = hashed_tombstone(key).encode()
        assert tombstone_matches(tombstone, "text", key)
        assert not tombstone_matches(
            tombstone, "text", normal_form(text + "x1") if isinstance(key, str) else key + b"1"
        )
        assert not tombstone_matches(tombstone, "text", None)


def test_a_hash_tells_text_from_a_blob_and_one_salt_from_another() -> None:
    assert hash_key("bA", "00") != hash_key(b"bA", "00")
    assert hash_key("a", "00") != hash_key("a", "01")
    assert hashed_tombstone("a") != hashed_tombstone("a")
    with pytest.raises(ValueError, match="hex"):
        hash_key("a", "salt")


def test_the_parts_of_a_hashed_tombstone_are_read_back() -> None:
    digest = hash_key("tea", "00ff")
    assert parse_hash(f"h1:00ff:{digest}") == ("00ff", digest)
    assert parse_hash(f"H1:00FF:{digest.upper()}") == ("00ff", digest)
    salt, hashed = parse_hash(hashed_tombstone("tea")) or ("", "")
    assert len(salt) == 32
    assert hashed == hash_key("tea", salt)
    for other in [
        "",
        "tea",
        "h1:",
        f"h1:0:{digest}",
        f"h1::{digest}",
        f"h1:zz:{digest}",
        "h1:00:12",
        f"h1:00:{digest}\n",
    ]:
        assert parse_hash(other) is None


def test_text_that_only_looks_like_a_hash_is_compared_as_text() -> None:
    assert tombstone_matches(b"h1:00:12", "text", normal_form("H1:00:12"))


def test_sql_tells_what_a_tombstone_covers() -> None:
    db = apsw.Connection(":memory:")
    register(db)
    select = "SELECT tombstone_matches(CAST(t AS BLOB), typeof(t), ?2) FROM (SELECT ?1 AS t)"
    for tombstone, key, covered in [
        (None, "tea", 1),
        ("", None, 1),
        ("“Tea”", "tea", 1),
        ("tea", "coffee", 0),
        ("tea", None, 0),
        (hashed_tombstone("tea"), "tea", 1),
        (hashed_tombstone("tea"), "coffee", 0),
        (b"\xff", b"b\xff", 1),
    ]:
        assert db.execute(select, (tombstone, key)).get == covered
    db.close()
