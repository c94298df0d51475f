import { oneLine } from "@/lib/format";
import type { DatasetEntry } from "@/lib/schemas/dataset";

/** What stands here for language models, and where (llmstxt.org). Pure. */
export function llmsTxt(datasets: readonly DatasetEntry[], base: string): string {
  const link = (name: string, path: string, notes: string) => `- [${name}](${base}${path}): ${notes}`;
  return [
    "# Parquetry",
    "> Open datasets as immutable Parquet versions: search, sample, query with filters and aggregates, " +
      "download whole files. Every reply names the version and the SHA-256 that it was read from: cite them.",
    "## For agents",
    [
      link(
        "Connector",
        "/.well-known/mcp.json",
        `Model Context Protocol over Streamable HTTP at ${base}/api/mcp; nine tools without a credential, ` +
          "queries after signing in, or with a use key",
      ),
      link("Connecting", "/docs/connect.md", "how each client is given the connector, and what its messages mean"),
      link("Skill", "/.well-known/agent-skills/read-open-data/SKILL.md", "how to find, query, page, download and cite"),
      link("OpenAPI", "/api/v2/public/openapi.json", "every route, with request and response schemas"),
      link("Whole catalogue", "/llms-full.txt", "every dataset and table with their ids"),
      link("Documentation", "/docs.md", "quick start; grammar, limits and errors behind it"),
    ].join("\n"),
    "## Datasets",
    datasets.map(entry).join("\n") || "None yet.",
    "",
  ].join("\n\n");
}

/** One line, whose link ends where the title ends, whatever the publisher wrote. */
function entry({ title, markdown_url, summary }: DatasetEntry): string {
  const notes = oneLine(summary);
  return `- [${oneLine(title).replace(/[[\]\\]/g, "\\$&")}](${markdown_url})${notes && `: ${notes}`}`;
}
