import type { Command } from "commander";
import { z } from "zod";
import { tooLargeText } from "@/lib/limits/download-size";
import {
  DATASET_OPTIONS,
  datasetOptionsSchema,
  datasetTexts,
  namesIn,
} from "@/lib/operations/administrator/edit-dataset";
import { publishTable } from "@/lib/publish/publish";
import { leftOutInText } from "@/lib/readers/left-out";
import {
  columnNoteSchema,
  type DatasetTexts,
  FILE_FORMATS,
  type PublishRequest,
  publishRequestSchema,
} from "@/lib/schemas/publish";
import { fromHere, textOf } from "./from-here";
import { addOptions, argumentsOf } from "./operation-commands";
import { checked, print, report } from "./output";

interface Options {
  dataset: string;
  table: string;
  tableName?: string;
  tableDescription?: string;
  columns?: string;
  orderBy?: string;
  primaryKey?: string;
  format?: (typeof FILE_FORMATS)[number];
  label?: string;
  notes?: string;
  publishedAt?: string;
  private?: boolean;
  workspace?: string;
  json?: boolean;
}

const HELP = `
Only the given options change. Everything else keeps its current value: title, publisher, licence, topics, column
descriptions and types, sort order and primary key. An empty list or string ("") removes the value. The first
publication of a dataset requires --title, --publisher and --license.

A label can be used wherever the version's id can: in queries, downloads and citations. A file with the same content as
the current version creates no new version: its label is added to the current version, and its notes replace those.

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
  addOptions(command, datasetOptionsSchema, DATASET_OPTIONS)
    .option("--columns <file>", "a JSON file with [{name, type, description, unit}]")
    .option("--order-by <list>", "columns to sort the rows by, comma-separated")
    .option(
      "--primary-key <list>",
      "columns that identify each row, comma-separated; verified, and used to compare versions row by row",
    )
    .option("--table-name <name>", "the table's name (default: its slug)")
    .option("--table-description <text>", "what one row represents")
    .option("--format <format>", FILE_FORMATS.join(", "))
    .option("--label <label>", "the source's name for this version, such as 1.54.0; unique within the table")
    .option("--notes <file>", "a Markdown file: what changed in this version")
    .option("--published-at <time>", "ISO 8601 time (default: now)")
    .option("--private", "makes a new dataset private from its first version; requires --workspace")
    .option("--workspace <id>", "the workspace that will own a new dataset")
    .option("--json", "print the receipt as JSON")
    .addHelpText("after", HELP)
    .action(async (file: string, options: Options) => {
      const texts = await argumentsOf(command, datasetOptionsSchema, DATASET_OPTIONS);
      const request = await requestFrom(fromHere(file), datasetTexts(checked(datasetOptionsSchema, texts)), options);
      const progress = options.json ? undefined : report;
      const receipt = await publishTable(request, { now: () => new Date(), ...(progress && { progress }) });
      const { left_out: leftOut, ...made } = receipt;
      print(options.json ? receipt : made, options.json);
      for (const words of leftOutInText(leftOut)) progress?.(words);
      const tooLarge = tooLargeText(made.bytes);
      if (tooLarge !== undefined) report(`Warning: ${tooLarge} Readers see this on its page, and the API replies 413.`);
    });
}

async function requestFrom(file: string, texts: DatasetTexts, options: Options): Promise<PublishRequest> {
  const { format, publishedAt } = options;
  const access = { visibility: options.private ? ("private" as const) : undefined, workspaceId: options.workspace };
  const table = { slug: options.table, name: options.tableName, description: options.tableDescription };
  const request = {
    file,
    format,
    dataset: { slug: options.dataset, ...texts, ...present(access) },
    table: { slug: options.table, ...present(table) },
    columns: options.columns === undefined ? undefined : notesFrom(options.columns, await textOf(options.columns)),
    orderBy: options.orderBy === undefined ? undefined : namesIn(options.orderBy),
    primaryKey: options.primaryKey === undefined ? undefined : namesIn(options.primaryKey),
    label: options.label,
    notes: options.notes === undefined ? undefined : (await textOf(options.notes)).trim(),
    publishedAt: publishedAt === undefined ? undefined : pastTime(publishedAt),
  };
  return checked(publishRequestSchema, present(request));
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** An object without the members that are undefined. */
const present = <T extends object>(value: T): Present<T> =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Present<T>;

function notesFrom(path: string, text: string) {
  try {
    return checked(
      z.array(columnNoteSchema),
      JSON.parse(text, (_key, value) => value ?? undefined),
    ); // null means the same as an absent key
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
