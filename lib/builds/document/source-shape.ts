import { READER_EXAMPLES } from "@/lib/builds/examples/reader-examples";
import { SOURCE_EXAMPLES } from "@/lib/builds/examples/source-examples";
import { withExample } from "@/lib/builds/examples/with-example";
import { partColumns } from "@/lib/builds/part-columns";
import { patternFault } from "@/lib/builds/patterns";
import { pointerTo } from "@/lib/engine/grammar/pointer";
import type { Fault } from "@/lib/kernel/errors";
import {
  type CsvOptions,
  READER_OPTIONS,
  type Reader,
  readerSchema,
  type XlsxOptions,
} from "@/lib/schemas/recipe-reader";
import {
  type HttpSource,
  type RecipeSource,
  SOURCE_KINDS,
  SOURCES,
  type SourceKind,
} from "@/lib/schemas/recipe-source";
import { isOfDays } from "@/lib/sources/calendar";
import { oneOf, readShape, readSound, type Shaped } from "./shape";

/**
 * Reads one source with its reader, every default filled in. An inspection may name a package without a file, whose
 * files are then listed.
 */
export function readSource(
  raw: unknown,
  pointer: string,
  purpose: "recipe" | "inspection" = "recipe",
): Shaped<RecipeSource> {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw))
    return { value: undefined, faults: [{ pointer, code: "invalid_request", message: "Expected an object." }] };
  const { kind } = raw as { kind?: unknown };
  if (!isKind(kind)) return { value: undefined, faults: [oneOf(`${pointer}/kind`, kind, SOURCE_KINDS)] };
  const source = readSound<Record<string, unknown>>(SOURCES[kind], raw, pointer);
  if (kind === "table") return source as Shaped<RecipeSource>;
  const reader = readReader((raw as { reader?: unknown }).reader, `${pointer}/reader`);
  const ownFaults = withExample(
    source.faults.filter((fault) => !fault.pointer.startsWith(`${pointer}/reader`)),
    pointer,
    EXAMPLES.filter((example) => example.kind === kind),
  );
  const read = source.value && reader.value ? ({ ...source.value, reader: reader.value } as RecipeSource) : undefined;
  const further =
    read?.kind === "http"
      ? httpFaults(read, pointer)
      : read?.kind === "package"
        ? packageFaults(read, pointer, purpose)
        : [];
  const faults = [...ownFaults, ...reader.faults, ...further];
  return read ? { value: read, faults } : { value: undefined, faults };
}

const EXAMPLES: readonly (Readonly<Record<string, unknown>> & { kind: SourceKind })[] = Object.values(SOURCE_EXAMPLES);

const isKind = (kind: unknown): kind is SourceKind => SOURCE_KINDS.some((known) => known === kind);

/** Reads a reader, with its options by its format's row. */
export function readReader(raw: unknown, pointer: string): Shaped<Reader> {
  const outer = readShape(readerSchema, raw, pointer);
  if (!outer.value) return outer as Shaped<Reader>;
  const { format } = outer.value;
  const options = readShape(READER_OPTIONS[format] as never, outer.value.options, `${pointer}/options`) as Shaped<
    Reader["options"]
  >;
  if (!options.value) {
    const faults = withExample(options.faults, `${pointer}/options`, READER_EXAMPLES[format]);
    return { value: undefined, faults };
  }
  const reader = { format, options: options.value } as Reader;
  return { value: reader, faults: optionFaults(reader, `${pointer}/options`) };
}

/** Whether a rule is broken, at which key, and the message. */
type Rule = readonly [isBroken: boolean, key: string, message: string];

const broken = (rules: readonly Rule[], pointer: string, code: Fault["code"] = "invalid_value"): Fault[] =>
  rules.flatMap(([isBroken, key, message]) => (isBroken ? [{ pointer: `${pointer}${key}`, code, message }] : []));

function optionFaults({ format, options }: Reader, pointer: string): Fault[] {
  const layout = "header" in options ? layoutFaults(options, pointer) : [];
  const json = "shape" in options ? options : undefined;
  const csv = (format === "csv" || format === "tsv") && options;
  const sheet = "sheet" in options && typeof options.sheet === "object" ? options.sheet.matches : undefined;
  const rules: Rule[] = [
    [
      json !== undefined && (json.shape === "map") !== (json.key_column !== undefined),
      "/key_column",
      "key_column names the column for the members' names. Use it only with shape map.",
    ],
    [
      json !== undefined && (json.shape === "rows") !== (json.names !== undefined),
      "/names",
      "names points to the names of the columns. Use it with shape rows, and only there.",
    ],
    [
      json?.shape === "rows" && !!(json.fields || json.flatten),
      json?.fields ? "/fields" : "/flatten",
      "The columns of shape rows have the names that names points to.",
    ],
    ["fields" in options && !!options.fields && !!options.flatten, "/flatten", "Use fields or flatten, not both."],
    [csv && csv.quote !== "none" && csv.quote === csv.delimiter, "/quote", "The quote and the delimiter must differ."],
  ];
  return [...layout, ...patternFaults({ "/sheet/matches": sheet }, pointer), ...broken(rules, pointer)];
}

function layoutFaults(options: CsvOptions | XlsxOptions, pointer: string): Fault[] {
  const { header, columns, stop_at: stop, first_row: first, last_row: last } = options;
  const patterns = {
    "/header/drop_text": header === "none" ? undefined : header.drop_text,
    "/stop_at/matches": stop && "matches" in stop ? stop.matches : undefined,
  };
  const rules: Rule[] = [
    [header === "none" && !columns, "/columns", "Name the columns here if header is none."],
    [first !== undefined && last !== undefined && first > last, "/last_row", "last_row is before first_row."],
  ];
  return [...patternFaults(patterns, pointer), ...broken(rules, pointer)];
}

const patternFaults = (patterns: Readonly<Record<string, string | undefined>>, pointer: string): Fault[] =>
  Object.entries(patterns).flatMap(([key, pattern]) => {
    const message = pattern === undefined ? undefined : patternFault(pattern);
    return message === undefined ? [] : [{ pointer: pointer + key, code: "invalid_value" as const, message }];
  });

const SECRET_NAMES =
  /^(?:proxy-)?authorization$|^(?:x-)?(?:api|app|auth|access|secret|subscription)?[-_]?(?:key|token|secret|password|signature|sig)$|^cookie$/i;
const SECRET_VALUES =
  /^(?:bearer|basic)\s+\S{8,}$|^eyJ[\w-]{8,}\.|^(?:sk|rk|pk)_(?:live|test)_|^gh[pousr]_|^svc_(?:use|live|cli)_/i;
const ADVICE = "Have a person store it at /settings/secrets, and name it here as credential.";

const ADDRESS_KEYS = ["url", "urls", "template"] as const;

function httpFaults(source: HttpSource, pointer: string): Fault[] {
  const addresses = ADDRESS_KEYS.filter((key) => source[key] !== undefined);
  const isJson = source.reader.format === "json" || source.reader.format === "ndjson";
  const hasBody = source.body !== undefined;
  const rules: Rule[] = [
    [source.pages !== undefined && !isJson, "/pages", "Pages require the format json or ndjson."],
    [
      source.on_failure === "reuse" && source.pages !== undefined,
      "/on_failure",
      "Pages must be read completely. Use fail.",
    ],
    [source.slices !== undefined && !source.url, "/slices", "Slices need a single url."],
    [source.slices !== undefined && !isOfDays(source.slices.every), "/slices/every", "Use whole days, at least P1D."],
  ];
  const adds = partColumns(source).length > 0;
  rules.push([
    adds && source.reader.format === "parquet",
    "/reader/format",
    "Columns for partitions are not available for parquet.",
  ]);
  const message = "Give exactly one of url, urls and template.";
  return [
    ...(addresses.length === 1
      ? []
      : [{ pointer, code: "invalid_request" as const, message, allowed: [...ADDRESS_KEYS] }]),
    ...broken(
      [[hasBody !== (source.method === "POST"), "/body", "POST needs a body. GET does not take one."]],
      pointer,
      "invalid_request",
    ),
    ...broken(rules, pointer),
    ...addressFaults(source, pointer),
    ...secretFaults(source, pointer),
  ];
}

/** What a new recipe must not contain because it has no effect; stored recipes that do remain readable. */
export function effectFaults(source: RecipeSource, pointer: string): Fault[] {
  const pages = source.kind === "http" ? source.pages : undefined;
  const rule: Rule = [
    pages?.stop.short_page === true && !("size" in pages && pages.size !== undefined),
    "/pages/stop/short_page",
    "A page is short only compared with a size. Give size, which by offset and by page take, or remove short_page.",
  ];
  return broken([rule], pointer);
}

function addressFaults(source: HttpSource, pointer: string): Fault[] {
  const addresses = [
    ["/url", source.url],
    ["/template/url", source.template?.url],
    ...(source.urls ?? []).map((url, at) => [`/urls/${at}`, url] as const),
  ] as const;
  return addresses.flatMap(([key, address]) => {
    const message = address === undefined ? undefined : addressFault(address);
    return message === undefined ? [] : [{ pointer: pointer + key, code: "invalid_value" as const, message }];
  });
}

function secretFaults(source: HttpSource, pointer: string): Fault[] {
  const message = `Secrets are not allowed in a recipe. ${ADVICE}`;
  return (["query", "headers"] as const).flatMap((key) =>
    Object.entries(source[key]).flatMap(([name, value]) =>
      SECRET_NAMES.test(name) || SECRET_VALUES.test(value)
        ? [{ pointer: `${pointer}/${key}${pointerTo(name)}`, code: "invalid_value" as const, message }]
        : [],
    ),
  );
}

/** Checks what a URL must not contain. Its scheme is checked by the schema. */
function addressFault(address: string): string | undefined {
  const plain = address.replace(/\{[^{}]*\}/g, "0");
  if (!URL.canParse(plain)) return "Invalid URL.";
  const url = new URL(plain);
  if (url.protocol !== "https:" && url.protocol !== "http:") return "Use a URL that starts with https:// or http://.";
  if (url.username !== "" || url.password !== "") return `A URL cannot contain a user name or password. ${ADVICE}`;
  if (url.hash !== "") return "Remove the fragment (#…) from the URL.";
  const secret = [...url.searchParams.keys()].find((name) => SECRET_NAMES.test(name));
  return secret === undefined ? undefined : `A URL cannot contain secrets (${secret}). ${ADVICE}`;
}

function packageFaults(
  { path, paths }: { path?: string | undefined; paths?: string | undefined },
  pointer: string,
  purpose: "recipe" | "inspection",
): Fault[] {
  const count = [path, paths].filter((each) => each !== undefined).length;
  if (count === 1 || (count === 0 && purpose === "inspection")) return [];
  const message = "Give exactly one of path and paths. An inspection without either lists the package's files.";
  return [{ pointer, code: "invalid_request", message, allowed: ["path", "paths"] }];
}
