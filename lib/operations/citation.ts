import type { DatasetRecord } from "@/lib/store/catalogue";
import { datasetPage } from "./links";

/** How to cite a dataset: publisher, year, title, the immutable versions with their digests, address. */
export function citeDataset(record: DatasetRecord, base: string): { text: string; bibtex: string } {
  const published = (record.publishedAt ?? record.createdAt).toISOString();
  const year = published.slice(0, 4);
  const url = datasetPage(base, record.slug);
  const versions = record.tables.flatMap((table) =>
    table.currentVersion ? [`${table.name}, version ${table.currentVersion.id}, sha256:${table.currentVersion.digest}`] : [],
  );
  const text = `${record.publisher.name} (${year}). ${record.title} [data set]. ${versions.join("; ")}. Version of ${published.slice(0, 10)}, Parquetry. ${url}`;
  const fields = {
    title: `{${escapeTex(record.title)}}`,
    author: `{${escapeTex(record.publisher.name)}}`,
    year,
    howpublished: "Parquetry",
    url,
    note: escapeTex(versions.join("; ")),
  };
  const lines = Object.entries(fields).map(([name, value]) => `  ${name} = {${value}}`);
  return { text, bibtex: `@misc{${record.slug}-${year},\n${lines.join(",\n")}\n}` };
}

const escapeTex = (text: string) =>
  text.replace(/[\\{}$&#%_^~]/g, (sign) => `\\${sign === "\\" ? "textbackslash{}" : sign === "^" || sign === "~" ? `${sign}{}` : sign}`);
