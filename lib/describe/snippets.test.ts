import { execFileSync, spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { requestCode } from "./request-code";
import { pythonLiteral, shellWord } from "./snippet-text";
import { curlQuery, exampleQuery, tableSnippets } from "./snippets";

const ID = "0f4b1b9e-6f0c-4c79-8f53-1b1f5a4c0a01";
const table = {
  name: "Strikes",
  slug: "strikes",
  markdown_url: "https://data.example.org/datasets/strikes/llms.txt",
  query_url: `https://data.example.org/api/v2/public/tables/${ID}/query`,
  current_url: `https://data.example.org/api/v2/public/tables/${ID}/current`,
};
const hostile = `Cost $ "total" it's \\ ünïcode`;
const columns = [
  { name: hostile, type: "int64", operators: ["eq"], profile: { null_count: 0 } },
  {
    name: "state",
    type: "string",
    operators: ["eq"],
    profile: { null_count: 0, top_values: [{ value: 'Côte d\'Azur "x" $HOME `id`', count: 9 }] },
  },
];
const snippet = (id: string) => tableSnippets(table, columns).find((entry) => entry.id === id)?.code ?? "";
const body = exampleQuery(columns);
const hasPython = spawnSync("python3", ["-V"]).status === 0;

test("the example filters by the most common value of a string column", () => {
  expect(body).toEqual({
    columns: [hostile, "state"],
    filters: [{ column: "state", operator: "eq", value: 'Côte d\'Azur "x" $HOME `id`' }],
    limit: 5,
  });
});

test("a table without repeated text is queried without a filter", () => {
  expect(
    exampleQuery([
      {
        name: "a",
        type: "string",
        operators: ["eq"],
        profile: { null_count: 0, top_values: [{ value: "once", count: 1 }] },
      },
    ]),
  ).toEqual({
    columns: ["a"],
    limit: 5,
  });
});

test("curl quotes the exact query for the shell, whatever the names and values", () => {
  const shown = execFileSync(
    "sh",
    ["-c", `curl() { for word; do printf '%s\\n\\0' "$word"; done; }\n${curlQuery(table.query_url, body)}`],
    {
      encoding: "utf8",
    },
  );
  const words = shown.split("\n\0");
  expect(words[1]).toBe(table.query_url);
  expect(JSON.parse(words[words.indexOf("-d") + 1] ?? "")).toEqual(body);
});

test("the anonymous tab uses the route without a key, the keyed tab sends one", () => {
  expect(snippet("curl")).toContain(`/api/public/tables/${ID}/query`);
  expect(snippet("curl")).not.toContain("x-api-key");
  expect(snippet("curl-key")).toContain(`/api/v2/public/tables/${ID}/query`);
  expect(snippet("curl-key")).toContain('"x-api-key: $PARQUETRY_KEY"');
});

test("JavaScript sends the exact query", async () => {
  let sent = "";
  const fetchSent = async (_url: string, init: { body: string }) => {
    sent = init.body;
    return { json: async () => ({ rows: [] }) };
  };
  const run = new Function("fetch", "console", `return (async () => {${snippet("javascript")}})()`);
  await run(fetchSent, { table: () => undefined });
  expect(JSON.parse(sent)).toEqual(body);
});

describe("Python", () => {
  test("literals are Python's own", () => {
    expect(pythonLiteral({ a: [true, null, 1.5, 'q"'] })).toBe('{"a": [True, None, 1.5, "q\\""]}');
  });

  test.runIf(hasPython)("Python parses the exact query", () => {
    const code = snippet("python").split("\n");
    const query = code
      .slice(
        code.findIndex((line) => line.startsWith("query =")),
        code.indexOf("}") + 1,
      )
      .join("\n");
    const shown = execFileSync("python3", ["-c", `import json\n${query}\nprint(json.dumps(query))`], {
      encoding: "utf8",
    });
    expect(JSON.parse(shown)).toEqual(body);
  });
});

test("SQL names and shell words are quoted", () => {
  expect(snippet("duckdb")).toContain(`SELECT "${hostile.replaceAll('"', '""')}", "state"`);
  expect(shellWord("it's")).toBe(`'it'\\''s'`);
});

test("R sends the exact query; no name or value can end its raw string", () => {
  const raw = /r"-----\(([\s\S]*?)\)-----"/.exec(snippet("r"))?.[1] ?? "";
  expect(JSON.parse(raw)).toEqual(body);
});

test("R's raw string has more dashes than any value", () => {
  const code = requestCode("r", { url: "https://x.example", body: { value: 'a)-------"' }, reply: "rows" });
  const [, raw = ""] = /r"(?:--------)\(([\s\S]*)\)(?:--------)"/.exec(code) ?? [];
  expect(JSON.parse(raw)).toEqual({ value: 'a)-------"' });
});

test("every snippet for an older version names that version", () => {
  for (const { id, code } of tableSnippets(table, columns, { versionId: "0f4b1b9e-0000-4000-8000-000000000000" })) {
    expect(code, id).toContain("0f4b1b9e-0000-4000-8000-000000000000");
  }
});

test("the agent's prompt names the documents and the route that exist", () => {
  expect(snippet("agent")).toContain("/datasets/strikes/llms.txt");
  expect(snippet("agent")).toContain(`POST https://data.example.org/api/public/tables/${ID}/query`);
  expect(snippet("agent")).toContain("https://data.example.org/api/v2/public/openapi.json");
});
