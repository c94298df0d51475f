interface Floor {
  name: string;
  /** Path of a folder, and what is in it. */
  folders: Readonly<Record<string, string>>;
}

/** THE floors, from the ground up: a file imports from its own floor and those below it. */
export const FLOORS: readonly Floor[] = [
  {
    name: "kernel",
    folders: { "lib/kernel": "THE error table, THE settings, formats, caches, hashes, files written whole" },
  },
  {
    name: "engine",
    folders: {
      "lib/engine": "THE column types, operators and aggregates; grammar → plan → SQL → DuckDB → JSON bytes",
    },
  },
  { name: "schemas", folders: { "lib/schemas": "one zod schema per noun: what goes over the wire" } },
  {
    name: "services",
    folders: {
      "lib/store": "the database; the only importer of Prisma",
      "lib/storage": "ObjectStore: files by key or digest; files of the data folder",
      "lib/formats": "THE output formats: CSV, NDJSON, Arrow, Parquet, Excel, Markdown, GeoJSON",
      "lib/readers": "THE readers of files: what a file is, its cells, what was left out",
      "lib/publish": "from a file to a sealed version",
      "lib/builds": "recipes: document, steps, expressions, checks; compiled to SQL over cells (pure)",
      "lib/freshness": "evidence and an instant → verdict: whether a table is current (pure)",
      "lib/sources": "guarded reading of sources, observations, snapshots",
      "lib/sandbox": "the child process of a run: bytes to cells, its limits",
      "lib/auth": "passwords, sessions, keys, identity providers",
      "lib/oauth": "the authorization server",
      "lib/limits": "rate limits and quotas, and their counters",
      "lib/vault": "source credentials",
      "lib/mail": "emails",
      "lib/billing": "plans that people buy",
      "lib/backup": "backup and restore",
      "lib/showcase": "the showcase catalogue",
    },
  },
  {
    name: "operations",
    folders: {
      "lib/access": "Actor, the access table, admission, quotas",
      "lib/operations": "verbs, one per file: the only description of each capability",
      "lib/view": "a view of a table as the explorer's URL says it, and the query that it stands for",
      "lib/describe": "citations, Croissant, Data Packages, DCAT, Markdown, feeds, snippets, documents for agents",
    },
  },
  {
    name: "doors",
    folders: {
      "lib/door": "handle(): one door for everything that is not a page",
      "lib/http": "endpoints: envelope, CORS, negotiation, replies, headers",
      "lib/openapi": "the OpenAPI document",
      "lib/mcp": "the agent connector",
      "lib/docs": "the contents of the docs",
      "lib/cli": "the command line",
      "lib/server": "the listener: addresses, bounds, bytes in flight, shutdown",
      "lib/worker": "the process that works on runs: fetches, starts sandboxes, records",
      "lib/telemetry": "OpenTelemetry's SDK, started as the settings say, and what is observed at intervals",
      "lib/start": "build and start of the compiled server and command line",
    },
  },
  { name: "pages", folders: { components: "props in, markup out", app: "pages and catch-all route files" } },
];

const FLOOR_OF = new Map(FLOORS.flatMap(({ folders }, floor) => Object.keys(folders).map((name) => [name, floor])));

/** The folder of FLOORS that a path is in; undefined if it is on no floor. */
export const folderOf = (path: string): string | undefined =>
  [...FLOOR_OF.keys()].find((folder) => path === folder || path.startsWith(`${folder}/`));

/** The index of a folder's floor, 0 for the ground; undefined if it is on no floor. */
export const floorOf = (folder: string): number | undefined => FLOOR_OF.get(folder);

/** The floors as the table of CONTRIBUTING.md, from the top down. */
export function floorsTable(): string {
  const rows = FLOORS.map(({ name, folders }, floor) =>
    Object.entries(folders).map(([folder, content]) => `| ${floor} ${name} | \`${folder}/\` | ${content} |`),
  );
  return ["| floor | folder | what is in it |", "| --- | --- | --- |", ...rows.reverse().flat()].join("\n");
}
