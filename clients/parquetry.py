"""Read tables of a Parquetry service. One file, Python 3.9 or newer, no dependencies.

    from parquetry import Parquetry

    service = Parquetry()                              # key: the variable PARQUETRY_KEY, or Parquetry(key=...)
    table = service.table("earthquakes-2018/events")
    for row in table.rows(columns=["place", "mag"], order_by=[{"column": "mag", "direction": "desc"}]):
        print(row)
    frame = table.to_pandas()                          # or to_polars(), to_arrow(); each when it is installed
    table.download("earthquakes.parquet")              # whole, resumed after a cut, digest verified

Without a key, pages are short; whole files need one. Values keep their types and digits.
"""

from __future__ import annotations

import datetime
import decimal
import hashlib
import http.client
import importlib.util
import json
import os
import re
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Iterator, Optional

__version__ = "0.0.0"
BASE = "http://localhost:3000"
_ATTEMPTS = 5
_WAIT_MAX = 60
_CHUNK = 1 << 20


class ParquetryError(Exception):
    """A request that the service rejected: its status, its error code, and every fault that it named."""

    def __init__(self, status: int, body: dict):
        self.status = status
        self.code = body.get("error", "unknown")
        self.details = body.get("details", [])
        self.request_id = body.get("request_id")
        faults = "".join(f"\n  {each.get('pointer', '')}: {each.get('message', '')}" for each in self.details)
        super().__init__(f"{status} {self.code}: {body.get('message', '')}{faults}")


class DigestError(Exception):
    """Bytes that are not those that were published."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The key is sent to the service alone, wherever a reply points."""

    def redirect_request(self, *_: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirect)


class Parquetry:
    """A service. `key` is a use key; without one, the variable PARQUETRY_KEY, or none at all."""

    def __init__(self, base: str = BASE, key: Optional[str] = None, timeout: float = 60):
        self.base = base.rstrip("/")
        self.timeout = timeout
        self._key = key if key is not None else os.environ.get("PARQUETRY_KEY")

    def search(self, q: str = "", **filters: Any) -> Iterator[dict]:
        """Datasets that match the words, best first; all of them without words. Filters: topic, publisher, license;
        of several values in a list any one."""
        asked = {**filters, **({"q": q} if q else {})}
        while True:
            page = self._json("GET", "/api/v2/public/datasets?" + urllib.parse.urlencode(asked, doseq=True))
            yield from page["datasets"]
            if page["next_cursor"] is None:
                return
            asked["cursor"] = page["next_cursor"]

    def dataset(self, slug: str) -> dict:
        """A dataset with its tables, licence, publisher and citation."""
        return self._json("GET", "/api/v2/public/datasets/" + urllib.parse.quote(slug, safe=""))

    def table(self, name: str) -> "Table":
        """A table by its id, by `dataset/table`, or by its dataset where that has one table."""
        if re.fullmatch("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", name):
            return Table(self, name)
        slug, _, wanted = name.partition("/")
        tables = self.dataset(slug)["tables"]
        found = [each for each in tables if each["slug"] == wanted] if wanted else tables
        if len(found) != 1:
            names = ", ".join(f"{slug}/{each['slug']}" for each in tables)
            raise LookupError(f"{name} names {len(found)} tables. {slug} has: {names}")
        return Table(self, found[0]["tableId"])

    def _json(self, method: str, path: str, body: Optional[dict] = None) -> dict:
        with self._open(method, path, body) as reply:
            return json.loads(reply.read(), parse_float=decimal.Decimal)

    def _open(self, method: str, path: str, body: Optional[dict] = None, headers: Optional[dict] = None) -> Any:
        """The reply to a request, asked again while the service is busy or cannot be reached. All of them only read."""
        sent = {"accept": "application/json", "user-agent": f"parquetry-python/{__version__}", **(headers or {})}
        if self._key:
            sent["x-api-key"] = self._key
        data = None
        if body is not None:
            data = json.dumps(body, default=str).encode()
            sent["content-type"] = "application/json"
        for attempt in range(1, _ATTEMPTS + 1):
            request = urllib.request.Request(self.base + path, data=data, headers=sent, method=method)
            try:
                return _OPENER.open(request, timeout=self.timeout)
            except urllib.error.HTTPError as error:
                wait = _retry_after(error, attempt)
                if error.code not in (429, 502, 503, 504) or attempt == _ATTEMPTS or wait > _WAIT_MAX:
                    raise _rejection(error) from None
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                if attempt == _ATTEMPTS:
                    raise
                wait = 2.0**attempt / 4
            time.sleep(wait)
        raise AssertionError("the last attempt returns or raises")


class Table:
    """One table. Queries read its current version; `version_id` among their arguments pins another."""

    def __init__(self, service: Parquetry, table_id: str):
        self.id = table_id
        self._service = service
        self._path = f"/api/v2/public/tables/{table_id}"

    def schema(self, version: Optional[str] = None) -> dict:
        """Columns with types, units, operators and profiles; `table` has version, digest, rows and bytes."""
        return self._service._json("GET", f"{self._path}/schema{_chosen(version)}")

    def versions(self) -> list:
        """All versions, newest first, each with its number, label, digest and rows."""
        return self._service._json("GET", f"{self._path}/versions")["versions"]

    def pages(self, columns: Optional[list] = None, **query: Any) -> Iterator[dict]:
        """The replies to a query, page by page, all of one version. Without `columns` (and aggregates) all columns."""
        body = {"columns": self._all_columns(query) if columns is None else columns, **query}
        path = f"{self._path}/query" if self._service._key else f"/api/public/tables/{self.id}/query"
        while True:
            page = self._service._json("POST", path, body)
            yield page
            if page["next_cursor"] is None or "limit" in query:
                return
            body["cursor"] = page["next_cursor"]

    def rows(self, columns: Optional[list] = None, **query: Any) -> Iterator[dict]:
        """The rows of a query as dicts, page after page; with `limit` those of one page."""
        for page in self.pages(columns, **query):
            read = {column["name"]: _reader(column["type"]) for column in page["columns"]}
            for row in page["rows"]:
                yield {name: None if value is None else read[name](value) for name, value in row.items()}

    def download(self, path: Optional[str] = None, version: Optional[str] = None) -> str:
        """The whole Parquet file at `path`. A download that was cut goes on where it ended; what is returned has the
        published digest. Needs a key."""
        table = self.schema(version)["table"]
        digest = table["content_digest"].split(":", 1)[1]
        target = os.path.abspath(path or f"{self.id}.parquet")
        if os.path.exists(target) and _sha256(target) == digest:
            return target
        part = f"{target}.{digest[:16]}.part"
        for _ in range(2):  # a part of somebody else's bytes is thrown away once
            self._fetch(part, table["version_id"], int(table["bytes"]))
            if _sha256(part) == digest:
                os.replace(part, target)
                return target
            os.remove(part)
        raise DigestError(f"{self.id}: the bytes received are not {table['content_digest']}")

    def _fetch(self, part: str, version_id: str, size: int) -> None:
        """Appends what is missing, again after each cut as long as bytes come."""
        path = f"{self._path}/current?version_id={version_id}"
        have = os.path.getsize(part) if os.path.exists(part) else 0
        cuts = 0
        while have < size:
            headers = {"accept": "*/*", **({"range": f"bytes={have}-"} if have else {})}
            before = have
            try:
                with self._service._open("GET", path, headers=headers) as reply:
                    is_rest = reply.status == 206
                    with open(part, "ab" if is_rest else "wb") as file:
                        for chunk in iter(lambda: reply.read(_CHUNK), b""):
                            file.write(chunk)
            except (http.client.IncompleteRead, ConnectionError, TimeoutError):
                pass  # looked at below
            have = os.path.getsize(part) if os.path.exists(part) else 0
            cuts = 0 if have > before else cuts + 1
            if cuts == _ATTEMPTS:
                raise ConnectionError(f"{self.id}: {have} of {size} bytes came; call again to go on")
        if have > size:
            os.remove(part)
            raise DigestError(f"{self.id}: more bytes than the {size} published")

    def to_pandas(self, columns: Optional[list] = None, **query: Any) -> Any:
        """A pandas DataFrame of a query, or of the whole table; from the Parquet file where pyarrow is installed."""
        import pandas

        if not query and self._service._key and importlib.util.find_spec("pyarrow"):
            return self._whole(lambda path: pandas.read_parquet(path, columns=columns))
        pages = list(self.pages(columns, **query))
        heads = pages[0]["columns"]
        rows = [row for page in pages for row in page["rows"]]
        frame = pandas.DataFrame(rows, columns=[each["name"] for each in heads])
        for column in heads:
            frame[column["name"]] = _pandas_column(pandas, frame[column["name"]], column["type"])
        return frame

    def to_polars(self, columns: Optional[list] = None, **query: Any) -> Any:
        """A Polars DataFrame of a query, or of the whole table."""
        import polars

        if not query and self._service._key:
            return self._whole(lambda path: polars.read_parquet(path, columns=columns))
        return polars.DataFrame(list(self.rows(columns, **query)), infer_schema_length=None)

    def to_arrow(self, columns: Optional[list] = None, **query: Any) -> Any:
        """A pyarrow Table of a query, or of the whole table."""
        import pyarrow
        import pyarrow.parquet

        if not query and self._service._key:
            return self._whole(lambda path: pyarrow.parquet.read_table(path, columns=columns))
        return pyarrow.Table.from_pylist(list(self.rows(columns, **query)))

    def _whole(self, read: Any) -> Any:
        with tempfile.TemporaryDirectory(prefix="parquetry-") as folder:
            return read(self.download(os.path.join(folder, "table.parquet")))

    def _all_columns(self, query: dict) -> list:
        if "aggregates" in query or "group_by" in query:
            return []
        return [column["name"] for column in self.schema(query.get("version_id"))["columns"]]


def _chosen(version: Optional[str]) -> str:
    return "" if version is None else "?" + urllib.parse.urlencode({"version_id": version})


def _sha256(path: str) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for chunk in iter(lambda: file.read(_CHUNK), b""):
            digest.update(chunk)
    return digest.hexdigest()


def _retry_after(error: urllib.error.HTTPError, attempt: int) -> float:
    told = error.headers.get("retry-after") or ""
    return float(told) if told.isdigit() else 2.0**attempt / 4


def _rejection(error: urllib.error.HTTPError) -> ParquetryError:
    try:
        return ParquetryError(error.code, json.loads(error.read()))
    except ValueError:
        return ParquetryError(error.code, {"message": error.reason})


def _reader(kind: str) -> Any:
    """What makes Python's own value of a JSON value of this type."""
    if kind.startswith("float"):
        return float
    if kind.startswith("decimal"):
        return lambda value: decimal.Decimal(value)
    if kind == "date":
        return lambda value: _or_text(datetime.date.fromisoformat, value)
    if kind.startswith("timestamp"):
        return lambda value: _or_text(datetime.datetime.fromisoformat, value)
    return lambda value: value


def _or_text(read: Any, text: str) -> Any:
    """Days that datetime does not know, such as those before the year 1, stay text."""
    try:
        return read(text.replace("Z", "+00:00"))
    except ValueError:
        return text


def _pandas_column(pandas: Any, values: Any, kind: str) -> Any:
    if kind.startswith(("int", "uint")):
        return values.astype(kind.replace("i", "I", 1).replace("u", "U", 1))
    if kind.startswith("float"):
        return values.astype(float)
    if kind == "boolean":
        return values.astype("boolean")
    if kind == "date" or kind.startswith("timestamp"):
        return pandas.to_datetime(values, errors="coerce")
    return values


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python parquetry.py DATASET/TABLE FILE.parquet")
    print(Parquetry().table(sys.argv[1]).download(sys.argv[2]))
