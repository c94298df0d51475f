"""Writes parquet-bytes.ts: small Parquet files by pyarrow, so that no reader of ours judges its own writer.

python -m venv venv && venv/bin/pip install pyarrow && venv/bin/python make-parquet.py > parquet-bytes.ts
"""
import base64
import datetime as dt
import io
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq

D = Decimal
UTC = dt.timezone.utc
WIDE = pa.decimal256(39, 2)
WIDEST = pa.decimal256(76, 10)


def file(columns, **options):
    out = io.BytesIO()
    table = pa.table({name: pa.array(values, kind) for name, (kind, values) in columns.items()})
    pq.write_table(table, out, **{"compression": "NONE", "store_schema": False, **options})
    return out.getvalue()


wide = [D("1.50"), D("-2.25"), D("123456789.10")]
ns = [1704067200123456789, 1704067200000000001, None]
FILES = {
    "dec38": file({"x": (pa.decimal128(38, 2), [D("1.50"), D("-2.25"), D("9" * 36 + ".99")])}),
    "dec39": file({"x": (WIDE, wide)}),
    "dec39Snappy": file({"x": (WIDE, wide)}, compression="snappy"),
    "dec39NoDictionary": file({"x": (WIDE, wide)}, use_dictionary=False),
    "dec39Nulls": file({"id": (pa.int64(), [1, 2, 3]), "x": (WIDE, [None, D("-0.01"), D("9" * 37 + ".99")])}),
    "dec76": file({"x": (WIDEST, [D("1.0000000001"), D("-" + "1234567890" * 6 + ".0000000001")])}),
    "dec39List": file({"x": (pa.list_(WIDE), [wide[:2], [], None])}),
    "dec39Struct": file({"x": (pa.struct([("d", WIDE), ("n", pa.int32())]), [{"d": wide[0], "n": 1}, {"d": wide[1], "n": None}])}),
    "dec39Map": file({"x": (pa.map_(pa.string(), WIDE), [[("a", wide[0])], [("b", wide[1])]])}),
    "dec39Integer": file({"x": (pa.decimal256(45, 0), [D(10**44 - 1), D(-(10**44) + 1), D(0)])}),
    "nsUtc": file({"t": (pa.timestamp("ns", "UTC"), ns)}),
    "nsNaive": file({"t": (pa.timestamp("ns"), ns)}),
    "nsZeros": file({"t": (pa.timestamp("ns", "UTC"), [1704067200123456000, None])}),
    "nsList": file({"t": (pa.list_(pa.timestamp("ns", "UTC")), [[ns[0]], []])}),
    "nsStruct": file({"t": (pa.struct([("at", pa.timestamp("ns", "UTC"))]), [{"at": ns[0]}, None])}),
    "int96": file({"t": (pa.timestamp("ns"), ns)}, use_deprecated_int96_timestamps=True),
    "int96Zeros": file({"t": (pa.timestamp("ns"), [1704067200123456000])}, use_deprecated_int96_timestamps=True),
    "micros": file({"t": (pa.timestamp("us", "UTC"), [1704067200123456, None])}),
    "timeNs": file({"t": (pa.time64("ns"), [3600000000001, None])}),
    "days": file({"d": (pa.date32(), [dt.date(2024, 1, 5), dt.date(1582, 10, 15), dt.date(9999, 12, 31), None])}),
    "farDays": file({"d": (pa.date32(), [0, 2932897])}),
    "nulText": file({"s": (pa.string(), ["a\x00b", "c"])}),
    "badUtf8": file({"s": (pa.string(), ["caf\u00e9", "c"])}).replace(b"caf\xc3\xa9", b"caf\xff\xfe"),
    "texts": file({"s": (pa.string(), ["007", "", None, "é😀", "NA"])}),
    "zeros": file({"f": (pa.float64(), [1.5, -0.0, 0.0, 2.5])}),
    "onlyZeros": file({"f": (pa.float64(), [-0.0, 0.0, -0.0])}),
    "floats": file({"f": (pa.float64(), [0.1, 1e300, float("nan"), float("inf"), None])}),
    "singles": file({"f": (pa.float32(), [0.1, -0.0, 3.4028234663852886e38])}),
    "uint64": file({"u": (pa.uint64(), [18446744073709551615, 0])}),
    "int64": file({"i": (pa.int64(), [9223372036854775807, -9223372036854775808, 9007199254740993])}),
    "lists": file({"l": (pa.list_(pa.int64()), [[9007199254740993, None], [], None])}),
    "zeroColumns": file({}),
    "noRows": file({"a": (pa.int64(), []), "b": (pa.string(), [])}),
    "booleans": file({"b": (pa.bool_(), [True, False, None])}),
}

print("/** Parquet files by pyarrow (make-parquet.py), in base64. */\nexport const PARQUET_BYTES = {")
for name, data in FILES.items():
    text = base64.b64encode(data).decode()
    parts = [text[at : at + 108] for at in range(0, len(text), 108)]
    print(f"  {name}:\n    " + " +\n    ".join(f'"{part}"' for part in parts) + ",")
print("} as const;")
