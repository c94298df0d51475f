export interface DocEntry {
  /** Below /docs; empty for the first page. */
  slug: string;
  title: string;
  summary: string;
  group: (typeof DOC_GROUPS)[number];
}

export const DOC_GROUPS = ["Start", "Read data", "Rules", "Interfaces", "Run it"] as const;

/** THE pages of the docs, in their order. Those of single operations stand below `api` and are not listed here. */
export const DOC_ENTRIES: readonly DocEntry[] = [
  {
    slug: "",
    group: "Start",
    title: "Quick start",
    summary: "Find, preview, query, page, download and cite a dataset in a minute, without a key and then with one.",
  },
  {
    slug: "connect",
    group: "Start",
    title: "Connect an agent",
    summary:
      "Add the connector to Claude, ChatGPT, Cursor, VS Code and others, test the connection, and look up what " +
      "their messages mean.",
  },
  {
    slug: "agents",
    group: "Start",
    title: "What agents get",
    summary: "The tools of the connector, the same as text and OpenAPI, and a prompt that works.",
  },
  {
    slug: "query",
    group: "Read data",
    title: "Query",
    summary: "Columns, filters, order, paging and grouping: every operator and every function, with examples.",
  },
  {
    slug: "types",
    group: "Read data",
    title: "Types and values",
    summary: "The closed list of column types, how their values travel as JSON, and how digits stay exact.",
  },
  {
    slug: "formats",
    group: "Read data",
    title: "Formats",
    summary: "Query pages, whole files and metadata: which formats there are, and how to ask for them.",
  },
  {
    slug: "versions",
    group: "Read data",
    title: "Versions and citing",
    summary: "Immutable versions, digests that you can check, and citations that stay true.",
  },
  {
    slug: "freshness",
    group: "Read data",
    title: "Freshness",
    summary: "What the service says of how current data is, and why: states, reasons, confidence.",
  },
  {
    slug: "errors",
    group: "Rules",
    title: "Errors",
    summary: "Every error code with its status, what it means, what to do, and whether to try again.",
  },
  {
    slug: "limits",
    group: "Rules",
    title: "Limits",
    summary: "Rows, bytes, queries and downloads, with a key and without, and how replies say what is left.",
  },
  {
    slug: "access",
    group: "Rules",
    title: "Access",
    summary: "Who may do what, by the credential that a request brings.",
  },
  {
    slug: "accounts",
    group: "Rules",
    title: "Accounts and security",
    summary: "Accounts, use keys, workspaces, what is kept of secrets, and how to report a fault.",
  },
  {
    slug: "api",
    group: "Interfaces",
    title: "API reference",
    summary: "Every route with its parameters, body, reply, errors and an example; open ones can be tried here.",
  },
  {
    slug: "command-line",
    group: "Interfaces",
    title: "Command line",
    summary: "Read a service from your terminal, and run one: every command with its arguments and options.",
  },
  {
    slug: "self-hosting",
    group: "Run it",
    title: "Run your own",
    summary: "Start a service of your own, publish data, and every setting with its default.",
  },
];

export const docPath = (slug: string): string => (slug === "" ? "/docs" : `/docs/${slug}`);

/** The address of a page's Markdown. */
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
