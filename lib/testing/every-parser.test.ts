import { BlockList } from "node:net";
import Negotiator from "negotiator";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { drawableText } from "@/components/picture/drawable-text";
import { marksOfText, markWords } from "@/components/ui/mark-words";
import { markdownHtml } from "@/components/ui/markdown";
import { browserName } from "@/lib/auth/browser-name";
import { keyKindOf } from "@/lib/auth/key-form";
import { canonicalJson, canonicalNumber } from "@/lib/builds/document/canonical";
import { patchTree } from "@/lib/builds/document/json-patch";
import { readSource } from "@/lib/builds/document/source-shape";
import { readTree } from "@/lib/builds/document/tree";
import { partitionCell } from "@/lib/builds/part-columns";
import { patternFault } from "@/lib/builds/patterns";
import { searchParts } from "@/lib/docs/doc-search";
import { parseJsonBody } from "@/lib/engine/grammar/body";
import { parseCursor } from "@/lib/engine/run/cursor";
import { parseQuery } from "@/lib/engine/run/query";
import { columnTypeOf, parseColumnType } from "@/lib/engine/types/column-types";
import { parseExact, wholeNumber } from "@/lib/engine/types/exact-number";
import { readFilterValue } from "@/lib/engine/types/filter-value";
import { parseExactJson } from "@/lib/formats/exact-json";
import { cookieOf } from "@/lib/http/credentials";
import { checkBody, readParameters, readQuery } from "@/lib/http/read-input";
import { redact } from "@/lib/http/redact";
import { safeCallback } from "@/lib/http/same-origin";
import { isUuid } from "@/lib/kernel/uuid";
import { canonicalAddress } from "@/lib/limits/address";
import { plainNumbers } from "@/lib/mcp/exact-numbers";
import { isMessage, messageFault } from "@/lib/mcp/message-faults";
import { basicCredentials, plainBasic } from "@/lib/oauth/basic-credentials";
import { isDocumentAddress } from "@/lib/oauth/client-document";
import { programName, readableName } from "@/lib/oauth/readable-name";
import { isReachedUnasked, isRedirectUri, isRegistered } from "@/lib/oauth/redirect-uri";
import { clientMetadataSchema, clientName, clientUri } from "@/lib/oauth/registration";
import { readScopes } from "@/lib/oauth/scopes";
import { readUserCode } from "@/lib/oauth/user-code";
import { readRange } from "@/lib/operations/reading/byte-range";
import { catalogueQuery } from "@/lib/operations/reading/catalogue-query";
import { matchesTag, namesTag } from "@/lib/operations/reading/preconditions";
import { inspectionRequest } from "@/lib/operations/sources/inspection-request";
import { globPattern } from "@/lib/readers/containers/archive";
import { unreadFormat } from "@/lib/readers/containers/unread-formats";
import { headRecords } from "@/lib/readers/delimited/head-records";
import { Utf8Check } from "@/lib/readers/delimited/utf8";
import { cellKind } from "@/lib/readers/proposals/cell-kind";
import { inspectColumns } from "@/lib/readers/proposals/columns";
import { closedJson } from "@/lib/readers/proposals/cut-json";
import { findDialect } from "@/lib/readers/proposals/dialect";
import { inspect } from "@/lib/readers/proposals/inspect";
import { licenceHints } from "@/lib/readers/proposals/licence-hints";
import { normalizeReaderOptions } from "@/lib/readers/proposals/reader-options";
import { plainNumber } from "@/lib/readers/xlsx/plain-number";
import { positionOf } from "@/lib/readers/xlsx/references";
import { unescaped } from "@/lib/readers/xlsx/workbook-parts";
import { emailSchema } from "@/lib/schemas/account";
import { slugSchema } from "@/lib/schemas/dataset";
import { lineSchema, nameSchema } from "@/lib/schemas/name";
import { datasetTextsSchema } from "@/lib/schemas/publish";
import { durationSchema, pointerSchema } from "@/lib/schemas/recipe-values";
import { indexedWords, searchWords } from "@/lib/schemas/search-words";
import { headerNameSchema, secretNameSchema } from "@/lib/schemas/secret";
import { trueClientAddress } from "@/lib/server/client-address";
import { markdownTarget } from "@/lib/server/markdown-target";
import { readTarget } from "@/lib/server/request-target";
import { isOfDays } from "@/lib/sources/calendar";
import { hostListed } from "@/lib/sources/credential";
import { EchoGuard } from "@/lib/sources/echo-guard";
import { nextLink } from "@/lib/sources/link-header";
import { datedText, partitionsOf } from "@/lib/sources/partitions";
import { pointed } from "@/lib/sources/pointed";
import { retryAfter } from "@/lib/sources/read-source";
import { slugOf } from "@/lib/store/datasets/slug";
import { readView } from "@/lib/view/view-address";
import { superlinear } from "./processor-growth";

const TIER = { rowsMax: 10_000, bytesMax: 1 << 20 };
const SECRET = Buffer.alloc(32);
const ORIGIN = "https://parquetry.example";
const HERE = new BlockList();
HERE.addSubnet("0.0.0.0", 0, "ipv4");

const TYPES = ["int64", "decimal(38,2)", "float64", "string", "timestamp", "date", "time", "boolean", "uuid"];
const VIEW_COLUMNS = Array.from({ length: 200 }, (_, at) => ({ name: `column ${at}`, type: TYPES[at % 9] as string }));
const look = (text: string, more: object = {}) =>
  inspect({ head: Buffer.from(text), isWhole: true, name: text.slice(0, 200), mediaType: text.slice(0, 200), ...more });
const DOCS = [{ page: "Queries", heading: "Filters", href: "/docs/queries#filters", text: "a filter of a column" }];

/** A parser of what clients or publishers send, with the text where they would put it. */
type Parsers = Readonly<Record<string, (text: string) => unknown>>;

/** The parameters of a query string. Node's own reader takes more than linear time; requests bound its input. */
function parametersOf(text: string): Record<string, string[]> {
  const parts = text.split("&").map((part) => part.split("=", 2));
  const named = Map.groupBy(parts, ([name = ""]) => name);
  return Object.fromEntries([...named].map(([name, all]) => [name, all.map(([, value = ""]) => value)]));
}

/**
 * Every parser of text that is chosen by a client or publisher. A new one needs a row here: its name, and a function
 * that puts the text where the sender would. For a parser that needs a request, a file or the database, its pure part
 * is tested here.
 */
const PARSERS: Readonly<Record<string, Parsers>> = {
  "of bodies": {
    "a JSON body": parseJsonBody,
    "a query": (text) => parseQuery(parseJsonBody(text), TIER),
    "a query's limit": (text) => parseQuery(parseJsonBody(`{"columns":["x"],"limit":${text}}`), TIER),
    "a query's filter": (text) => {
      const filters = [{ column: text, operator: text, value: text }];
      return parseQuery(parseJsonBody(JSON.stringify({ columns: [text], filters })), TIER);
    },
    "a body by its schema": (text) => checkBody(JSON.parse(text), z.strictObject({ name: z.string() })),
    "exact JSON": parseExactJson,
    "a JSON Patch": (text) => {
      const [path, at] = [`/tables/0/${text}`, `/${text}`];
      const tree = { tables: [{}] };
      return (
        patchTree(tree, [
          { op: "add", path: at, value: text },
          { op: "test", path: at, value: text },
        ]) && path
      );
    },
    "an exact number": parseExact,
    "a whole number": wholeNumber,
    "a cursor": (text) => parseCursor(text, SECRET),
    "a UUID": isUuid,
    "a column type": parseColumnType,
  },
  "of filter values": Object.fromEntries(
    TYPES.map((type) => [type, (text: string) => readFilterValue(columnTypeOf({ type }), text)]),
  ),
  "of addresses": {
    "a request target": (text) => readTarget(`/${text}`),
    "an absolute target": (text) => readTarget(`http://${text}`),
    "a target's Markdown": (text) => markdownTarget(readTarget(`/datasets/${text}`), "GET", text),
    "a query string": (text) => readQuery(new URL(`/?${text}`, ORIGIN), z.strictObject(catalogueQuery)),
    "a search": searchWords,
    "a search's marks": (text) => markWords(text, marksOfText(text)),
    "a search of the docs": (text) => searchParts(DOCS, text),
    "where to return to": (text) => [safeCallback(text, ORIGIN), safeCallback(`/${text}`, ORIGIN)],
    "a view": (text) => readView(parametersOf(text), VIEW_COLUMNS),
    ...Object.fromEntries(
      ["filter", "columns", "group", "agg", "sort", "limit", "chart", "version"].map((part) => [
        `a view's ${part}`,
        (text: string) => readView({ [part]: text }, VIEW_COLUMNS),
      ]),
    ),
    "a view's filter by number": (text) => readView({ filter: `column 1:eq:${text}` }, VIEW_COLUMNS),
    "a view's filter by instants": (text) => readView({ filter: `column 4:in:${text}` }, VIEW_COLUMNS),
  },
  "of headers": {
    cookies: (text) => cookieOf(text, "session"),
    "basic credentials": (text) => [
      basicCredentials(`Basic ${text}`),
      plainBasic(`Basic ${Buffer.from(text).toString("base64")}`),
    ],
    "a key": keyKindOf,
    "a browser's name": browserName,
    "If-Match": (text) => namesTag(text, '"tag"'),
    "If-None-Match": (text) => matchesTag(text, '"tag"'),
    Range: (text) => [readRange(text, null, '"tag"', 100), readRange(`bytes=${text}`, text, '"tag"', 100)],
    Accept: (text) => new Negotiator({ headers: { accept: text } }).mediaTypes(["application/json"]),
    "X-Forwarded-For": (text) => trueClientAddress("10.0.0.1", text, HERE),
    "an IP address": canonicalAddress,
    "a line of the log": redact,
  },
  "of OAuth": {
    parameters: (text) => Object.fromEntries(readParameters(text)),
    scopes: readScopes,
    "a redirect URI": (text) => [
      isRedirectUri(text),
      isReachedUnasked(text),
      isRegistered(`http://localhost:1/${text}`, ["http://localhost/a"]),
    ],
    "a client's ID": (text) => [isDocumentAddress(text), isDocumentAddress(`https://a.example/${text}`)],
    "a client's document": (text) => clientMetadataSchema.safeParse(JSON.parse(text)),
    "a client's texts": (text) => [
      clientName({ client_name: text, redirect_uris: [text] }),
      clientUri({ client_uri: text }),
    ],
    "a program's name": (text) => [readableName(text), programName(text, "https://a.example/")],
    "a user code": readUserCode,
  },
  "of recipes": {
    "a document": readTree,
    "a document in YAML": (text) => readTree(`schema_version: service-recipe.v1\nnote: ${text}`),
    "a quoted text in YAML": (text) => readTree(`note: ${JSON.stringify(text)}`),
    "canonical JSON": (text) => canonicalJson({ [text]: text }),
    "a canonical number": canonicalNumber,
    "a source's addresses and texts": (text) => {
      const address = `https://a.example/${text}`;
      const source = { name: text, kind: "http", url: address, query: { [text]: text }, headers: { [text]: text } };
      return readSource({ ...source, reader: { format: "csv", options: { null_tokens: [text] } } }, "");
    },
    "a template": (text) => {
      const template = { url: `https://a.example/${text}`, partition: { by: "list", values: [text.slice(0, 200)] } };
      return [
        readSource({ name: "s", kind: "http", template, reader: { format: "csv" } }, ""),
        partitionsOf({ ...template, missing: "fail", reread: 2 } as never, "2026-01-01", 500),
      ];
    },
    "a day by its tokens": (text) => datedText(text, new Date(0)),
    "a duration": (text) => [
      durationSchema.safeParse(text),
      durationSchema.safeParse(`P${text}`),
      isOfDays(`P${text}`),
    ],
    "a JSON Pointer": (text) => [pointerSchema.safeParse(text), pointed({ a: 1 }, `/${text}`)],
    "a pattern": patternFault,
    "a partition's day": (text) => [partitionCell(text, "date"), partitionCell(`2026${text}`, "date")],
  },
  "of inspections": {
    "what is asked": (text) =>
      inspectionRequest({ source: { url: `https://a.example/${text}`, note: text }, depth: "quick" }),
    "a head of bytes": (text) => look(text),
    "a head that was cut, with its tail": (text) => look(text, { isWhole: false, tail: Buffer.from(text) }),
    "a head of JSON": (text) => look(`{"items":[${text}`, { isWhole: false }),
    "JSON that was cut": closedJson,
    "a cell": (text) => [cellKind(text), cellKind(`1${text}`)],
    "a column": (text) =>
      inspectColumns([{ name: text, cells: [text, `1${text}`, `2026-01-31${text}`] }], { rowOf: (at) => at }),
    "texts that may name a licence": (text) => licenceHints([text]),
    "reader options of others": (text) => normalizeReaderOptions("csv", { [text]: text, sep: text, encoding: text }),
  },
  "of sources": {
    "a Link header": nextLink,
    "Retry-After": (text) => [retryAfter(text, text), retryAfter(`9${text}`, undefined)],
    "an echo of a credential": (text) => new EchoGuard(["a secret of twelve"]).finds(Buffer.from(text)),
    "the host of a credential": (text) => hostListed([text, `*.${text}`], new URL("https://a.example/")),
    "a member's name": globPattern("*a*b?c*"),
    "records of CSV": (text) => headRecords(text, { delimiter: ",", quote: '"', escape: "double" }, 200),
    "records of CSV with backslashes": (text) =>
      headRecords(text, { delimiter: "|", quote: "'", escape: "backslash" }, 200),
  },
  "of messages to agents": {
    "a message": (text) => {
      const message = parseJsonBody(text);
      return isMessage(message) ? messageFault(message) : plainNumbers(message);
    },
    "its arguments": (text) => {
      const params = { name: text, arguments: { q: text } };
      return messageFault({ jsonrpc: "2.0", id: text, method: "tools/call", params });
    },
  },
  "of what people and publishers write": {
    "an email address": (text) => [emailSchema.safeParse(text), z.email().safeParse(`${text}@a.example`)],
    "a name": (text) => [nameSchema.safeParse(text), lineSchema(100).safeParse(text), slugSchema.safeParse(text)],
    "a secret's names": (text) => [secretNameSchema.safeParse(text), headerNameSchema.safeParse(text)],
    "a dataset's texts": (text) =>
      datasetTextsSchema.safeParse({ title: text, license: text, temporalCoverage: text, publisher: { url: text } }),
    "a coverage": (text) => datasetTextsSchema.safeParse({ temporalCoverage: `2001${text}` }),
    Markdown: markdownHtml,
    "words to be found by": indexedWords,
    "a publisher's slug": slugOf,
    "a picture's text": (text) => drawableText(text, ""),
    "the head of a CSV file": (text) => findDialect(text),
    "a workbook's number": plainNumber,
    "a workbook's reference": positionOf,
    "a workbook's escapes": unescaped,
    "a format's first bytes": (text) => unreadFormat(Buffer.from(text), text),
    "UTF-8": (text) => new Utf8Check().push(Buffer.from(text)),
  },
};

describe.each(Object.entries(PARSERS))(
  "parsers %s take eight times the text in at most twelve times the time",
  (_, parsers) => {
    test.each(Object.entries(parsers))("%s", (_, parse) => {
      expect(superlinear(parse)).toEqual([]);
    });
  },
);
