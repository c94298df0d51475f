import { describe, expect, test } from "vitest";
import type { SourceFound } from "@/lib/sandbox/events";
import { type HttpSource, SOURCES } from "@/lib/schemas/recipe-source";
import { SourceFailure } from "@/lib/sources/source-failure";
import { provePaging } from "./prove-paging";
import type { Looked } from "./requested-pages";

const source = SOURCES.http.parse({
  ...{ name: "s", kind: "http", url: "https://api.example.org/items", reader: { format: "json" } },
}) as HttpSource;

const GUESSES = [
  { pages: { by: "offset", size: 2 }, second: { offset: "2", limit: "2" } },
  { pages: { by: "page" }, second: { page: "2" } },
];

const looked = (id: number | undefined, paging?: object): Looked =>
  ({
    head: { bytesRead: 10, seconds: 1 },
    found: {
      raw: id === undefined ? [] : [{ n: 1, cells: [`{"id":${id}}`] }],
      json: { candidates: id === undefined ? [] : [{ pointer: "/data" }], ...paging },
    } as Partial<SourceFound>,
  }) as Looked;

const first = looked(1, { paging: { pages: GUESSES[0]?.pages, why: "a total", guesses: GUESSES } });

async function proven(replies: Readonly<Record<string, Looked | Error>>, asked = source) {
  const queries: string[] = [];
  const look = async ({ query }: HttpSource) => {
    const text = new URLSearchParams(query).toString();
    queries.push(text);
    const reply = replies[text] ?? looked(undefined);
    if (reply instanceof Error) throw reply;
    return reply;
  };
  const found = await provePaging(first, asked, look as never, new AbortController().signal);
  return { ...found, queries, paging: found.looked.found.json?.paging };
}

describe("a guess about paging", () => {
  test("is proven by a second page with other records", async () => {
    const { paging, warning, looked: kept } = await proven({ "offset=2&limit=2": looked(3) });
    expect(paging).toEqual({
      pages: { by: "offset", size: 2 },
      why: "a total; offset=2&limit=2 returns other records",
    });
    expect(warning).toBeUndefined();
    expect(kept.found.raw).toEqual(first.found.raw);
    expect(kept.head.bytesRead).toBe(20);
  });
  test("is given up for the next one if the parameters are ignored or rejected", async () => {
    const ignored = await proven({ "offset=2&limit=2": looked(1), "page=2": looked(3) });
    expect(ignored.paging?.pages).toEqual({ by: "page" });
    const status = new SourceFailure("source_status", "no", { status: 400 });
    expect((await proven({ "offset=2&limit=2": status, "page=2": looked(3) })).paging?.pages).toEqual({ by: "page" });
  });
  test("remains one if nothing helps, and the warning asks for the parameters", async () => {
    const { paging, warning, queries } = await proven({ "offset=2&limit=2": looked(1) });
    expect(paging?.guesses).toEqual(GUESSES);
    expect(warning).toContain("offset=2&limit=2 (the same records), page=2 (no records)");
    expect(warning).toContain("It is not certain");
    expect(queries).toHaveLength(2);
  });
  test("is left alone once the source rejects, and for a source with a body", async () => {
    const refused = new SourceFailure("source_status", "no", { status: 403 });
    expect((await proven({ "offset=2&limit=2": refused })).queries).toHaveLength(1);
    expect((await proven({}, { ...source, method: "POST", body: {} })).queries).toEqual([]);
  });
});
