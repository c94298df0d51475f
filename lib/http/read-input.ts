import { isLosslessNumber } from "lossless-json";
import { z } from "zod";
import { parseJsonBody } from "@/lib/engine/grammar/body";
import { FAULTS_MAX } from "@/lib/engine/grammar/bounds";
import { didYouMean, MEANT_MAX } from "@/lib/engine/grammar/did-you-mean";
import { pointerTo } from "@/lib/engine/grammar/pointer";
import { type ErrorCode, type Fault, fail, failWith } from "@/lib/kernel/errors";
import { requireStorable, unstorableFaults } from "@/lib/operations/storable-input";

const BODY_BYTES_MAX = 64 * 1024;
const JSON_MEDIA = /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;|$)/i;
const CODES: Readonly<Record<string, ErrorCode>> = { limit: "invalid_limit", cursor: "invalid_cursor" };

/** No operation takes a tenth as many. Beyond this, the request is rejected with one fault, without reading them. */
const PARAMETERS_MAX = 50;

/** The validated query parameters. Unknown and repeated ones are all reported at once; only lists may repeat. */
export function readQuery<T>({ search }: URL, schema: z.ZodType<T>): T {
  const parameters = readParameters(search.slice(1));
  const lists = listsOf(schema);
  const repeated = repeatedNames([...parameters.keys()].filter((name) => !lists.has(name)));
  const parsed = schema.safeParse(
    Object.fromEntries(
      [...parameters].map(([name, value]) => [name, lists.has(name) ? parameters.getAll(name) : value]),
    ),
  );
  const faults = [
    ...[...repeated].map(repeatedFault),
    ...[...parameters].flatMap(unstorableParameter),
    ...(parsed.success ? [] : parsed.error.issues.flatMap((issue) => queryFaults(issue, keysOf(schema)))),
  ];
  if (faults.length > 0) throw failWith(faults);
  return parsed.data as T;
}

const unstorableParameter = ([name, value]: [string, string]): Fault[] =>
  unstorableFaults(value, `?${name}`).map((fault) => ({ ...fault, code: "invalid_request" }));

/** The parameters that take several values. */
function listsOf(schema: z.ZodType): Set<string> {
  const fields = schema instanceof z.ZodObject ? Object.entries(schema.shape) : [];
  const isList = (field: unknown) => (field instanceof z.ZodOptional ? field.unwrap() : field) instanceof z.ZodArray;
  return new Set(fields.filter(([, field]) => isList(field)).map(([name]) => name));
}

/** Each name that is sent more than once, listed once. */
function repeatedNames(names: Iterable<string>): Set<string> {
  const [seen, repeated] = [new Set<string>(), new Set<string>()];
  for (const name of names) (seen.has(name) ? repeated : seen).add(name);
  return repeated;
}

/**
 * The parameters of a query string or the fields of a form, from their text. They are counted before they are read,
 * because Node's own reader takes more than linear time for many short ones. Fails with invalid_request beyond 50.
 */
export function readParameters(text: string): URLSearchParams {
  const count = text.split("&").filter((part) => part !== "").length;
  if (count > PARAMETERS_MAX) {
    const message = `Too many parameters: ${count}. Send at most ${PARAMETERS_MAX}.`;
    throw failWith([{ pointer: "", code: "invalid_request", message }]);
  }
  return new URLSearchParams(text);
}

/** The names in a schema of one object. */
const keysOf = (schema: z.ZodType): readonly string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];

/** A fault that says a name is unknown, lists the valid names, and suggests the one that was probably meant. */
function unknownFault(pointer: string, what: string, name: string, allowed: readonly string[]): Fault {
  const meant = didYouMean(name, allowed);
  return {
    pointer,
    code: "invalid_request",
    message: `Unknown ${what} ${name.slice(0, 100)}.`,
    ...(allowed.length > 0 && { allowed }),
    ...(meant !== undefined && { didYouMean: meant }),
  };
}

const repeatedFault = (name: string): Fault => ({
  pointer: `?${name}`,
  code: "invalid_request",
  message: `Duplicate parameter ${name.slice(0, 100)}. Send it once.`,
});

function queryFaults(issue: z.core.$ZodIssue, allowed: readonly string[]): Fault[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key, index) => unknownFault(`?${key}`, "parameter", key, index < MEANT_MAX ? allowed : []));
  const name = String(issue.path[0] ?? "");
  return [
    {
      pointer: `?${name}`,
      code: CODES[name] ?? "invalid_request",
      message: `${name}: ${rangeText(issue) ?? issue.message}.`.replace(/\.\.$/, "."),
    },
  ];
}

/** A number's limits in plain words. */
function rangeText(issue: z.core.$ZodIssue): string | undefined {
  if (issue.code === "too_big" && NUMBERS.has(issue.origin)) return `at most ${issue.maximum}`;
  return issue.code === "too_small" && NUMBERS.has(issue.origin) ? `at least ${issue.minimum}` : undefined;
}

const NUMBERS: ReadonlySet<string> = new Set(["number", "int"]);

/** The body as JSON of at most 64 KiB. Fails with unsupported_media_type, request_too_large or invalid_json. */
export async function readBody(request: Request): Promise<unknown> {
  const media = request.headers.get("content-type");
  if (media !== null && !JSON_MEDIA.test(media)) throw fail("unsupported_media_type");
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  const bytes = await readBytes(request);
  try {
    return parseJsonBody(text.decode(bytes));
  } catch (error) {
    if (error instanceof TypeError) throw fail("invalid_json", { message: "The body is not UTF-8." });
    throw error;
  }
}

/**
 * The body, validated by its schema, with plain numbers. Fails with all faults at once: invalid_request for its shape,
 * invalid_value for its values. Strings that cannot be stored are reported before anything else.
 */
export function checkBody(body: unknown, schema: z.ZodType): unknown {
  const value = plain(body);
  requireStorable(value);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw failWith(parsed.error.issues.flatMap((issue) => bodyFaults(issue, keysOf(schema))).slice(0, FAULTS_MAX));
}

function plain(value: unknown): unknown {
  if (isLosslessNumber(value)) return Number(value.value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, plain(entry)]));
}

const SHAPE: ReadonlySet<string> = new Set(["invalid_type", "unrecognized_keys", "invalid_union"]);

function bodyFaults(issue: z.core.$ZodIssue, keys: readonly string[]): Fault[] {
  if (issue.code === "unrecognized_keys") {
    const allowed = issue.path.length === 0 ? keys : []; // names on deeper levels are not known here
    return issue.keys.map((key, index) =>
      unknownFault(pointerTo(...issue.path, key), "key", key, index < MEANT_MAX ? allowed : []),
    );
  }
  const at = pointerTo(...issue.path);
  if (at !== "" && issue.message.endsWith("received undefined"))
    return [{ pointer: at, code: "invalid_request", message: `${at.slice(1)} is missing.` }];
  const code = SHAPE.has(issue.code) ? "invalid_request" : "invalid_value";
  return [
    {
      pointer: at,
      code,
      message: `${at === "" ? "The body" : at.slice(1)}: ${(rangeText(issue) ?? issue.message).replace(/\.$/, "")}.`,
    },
  ];
}

/** The body as sent, up to 64 KiB. Fails with request_too_large. */
export async function readBytes(request: Request): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > BODY_BYTES_MAX) throw fail("request_too_large");
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > BODY_BYTES_MAX) throw fail("request_too_large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
