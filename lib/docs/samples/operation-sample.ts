import type { z } from "zod";
import { type Access, isHosted, isPersonal, needsUseKey } from "@/lib/access/access-table";
import { type CodeRequest, REQUEST_LANGUAGES } from "@/lib/describe/request-code";
import type { Json } from "@/lib/describe/snippet-text";
import { type AnyOperation, type RoutedOperation, schemasOf } from "@/lib/operations/operation";
import { NO_TABLE, type Sample, type SamplePlace, VERSIONED } from "./sample";

/**
 * Values of parameters in examples of operations: those of the path, and query parameters where they make an example
 * clearer.
 */
export function sampleValues(
  operation: AnyOperation,
  place: SamplePlace,
): { path: Record<string, string>; query: Record<string, string> } {
  const input = schemasOf(operation);
  const pathNames = namesOf(input.path);
  const queryNames = namesOf(input.query);
  const dataset = [...pathNames, ...queryNames].some((name) => VERSION_NAMES.has(name)) ? VERSIONED : "mauna-loa-co2";
  const [newest = "VERSION_ID", second = newest] = place.versionIds;
  const known: Record<string, string> = {
    table_id: place.tableIds.get(dataset) ?? NO_TABLE,
    slug: dataset,
    version_id: second,
    position: "3",
  };
  const path = Object.fromEntries(pathNames.map((name) => [name, known[name] ?? `{${name}}`]));
  const fitting: Record<string, string> = {
    ...{ q: "co2", limit: "2", examples: "1" },
    ...{ from: second, to: newest, since: second },
  };
  return {
    path,
    query: Object.fromEntries(queryNames.flatMap((name) => (fitting[name] ? [[name, fitting[name]]] : []))),
  };
}

const VERSION_NAMES: ReadonlySet<string> = new Set(["version_id", "from", "to", "since"]);

const namesOf = (schema: z.ZodType): string[] => Object.keys("shape" in schema ? (schema.shape as object) : {});

/** The URL of an operation with values filled in. */
export function filledPath({ http }: RoutedOperation, { path, query }: ReturnType<typeof sampleValues>): string {
  const filled = http.path.replace(/\{(\w+)\}/g, (_, name: string) => path[name] ?? `{${name}}`);
  const search = new URLSearchParams(query).toString();
  return search === "" ? filled : `${filled}?${search}`;
}

/** Samples that call an operation in each language; none for operations for people, which require a cookie. */
export function operationSamples(operation: RoutedOperation): readonly Sample[] {
  if (isPersonal(operation.access)) return [];
  const body = operation.examples?.body as { readonly [key: string]: Json } | undefined;
  const keys = keysOf(operation.access);
  const request = (place: SamplePlace): CodeRequest => ({
    url: `${place.base}${filledPath(operation, sampleValues(operation, place))}`,
    ...(body && { body }),
    ...(keys.needsKey && { key: "PARQUETRY_KEY" }),
    ...(keys.needsLiveKey && { key: "PARQUETRY_LIVE_KEY" }),
    reply: "mediaType" in operation.output ? { file: fileName(operation.http.path) } : "json",
  });
  return REQUEST_LANGUAGES.map(({ id, tab, language, code }) => ({
    id: `operation-${operation.name}-${id}`,
    label: operation.summary,
    tab,
    language,
    ...keys,
    ...(id === "r" && { unrun: true }),
    code: (place) => code(request(place)),
  }));
}

function keysOf(access: Access): Pick<Sample, "needsKey" | "needsLiveKey"> {
  if (needsUseKey(access)) return { needsKey: true };
  return isHosted(access) ? { needsLiveKey: true } : {};
}

/** The file name of a saved reply: the end of its URL, with the file type of a table where the URL does not have it. */
function fileName(path: string): string {
  const last = path.split("/").at(-1) ?? "";
  return last.includes(".") ? last : `${last}.parquet`;
}
