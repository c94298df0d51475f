import "@/lib/testing/made-up-format";

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DownloadPage } from "@/components/explorer/answer/download-page";
import { pageBlocks } from "@/lib/docs/contents";
import { JSON_FORMAT, PAGE_FORMATS } from "@/lib/formats/page-formats";
import { openApiDocument } from "@/lib/openapi/document";
import { queryTableAnonymously } from "@/lib/operations/query-table";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { publishTable } from "@/lib/publish/publish";
import { useTestState } from "@/lib/testing/database";
import { serve } from "@/lib/testing/serve";
import { readSettings } from "./kernel/env";

const state = useTestState();
afterAll(closeReadingEngine);

let tableId = "";
beforeAll(async () => {
  const file = join(state.dataDir(), "three.csv");
  writeFileSync(file, "id\n1\n2\n3\n");
  const about = { slug: "d", title: "T", summary: "s", description: "d", publisher: { name: "P" }, license: "MIT" };
  const request = { file, dataset: { ...about, topics: [] }, table: { slug: "t", name: "T" } };
  tableId = (await publishTable(request, { now: () => new Date() })).table_id;
});

async function ask(accept: string): Promise<Response> {
  const headers = { "content-type": "application/json", accept };
  const request = new Request("http://localhost/q", { method: "POST", headers, body: '{"columns":["id"]}' });
  return serve({ POST: queryTableAnonymously }).POST(request, { params: Promise.resolve({ table_id: tableId }) });
}

test("queries return it, with its media type and its extension", async () => {
  const reply = await ask("application/vnd.made-up");
  expect([...new Uint8Array(await reply.arrayBuffer())]).toEqual([3]);
  expect(reply.headers.get("content-type")).toBe("application/vnd.made-up");
  expect(reply.headers.get("content-disposition")).toMatch(/-rows\.mad"$/);
  expect((await (await ask("image/png")).json()).message).toContain("application/vnd.made-up");
});

test("OpenAPI names it in words, and the reply of a query has one type for generated clients", () => {
  const document = openApiDocument("https://data.example.org") as unknown as {
    paths: Record<string, { post: { description: string; responses: Record<string, { content: object }> } }>;
  };
  for (const path of ["/api/public/tables/{table_id}/query", "/api/v2/public/tables/{table_id}/query"])
    expect(Object.keys(document.paths[path]?.post.responses[200]?.content ?? {})).toEqual(["application/json"]);
  const { description } = document.paths["/api/v2/public/tables/{table_id}/query"]?.post ?? {};
  expect(description).toContain("application/geo+json or application/vnd.made-up for the same page");
});

test("the docs and the explorer's menu list it", () => {
  const place = { base: "https://data.example.org", tableIds: new Map(), versionIds: [] };
  expect(JSON.stringify(pageBlocks("formats", { place, settings: readSettings({}) }))).toContain("as one byte");
  const menu = createElement(DownloadPage, {
    formats: PAGE_FORMATS,
    route: { url: "/q" },
    body: "{}",
    name: "view",
    ...{ rowsMax: 100, before: 0, total: undefined, all: { formats: [], urlOf: undefined, signInUrl: "" } },
    isGrouped: false,
    hasCoordinates: true,
    whole: { url: "" },
    missing: undefined,
    onProblem: () => undefined,
  });
  const words = renderToStaticMarkup(menu);
  for (const { label } of PAGE_FORMATS) expect(words).toContain(label);
});

test("no code outside lib/formats names a format of query pages", () => {
  const medias = [JSON_FORMAT, ...PAGE_FORMATS]
    .map(({ media }) => media)
    .filter((media) => /csv|ndjson|arrow|parquet|sheet|geo/.test(media));
  const files = execFileSync("git", ["ls-files", "lib", "app", "components"], { encoding: "utf8" }).split("\n");
  const naming = files
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|^lib\/(?:formats|testing|docs\/samples)\//.test(path))
    .filter((path) => medias.some((media) => readFileSync(path, "utf8").includes(media)));
  expect(naming).toEqual([]);
});
