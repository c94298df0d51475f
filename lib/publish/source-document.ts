import { z } from "zod";
import type { StoredSource } from "@/lib/store/sources/sources";
import { cleanSource } from "./source-text";

export interface ProviderDocument {
  provider: string | null;
  homepage: string | null;
  version: string | null;
  /** Number of sources according to the provider. */
  listed: number;
  sources: StoredSource[];
}

const text = z.string().nullish().catch(null);
const whole = z.int().min(0);
const size = z
  .union([
    whole,
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  ]) // CKAN portals write either
  .nullish()
  .catch(null);
const link = z.looseObject({ name: text, title: text, path: text, url: text });
const list = <Item extends z.ZodType>(item: Item) => z.array(item).nullish().catch(null);

const resourceSchema = z.looseObject({
  name: z.string().min(1),
  title: text,
  description: text,
  path: z
    .union([z.string(), z.array(z.string())])
    .nullish()
    .catch(null),
  format: text,
  mediatype: text,
  bytes: size,
  licenses: list(link),
  sources: list(link),
  schema: z
    .looseObject({ fields: list(z.looseObject({ name: z.string() })) })
    .nullish()
    .catch(null),
});

const ckanEntrySchema = z.looseObject({
  name: z.string().min(1),
  title: text,
  notes: text,
  url: text,
  license_title: text,
  license_id: text,
  license_url: text,
  organization: z.looseObject({ title: text }).nullish().catch(null),
  resources: list(z.looseObject({ url: text, format: text, mimetype: text, size })),
});

const dcatEntrySchema = z.looseObject({
  identifier: text,
  title: z.string().min(1),
  description: text,
  landingPage: text,
  license: text,
  publisher: z.looseObject({ name: text }).nullish().catch(null),
  distribution: list(
    z.looseObject({ downloadURL: text, accessURL: text, mediaType: text, format: text, license: text }),
  ),
});

const entries = z.array(z.unknown());
const packageSchema = z.looseObject({ name: text, title: text, homepage: text, version: text, resources: entries });
const ckanSchema = z.looseObject({ result: z.looseObject({ count: whole.catch(0), results: entries }) });
const dcatSchema = z.looseObject({ dataset: entries });

/**
 * Reads a Frictionless Data Package, a CKAN package_search reply or a DCAT data.json, whichever the document is.
 * Unreadable entries count as listed but are skipped. Throws if it is none of the three, or if no entry can be read.
 * Pure.
 */
export function readProviderDocument(document: string, baseUrl?: string): ProviderDocument {
  const found = readAny(parse(document), baseUrl);
  if (!found)
    throw new Error(
      "Unsupported document. Use a Data Package (resources), a CKAN package_search response (result.results) or a " +
        "DCAT catalogue (dataset).",
    );
  if (found.sources.length > 0) return { ...found, sources: found.sources.map(cleanSource) };
  throw new Error(
    found.listed === 0
      ? "The document lists no sources."
      : `None of the document's ${found.listed} sources has a readable name.`,
  );
}

function readAny(json: unknown, baseUrl: string | undefined): ProviderDocument | undefined {
  const dataPackage = packageSchema.safeParse(json);
  if (dataPackage.success) return fromPackage(dataPackage.data, baseUrl);
  const ckan = ckanSchema.safeParse(json);
  if (ckan.success) return fromCkan(ckan.data.result);
  const dcat = dcatSchema.safeParse(json);
  return dcat.success ? fromDcat(dcat.data.dataset) : undefined;
}

/** The entries that can be read. */
const readable = <Item extends z.ZodType>(all: readonly unknown[], schema: Item): z.output<Item>[] =>
  all.flatMap((entry) => {
    const read = schema.safeParse(entry);
    return read.success ? [read.data] : [];
  });

function parse(document: string): unknown {
  try {
    return JSON.parse(document.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new Error(`The document is not valid JSON: ${error instanceof Error ? error.message : error}`);
  }
}

/** The package's own licence covers the collection, not its resources: a resource without one has no stated licence. */
function fromPackage(found: z.output<typeof packageSchema>, baseUrl: string | undefined): ProviderDocument {
  const sources = readable(found.resources, resourceSchema).map((resource): StoredSource => {
    const [license] = resource.licenses ?? [];
    const path = Array.isArray(resource.path) ? resource.path[0] : resource.path;
    return {
      name: resource.name,
      title: resource.title ?? null,
      description: line(resource.description),
      url: address(path, baseUrl),
      format: resource.format ?? null,
      mediaType: resource.mediatype ?? null,
      bytes: resource.bytes ?? null,
      columns: resource.schema?.fields?.map(({ name }) => name) ?? [],
      license: statedLicense(license?.title ?? license?.name ?? license?.path),
      licenseUrl: address(license?.path),
      origins: (resource.sources ?? []).map(({ title, name, path: at, url }) => ({
        name: title ?? name ?? at ?? "unnamed",
        url: address(at ?? url),
      })),
    };
  });
  return {
    provider: found.title ?? found.name ?? null,
    homepage: address(found.homepage),
    version: found.version ?? null,
    listed: found.resources.length,
    sources,
  };
}

function fromCkan({ count, results }: z.output<typeof ckanSchema>["result"]): ProviderDocument {
  const sources = readable(results, ckanEntrySchema).map((entry): StoredSource => {
    const [file] = entry.resources ?? [];
    return {
      name: entry.name,
      title: entry.title ?? null,
      description: line(entry.notes),
      url: address(file?.url ?? entry.url),
      format: file?.format?.toLowerCase() || null,
      mediaType: file?.mimetype ?? null,
      bytes: file?.size ?? null,
      columns: [],
      license: statedLicense(entry.license_title) ?? statedLicense(entry.license_id),
      licenseUrl: address(entry.license_url),
      origins: entry.organization?.title ? [{ name: entry.organization.title, url: address(entry.url) }] : [],
    };
  });
  return { provider: null, homepage: null, version: null, listed: Math.max(count, results.length), sources };
}

function fromDcat(dataset: readonly unknown[]): ProviderDocument {
  const sources = readable(dataset, dcatEntrySchema).map((entry): StoredSource => {
    const [file] = entry.distribution ?? [];
    const license = statedLicense(entry.license) ?? statedLicense(file?.license);
    return {
      name: entry.identifier || entry.title,
      title: entry.title,
      description: line(entry.description),
      url: address(file?.downloadURL ?? file?.accessURL ?? entry.landingPage),
      format: file?.format?.toLowerCase() ?? null,
      mediaType: file?.mediaType ?? null,
      bytes: null,
      columns: [],
      license,
      licenseUrl: address(license),
      origins: entry.publisher?.name ? [{ name: entry.publisher.name, url: address(entry.landingPage) }] : [],
    };
  });
  return { provider: null, homepage: null, version: null, listed: dataset.length, sources };
}

const NO_LICENSE =
  /^(?:(?:licen[cs]e )?(?:not ?(?:specified|provided|stated|given|set|known)|unspecified|unknown|missing)|no(?: licen[cs]e)?(?: (?:specified|provided|given))?|none|null|n\/?a|tbd|-+)\.?$/i;

/** The licence as stated by the provider; null if the statement says there is none. */
const statedLicense = (statement: string | null | undefined): string | null =>
  statement && !NO_LICENSE.test(line(statement)) ? line(statement) || null : null;

const line = (text: string | null | undefined): string => (text ?? "").replace(/\s+/g, " ").trim();

/** A web URL, or undefined: the provider's value is shown to people. */
function address(value: string | null | undefined, base?: string): string | null {
  const target = value?.replace(/^git\+/, "");
  if (!target || !URL.canParse(target, base)) return null;
  const url = new URL(target, base);
  return url.protocol === "http:" || url.protocol === "https:" ? url.href : null;
}
