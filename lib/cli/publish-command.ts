import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { z } from "zod";
import { publishTable } from "@/lib/publish/publish";
import { columnNoteSchema, FILE_FORMATS, type PublishRequest, publishRequestSchema } from "@/lib/schemas/publish";
import { fromHere } from "./from-here";
import { checked, print, report } from "./output";

interface Options {
  dataset: string;
  table: string;
  tableName?: string;
  tableDescription?: string;
  title: string;
  summary?: string;
  publisher: string;
  publisherUrl?: string;
  license: string;
  topics?: string;
  source?: string[];
  description?: string;
  columns?: string;
  orderBy?: string;
  primaryKey?: string;
  format?: (typeof FILE_FORMATS)[number];
  coverage?: string;
  publishedAt?: string;
  private?: boolean;
  workspace?: string;
  json?: boolean;
}

/** `publish <file>`. */
export function addPublishCommand(program: Command): void {
  program
    .command("publish <file>")
    .description(
      "Seals a CSV, TSV, JSON, NDJSON or Parquet file (plain, .gz or .zst) as a new immutable version of a " +
        "table. What is said of the dataset (title, publisher, licence, topics, …) and of the columns is said " +
        "anew each time and replaces what stood there.",
    )
    .requiredOption("--dataset <slug>", "the dataset's slug")
    .requiredOption("--table <slug>", "the table's slug")
    .requiredOption("--title <title>", "the dataset's title")
    .requiredOption("--publisher <name>", "who publishes the data")
    .requiredOption("--license <spdx>", "SPDX identifier, or words where the source names none")
    .option("--topics <list>", "topics, separated by commas")
    .option("--summary <text>", "one or two sentences")
    .option("--description <file>", "a Markdown file")
    .option("--columns <file>", "a JSON file of [{name, type, description, unit}]")
    .option("--order-by <list>", "columns to sort the rows by, separated by commas")
    .option(
      "--primary-key <list>",
      "columns that no two rows share, separated by commas: proven, and used to compare versions row by row",
    )
    .option("--table-name <name>", "the table's name; its slug when absent")
    .option("--table-description <text>", "what a row is")
    .option("--publisher-url <url>", "the publisher's page")
    .option("--source <url...>", "where the data comes from")
    .option("--coverage <interval>", "ISO 8601 interval that the data covers")
    .option("--format <format>", FILE_FORMATS.join(", "))
    .option("--published-at <time>", "ISO 8601; now when absent")
    .option("--private", "makes a new dataset private from its first version on; needs --workspace")
    .option("--workspace <id>", "the workspace that owns a new dataset")
    .option("--json", "print the receipt as JSON")
    .action(async (file: string, options: Options) => {
      const request = await requestFrom(fromHere(file), options);
      const progress = options.json ? undefined : report;
      print(await publishTable(request, { now: () => new Date(), ...(progress && { progress }) }), options.json);
    });
}

const list = (text: string | undefined) =>
  (text ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);

async function requestFrom(file: string, options: Options): Promise<PublishRequest> {
  const description = options.description ? await textOf(options.description) : "";
  const columns = options.columns ? notesFrom(options.columns, await textOf(options.columns)) : [];
  const request = {
    file,
    ...(options.format && { format: options.format }),
    dataset: {
      slug: options.dataset,
      title: options.title,
      summary: options.summary ?? "",
      description,
      publisher: { name: options.publisher, ...(options.publisherUrl && { url: options.publisherUrl }) },
      license: options.license,
      topics: list(options.topics),
      sources: (options.source ?? []).map((url) => ({ name: url, url })),
      temporalCoverage: options.coverage ?? null,
      ...(options.private && { visibility: "private" as const }),
      ...(options.workspace !== undefined && { workspaceId: options.workspace }),
    },
    table: {
      slug: options.table,
      name: options.tableName ?? options.table,
      description: options.tableDescription ?? "",
    },
    columns,
    orderBy: list(options.orderBy),
    primaryKey: list(options.primaryKey),
    ...(options.publishedAt && { publishedAt: pastTime(options.publishedAt) }),
  };
  checked(publishRequestSchema, request);
  return request;
}

async function textOf(path: string): Promise<string> {
  return readFile(fromHere(path), "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new Error(error.code === "ENOENT" ? `There is no file ${path}` : `${path}: ${error.message}`);
  });
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
    throw new Error(`--published-at: ${text} is no ISO 8601 time, such as 2026-01-31T12:00:00Z`);
  if (time.getTime() > Date.now()) throw new Error(`--published-at: ${text} is still to come`);
  return time;
}
