import type { DatasetEntry } from "@/lib/schemas/dataset";
import { knownState } from "./freshness-text";
import type { Batches, CatalogueFacts } from "./listed-dataset";
import { inlineMarkdown } from "./quoted-markdown";

/** What language models can read here, and where (llmstxt.org). Pure. */
export async function* llmsTxt(batches: Batches, { base, newest, isWatched }: CatalogueFacts): AsyncGenerator<string> {
  const link = (name: string, path: string, notes: string) => `- [${name}](${base}${path}): ${notes}`;
  const head = [
    "# Parquetry",
    "> Open datasets as immutable Parquet versions: search, sample, query with filters and aggregates, " +
      "download whole files. Every response names the version and the SHA-256 it was read from. Cite them.",
    "## For agents",
    [
      link(
        "Connector",
        "/.well-known/mcp.json",
        `Model Context Protocol over Streamable HTTP at ${base}/api/mcp; nine tools work without a credential, ` +
          `queries require signing in or a use key (API key)`,
      ),
      link(
        "Connecting",
        "/docs/connect.md",
        "how to add the connector (MCP server) to each client, and what its messages mean",
      ),
      link(
        "Skill",
        "/.well-known/agent-skills/read-open-data/SKILL.md",
        "how to find, query, paginate, download and cite data",
      ),
      link(
        "Skill for building",
        "/.well-known/agent-skills/build-open-data/SKILL.md",
        "how to turn files and APIs into checked, versioned datasets (scope datasets:build, paid workspaces)",
      ),
      link("OpenAPI", "/api/v2/public/openapi.json", "every route, with request and response schemas"),
      link("Whole catalogue", "/llms-full.txt", "every dataset and table with its id"),
      link("Documentation", "/docs.md", "quick start, with links to grammar, limits and errors"),
    ].join("\n"),
    "## Datasets",
    ...(isWatched ? [WATCHED(base)] : []),
    ...(newest === undefined ? ["None yet.\n"] : [""]),
  ];
  yield head.join("\n\n");
  for await (const datasets of batches) yield datasets.map((dataset) => `${entry(dataset)}\n`).join("");
}

const WATCHED = (base: string): string =>
  `In brackets, of datasets whose sources are watched: whether they are current ([states](${base}/docs/freshness.md)).`;

/** One line, whose link ends where the title ends, whatever the publisher wrote. */
function entry({ title, markdown_url, summary, freshness }: DatasetEntry): string {
  const state = knownState(freshness);
  const notes = [inlineMarkdown(summary), ...(state === undefined ? [] : [`(${state})`])].filter(Boolean).join(" ");
  return `- [${inlineMarkdown(title)}](${markdown_url})${notes && `: ${notes}`}`;
}
