import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { z } from "zod";
import { publishTable } from "@/lib/publish/publish";
import { columnNoteSchema, FILE_FORMATS, type PublishRequest, publishRequestSchema } from "@/lib/schemas/publish";
import { checked, print } from "./output";

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
  format?: (typeof FILE_FORMATS)[number];
  coverage?: string;
  publishedAt?: string;
  json?: boolean;
}

/** `publish <file>`. */
export function addPublishCommand(program: Command): void {
  program
    .command("publish <file>")
    .description("Seals a CSV, TSV, JSON, NDJSON or Parquet file (plain, .gz or .zst) as a new immutable version of a table.")
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
    .option("--table-name <name>", "the table's name; its slug when absent")
    .option("--table-description <text>", "what a row is")
    .option("--publisher-url <url>", "the publisher's page")
    .option("--source <url...>", "where the data comes from")
    .option("--coverage <interval>", "ISO 8601 interval that the data covers")
    .option("--format <format>", FILE_FORMATS.join(", "))
    .option("--published-at <time>", "ISO 8601; now when absent")
    .option("--json", "print the receipt as JSON")
    .action(async (file: string, options: Options) => {
      const request = await requestFrom(file, options);
      const progress = options.json ? undefined : (text: string) => void process.stderr.write(`${text}\n`);
      print(await publishTable(request, { now: () => new Date(), ...(progress && { progress }) }), options.json);
    });
}

const list = (text: string | undefined) =>
  (text ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);

async function requestFrom(file: string, options: Options): Promise<PublishRequest> {
  const description = options.description ? await readFile(options.description, "utf8") : "";
  const columns = options.columns ? checked(z.array(columnNoteSchema), JSON.parse(await readFile(options.columns, "utf8"))) : [];
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
    },
    table: { slug: options.table, name: options.tableName ?? options.table, description: options.tableDescription ?? "" },
    columns,
    orderBy: list(options.orderBy),
    ...(options.publishedAt && { publishedAt: new Date(options.publishedAt) }),
  };
  checked(publishRequestSchema, request);
  return request;
}
