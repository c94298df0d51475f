export interface DocEntry {
  /** Below /docs; empty for the first page. */
  slug: string;
  title: string;
  summary: string;
  group: (typeof DOC_GROUPS)[number];
}

export const DOC_GROUPS = ["Start", "Read data", "Build datasets", "Rules", "Interfaces", "Run it"] as const;

/** THE pages of the docs, in order. The pages of single operations are below `api` and are not listed here. */
export const DOC_ENTRIES: readonly DocEntry[] = [
  {
    slug: "",
    group: "Start",
    title: "Quick start",
    summary: "Find, preview, query, download and cite a dataset in a minute, first without a key and then with one.",
  },
  {
    slug: "connect",
    group: "Start",
    title: "Connect an agent",
    summary:
      "Add the connector to Claude, ChatGPT, Cursor, VS Code and others, test the connection, and look up " +
      "error messages.",
  },
  {
    slug: "agents",
    group: "Start",
    title: "Agents",
    summary: "The connector’s tools, text for agents, OpenAPI, and an example prompt.",
  },
  {
    slug: "explorer",
    group: "Read data",
    title: "Explorer",
    summary:
      "For everyone: filter, group, chart and map a table in the browser, save it as a file, share or embed it, " +
      "compare versions, follow a dataset.",
  },
  {
    slug: "search",
    group: "Read data",
    title: "Search",
    summary: "What a search of the catalogue finds, by which words, values and languages, and what its reply says.",
  },
  {
    slug: "query",
    group: "Read data",
    title: "Query",
    summary: "Columns, filters, order, pagination and grouping: every operator and function, with examples.",
  },
  {
    slug: "sql",
    group: "Read data",
    title: "SQL in the browser",
    summary: "Joins and any other query over verified tables, by DuckDB on your own computer.",
  },
  {
    slug: "types",
    group: "Read data",
    title: "Types and values",
    summary: "All column types, their JSON encoding, and exact digits.",
  },
  {
    slug: "formats",
    group: "Read data",
    title: "Formats",
    summary: "The formats of query pages, whole files and metadata, and how to request them.",
  },
  {
    slug: "versions",
    group: "Read data",
    title: "Versions and citing",
    summary: "Immutable versions, digests that you can verify, and lasting citations.",
  },
  {
    slug: "freshness",
    group: "Read data",
    title: "Freshness",
    summary: "How current the data is, and why: states, reasons, confidence.",
  },
  {
    slug: "news",
    group: "Read data",
    title: "News",
    summary: "Webhooks and emails about releases, failed runs, approvals and freshness; how to check a signature.",
  },
  {
    slug: "build",
    group: "Build datasets",
    title: "Build a dataset",
    summary: "From a URL to a checked, versioned table: in the browser, by an agent, from the command line, with curl.",
  },
  {
    slug: "recipes",
    group: "Build datasets",
    title: "Recipes",
    summary: "The document that makes a dataset: sources, readers, tables, refresh and licence, key by key.",
  },
  {
    slug: "recipe-steps",
    group: "Build datasets",
    title: "Steps",
    summary: "Every step of a recipe with its keys and an example: rows before and rows after.",
  },
  {
    slug: "recipe-functions",
    group: "Build datasets",
    title: "Functions and checks",
    summary: "Every function of expressions with a value, and every check with rows that pass and rows that fail.",
  },
  {
    slug: "hosted-tables",
    group: "Build datasets",
    title: "Hosted tables",
    summary: "Dedicated URLs for built tables: activation, live keys, downloads, freshness, every status.",
  },
  {
    slug: "errors",
    group: "Rules",
    title: "Errors",
    summary: "Every error code with its status, meaning, remedy, and whether to retry.",
  },
  {
    slug: "limits",
    group: "Rules",
    title: "Limits",
    summary: "Rows, bytes, queries and downloads, with and without a key, and how to see the remaining quota.",
  },
  {
    slug: "access",
    group: "Rules",
    title: "Access",
    summary: "What each type of credential can access.",
  },
  {
    slug: "accounts",
    group: "Rules",
    title: "Accounts and security",
    summary: "Accounts, use keys, workspaces, how secrets are stored, and how to report a vulnerability.",
  },
  {
    slug: "privacy",
    group: "Rules",
    title: "Privacy",
    summary: "What this service keeps about you, for how long, who sees it, and how to have it deleted.",
  },
  {
    slug: "changes",
    group: "Rules",
    title: "Change policy",
    summary: "What may change in the API and the connector, what never does, and how changes are announced.",
  },
  {
    slug: "api",
    group: "Interfaces",
    title: "API reference",
    summary: "Every route with its parameters, body, reply, errors and an example; open routes can be tried here.",
  },
  {
    slug: "clients",
    group: "Interfaces",
    title: "Python, JavaScript and R",
    summary:
      "Small clients (SDKs) without dependencies: pages, data frames, and whole files that resume and are verified.",
  },
  {
    slug: "command-line",
    group: "Interfaces",
    title: "Command line",
    summary: "Read a service from your terminal, or run one: every command with its arguments and options.",
  },
  {
    slug: "self-hosting",
    group: "Run it",
    title: "Run your own",
    summary: "Run your own service, publish data, and look up every setting with its default.",
  },
];

export const docPath = (slug: string): string => (slug === "" ? "/docs" : `/docs/${slug}`);

/** Path of a page's Markdown. */
export const docMarkdownPath = (slug: string): string => `${docPath(slug)}.md`;

/** The pages before and after one. */
export function neighbours(
  slug: string,
  entries: readonly DocEntry[] = DOC_ENTRIES,
): { previous?: DocEntry; next?: DocEntry } {
  const at = entries.findIndex((entry) => entry.slug === slug);
  const [previous, next] = at < 0 ? [] : [entries[at - 1], entries[at + 1]];
  return { ...(previous && { previous }), ...(next && { next }) };
}
