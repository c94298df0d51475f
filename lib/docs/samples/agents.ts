import { shellWord } from "@/lib/describe/snippet-text";
import type { Sample } from "./sample";

export const AGENT_SAMPLES: readonly Sample[] = [
  {
    id: "connector",
    label: "Search through the connector, as an agent does",
    language: "shellscript",
    outputIs: "json",
    code: ({ base }) =>
      [
        `curl -s ${shellWord(`${base}/api/mcp`)} \\`,
        "  -H 'content-type: application/json' -H 'accept: application/json, text/event-stream' \\",
        `  -d '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search", "arguments": ` +
          `{"query": "co2"}}}'`,
      ].join("\n"),
    output: `{ … "title": "Mauna Loa CO2" … }`,
  },
  {
    id: "llms-full",
    label: "Every dataset and table in one document",
    language: "shellscript",
    output: "# Parquetry",
    code: ({ base }) => `curl -s ${shellWord(`${base}/llms-full.txt`)} -o catalogue.md && head -n 1 catalogue.md`,
  },
  {
    id: "llms",
    label: "One dataset as text",
    language: "shellscript",
    output: "# Palmer Archipelago penguins",
    code: ({ base }) =>
      `curl -s ${shellWord(`${base}/datasets/palmer-penguins/llms.txt`)} -o penguins.md && head -n 1 penguins.md`,
  },
  {
    id: "docs-text",
    label: "A page of these docs as text",
    language: "shellscript",
    output: "# Query",
    code: ({ base }) => `curl -s ${shellWord(`${base}/docs/query.md`)} -o query.md && head -n 1 query.md`,
  },
  {
    id: "openapi",
    label: "The operations that the OpenAPI document describes",
    language: "shellscript",
    output: `GET /api/v2/public/datasets
…
GET /api/v2/public/datasets/{slug}
…
POST /api/public/tables/{table_id}/query
…`,
    code: ({ base }) =>
      [
        `curl -s ${shellWord(`${base}/api/v2/public/openapi.json`)} |`,
        "  python3 -c 'import json, sys; [print(method.upper(), path) for path, item in " +
          `json.load(sys.stdin)["paths"].items() if "/public/" in path for method in item]'`,
      ].join("\n"),
  },
];
