import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { Context } from "@/lib/access/context";
import { querySubject } from "@/lib/access/quotas";
import {
  type ArchiveForm,
  archiveTexts,
  type CsvFacts,
  csvPackage,
  DIGESTS_FILE,
  PACKAGE_FILE,
  parquetPackage,
  tablePath,
} from "@/lib/describe/archive-files";
import { citeAs, citedDataset } from "@/lib/describe/citation";
import { presentColumns } from "@/lib/describe/present-columns";
import { sealedFacts } from "@/lib/describe/sealed-facts";
import type { Engine } from "@/lib/engine/duckdb/engine";
import type { ArchiveEntry } from "@/lib/formats/archive";
import { csvTable } from "@/lib/formats/csv-table";
import { sealedVersion } from "@/lib/operations/reading/read-version";
import { blobStream } from "@/lib/storage/read-blob";
import type { DatasetRecord } from "@/lib/store/catalogue/catalogue";
import { profilesJson, type TableVersion } from "@/lib/store/datasets/tables";
import { presentWholeDataset } from "./get-dataset";
import { presentVersion } from "./get-schema";

/**
 * The files of a dataset's archive, in order. The digests of CSV files are known only once they are written, so the
 * file that lists them comes last.
 */
export async function archiveEntries(
  record: DatasetRecord,
  versions: readonly TableVersion[],
  form: ArchiveForm,
  ctx: Context,
): Promise<ArchiveEntry[]> {
  const dataset = await presentWholeDataset(record, ctx);
  const factsOf = sealedFacts(record);
  const { default: licenseTexts } = await import("spdx-license-list/full.js"); // 5 MB: loaded by the first archive
  const citation = citeAs(citedDataset(record, ctx.baseUrl));
  const texts = archiveTexts(dataset, await schemasOf(versions), citation, { licenseTexts, form });
  const at = (path: string) => `${record.slug}/${path}`;
  const textEntry = (path: string, text: string) => ({ name: at(path), bytes: Buffer.from(text) });
  const entries = Object.entries(texts).map(([path, text]) => textEntry(path, text));
  const pathOf = (version: TableVersion) => at(tablePath(version.tableSlug, form));
  if (form === "parquet") {
    const written = [...entries, textEntry(PACKAGE_FILE, parquetPackage(dataset, factsOf))];
    const digests = versions.map((version) => digestLine(tablePath(version.tableSlug, form), version.digest));
    return [
      ...written,
      textEntry(DIGESTS_FILE, [...linesOf(written, record.slug), ...digests].join("")),
      ...versions.map((version) => ({
        name: pathOf(version),
        sizeBytes: version.bytes,
        open: () => blobStream(version),
      })),
    ];
  }
  const engine = await ctx.engine();
  const written = new Map<string, CsvFacts>();
  const factsOfCsv = (slug: string) => written.get(slug) as CsvFacts;
  return [
    ...entries,
    ...versions.map((version) => ({
      name: pathOf(version),
      open: () => Readable.from(csvOf(engine, version, written, ctx), { objectMode: false }),
    })),
    { name: at(PACKAGE_FILE), open: () => textStream(csvPackage(dataset, factsOf, factsOfCsv)) },
    {
      name: at(DIGESTS_FILE),
      open: () => {
        const list = textEntry(PACKAGE_FILE, csvPackage(dataset, factsOf, factsOfCsv));
        const tables = versions.map(({ tableSlug: table }) =>
          digestLine(tablePath(table, form), factsOfCsv(table).digest),
        );
        return textStream([...linesOf([...entries, list], record.slug), ...tables].join(""));
      },
    },
  ];
}

const textStream = (text: string) => Readable.from([Buffer.from(text)], { objectMode: false });

/** As sha256sum writes it; names are relative to the file with the digests. */
const digestLine = (path: string, digest: string): string => `${digest}  ${path}\n`;

const linesOf = (entries: readonly { name: string; bytes: Buffer }[], slug: string): string[] =>
  entries.map(({ name, bytes }) =>
    digestLine(name.slice(slug.length + 1), createHash("sha256").update(bytes).digest("hex")),
  );

/** A version's rows as CSV; the size and digest are recorded at the end. */
async function* csvOf(
  engine: Engine,
  version: TableVersion,
  written: Map<string, CsvFacts>,
  ctx: Context,
): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const lines of csvTable(engine, sealedVersion(version), {
    subject: querySubject(ctx),
    signal: ctx.signal,
  })) {
    hash.update(lines);
    bytes += lines.length;
    yield lines;
  }
  written.set(version.tableSlug, { bytes, digest: hash.digest("hex") });
}

const schemasOf = (versions: readonly TableVersion[]) =>
  Promise.all(
    versions.map(async (version) => ({
      slug: version.tableSlug,
      schema: {
        schema_version: "service-public-table-schema.v1" as const,
        table: presentVersion(version),
        primary_key: version.primaryKey,
        columns: presentColumns(version.columns, await profilesJson(version.versionId)),
      },
    })),
  );

/** Derived from the files' names, the generated texts and the versions. */
export function archiveTag(entries: readonly ArchiveEntry[], versions: readonly TableVersion[]): string {
  const hash = createHash("sha256");
  for (const entry of entries) hash.update(`${entry.name}\n`).update("bytes" in entry ? entry.bytes : "");
  for (const { digest, publishedAt } of versions) hash.update(`${digest} ${publishedAt.toISOString()}\n`);
  return `"zip-${hash.digest("hex").slice(0, 40)}"`;
}
