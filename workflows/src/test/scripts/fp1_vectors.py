#!/usr/bin/env python3
"""Writes fp1-vectors.json: inputs, canonical texts and digests of fingerprint scheme fp1.

Made from docs/fp1.md alone, with the standard library alone, and never from the Java code: the
Java tests read the file and must come to the same texts and digests.

    python3 workflows/src/test/scripts/fp1_vectors.py > workflows/src/test/resources/fp1-vectors.json

A value is written as itself where JSON has it (text, boolean, null, array), else as an object with
one tag: int, long, bigint, decimal, double, float, set, map, record, instant, offsetDateTime,
zonedDateTime, date, localDate, localTime, localDateTime, year, yearMonth, monthDay, period,
duration, zone, uuid, enum, bytes, optional, protobuf, ref.
"""

import base64
import datetime
import hashlib
import json
import re
import struct
import sys


# ---- the scheme -------------------------------------------------------------------------------

def number(text):
    """The digits without trailing zeros, then E and the exponent unless it is zero."""
    sign, whole, fraction, exponent = re.fullmatch(
        r"([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?", text
    ).groups()
    digits = (whole + fraction).lstrip("0")
    power = int(exponent or "0") - len(fraction)
    stripped = digits.rstrip("0")
    if not stripped:
        return "0"
    power += len(digits) - len(stripped)
    return ("-" if sign == "-" else "") + stripped + ("E%d" % power if power else "")


def shortest(text, back):
    """The shortest decimal of two digits or more that reads back as the same floating number."""
    value = back(text)
    for precision in range(2, 18):
        candidate = "%.*e" % (precision - 1, value)
        if back(candidate) == value:
            return candidate
    raise ValueError(text)


def single(text):
    return struct.unpack("f", struct.pack("f", float(text)))[0]


SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def quoted(text):
    return '"' + "".join(SHORT.get(c, c if c >= " " else "\\u%04x" % ord(c)) for c in text) + '"'


def utf16(text):
    return text.encode("utf-16-be")


def members(pairs):
    kept = {key: text for key, text in pairs if text != "null"}
    order = sorted(kept, key=utf16)
    return "{" + ",".join(quoted(key) + ":" + kept[key] for key in order) + "}"


def moment(text):
    """A moment in UTC, with no, three, six or nine digits of fraction."""
    match = re.fullmatch(
        r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:\d\d)(?:\[.*\])?", text
    )
    day, minute, second, fraction, offset = match.groups()
    at = datetime.datetime.fromisoformat("%sT%s:%s" % (day, minute, second or "00"))
    if offset != "Z":
        hours, minutes = int(offset[1:3]), int(offset[4:6])
        shift = datetime.timedelta(hours=hours, minutes=minutes)
        at = at - shift if offset[0] == "+" else at + shift
    nanos = (fraction or "").ljust(9, "0")
    while nanos.endswith("000"):
        nanos = nanos[:-3]
    return at.strftime("%Y-%m-%dT%H:%M:%S") + ("." + nanos if nanos else "") + "Z"


def epoch_millis(millis):
    at = datetime.datetime(1970, 1, 1) + datetime.timedelta(milliseconds=millis)
    return moment(at.strftime("%Y-%m-%dT%H:%M:%S.%f") + "000Z")


def duration(text):
    """Hours, minutes and seconds; days are 24 hours; nothing that is zero."""
    days, hours, minutes, seconds = re.fullmatch(
        r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?", text
    ).groups()
    whole, _, fraction = (seconds or "0").partition(".")
    total = ((int(days or 0) * 24 + int(hours or 0)) * 60 + int(minutes or 0)) * 60 + int(whole)
    fraction = fraction.rstrip("0")
    h, m, s = total // 3600, total // 60 % 60, total % 60
    out = ("%dH" % h if h else "") + ("%dM" % m if m else "")
    if s or fraction:
        out += "%d%sS" % (s, "." + fraction if fraction else "")
    return "PT" + (out or "0S")


def clock(text):
    """A local time: seconds unless they are zero, a fraction of three, six or nine digits."""
    minute, second, fraction = re.fullmatch(
        r"(\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?", text
    ).groups()
    nanos = (fraction or "").ljust(9, "0")
    while nanos.endswith("000"):
        nanos = nanos[:-3]
    if not nanos and (second or "00") == "00":
        return minute
    return minute + ":" + (second or "00") + ("." + nanos if nanos else "")


def canonical(value):
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, list):
        return "[" + ",".join(canonical(each) for each in value) + "]"
    tag = next(iter(value))
    return TAGS[tag](value[tag], value)


def record(name, value):
    left_out = value.get("leftOut", [])
    pairs = [(k, canonical(v)) for k, v in value["members"].items() if k not in left_out]
    if "tag" in value:
        pairs.append((value["tag"][0], quoted(value["tag"][1])))
    return members(pairs)


def reference(ref, _):
    return members([("scope", quoted(ref["scope"])), ("operation", quoted(ref["operation"]))])


def protobuf(name, value):
    raw = bytes.fromhex(value.get("sorted", value["wire"]))
    return members(
        [("protobuf", quoted(name)), ("bytes", quoted(base64.b64encode(raw).decode()))]
    )


def as_is(text, _):
    return quoted(text)


TAGS = {
    **dict.fromkeys(["int", "long", "bigint", "decimal"], lambda v, _: number(v)),
    **dict.fromkeys(["localDate", "year", "yearMonth", "monthDay", "period", "zone", "enum"], as_is),
    "double": lambda v, _: number(shortest(v, float)),
    "float": lambda v, _: number(shortest(v, single)),
    "set": lambda v, _: "[" + ",".join(sorted((canonical(e) for e in v), key=utf16)) + "]",
    "map": lambda v, _: members([(k if isinstance(k, str) else key(k), canonical(e)) for k, e in v]),
    "record": record,
    "instant": lambda v, _: quoted(moment(v)),
    "offsetDateTime": lambda v, _: quoted(moment(v)),
    "zonedDateTime": lambda v, _: quoted(moment(v)),
    "date": lambda v, _: quoted(epoch_millis(v)),
    "localTime": lambda v, _: quoted(clock(v)),
    "localDateTime": lambda v, _: quoted(v[:11] + clock(v[11:])),
    "duration": lambda v, _: quoted(duration(v)),
    "uuid": lambda v, _: quoted(v.lower()),
    "bytes": lambda v, _: quoted(base64.b64encode(bytes.fromhex(v)).decode()),
    "optional": lambda v, _: canonical(v),
    "protobuf": protobuf,
    "ref": reference,
}


def key(value):
    """A map's key that is no text: the text that its value has."""
    text = canonical(value)
    return json.loads(text) if text.startswith('"') else number_key(value)


def number_key(value):
    return next(iter(value.values()))


def envelope(scope, operation, arguments, left_out):
    texts = [
        (str(i), canonical(each)) for i, each in enumerate(arguments) if i not in left_out
    ]
    return members(
        [
            ("scheme", quoted("fp1")),
            ("scope", quoted(scope)),
            ("type", quoted(operation)),
            ("arguments", members(texts)),
        ]
    )


# ---- the inputs -------------------------------------------------------------------------------

VECTORS = []


def vector(name, *arguments, scope="tenant", operation="export", left_out=(), declared=None):
    entry = {"name": name, "scope": scope, "type": operation, "arguments": list(arguments)}
    if left_out:
        entry["leftOut"] = list(left_out)
    if declared:
        entry["declared"] = declared
    text = envelope(scope, operation, arguments, left_out)
    entry["canonical"] = text
    entry["sha256"] = hashlib.sha256(text.encode("utf-8")).hexdigest()
    VECTORS.append(entry)


def item(**members_):
    return {"record": "Item", "members": members_}


def scalars():
    for name, value in [("true", True), ("false", False), ("the text null", "null"),
                        ("the text true", "true"), ("the text 1", "1"), ("empty text", "")]:
        vector(name, value)
    vector("no argument")
    vector("null argument", None)
    vector("null before a text", None, "a")
    vector("a trailing null changes nothing", "a", None)
    vector("one text", "a")
    vector("twelve arguments", *[str(i) for i in range(12)])


def envelope_vectors():
    vector("another scope", "a", scope="other")
    vector("another type", "a", operation="share")
    vector("scope and type are not joined", "a", scope="tenantexport", operation="x")
    vector("a scope with a quote", "a", scope='a"b')
    vector("a scope beyond ASCII", "a", scope="größe")
    vector("a type beyond ASCII", "a", operation="导出")
    vector("the second argument is left out", "a", "b", left_out=[1])
    vector("the first argument is left out", "a", "b", left_out=[0])
    vector("left out is not null alone", {"int": "1"}, {"int": "2"}, {"int": "3"}, left_out=[1])


def texts():
    for name, text in [
        ("quote and backslash", 'a"b\\c'),
        ("slash stays", "a/b"),
        ("short escapes", "\b\f\n\r\t"),
        ("NUL", "a\u0000b"),
        ("control character 1f", "\u001f"),
        ("delete stays", "\u007f"),
        ("C1 control stays", "\u0085"),
        ("line separator stays", "\u2028\u2029"),
        ("composed (NFC)", "j\u00fcrgen"),
        ("decomposed (NFD)", "ju\u0308rgen"),
        ("emoji", "\U0001f600"),
        ("astral and private", "\U00010000\ue000"),
        ("byte order mark", "\ufeffa"),
        ("blanks at both ends", " a "),
        ("turkish dotted i", "\u0130\u0131iI"),
        ("html", "<a href='x'>&amp;</a>"),
        ("right to left", "\u05d0\u202e\u05d1"),
    ]:
        vector("text: " + name, text)
    vector("long text", "x" * 5000)


def numbers():
    for tag, values in {
        "int": "0 1 -1 10 100 -1200 2147483647 -2147483648",
        "long": "9007199254740992 9007199254740993 9223372036854775807 9223372036854775806 -9223372036854775808",
        "bigint": "123456789012345678901234567890 1" + "0" * 60,
        "decimal": "1 1.0 1.00 1E0 0.0 -0.0 0E10 100 1E2 1.5 -1.50 0.1 1E-7 0.0000001 333333333.33333329"
                   " 333333333.3333333 12345678901234567890.12345678901234567890 1E+1000000 9.99E-1000000",
        "double": "0.1 1.0 100.0 -0.0 1e21 1e-7 123456789.125 5e-324 1e23 2.2250738585072014e-308"
                  " 1.7976931348623157e308 2e-3 9007199254740993",
        "float": "0.1 1.5 16777216 3.4028235e38 1e-45 33554432",
    }.items():
        for text in values.split():
            vector("%s %s" % (tag, text if len(text) < 40 else text[:20] + "\u2026"), {tag: text})


def containers():
    vector("empty list", [])
    vector("list order stays", ["b", "a"])
    vector("null inside a list stays", ["a", None, "b"])
    vector("nested lists", [["a"], [], [["b"]]])
    vector("empty map", {"map": []})
    vector("map keys in order", {"map": [["b", "1"], ["a", "2"]]})
    vector("map keys in the other order", {"map": [["a", "2"], ["b", "1"]]})
    vector("keys at depth (A1)", {"map": [["b", {"map": [["y", {"int": "2"}], ["x", {"int": "1"}]]}], ["a", {"int": "1"}]]})
    vector("null member left out", {"map": [["a", None], ["b", "1"]]})
    vector("absent member", {"map": [["b", "1"]]})
    vector("empty key", {"map": [["", "1"]]})
    vector("upper case before lower", {"map": [["a", "1"], ["B", "2"], ["A", "3"]]})
    vector("digits as text", {"map": [["10", "1"], ["9", "2"], ["1", "3"]]})
    vector("UTF-16 order, not code points", {"map": [["\ue000", "1"], ["\U00010000", "2"]]})
    vector("keys with escapes", {"map": [['"', "1"], ["\n", "2"], ["\u0000", "3"]]})
    vector("NFC and NFD keys are two", {"map": [["\u00fc", "1"], ["u\u0308", "2"]]})
    vector("int keys", {"map": [[{"int": "10"}, "a"], [{"int": "9"}, "b"]]})
    vector("enum keys", {"map": [[{"enum": "RED"}, "a"], [{"enum": "BLUE"}, "b"]]})
    vector("uuid keys", {"map": [[{"uuid": "123e4567-e89b-12d3-a456-426614174000"}, "a"]]})
    vector("instant keys", {"map": [[{"instant": "2026-11-01T05:30:00Z"}, "a"]]})
    vector("date keys", {"map": [[{"localDate": "2026-11-01"}, "a"]]})
    vector("empty set", {"set": []})
    vector("set of texts", {"set": ["b", "a", "c"]})
    vector("set in another order", {"set": ["c", "b", "a"]})
    vector("set of numbers by text", {"set": [{"int": "9"}, {"int": "10"}, {"int": "1"}]})
    vector("set of maps", {"set": [{"map": [["b", "1"]]}, {"map": [["a", "2"]]}]})
    vector("set of sets", {"set": [{"set": ["b", "a"]}, {"set": ["c"]}]})
    vector("set of enums", {"set": [{"enum": "RED"}, {"enum": "BLUE"}]})
    vector("set inside a list", [{"set": ["b", "a"]}, ["b", "a"]])
    vector("set in UTF-16 order", {"set": ["\ue000", "\U00010000"]})
    vector("set of records", {"set": [item(name="b"), item(name="a")]})
    vector("optional", {"optional": "a"})
    vector("empty optional", {"optional": None})
    vector("optional in a list", [{"optional": None}, {"optional": "a"}])
    vector("bytes", {"bytes": "00ff10"})
    vector("no bytes", {"bytes": ""})
    vector("bytes with padding", {"bytes": "fb"})
    vector("bytes that are + and / in base64", {"bytes": "fbefbefff0"})


def times():
    vector("instant", {"instant": "2026-11-01T05:30:00Z"})
    vector("instant with millis", {"instant": "2026-11-01T05:30:00.120Z"})
    vector("instant with nanos", {"instant": "2026-11-01T05:30:00.000000001Z"})
    vector("instant in the clock change (A11)", {"instant": "2026-11-01T06:30:00Z"})
    vector("offset date-time", {"offsetDateTime": "2026-11-01T07:30:00+02:00"})
    vector("the same moment at another offset", {"offsetDateTime": "2026-11-01T00:30:00-05:00"})
    vector("zoned date-time", {"zonedDateTime": "2026-11-01T06:30:00+01:00[Europe/Berlin]"})
    vector("date", {"date": 1793511000000})
    vector("date before 1970", {"date": -1})
    vector("local date", {"localDate": "2026-02-28"})
    vector("local time without seconds", {"localTime": "10:00"})
    vector("local time with zero seconds", {"localTime": "10:00:00"})
    vector("local time with nanos", {"localTime": "10:00:00.000000100"})
    vector("local date-time", {"localDateTime": "2026-02-28T10:00:01.5"})
    vector("year", {"year": "2026"})
    vector("year and month", {"yearMonth": "2026-11"})
    vector("month and day", {"monthDay": "--11-05"})
    vector("period", {"period": "P1Y2M3D"})
    vector("a day is 24 hours", {"duration": "P1D"})
    vector("24 hours", {"duration": "PT24H"})
    vector("90 minutes", {"duration": "PT90M"})
    vector("no duration", {"duration": "PT0S"})
    vector("fraction of a second", {"duration": "PT0.0015S"})
    vector("zone", {"zone": "Europe/Berlin"})
    vector("uuid", {"uuid": "123E4567-E89B-12D3-A456-426614174000"})
    vector("enum", {"enum": "RED"})


def records():
    vector("record", item(name="a", amount={"int": "5"}))
    vector("record with a null member", item(name="a", amount=None))
    vector("record without the member", item(name="a"))
    vector("record inside a list", [item(name="b"), item(name="a")])
    vector("a member that is left out", {"record": "Traced", "leftOut": ["traceId"], "members": {"name": "a", "traceId": "t1"}})
    vector("left out at depth", {"record": "Wrapped", "members": {"inner": {"record": "Traced", "leftOut": ["traceId"], "members": {"name": "a", "traceId": "t2"}}}})
    vector("tagged record", {"record": "Circle", "tag": ["kind", "circle"], "members": {"radius": {"decimal": "1.50"}}})
    vector("another tag, same members", {"record": "Disc", "tag": ["kind", "disc"], "members": {"radius": {"decimal": "1.5"}}})
    vector("tags inside a list", [{"record": "Circle", "tag": ["kind", "circle"], "members": {"radius": {"int": "1"}}}, {"record": "Disc", "tag": ["kind", "disc"], "members": {"radius": {"int": "1"}}}], declared="shapes")
    vector("record of everything", {"record": "Everything", "members": {
        "at": {"offsetDateTime": "2026-11-01T07:30:00+02:00"}, "id": {"uuid": "123e4567-e89b-12d3-a456-426614174000"},
        "day": {"localDate": "2026-11-01"}, "length": {"duration": "PT90M"}, "color": {"enum": "BLUE"},
        "raw": {"bytes": "0001"}, "names": {"set": ["b", "a"]}, "amounts": {"map": [["y", {"decimal": "2.0"}], ["x", {"decimal": "1.10"}]]},
        "note": {"optional": None}}})
    ref = {"scope": "tenant", "operation": "export:e-1", "epoch": 0, "receipt": 7}
    vector("reference", "share-1", {"ref": ref})
    vector("reference of a later execution", "share-1", {"ref": dict(ref, epoch=2, receipt=99)})
    vector("reference in a list", [{"ref": ref}])
    vector("reference of another scope", "share-1", {"ref": dict(ref, scope="other")})


def protobufs():
    vector("protobuf text", {"protobuf": "google.protobuf.StringValue", "wire": "0a03616263"})
    vector("protobuf without members", {"protobuf": "google.protobuf.StringValue", "wire": ""})
    vector("protobuf number", {"protobuf": "google.protobuf.Int64Value", "wire": "08ac02"})
    vector("protobuf timestamp", {"protobuf": "google.protobuf.Timestamp", "wire": "08e80710c801"})
    # Struct{"b": true, "a": true}: entries of a map are written in the order of their keys
    a, b = "0a070a0161120220 01".replace(" ", ""), "0a070a0162120220 01".replace(" ", "")
    vector("protobuf map", {"protobuf": "google.protobuf.Struct", "wire": b + a, "sorted": a + b})
    vector("protobuf in a list", [{"protobuf": "google.protobuf.StringValue", "wire": "0a0161"}])


def main():
    for part in (scalars, envelope_vectors, texts, numbers, containers, times, records, protobufs):
        part()
    names = [entry["name"] for entry in VECTORS]
    assert len(names) == len(set(names)), "two vectors of one name"
    json.dump({"scheme": "fp1", "vectors": VECTORS}, sys.stdout, indent=1, ensure_ascii=True)
    sys.stdout.write("\n")


main()
