import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { queryText, viewQuery } from "@/lib/view/view";
import { readView } from "@/lib/view/view-address";
import { viewSnippets } from "./view-snippets";

const base = "https://data.example.org/api";
const table = {
  slug: "t",
  queryUrl: `${base}/v2/public/tables/1/query`,
  anonymousUrl: `${base}/public/tables/1/query`,
  currentUrl: `${base}/v2/public/tables/1/current`,
};
const columns = [
  { name: `it's "$HOME" \\ ü`, type: "string" },
  { name: "n", type: "int64" },
  { name: "d", type: "decimal(38,2)" },
];

function snippets(address: string, keyed = false) {
  const { view, faults } = readView(new URLSearchParams(address), columns);
  expect(faults).toEqual([]);
  const query = viewQuery(view, columns);
  const codes = Object.fromEntries(
    viewSnippets({ table, view, columns, query, keyed }).map(({ id, code }) => [id, code]),
  );
  return { sent: queryText(query), code: (id: string) => codes[id] ?? "" };
}

const HOSTILE = `filter=${encodeURIComponent(`it's "$HOME" \\ ü:eq:a'b"c\`id\`\n$(x)`)}`;
const WIDE = "filter=n:eq:9007199254740993&filter=d:lte:12345678901234567890.12";

test.each([HOSTILE, WIDE, "group=n&agg=count::rows&sort=-rows"])(
  "curl, JavaScript and Python send the query digit for digit: %s",
  async (address) => {
    const { sent, code } = snippets(address);
    const words = execFileSync(
      "sh",
      ["-c", `curl() { for word; do printf '%s\\n\\0' "$word"; done; }\n${code("curl")}`],
      { encoding: "utf8" },
    ).split("\n\0");
    expect(compact(words[words.indexOf("-d") + 1] ?? "")).toBe(sent);

    let body = "";
    const fetched = async (_url: string, init: { body: string }) => {
      body = init.body;
      return { json: async () => ({ rows: [] }) };
    };
    await new Function("fetch", "console", `return (async () => {${code("javascript")}})()`)(fetched, {
      table: () => undefined,
    });
    expect(body).toBe(sent);

    const python = code("python").split("\nwith ")[0];
    const asked = execFileSync("python3", ["-c", `${python}\nimport sys; sys.stdout.buffer.write(request.data)`], {
      encoding: "utf8",
    });
    expect(JSON.stringify(JSON.parse(asked))).toBe(JSON.stringify(JSON.parse(sent)));
    if (address === WIDE) expect(asked).toBe(sent);
  },
);

/** Without the white space between tokens. */
const compact = (json: string): string => json.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");

test("with a key, the keyed route is used with its header", () => {
  const { code } = snippets("", true);
  for (const id of ["curl", "javascript", "python", "pandas", "r"]) {
    expect(code(id)).toContain("/api/v2/public/tables/1/query");
    expect(code(id)).toContain("PARQUETRY_KEY");
  }
  expect(snippets("").code("curl")).not.toContain("x-api-key");
});

test("the DuckDB statement matches the query", () => {
  const { code } = snippets("filter=n:between:1,2&group=n&agg=avg:d:mean&sort=-mean&limit=7");
  expect(code("duckdb")).toContain(
    [
      `SELECT "n", avg(CAST("d" AS DOUBLE)) AS mean`,
      `FROM read_parquet('${base}/v2/public/tables/1/current')`,
      `WHERE "n" >= 1 AND "n" <= 2`,
      `GROUP BY "n"`,
      `ORDER BY "mean" DESC NULLS LAST, "n" ASC NULLS LAST`,
      "LIMIT 7;",
    ].join("\n"),
  );
});
