import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { openApiDocument } from "./document";

async function problemsOf(document: object): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  return problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`);
}

test.each(["https://data.example.net", "http://localhost:3000"])(
  "the document for %s lints clean under Redocly's recommended rules",
  async (base) => {
    expect(await problemsOf(openApiDocument(base))).toEqual([]);
  },
);

test("the linter finds errors", async () => {
  const document = openApiDocument("https://data.example.net") as { paths: Record<string, Record<string, object>> };
  const broken = { ...document, paths: { ...document.paths, "/api/undocumented/{id}": { get: { responses: {} } } } };
  expect(await problemsOf(broken)).not.toEqual([]);
});

test("routes that read files document 502 and 504, and every route rejects unknown parameters", () => {
  const { paths } = openApiDocument("http://localhost:3000") as {
    paths: Record<string, Record<string, { responses: object }>>;
  };
  for (const [path, methods] of Object.entries(paths)) {
    const needed = /\/(query|preview|current)$/.test(path) ? ["400", "502", "504"] : ["400"];
    for (const { responses } of Object.values(methods))
      expect([path, Object.keys(responses)]).toEqual([path, expect.arrayContaining(needed)]);
  }
});
