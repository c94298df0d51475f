import type { Command } from "commander";
import { printable, printableJson } from "@/lib/cli/printable";
import { baseUrl } from "@/lib/kernel/env";
import { formatPlural } from "@/lib/kernel/format";
import { CommandError } from "./command-error";
import { serviceAddress } from "./remote-service";

interface Table {
  schema(): Promise<unknown>;
  rows(query: object): AsyncIterable<unknown>;
  download(file: string): Promise<unknown>;
  sync(file: string, options: { version?: string | undefined; whole?: boolean | undefined }): Promise<Synced>;
}

interface Synced {
  version_id: string;
  rows: number;
  changes: number;
  whole: string | null;
}

/** The JavaScript client (`clients/javascript/parquetry.mjs`), which the package contains as a library too. */
export type Reader = new (options: {
  base: string;
}) => {
  search(words: string): AsyncIterable<{ slug: string; title: string; tables: readonly { slug: string }[] }>;
  dataset(slug: string): Promise<unknown>;
  table(name: string): Promise<Table>;
};

/** Not the one last signed in to: the key is of the service that offers this command, unless its person says so. */
const URL_OPTION = ["--url <address>", "the service (default: the one that offers this command)"] as const;

const KEY_HELP = `
Reads with the use key in PARQUETRY_KEY, created under Settings, Access. Without one, up to 100 rows.`;

interface Options {
  url?: string;
}

interface SyncOptions extends Options {
  to?: string;
  whole?: boolean;
}

/** `search`, `show`, `schema`, `query`, `download`, `sync`: what the JavaScript client reads, from a terminal. */
export function addReadCommands(program: Command, Client: Reader): void {
  const at = ({ url }: Options) => new Client({ base: serviceAddress(url ?? baseUrl()) });
  program
    .command("search <words...>")
    .description("Finds datasets: slug, title and tables, one per line.")
    .option(...URL_OPTION)
    .action(async (words: string[], options: Options) => {
      for await (const { slug, title, tables } of at(options).search(words.join(" ")))
        line([slug, title, tables.map((table) => `${slug}/${table.slug}`).join(" ")].map(printable).join("\t"));
    });
  program
    .command("show <dataset>")
    .description("Prints one dataset as JSON.")
    .option(...URL_OPTION)
    .action(async (slug: string, options: Options) => line(toJson(await at(options).dataset(slug), 2)));
  program
    .command("schema <table>")
    .description("Prints the columns of DATASET/TABLE with types and profiles as JSON.")
    .option(...URL_OPTION)
    .action(async (name: string, options: Options) => line(toJson(await (await at(options).table(name)).schema(), 2)));
  program
    .command("query <table> [query]")
    .description("Prints rows of DATASET/TABLE as JSON lines; the query is the body of a query (default: all rows).")
    .option(...URL_OPTION)
    .addHelpText("after", `${KEY_HELP}\n\n  parquetry query mauna-loa-co2/monthly '{"limit": 3}'`)
    .action(async (name: string, query: string | undefined, options: Options) => {
      const body = bodyOf(query ?? "{}");
      for await (const row of (await at(options).table(name)).rows(body)) line(toJson(row));
    });
  program
    .command("download <table> <file>")
    .description("Downloads DATASET/TABLE as Parquet; resumes an interrupted download and verifies the digest.")
    .option(...URL_OPTION)
    .addHelpText("after", "\nReads with the use key in PARQUETRY_KEY, created under Settings, Access.")
    .action(async (name: string, file: string, options: Options) =>
      line(printable(String(await (await at(options).table(name)).download(file)))),
    );
  program
    .command("sync <table> <file>")
    .description("Keeps a copy of DATASET/TABLE up to date: a .parquet, .sqlite, .db or .duckdb file.")
    .option(...URL_OPTION)
    .option("--to <version>", "another version than the current one: UUID, label or number")
    .option("--whole", "read all rows again")
    .addHelpText("after", SYNC_HELP)
    .action(async (name: string, file: string, { to: version, whole, ...options }: SyncOptions) => {
      const table = await at(options).table(name);
      line(syncedText(file, await table.sync(file, { version, whole })));
    });
}

const SYNC_HELP = `
Reads with the use key in PARQUETRY_KEY, created under Settings, Access.
A copy of another version gets only what has changed since, at once or not at all, if the table has a key. Otherwise
all rows are read again; the output says why. A .duckdb file needs the npm package @duckdb/node-api.`;

/** What was done to a copy, in one line. */
function syncedText(file: string, { version_id, rows, changes, whole }: Synced): string {
  const done = whole === null ? formatPlural(changes, "change") : `all rows, since ${whole}`;
  return printable(`${file}: ${formatPlural(rows, "row")} of version ${version_id}; ${done}`);
}

function bodyOf(text: string): object {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null && !Array.isArray(body)) return body;
  } catch {
    // said below
  }
  throw new CommandError(`The query is not a JSON object: ${text.slice(0, 100)}`);
}

const line = (text: string): void => void process.stdout.write(`${text}\n`);

/** Integers that do not fit in a number keep their digits, as strings. */
const toJson = (value: unknown, space?: number): string =>
  printableJson(JSON.stringify(value, (_key, each) => (typeof each === "bigint" ? String(each) : each), space));
