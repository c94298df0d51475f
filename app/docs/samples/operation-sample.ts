import { type Json, shellWord } from "@/components/snippet-text";
import { curlQuery } from "@/components/snippets";
import { isPersonal } from "@/lib/operations/access";
import type { AnyOperation } from "@/lib/operations/operation";
import { NO_TABLE, type Sample, type SamplePlace } from "./sample";

/** What examples of operations put in for parameters: of the path, and of the address where an example is clearer with it. */
export function sampleValues({ input }: AnyOperation, { tableIds }: SamplePlace): { path: Record<string, string>; query: Record<string, string> } {
  const known: Record<string, string> = { table_id: tableIds.get("mauna-loa-co2") ?? NO_TABLE, slug: "mauna-loa-co2" };
  const path = Object.fromEntries(namesOf(input.path).map((name) => [name, known[name] ?? `{${name}}`]));
  const names = namesOf(input.query);
  const query = { ...(names.includes("q") && { q: "co2" }), ...(names.includes("limit") && { limit: "2" }) };
  return { path, query };
}

const namesOf = (schema: AnyOperation["input"]["path"]): string[] => Object.keys("shape" in schema ? (schema.shape as object) : {});

/** The address of an operation with values filled in. */
export function filledPath({ http }: AnyOperation, { path, query }: ReturnType<typeof sampleValues>): string {
  const filled = http.path.replace(/\{(\w+)\}/g, (_, name: string) => path[name] ?? `{${name}}`);
  const search = new URLSearchParams(query).toString();
  return search === "" ? filled : `${filled}?${search}`;
}

/** An operation called with curl; undefined for those of people, which take a cookie. */
export function operationSample(operation: AnyOperation): Sample | undefined {
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
