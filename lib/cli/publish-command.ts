import type { Command } from "commander";
import { z } from "zod";
import { publishTable } from "@/lib/publish/publish";
import { columnNoteSchema, FILE_FORMATS, type PublishRequest, publishRequestSchema } from "@/lib/schemas/publish";
import { addDatasetOptions, type DatasetOptions, datasetTexts, namesIn, present, textOf } from "./dataset-options";
import { fromHere } from "./from-here";
import { checked, print, report } from "./output";

interface Options extends DatasetOptions {
  dataset: string;
  table: string;
  tableName?: string;
  tableDescription?: string;
  columns?: string;
  orderBy?: string;
  primaryKey?: string;
  format?: (typeof FILE_FORMATS)[number];
  publishedAt?: string;
  private?: boolean;
  workspace?: string;
  json?: boolean;
}

const HELP = `
Only the given options change. Everything else keeps its current value: title, publisher, licence, topics, column
descriptions and types, sort order and primary key. An empty list or string ("") removes the value. The first
publication of a dataset requires --title, --publisher and --license.

  parquetry publish levels.csv --dataset river-levels --table daily \\
    --title "River levels" --publisher "River Board" --license CC-BY-4.0
  parquetry publish levels.csv --dataset river-levels --table daily`;

/** `publish <file>`. */
export function addPublishCommand(program: Command): void {
  const command = program
    .command("publish <file>")
    .description(
      "Publishes a CSV, TSV, JSON, NDJSON or Parquet file (plain, .gz or .zst) as a new immutable version of a table.",
    )
    .requiredOption("--dataset <slug>", "the dataset's slug")
    .requiredOption("--table <slug>", "the table's slug");
  addDatasetOptions(command)
    .option("--columns <file>", "a JSON file with [{name, type, description, unit}]")
    .option("--order-by <list>", "columns to sort the rows by, comma-separated")
    .option(
      "--primary-key <list>",
      "columns that identify each row, comma-separated; verified, and used to compare versions row by row",
    )
    .option("--table-name <name>", "the table's name (default: its slug)")
    .option("--table-description <text>", "what one row represents")
    .option("--format <format>", FILE_FORMATS.join(", "))
    .option("--published-at <time>", "ISO 8601 time (default: now)")
    .option("--private", "makes a new dataset private from its first version; requires --workspace")
    .option("--workspace <id>", "the workspace that will own a new dataset")
    .option("--json", "print the receipt as JSON")
    .addHelpText("after", HELP)
    .action(async (file: string, options: Options) => {
      const request = await requestFrom(fromHere(file), options);
      const progress = options.json ? undefined : report;
      print(await publishTable(request, { now: () => new Date(), ...(progress && { progress }) }), options.json);
    });
}

async function requestFrom(file: string, options: Options): Promise<PublishRequest> {
  const { format, publishedAt } = options;
  const access = { visibility: options.private ? ("private" as const) : undefined, workspaceId: options.workspace };
  const table = { slug: options.table, name: options.tableName, description: options.tableDescription };
  const request = {
    file,
    format,
    dataset: { slug: options.dataset, ...(await datasetTexts(options)), ...present(access) },
    table: { slug: options.table, ...present(table) },
    columns: options.columns === undefined ? undefined : notesFrom(options.columns, await textOf(options.columns)),
    orderBy: namesIn(options.orderBy),
    primaryKey: namesIn(options.primaryKey),
    publishedAt: publishedAt === undefined ? undefined : pastTime(publishedAt),
  };
  return checked(publishRequestSchema, present(request));
}

function notesFrom(path: string, text: string) {
  try {
    return checked(
      z.array(columnNoteSchema),
      JSON.parse(text, (_key, value) => value ?? undefined),
    ); // a null says as little as no key
  } catch (error) {
    throw new Error(
      `${path} must be a JSON list of {"name", "type", "description", "unit"}:\n` +
        `${error instanceof Error ? error.message : error}`,
    );
  }
}

function pastTime(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new Error(`--published-at: ${text} is not an ISO 8601 time, such as 2026-01-31T12:00:00Z`);
  if (time.getTime() > Date.now()) throw new Error(`--published-at: ${text} is in the future`);
  return time;
}
