import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import type { DatasetTexts } from "@/lib/schemas/publish";
import { fromHere } from "./from-here";

/** What the commands that say something of a dataset take; what is absent stays as it is. */
export interface DatasetOptions {
  title?: string;
  summary?: string;
  description?: string;
  publisher?: string;
  publisherUrl?: string;
  license?: string;
  topics?: string;
  source?: string[];
  coverage?: string;
}

export const addDatasetOptions = (command: Command): Command =>
  command
    .option("--title <title>", "the dataset's title")
    .option("--publisher <name>", "the publisher's name")
    .option("--publisher-url <url>", "the publisher's page")
    .option("--license <spdx>", "SPDX identifier, or the licence's name if it has none")
    .option("--topics <list>", "topics, comma-separated")
    .option("--summary <text>", "one or two sentences")
    .option("--description <file>", "a Markdown file")
    .option("--source <url...>", "URLs of the data's sources")
    .option("--coverage <interval>", "ISO 8601 interval the data covers; empty for none");

/** The options as the schema has them: an absent one is absent. */
export async function datasetTexts(options: DatasetOptions): Promise<DatasetTexts> {
  const { title, summary, license, coverage, publisher, publisherUrl } = options;
  const texts = {
    title,
    summary,
    license,
    description: options.description === undefined ? undefined : await textOf(options.description),
    topics: namesIn(options.topics),
    sources: options.source?.map((url) => ({ name: url, url })),
    temporalCoverage: coverage === "" ? null : coverage,
    publisher:
      publisher === undefined && publisherUrl === undefined
        ? undefined
        : present({ name: publisher, url: publisherUrl }),
  };
  return present(texts);
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** An object without the members that are undefined. */
export const present = <T extends object>(value: T): Present<T> =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Present<T>;

/** `"a, b"` → `["a", "b"]`; undefined stays undefined. */
export const namesIn = (list: string | undefined): string[] | undefined =>
  list
    ?.split(",")
    .map((part) => part.trim())
    .filter(Boolean);

export async function textOf(path: string): Promise<string> {
  return readFile(fromHere(path), "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new Error(error.code === "ENOENT" ? `File not found: ${path}` : `${path}: ${error.message}`);
  });
}
