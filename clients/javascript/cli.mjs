#!/usr/bin/env node
// parquetry: search, show, query and download from a terminal. The key is read from PARQUETRY_KEY.
import { Parquetry, ParquetryError } from "./parquetry.mjs";

const USAGE = `usage:
  parquetry search WORDS…                   datasets, one per line
  parquetry show DATASET                    one dataset as JSON
  parquetry schema DATASET/TABLE            columns with types and profiles as JSON
  parquetry query DATASET/TABLE [QUERY]     rows as JSON lines; QUERY is the body of a query
  parquetry download DATASET/TABLE FILE     the whole Parquet file; resumes an interrupted download, verifies the digest
options:
  --url URL                                 another service
`;

const args = process.argv.slice(2);
const at = args.indexOf("--url");
const [base] = at < 0 ? [] : args.splice(at, 2).slice(1);
const [verb, name, ...rest] = args;
const service = new Parquetry({ ...(base && { base }) });
const print = (value) => process.stdout.write(`${value}\n`);
const toJson = (value, space) =>
  JSON.stringify(value, (_key, each) => (typeof each === "bigint" ? each.toString() : each), space);

const VERBS = {
  async search() {
    for await (const { slug, title, tables } of service.search([name, ...rest].join(" ")))
      print(`${slug}\t${title}\t${tables.map((table) => `${slug}/${table.slug}`).join(" ")}`);
  },
  show: async () => print(toJson(await service.dataset(name), 2)),
  schema: async () => print(toJson(await (await service.table(name)).schema(), 2)),
  async query() {
    for await (const row of (await service.table(name)).rows(JSON.parse(rest[0] ?? "{}"))) print(toJson(row));
  },
  download: async () => print(await (await service.table(name)).download(rest[0])),
};

if (!Object.hasOwn(VERBS, verb ?? "") || !name || (verb === "download" && !rest[0])) {
  process.stderr.write(USAGE);
  process.exit(2);
}
process.stdout.on("error", () => process.exit(0)); // the reader, such as head, has enough
try {
  await VERBS[verb]();
} catch (error) {
  process.stderr.write(`${error instanceof ParquetryError || error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
