import { shellWord } from "@/lib/describe/snippet-text";
import { curlSample } from "./query-sample";
import { queryAddress, type Sample } from "./sample";

export const RULE_SAMPLES: readonly Sample[] = [
  curlSample({
    id: "faults",
    label: "A query with three faults",
    dataset: "palmer-penguins",
    body: {
      columns: ["Species", "Isle"],
      filters: [{ column: "Body Mass (g)", operator: "eq", value: "heavy" }],
      limit: 100_000,
    },
    output: `{
  "schema_version": "service-error.v1",
  "error": "invalid_limit",
  "request_id": "req_…",
  "message": "The limit must be an integer from 1 to … (and 2 more: see details)",
  "details": [
    { "pointer": "/limit", "code": "invalid_limit", "message": "The limit must be an integer from 1 to …" },
    { "pointer": "/columns/1", "code": "unknown_column", "message": "Unknown column \\"Isle\\".", "allowed": \
["Species", …] },
    { "pointer": "/filters/0/value", "code": "invalid_value", "message": "Expected a number." }
  ]
}`,
  }),
  {
    id: "retry",
    label: "Retry as the reply says",
    language: "python",
    output: `[{'Species': 'Adelie'}]`,
    code: (place) =>
      [
        "import json, time, urllib.error, urllib.request",
        "",
        "RETRIED = {429, 503, 504}",
        "",
        "def ask(url, body, attempts=5):",
        '    request = urllib.request.Request(url, json.dumps(body).encode(), {"content-type": "application/json"})',
        "    for attempt in range(attempts):",
        "        try:",
        "            with urllib.request.urlopen(request) as response:",
        "                return json.load(response)",
        "        except urllib.error.HTTPError as rejection:",
        "            error = json.load(rejection)",
        "            if rejection.code not in RETRIED or attempt == attempts - 1:",
        "                raise SystemExit(f\"{error['error']}: {error['message']} ({error['request_id']})\")",
        '            time.sleep(int(rejection.headers.get("Retry-After", 2**attempt)))',
        "",
        `page = ask(${JSON.stringify(queryAddress(place, "palmer-penguins"))}, {"columns": ["Species"], "limit": 1})`,
        'print(page["rows"])',
      ].join("\n"),
  },
  {
    id: "quota",
    label: "What is left of the quota",
    language: "shellscript",
    output: `ratelimit-policy: "minute";q=…;w=60, "day";q=…;w=86400
ratelimit: "minute";r=…;t=…`,
    code: (place) =>
      `curl -s ${shellWord(queryAddress(place, "palmer-penguins"))} -H 'content-type: application/json' -d ` +
      `'{"columns": ["Species"], "limit": 1}' \\\n  -D - -o reply.json | tr -d '\\r' | grep -i '^ratelimit' | ` +
      "LC_ALL=C sort",
  },
];
