import { z } from "zod";
import { isHosted, isPersonal, needsUseKey } from "@/lib/access/access-table";
import { sessionCookieName } from "@/lib/auth/session";
import { ERRORS, type ErrorCode } from "@/lib/kernel/errors";
import { type AnyOperation, isRouted, type RoutedOperation, schemasOf } from "@/lib/operations/operation";
import { errorsOf, isConditional } from "@/lib/operations/operation-errors";
import { OPERATIONS } from "@/lib/operations/registry";
import { errorResponses } from "./error-responses";
import { COMMON_HEADERS, headerObjects, headerRef } from "./headers";

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of every HTTP operation. `base` is the public URL. Pure. */
export function openApiDocument(base: string, operations: readonly AnyOperation[] = OPERATIONS): Json {
  const components = new SchemaCollection();
  const paths: Record<string, Json> = {};
  for (const operation of operations.filter(isRouted)) {
    const { method, path } = operation.http;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(operation, components) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Parquetry",
      version: "2.0.0",
      summary: "Open datasets as immutable Parquet versions: search, preview, query, download.",
      description:
        "Queries use a closed grammar, not SQL. Every response names the immutable version it was read from. Cite " +
        "that version and its content digest.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: serverUrl(base) }],
    security: [],
    tags: TAGS,
    paths,
    components: {
      securitySchemes: SECURITY,
      headers: COMMON_HEADERS,
      schemas: components.schemas(),
    },
  };
}

/** For a service without a public URL, the server is given relative to wherever the document was fetched from. */
const serverUrl = (base: string) => (/^https?:\/\/(localhost|127\.|\[::1\])/.test(base) ? "/" : base);

/** What routes are about. */
export const TAGS = [
  { name: "catalogue", description: "Find datasets and understand their tables." },
  { name: "query", description: "Query rows." },
  { name: "download", description: "Download whole tables." },
  { name: "hosted", description: "Download tables that your workspace built and activated, and read their freshness." },
  {
    name: "account",
    description:
      "People, sessions, workspaces, keys, secrets and usage. For the service's own pages; requires the session " +
      "cookie of a signed-in person.",
  },
];

const SECURITY = {
  useKey: { type: "apiKey", in: "header", name: "x-api-key", description: "A use key (your API key), svc_use_…" },
  device: {
    ...{ type: "apiKey", in: "header", name: "x-api-key" },
    description: "The credential of a computer that `parquetry login --build` signed in, svc_cli_…",
  },
  liveKey: {
    type: "apiKey",
    in: "header",
    name: "x-api-key",
    description: "A live key of a workspace with an active subscription, svc_live_…",
  },
  session: {
    type: "apiKey",
    in: "cookie",
    name: sessionCookieName(),
    description: "The session cookie. Calls that change data must come from the service's own pages (Origin).",
  },
};

/** The credential that the operation's row of the access table accepts. */
function securityOf({ access }: AnyOperation): Json[] {
  if (needsUseKey(access)) return [{ useKey: [] }];
  if (isHosted(access)) return [{ liveKey: [] }];
  if (access === "open") return [{}, { useKey: [] }];
  if (access === "upload" || access === "uploads") return [{ session: [] }, { device: [] }];
  return isPersonal(access) && access !== "visitor" ? [{ session: [] }] : [];
}

/** The tag of an operation. */
export function tagOf({ name, access }: AnyOperation): string {
  if (isPersonal(access)) return "account";
  if (isHosted(access)) return "hosted";
  return name.startsWith("query") ? "query" : name.startsWith("download") ? "download" : "catalogue";
}

function operationObject(operation: RoutedOperation, components: SchemaCollection): Json {
  return {
    operationId: operation.name,
    tags: [tagOf(operation)],
    summary: operation.summary,
    ...(operation.deprecation && { deprecated: true }),
    description: operation.description,
    security: securityOf(operation),
    parameters: [
      ...parameters(schemasOf(operation).path, "path"),
      ...parameters(schemasOf(operation).query, "query"),
      ...conditional(operation),
      ...(operation.input.file ? FILE_HEADERS : []),
    ],
    ...(operation.input.file && { requestBody: FILE_BODY }),
    ...(schemasOf(operation).body && { requestBody: requestBody(operation, components) }),
    responses: {
      ...successes(operation, components),
      ...errorResponses(errorsOf(operation), components.refOf(errorEnvelopeSchema)),
    },
  };
}

function parameters(schema: z.ZodType, place: "path" | "query"): Json[] {
  const object = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(object.properties ?? {}).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: place === "path" || (object.required?.includes(name) ?? false),
    ...(description !== undefined && { description }),
    schema: place === "path" && Object.keys(rest).length === 0 ? { type: "string" } : rest,
  }));
}

const header = (name: string, description: string): Json => ({
  ...{ name, in: "header", required: false, description },
  schema: { type: "string" },
});

const FILE_HEADERS: readonly Json[] = [
  header("Content-Digest", "SHA-256 of the body: sha-256=:…:"),
  header("Content-Range", "For a part: bytes <first>-<last>/<all>. To ask how much has arrived: bytes */<all>."),
  header("Repr-Digest", "For a part: SHA-256 of the whole file."),
];

/** Conditional and range headers of the GET routes. */
function conditional(operation: RoutedOperation): Json[] {
  if (!isConditional(operation) || isPersonal(operation.access)) return [];
  const download =
    "mediaType" in operation.output && !isHosted(operation.access)
      ? [
          header("Range", "A single byte range."),
          header("If-Range", "Serve the range only if this entity tag is current."),
        ]
      : [];
  return [
    header("If-Match", "Entity tags of which one must be current; otherwise 412."),
    header("If-None-Match", "Entity tags the client holds; 304 if one is current."),
    ...download,
  ];
}

const FILE_BODY: Json = {
  required: true,
  description: "The file itself.",
  content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
};

function requestBody(operation: RoutedOperation, components: SchemaCollection): Json {
  const schema = components.refOf(schemasOf(operation).body as z.ZodType);
  return {
    required: true,
    description: "At most 64 KiB.",
    content: { "application/json": { schema, ...(operation.examples?.body && { example: operation.examples.body }) } },
  };
}

/**
 * A page's other media types are in the operation's description alone: here they would make the type of its reply, in
 * generated clients, a union of the document and a string, whatever the client accepts.
 */
function successes(operation: RoutedOperation, components: SchemaCollection): Json {
  const headers = headerObjects(operation);
  const content =
    "mediaType" in operation.output
      ? { [operation.output.mediaType]: { schema: { type: "string", format: "binary" } } }
      : { "application/json": { schema: components.refOf(operation.output) } };
  const ok = { description: "Success.", headers, content };
  const isFile = "mediaType" in operation.output;
  if (operation.input.file) return { [operation.http.status ?? 200]: ok, 202: partOfFile(content) };
  if (operation.http.method !== "GET" || (isPersonal(operation.access) && !isFile))
    return { [operation.http.status ?? 200]: ok };
  if (isHosted(operation.access) && !isFile) return { 200: ok };
  const unchanged = {
    304: {
      description: "Not modified. The client's copy is current.",
      headers: { ETag: headers.ETag, "X-Request-Id": headers["X-Request-Id"] },
    },
  };
  if (!isFile || isHosted(operation.access)) return { 200: ok, ...unchanged };
  const part = {
    description: "The requested range.",
    headers: {
      ...headers,
      "Content-Range": { description: "The byte range in the body.", schema: { type: "string" } },
      "Repr-Digest": { description: "RFC 9530 digest of the whole file.", schema: { type: "string" } },
    },
    content,
  };
  return {
    200: ok,
    206: part,
    ...unchanged,
    416: {
      description: "Range not satisfiable.",
      headers: { "Content-Range": { description: "bytes */<size>", schema: { type: "string" } } },
    },
  };
}

const partOfFile = (content: Json): Json => ({
  description: "A part was stored, or nothing was sent.",
  headers: {
    "X-Request-Id": headerRef("X-Request-Id"),
    "Upload-Offset": {
      description: "Number of bytes stored: where the next part begins.",
      schema: { type: "integer" },
    },
  },
  content,
});

/** The body of every JSON error. */
export const errorEnvelopeSchema = z
  .strictObject({
    schema_version: z.literal("service-error.v1"),
    error: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
    request_id: z.string(),
    message: z.string(),
    details: z
      .array(
        z.strictObject({
          pointer: z.string().describe("JSON Pointer into the body, or ?name for a query parameter."),
          code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
          message: z.string(),
          allowed: z.array(z.string()).optional(),
          did_you_mean: z.string().optional(),
        }),
      )
      .optional(),
  })
  .meta({ id: "Error" });

/** Collects the named schemas (those with a meta id) that the document refers to. */
class SchemaCollection {
  readonly #schemas: Record<string, Json> = {};

  refOf(schema: z.ZodType): Json {
    const {
      $defs = {},
      $schema: _,
      ...root
    } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any", reused: "inline" }) as Json & {
      $defs?: Record<string, Json>;
    };
    for (const [name, definition] of Object.entries($defs)) this.#schemas[name] = withoutIds(definition);
    const id = root.id as string | undefined;
    if (id === undefined) return withoutIds(root);
    this.#schemas[id] = withoutIds(root);
    return { $ref: `#/components/schemas/${id}` };
  }

  schemas(): Record<string, Json> {
    return Object.fromEntries(Object.entries(this.#schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** JSON Schema of zod points at #/$defs; OpenAPI keeps schemas under components. */
function withoutIds(schema: Json): Json {
  const text = JSON.stringify(schema, (key, value) => (key === "id" && typeof value === "string" ? undefined : value));
  return JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
}
