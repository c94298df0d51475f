"""Read tables of a Parquetry service. One file, Python 3.9 or newer, no dependencies.

    from parquetry import Parquetry

    service = Parquetry()                              # key: the variable PARQUETRY_KEY, or Parquetry(key=...)
    table = service.table("earthquakes-2018/events")
    for row in table.rows(columns=["place", "mag"], order_by=[{"column": "mag", "direction": "desc"}]):
        print(row)
    frame = table.to_pandas()                          # or to_polars(), to_arrow(); each if it is installed
    table.download("earthquakes.parquet")              # whole file, resumed if interrupted, digest verified
    table.sync("earthquakes.sqlite")                   # a copy that later calls bring up to date by what has changed

Without a key, pages are short; whole files require one. Values keep their types and digits.
"""

import base64
import contextlib
import datetime
import decimal
import hashlib
import http.client
import importlib.util
import itertools
import json
import os
import re
import socket
import sqlite3
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
_COLUMNS_MAX = 500
_ATTEMPTS, _WAIT_MAX, _CHUNK = 5, 60, 1 << 20
_JSON = "application/json"
_PARQUET = "application/vnd.apache.parquet"
_NO_CHANGES = ("version_withdrawn", "not_found", "query_timeout", "result_too_large", "artifact_too_large")
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

    def sync(self, path: str, version: Optional[str] = None, whole: bool = False) -> dict:
        """Brings the copy at `path` to the current version, or the one named. A `.parquet` file is the published one; a
        `.sqlite`, `.db` or `.duckdb` file (which needs the package duckdb) has the rows in its table `data`. A copy of
        another version gets only what has changed since, in one transaction, if the table has a key. In every other
        case, or with `whole`, all rows are read again and replace the copy at once. Needs a key. Returns `version_id`,
        `rows`, `changes`, and `whole`: why all rows were read, or None. If it is killed, call it again."""
        kind, path = os.path.splitext(path)[1], os.path.realpath(path)  # a link remains one
        with _locked(path):
            return self._sync_locked(kind, path, version, whole)

    def _sync_locked(self, kind: str, path: str, version: Optional[str], whole: bool) -> dict:
        head = self.schema(version)
        table = head["table"]
        if kind == ".parquet":
            return self._sync_file(path, table)
        copy = (_DuckDBCopy if kind == ".duckdb" else _SQLiteCopy)(path, self.id)
        try:
            reason = "it was requested" if whole else copy.doubt
            if reason is None:
                try:
                    changes = self._catch_up(copy, table)
                except _Doubt as doubt:
                    reason = str(doubt)
            if reason is not None:
                changes = 0
                copy.replace(self, head)
            copy.clean()
            return _synced(table, changes, reason)
        finally:
            copy.close()

    def _sync_file(self, path: str, table: dict) -> dict:
        """Replaces a Parquet file only by another version of the same table."""
        digest = f"sha256:{_sha256(path)}" if os.path.exists(path) else None
        if digest == table["content_digest"]:
            return _synced(table, 0, None)
        if digest and not any(version["content_digest"] == digest for version in self.versions()):
            raise _foreign(path)
        self.download(path, table["version_id"])
        return _synced(table, 0, "a Parquet file is the published one")

    def _changes(self, since: str, table: dict, accept: str = "", cursor: str = "", **limit: Any) -> Any:
        """A page of the changes up to a version: as it was sent in a form, with where the next one begins, or parsed."""
        asked = {"since": since, "until": table["version_id"], **limit, **({"cursor": cursor} if cursor else {})}
        path = f"{self._path}/changes?{urllib.parse.urlencode(asked)}"
        return self._service._ask(path, _stream, None, accept) if accept else self._service._json(path)

    def _catch_up(self, copy: Any, table: dict) -> int:
        """Applies the changes since the copy's version. Raises _Doubt if the result would not be certain."""
        if copy.version == table["version_id"]:
            copy.expect(table["rows"])
            return 0
        try:
            first = self._changes(copy.version, table, limit=1)
        except ParquetryError as error:
            if error.code not in _NO_CHANGES:
                raise
            raise _Doubt(f"there are no changes since its version ({error.code})") from None
        total, cursor, done = first["total_changes"], "", 0
        if not first["key"]:
            raise _Doubt("the table has no key")
        if first["key"] != copy.key:
            raise _Doubt("the key has changed")
        if any(change["op"] == "schema" for change in first["changes"]):
            raise _Doubt("the columns have changed")
        if total > table["rows"]:
            raise _Doubt("most rows have changed")
        with tempfile.TemporaryDirectory(prefix="parquetry-") as folder:
            pages = []
            while cursor is not None:
                page, cursor, _ = self._changes(copy.version, table, copy.accept, cursor)
                pages.append(os.path.join(folder, f"{len(pages)}.page"))
                with open(pages[-1], "wb") as file:
                    file.write(page)
            with copy.transaction(table):  # readers of the copy do not wait for the network
                for path in pages:
                    done += copy.apply(path, first["columns"], first["key"])
                if done != total:
                    raise _Doubt(f"{done} of {total} changes arrived")
                copy.expect(table["rows"])
        return done

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


_held = set()  # the copies that this process brings up to date


@contextlib.contextmanager
def _locked(path: str) -> Iterator[None]:
    """Keeps other processes from the copy by a file, also in place of that of an ended one."""
    lock = f"{path}.lock"
    for attempt in itertools.count():
        try:
            with open(lock, "x") as file:
                file.write(f"{os.getpid()} {socket.gethostname()}")
            break
        except FileExistsError:
            if attempt < 20 and _text_of(lock) == "":  # it is being written
                time.sleep(0.1)
            else:
                _remove_ended(lock, path)
    _held.add(path)
    try:
        yield
    finally:
        _held.discard(path)
        _remove(lock)


def _remove_ended(lock: str, path: str) -> None:
    """Removes the lock of an ended process, but not that of another one that has just done the same."""
    running = f"Another sync of {path} is running. Wait for its end; if there is none, delete {lock}."
    holder = _text_of(lock)
    if holder is None:
        return
    if holder and not _is_ended(holder, path):
        raise RuntimeError(running)
    aside = f"{lock}.{os.getpid()}"
    with contextlib.suppress(FileNotFoundError):
        os.rename(lock, aside)
    moved = _text_of(aside)
    if moved not in (None, holder):
        with contextlib.suppress(OSError):
            os.link(aside, lock)
        _remove(aside)
        raise RuntimeError(running)
    _remove(aside)


def _is_ended(holder: str, path: str) -> bool:
    """Whether the process that wrote this ran on this computer, and does no longer; unknown on Windows."""
    found = re.fullmatch(r"([0-9]{1,10}) (\S+)", holder)
    if not found or found[2] != socket.gethostname() or os.name == "nt":
        return False
    if int(found[1]) == os.getpid():
        return path not in _held
    try:
        os.kill(int(found[1]), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        pass
    return False


def _text_of(path: str) -> Optional[str]:
    try:
        with open(path, errors="replace") as file:
            return file.read(1000)
    except FileNotFoundError:
        return None


class _Doubt(Exception):
    """Why the changes cannot be applied, or did not lead to the version."""


def _synced(table: dict, changes: int, whole: Optional[str]) -> dict:
    return {"version_id": table["version_id"], "rows": table["rows"], "changes": changes, "whole": whole}


_ABOUT = (
    "table_id VARCHAR, version_id VARCHAR, content_digest VARCHAR, total_rows BIGINT, primary_key VARCHAR, "
    "next_cursor VARCHAR"
)


_JOURNALS = ("-journal", "-wal", "-shm", ".wal")
# what follows the name of a copy in those of files that killed programs left
_LEFT = re.compile(r"\.[0-9a-f]{16}\.part(\.parquet(\.[0-9a-f]{16}\.part)?|\.wal|-journal|-wal|-shm)?")
# what SQLite and DuckDB say of a file that is not theirs, or has no such table; anything else may pass
_FOREIGN = re.compile(
    r"no such (table|column)|is not a database|Table with name \S+ does not exist|not found in FROM clause"
    r"|not a valid DuckDB"
)


def _foreign(path: str) -> ValueError:
    return ValueError(f"{path} is not a copy of this table. Choose another name, or delete it.")


class _Copy:
    """A database with a table's rows in `data`, and their version in `parquetry`, changed in the same transaction."""

    def __init__(self, path: str, table_id: str):
        self.path, self.table_id, self.version = os.path.abspath(path), table_id, None
        self.key: Optional[list] = None
        self.doubt: Optional[str] = "there was no copy"
        self._database: Any = None
        if os.path.exists(self.path):
            try:
                self._database = self._open(self.path)
                (self.version, key), self.doubt = self._about(), None
                self.key = json.loads(key)
            except Exception as error:
                self.close()
                if _FOREIGN.search(str(error)):
                    raise _foreign(self.path) from None
                raise

    def _open(self, path: str) -> Any:
        raise NotImplementedError

    def _about(self) -> tuple:
        """Refuses a database that is not a copy of this table: it would be replaced."""
        found = self._database.execute("SELECT table_id, version_id, primary_key FROM parquetry").fetchone()
        if found is None or found[0] != self.table_id:
            raise _foreign(self.path)
        return found[1:]

    def expect(self, rows: int) -> None:
        found = self._database.execute("SELECT count(*) FROM data").fetchone()[0]
        if found != rows:
            raise _Doubt(f"the copy has {found} rows instead of {rows}")

    @contextlib.contextmanager
    def transaction(self, table: dict) -> Iterator[None]:
        """Changes the rows and their version, or neither."""
        run = self._database.execute
        run(self._begin)
        try:
            if self._about()[0] != self.version:
                raise RuntimeError(f"Another program is bringing {self.path} up to date")
            yield
            values = (table["version_id"], table["content_digest"], table["rows"])
            run("UPDATE parquetry SET version_id = ?, content_digest = ?, total_rows = ?", values)
            run("COMMIT")
        except BaseException:
            run("ROLLBACK")
            raise

    def close(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None

    def _put(self, part: str) -> None:
        """Replaces the copy by a complete one, without the journal of the old one."""
        self.close()
        for end in _JOURNALS:
            _remove(self.path + end)
        os.replace(part, self.path)

    def _values(self, head: dict, cursor: Optional[str]) -> tuple:
        """The row about a version that a new copy begins with."""
        table, key = head["table"], json.dumps(head["primary_key"])
        return self.table_id, table["version_id"], table["content_digest"], table["rows"], key, cursor

    def _part(self, table: dict) -> str:
        """Where the rows of a version are collected."""
        return f"{self.path}.{table['content_digest'][7:23]}.part"

    def clean(self) -> None:
        """Removes what killed programs left."""
        folder, own = os.path.split(self.path)
        for entry in list(os.scandir(folder)):
            is_left = entry.name.startswith(own) and _LEFT.fullmatch(entry.name[len(own) :])
            if is_left and entry.is_file(follow_symlinks=False):
                _remove(entry.path)


class _SQLiteCopy(_Copy):
    _begin = "BEGIN IMMEDIATE"
    accept = "application/x-ndjson"

    def _open(self, path: str) -> Any:
        return sqlite3.connect(path, timeout=60, isolation_level=None)

    def apply(self, path: str, columns: list, key: list) -> int:
        with open(path, encoding="utf-8") as file:
            changes = [json.loads(line, parse_float=decimal.Decimal) for line in file]
        kinds = {column["name"]: column["type"] for column in columns}
        where = " AND ".join(f"{_quoted(name)} = ?" for name in key)
        delete, insert = f"DELETE FROM data WHERE {where}", _insert(columns)
        for change in changes:
            if change["op"] != "inserted":
                values = [_stored(kinds[name], change["key"][name]) for name in key]
                if self._database.execute(delete, values).rowcount != 1:
                    raise _Doubt("a row that has changed is not in the copy")
            if change["op"] != "deleted":
                try:
                    self._database.execute(insert, [_stored(kinds[name], change["row"][name]) for name in kinds])
                except sqlite3.IntegrityError:
                    raise _Doubt("a new row is in the copy already") from None
        return len(changes)

    def replace(self, table: Table, head: dict) -> None:
        count = len(head["columns"])
        if count > _COLUMNS_MAX:
            message = f"A copy as SQLite has up to {_COLUMNS_MAX} columns, not {count}. Name a .duckdb file."
            raise ValueError(message)
        part = self._part(head["table"])
        try:
            self._fill(part, table, head)
        except ParquetryError as error:
            if error.code not in ("invalid_cursor", "cursor_mismatch"):
                raise
            _discard(part)
            self._fill(part, table, head)
        self._put(part)

    def _fill(self, part: str, table: Table, head: dict) -> None:
        about, key = head["table"], head["primary_key"]
        with contextlib.closing(self._begun(part, head)) as database:
            run = database.execute
            (cursor,) = run("SELECT next_cursor FROM parquetry").fetchone()
            if cursor is not None:
                asked = {"version_id": about["version_id"], **({"cursor": cursor} if cursor else {})}
                for page in table.pages([column["name"] for column in head["columns"]], **asked):
                    self._add(database, page, cursor)
                    cursor = page["next_cursor"]
            if key:
                run(f"CREATE UNIQUE INDEX IF NOT EXISTS data_key ON data ({', '.join(map(_quoted, key))})")
            found = run("SELECT count(*) FROM data").fetchone()[0]
        if found != about["rows"]:
            _remove(part)
            raise ConnectionError(f"{found} of {about['rows']} rows arrived; call again")

    def _begun(self, part: str, head: dict) -> Any:
        """The part of this very version that a killed program has left, or a new one."""
        if os.path.exists(part):
            left = self._open(part)
            if self._is_of(left, head["table"]):
                return left
            left.close()
            _discard(part)
        database = self._open(part)
        run = database.execute
        run("BEGIN IMMEDIATE")
        types = ", ".join(f"{_quoted(column['name'])} {_affinity(column['type'])}" for column in head["columns"])
        run(f"CREATE TABLE data ({types})")
        run(f"CREATE TABLE parquetry ({_ABOUT})")
        run("INSERT INTO parquetry VALUES (?, ?, ?, ?, ?, ?)", self._values(head, ""))
        run("COMMIT")
        return database

    def _is_of(self, database: Any, table: dict) -> bool:
        try:
            found = database.execute("SELECT table_id, version_id FROM parquetry").fetchone()
        except sqlite3.DatabaseError as error:
            if _FOREIGN.search(str(error)):
                return False
            raise
        return found == (self.table_id, table["version_id"])

    def _add(self, database: Any, page: dict, cursor: str) -> None:
        """The rows of a page and where the next one begins, at once: a killed program continues there."""
        kinds = {column["name"]: column["type"] for column in page["columns"]}
        rows = [[_stored(kinds[name], value) for name, value in row.items()] for row in page["rows"]]
        database.execute("BEGIN IMMEDIATE")
        moved = "UPDATE parquetry SET next_cursor = ? WHERE next_cursor = ?"
        if database.execute(moved, (page["next_cursor"], cursor)).rowcount != 1:
            raise RuntimeError(f"Another program is filling {self.path}")
        database.executemany(_insert(page["columns"]), rows)
        database.execute("COMMIT")


class _DuckDBCopy(_Copy):
    _begin = "BEGIN TRANSACTION"
    accept = _PARQUET

    def _open(self, path: str) -> Any:
        import duckdb
        return duckdb.connect(path)

    def apply(self, path: str, columns: list, key: list) -> int:
        run = self._database.execute
        changes = f"{_parquet_at(path)} AS c"
        counts = "count(*), count(*) FILTER (op <> 'inserted'), count(*) FILTER (op <> 'deleted')"
        total, gone, added = run(f"SELECT {counts} FROM {changes}").fetchone()
        same = " AND ".join(f"data.{_quoted(name)} = c.key.{_quoted(name)}" for name in key)
        deleted = run(f"DELETE FROM data USING {changes} WHERE c.op <> 'inserted' AND {same}").fetchone()[0]
        rows = ", ".join(f"c.row.{_quoted(column['name'])}" for column in columns)
        insert = f"INSERT INTO data ({_listed(columns)}) SELECT {rows} FROM {changes} WHERE c.op <> 'deleted'"
        put = run(insert).fetchone()[0]
        if (deleted, put) != (gone, added):
            raise _Doubt("a row that has changed is not in the copy")
        return total

    def replace(self, table: Table, head: dict) -> None:
        about = head["table"]
        part = self._part(about)
        file = table.download(f"{part}.parquet", about["version_id"])
        _discard(part)
        database = self._open(part)
        database.execute(f"CREATE TABLE data AS SELECT * FROM {_parquet_at(file)}")
        database.execute(f"CREATE TABLE parquetry ({_ABOUT})")
        database.execute("INSERT INTO parquetry VALUES (?, ?, ?, ?, ?, ?)", self._values(head, None))
        database.close()
        self._put(part)
        _remove(file)


def _discard(part: str) -> None:
    for end in ("", *_JOURNALS):
        _remove(part + end)


def _remove(path: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.remove(path)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _insert(columns: list) -> str:
    return f"INSERT INTO data ({_listed(columns)}) VALUES ({', '.join('?' for _ in columns)})"


def _listed(columns: list) -> str:
    return ", ".join(_quoted(column["name"]) for column in columns)


def _parquet_at(path: str) -> str:
    """A file's own columns, whatever its folders are called."""
    return f"read_parquet('{path.replace(chr(39), chr(39) * 2)}', hive_partitioning = false)"


_INTEGERS = re.compile(r"boolean|u?int(8|16|32)|int64")


def _affinity(kind: str) -> str:
    if _INTEGERS.fullmatch(kind):
        return "INTEGER"
    return "REAL" if kind.startswith("float") else "BLOB" if kind == "binary" else "TEXT"


def _stored(kind: str, value: Any) -> Any:
    """A value as SQLite can hold it: numbers that do not fit, times, lists and documents as text; NaN too."""
    if value is None or _INTEGERS.fullmatch(kind):
        return value
    if kind.startswith("float"):
        return value if value == "NaN" else float(value)
    if kind == "binary":
        return base64.b64decode(value)
    if kind.startswith("decimal") or kind == "uint64":
        return format(value, "f") if isinstance(value, decimal.Decimal) else str(value)
    return _json_text(value) if kind == "json" or kind.startswith(("list", "struct")) else value


def _json_text(value: Any) -> str:
    """JSON with the digits that the service sent."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(name, ensure_ascii=False)}:{_json_text(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_json_text, value)) + "]"
    return str(value) if isinstance(value, decimal.Decimal) else json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "sync":
        print(json.dumps(Parquetry().table(sys.argv[2]).sync(sys.argv[3])))
        sys.exit()
    if len(sys.argv) != 3:
        sys.exit("usage: python parquetry.py [sync] DATASET/TABLE FILE")
    print(Parquetry().table(sys.argv[1]).download(sys.argv[2]))
