"""Read tables of a Parquetry service. One file, Python 3.9 or newer, no dependencies.

    from parquetry import Parquetry

    service = Parquetry()                              # key: the variable PARQUETRY_KEY, or Parquetry(key=...)
    table = service.table("earthquakes-2018/events")
    for row in table.rows(columns=["place", "mag"], order_by=[{"column": "mag", "direction": "desc"}]):
        print(row)
    frame = table.to_pandas()                          # or to_polars(), to_arrow(); each if it is installed
    table.download("earthquakes.parquet")              # whole file, resumed if interrupted, digest verified

Without a key, pages are short; whole files require one. Values keep their types and digits.
"""

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
import warnings
from typing import Any, Iterator, Optional

__version__ = "0.0.0"
BASE = "http://localhost:3000"
_ROWS_MAX = 10_000
_ATTEMPTS, _WAIT_MAX, _CHUNK = 5, 60, 1 << 20
_JSON = "application/json"
_CUTS = (http.client.IncompleteRead, ConnectionError, TimeoutError)


class ParquetryError(Exception):
    """A request that the service rejected: its status, its error code, and every fault that it named."""

    def __init__(self, status: int, body: dict):
        self.status, self.code = status, body.get("error", "unknown")
        self.details, self.request_id = body.get("details", []), body.get("request_id")
        faults = "".join(f"\n  {each.get('pointer', '')}: {each.get('message', '')}" for each in self.details)
        super().__init__(f"{status} {self.code}: {body.get('message', '')}{faults}")


class DigestError(Exception):
    """Bytes that do not match the published digest."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The key is sent only to the service, wherever a reply points."""

    def redirect_request(self, *_: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirect)


class Parquetry:
    """A service. `key` is a use key, by default that of the variable PARQUETRY_KEY; without either, no key is sent."""

    def __init__(self, base: str = BASE, key: Optional[str] = None, timeout: float = 60):
        self.base = base.rstrip("/")
        self.timeout = timeout
        self._key = key if key is not None else os.environ.get("PARQUETRY_KEY")

    def search(self, q: str = "", **filters: Any) -> Iterator[dict]:
        """Datasets that match the words, best first; all of them without words. Filters: topic, publisher, license;
        a list matches any of its values."""
        asked = {**filters, **({"q": q} if q else {})}
        while True:
            page = self._json("/api/v2/public/datasets?" + urllib.parse.urlencode(asked, doseq=True))
            yield from page["datasets"]
            if page["next_cursor"] is None:
                return
            asked["cursor"] = page["next_cursor"]

    def dataset(self, slug: str) -> dict:
        """A dataset with its tables, licence, publisher and citation."""
        return self._json("/api/v2/public/datasets/" + urllib.parse.quote(slug, safe=""))

    def table(self, name: str) -> "Table":
        """A table by its id, by `dataset/table`, or by its dataset if that has a single table."""
        if re.fullmatch("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", name):
            return Table(self, name)
        slug, _, wanted = name.partition("/")
        tables = self.dataset(slug)["tables"]
        found = [each for each in tables if each["slug"] == wanted] if wanted else tables
        if len(found) != 1:
            names = ", ".join(f"{slug}/{each['slug']}" for each in tables)
            raise LookupError(f"{name} names {len(found)} tables. {slug} has: {names}")
        return Table(self, found[0]["tableId"])

    def _json(self, path: str) -> dict:
        return self._ask(path, _page)[0]

    def _ask(self, path: str, read: Any, body: Optional[dict] = None, accept: str = _JSON, **headers: str) -> Any:
        """The result of `read` for the reply; repeated while the service is busy or unreachable."""
        sent = {"accept": accept, "user-agent": f"parquetry-python/{__version__}", **headers}
        sent.update({"x-api-key": self._key} if self._key else {}, **({} if body is None else {"content-type": _JSON}))
        data = None if body is None else json.dumps(body, default=str).encode()
        for attempt in range(1, _ATTEMPTS + 1):
            wait = 2.0**attempt / 4
            try:
                return read(_OPENER.open(urllib.request.Request(self.base + path, data, sent), timeout=self.timeout))
            except urllib.error.HTTPError as error:
                told = error.headers.get("retry-after") or ""
                wait = float(told) if told.isdigit() else wait
                if error.code not in (429, 502, 503, 504) or attempt == _ATTEMPTS or wait > _WAIT_MAX:
                    raise _rejection(error) from None
            except (urllib.error.URLError, *_CUTS):
                if attempt == _ATTEMPTS:
                    raise
            time.sleep(wait)


class Table:
    """One table. Queries read its current version; `version_id` among their arguments pins another."""

    def __init__(self, service: Parquetry, table_id: str):
        self.id = table_id
        self._service = service
        self._path = f"/api/v2/public/tables/{table_id}"

    def schema(self, version: Optional[str] = None) -> dict:
        """Columns with types, units, operators and profiles; `table` has version, digest, rows and bytes."""
        chosen = f"?version_id={urllib.parse.quote(version, safe='')}" if version else ""
        return self._service._json(f"{self._path}/schema{chosen}")

    def versions(self) -> list:
        """All versions, newest first, each with its number, label, digest and rows."""
        return self._service._json(f"{self._path}/versions")["versions"]

    def pages(self, columns: Optional[list] = None, **query: Any) -> Iterator[dict]:
        """The replies to a query, page by page, all of one version. Without `columns` and aggregates, all columns.
        With a page's `next_cursor` as `cursor`, from there on. Groups have one page; it warns if there are more."""
        return self._pages(columns, query, _JSON, _page)

    def _pages(self, columns: Optional[list], query: dict, accept: str, read: Any) -> Iterator[Any]:
        is_grouped = "aggregates" in query or "group_by" in query
        if columns is None:
            columns = [] if is_grouped else [each["name"] for each in self.schema(query.get("version_id"))["columns"]]
        path, body = f"/api/public/tables/{self.id}/query", {"columns": columns, **query}
        if self._service._key:
            path, body = f"{self._path}/query", {"limit": 1000 if is_grouped else _ROWS_MAX, **body}
        while True:
            page, cursor, truncated = self._service._ask(path, read, body, accept)
            if is_grouped and truncated and "limit" not in query:
                message = "There are more groups than were returned: filter, group by less, or set limit."
                warnings.warn(message, stacklevel=2)
            yield page
            if cursor is None or "limit" in query:
                return
            body["cursor"] = cursor

    def rows(self, columns: Optional[list] = None, **query: Any) -> Iterator[dict]:
        """The rows of a query as dicts, from all pages; with `limit`, those of a single page."""
        for page in self.pages(columns, **query):
            kinds = {column["name"]: column["type"] for column in page["columns"]}
            for row in page["rows"]:
                yield {name: _value(kinds[name], value) for name, value in row.items()}

    def download(self, path: Optional[str] = None, version: Optional[str] = None) -> str:
        """The whole Parquet file at `path`, with the published digest; resumes an interrupted download. Needs a key."""
        table = self.schema(version)["table"]
        digest = table["content_digest"].split(":", 1)[1]
        target = os.path.abspath(path or f"{self.id}.parquet")
        if os.path.exists(target) and _sha256(target) == digest:
            return target
        part = f"{target}.{digest[:16]}.part"
        for _ in range(2):  # a part with wrong bytes is discarded once
            self._fetch(part, table["version_id"], int(table["bytes"]))
            if _sha256(part) == digest:
                os.replace(part, target)
                return target
            os.remove(part)
        raise DigestError(f"{self.id}: the bytes received are not {table['content_digest']}")

    def _fetch(self, part: str, version_id: str, size: int) -> None:
        """Appends the missing bytes, and retries after each interruption as long as bytes arrive."""
        path = f"{self._path}/current?version_id={version_id}"
        cuts, have = 0, -1
        while cuts < _ATTEMPTS:
            before, have = have, os.path.getsize(part) if os.path.exists(part) else 0
            if have >= size:
                return
            cuts = cuts + 1 if have == before else 0
            rest = {"range": f"bytes={have}-"} if have else {}
            try:
                with self._service._ask(path, lambda reply: reply, None, "*/*", **rest) as reply:
                    with open(part, "ab" if reply.status == 206 else "wb") as file:
                        for chunk in iter(lambda: reply.read(_CHUNK), b""):
                            file.write(chunk)
            except _CUTS:
                pass  # the size shows it
        raise ConnectionError(f"{self.id}: {have} of {size} bytes arrived; call again to continue")

    def to_pandas(self, columns: Optional[list] = None, **query: Any) -> Any:
        """A pandas DataFrame of a query, or of the whole table; through Arrow if pyarrow is installed."""
        import pandas
        if importlib.util.find_spec("pyarrow"):
            table = self.to_arrow(columns, **query)
            return table.to_pandas(date_as_object=False, types_mapper=lambda kind: _nullable(pandas, str(kind)))
        return pandas.concat([_frame(pandas, page) for page in self.pages(columns, **query)], ignore_index=True)

    def to_polars(self, columns: Optional[list] = None, **query: Any) -> Any:
        """A Polars DataFrame of a query, or of the whole table."""
        import polars
        if not query and self._service._key:
            return self._whole(lambda path: polars.read_parquet(path, columns=columns))
        return polars.concat(polars.read_ipc_stream(page) for page in self._streams(columns, query))

    def to_arrow(self, columns: Optional[list] = None, **query: Any) -> Any:
        """A pyarrow Table of a query, or of the whole table."""
        import pyarrow
        import pyarrow.parquet
        if not query and self._service._key:
            return self._whole(lambda path: pyarrow.parquet.read_table(path, columns=columns))
        return pyarrow.concat_tables(pyarrow.ipc.open_stream(page).read_all() for page in self._streams(columns, query))

    def _streams(self, columns: Optional[list], query: dict) -> Iterator[bytes]:
        """The pages of a query as Arrow streams, which have the types of the columns."""
        accept = "application/vnd.apache.arrow.stream"
        return self._pages(columns, query, accept, _stream)

    def _whole(self, read: Any) -> Any:
        with tempfile.TemporaryDirectory(prefix="parquetry-") as folder:
            return read(self.download(os.path.join(folder, "table.parquet")))


def _page(reply: Any) -> tuple:
    page = json.loads(reply.read(), parse_float=decimal.Decimal)
    return page, page.get("next_cursor"), page.get("execution", {}).get("truncated")


def _stream(reply: Any) -> tuple:
    return reply.read(), reply.headers["x-next-cursor"], reply.headers["x-truncated"] == "true"


def _sha256(path: str) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for chunk in iter(lambda: file.read(_CHUNK), b""):
            digest.update(chunk)
    return digest.hexdigest()


def _rejection(error: urllib.error.HTTPError) -> ParquetryError:
    try:
        return ParquetryError(error.code, json.loads(error.read()))
    except ValueError:
        return ParquetryError(error.code, {"message": error.reason})


_READERS = {
    "float32": float,
    "float64": float,
    "decimal": decimal.Decimal,
    "date": datetime.date.fromisoformat,
    "timestamp": lambda text: datetime.datetime.fromisoformat(text.replace("Z", "+00:00")),
}


def _value(kind: str, value: Any) -> Any:
    """Python's own value of a JSON value of this type; dates that datetime cannot represent remain strings."""
    read = _READERS.get(kind.split("(")[0])
    try:
        return read(value) if read and value is not None else value
    except ValueError:
        return value


def _frame(pandas: Any, page: dict) -> Any:
    frame = pandas.DataFrame(page["rows"], columns=[column["name"] for column in page["columns"]], dtype=object)
    for column in page["columns"]:
        frame[column["name"]] = _typed(pandas, frame[column["name"]], column["type"])
    return frame


def _typed(pandas: Any, values: Any, kind: str) -> Any:
    if kind.startswith("float") or _nullable(pandas, kind):
        return values.astype(_nullable(pandas, kind) or float)
    values = values.map(lambda value: _value(kind, value))
    try:
        return pandas.to_datetime(values, utc=kind != "date") if kind.startswith(("date", "timestamp")) else values
    except (ValueError, OverflowError):  # dates that pandas cannot represent
        return values


def _nullable(pandas: Any, kind: str) -> Any:
    """The type that holds missing values and all digits; None if pandas' default does."""
    if kind.startswith(("int", "uint")):
        return pandas.api.types.pandas_dtype(kind.title().replace("Ui", "UI"))
    return pandas.BooleanDtype() if kind in ("bool", "boolean") else None


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python parquetry.py DATASET/TABLE FILE.parquet")
    print(Parquetry().table(sys.argv[1]).download(sys.argv[2]))
