import type { z } from "zod";
import { isPersonal } from "@/lib/access/access-table";
import { type Json, shellWord } from "@/lib/describe/snippet-text";
import { curlQuery } from "@/lib/describe/snippets";
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
  const fitting: Record<string, string> = { q: "co2", limit: "2", from: second, to: newest, examples: "1" };
  return {
    path,
    query: Object.fromEntries(queryNames.flatMap((name) => (fitting[name] ? [[name, fitting[name]]] : []))),
  };
}

const VERSION_NAMES: ReadonlySet<string> = new Set(["version_id", "from", "to"]);

const namesOf = (schema: z.ZodType): string[] => Object.keys("shape" in schema ? (schema.shape as object) : {});

/** The URL of an operation with values filled in. */
export function filledPath({ http }: RoutedOperation, { path, query }: ReturnType<typeof sampleValues>): string {
  const filled = http.path.replace(/\{(\w+)\}/g, (_, name: string) => path[name] ?? `{${name}}`);
  const search = new URLSearchParams(query).toString();
  return search === "" ? filled : `${filled}?${search}`;
}

/** An operation called with curl; undefined for those of people, which require a cookie. */
export function operationSample(operation: RoutedOperation): Sample | undefined {
  if (isPersonal(operation.access)) return undefined;
  const needsKey = operation.access === "use_key";
  const body = operation.examples?.body as { readonly [key: string]: Json } | undefined;
  return {
    id: `operation-${operation.name}`,
    label: operation.summary,
    language: "shellscript",
    ...(needsKey && { needsKey }),
    code: (place) => {
      const url = `${place.base}${filledPath(operation, sampleValues(operation, place))}`;
      if (body) return curlQuery(url, body, needsKey);
      const key = needsKey ? ` \\\n  -H "x-api-key: $PARQUETRY_KEY"` : "";
      const isFile = "mediaType" in operation.output;
      return `curl -sf ${shellWord(url)}${key}${isFile ? ` \\\n  -OJ` : ""}`;
    },
  };
}
