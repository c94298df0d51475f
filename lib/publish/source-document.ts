import { z } from "zod";
import type { StoredSource } from "@/lib/store/sources";

export interface ProviderDocument {
  provider: string | null;
  homepage: string | null;
  version: string | null;
  /** As the provider counts them. */
  listed: number;
  sources: StoredSource[];
}

const text = z.string().nullish();
const link = z.looseObject({ name: text, title: text, path: text, url: text });

const packageSchema = z.looseObject({
  name: text,
  title: text,
  homepage: text,
  version: text,
  resources: z.array(
    z.looseObject({
      name: z.string(),
      title: text,
      description: text,
      path: z.union([z.string(), z.array(z.string())]).nullish(),
      format: text,
      mediatype: text,
      bytes: z.number().nullish(),
      licenses: z.array(link).nullish(),
      sources: z.array(link).nullish(),
      schema: z.union([z.string(), z.looseObject({ fields: z.array(z.looseObject({ name: z.string() })).nullish() })]).nullish(),
    }),
  ),
});

const ckanSchema = z.looseObject({
  result: z.looseObject({
    count: z.int(),
    results: z.array(
      z.looseObject({
        name: z.string(),
        title: text,
        notes: text,
        url: text,
        license_title: text,
        license_id: text,
        license_url: text,
        organization: z.looseObject({ title: text }).nullish(),
        resources: z.array(z.looseObject({ url: text, format: text, mimetype: text, size: z.number().nullish() })).nullish(),
      }),
    ),
  }),
});

const dcatSchema = z.looseObject({
  dataset: z.array(
    z.looseObject({
      identifier: text,
      title: z.string(),
      description: text,
      landingPage: text,
      license: text,
      publisher: z.looseObject({ name: text }).nullish(),
      distribution: z.array(z.looseObject({ downloadURL: text, accessURL: text, mediaType: text, format: text })).nullish(),
    }),
  ),
});

/** Reads a Frictionless Data Package, a CKAN package_search reply or a DCAT data.json: whichever the text is. Throws when it is none. Pure. */
export function readProviderDocument(document: string, baseUrl?: string): ProviderDocument {
  const json = parse(document);
  const dataPackage = packageSchema.safeParse(json);
  if (dataPackage.success) return fromPackage(dataPackage.data, baseUrl);
  const ckan = ckanSchema.safeParse(json);
  if (ckan.success) return fromCkan(ckan.data);
  const dcat = dcatSchema.safeParse(json);
  if (dcat.success) return fromDcat(dcat.data);
  throw new Error("This is no Data Package (resources), CKAN package_search reply (result.results) or DCAT catalogue (dataset).");
}

function parse(document: string): unknown {
  try {
    return JSON.parse(document);
  } catch (error) {
    throw new Error(`The document is no JSON: ${error instanceof Error ? error.message : error}`);
  }
}

/** The package's own licence is that of the collection, not of what others made: a resource without one has none stated. */
function fromPackage(found: z.output<typeof packageSchema>, baseUrl: string | undefined): ProviderDocument {
  const sources = found.resources.map((resource): StoredSource => {
    const [license] = resource.licenses ?? [];
    const path = Array.isArray(resource.path) ? resource.path[0] : resource.path;
    const fields = typeof resource.schema === "object" ? resource.schema?.fields : undefined;
    return {
      name: resource.name,
      title: resource.title ?? null,
      description: line(resource.description),
      url: address(path, baseUrl),
      format: resource.format ?? null,
      mediaType: resource.mediatype ?? null,
      bytes: resource.bytes ?? null,
      columns: fields?.map(({ name }) => name) ?? [],
      license: license ? (license.title ?? license.name ?? license.path ?? null) : null,
      licenseUrl: address(license?.path),
      origins: (resource.sources ?? []).map(({ title, name, path: at, url }) => ({ name: title ?? name ?? at ?? "unnamed", url: address(at ?? url) })),
    };
  });
  return { provider: found.title ?? found.name ?? null, homepage: address(found.homepage), version: found.version ?? null, listed: sources.length, sources };
}

function fromCkan({ result }: z.output<typeof ckanSchema>): ProviderDocument {
  const sources = result.results.map((entry): StoredSource => {
    const [file] = entry.resources ?? [];
    const license = entry.license_title ?? entry.license_id;
    return {
      name: entry.name,
      title: entry.title ?? null,
      description: line(entry.notes),
      url: address(file?.url ?? entry.url),
      format: file?.format?.toLowerCase() || null,
      mediaType: file?.mimetype ?? null,
      bytes: file?.size ?? null,
      columns: [],
      license: isNoLicense(license) ? null : (license ?? null),
      licenseUrl: address(entry.license_url),
      origins: entry.organization?.title ? [{ name: entry.organization.title, url: address(entry.url) }] : [],
    };
  });
  return { provider: null, homepage: null, version: null, listed: Math.max(result.count, sources.length), sources };
}

function fromDcat({ dataset }: z.output<typeof dcatSchema>): ProviderDocument {
  const sources = dataset.map((entry): StoredSource => {
    const [file] = entry.distribution ?? [];
    return {
      name: entry.identifier ?? entry.title,
      title: entry.title,
      description: line(entry.description),
      url: address(file?.downloadURL ?? file?.accessURL ?? entry.landingPage),
      format: file?.format?.toLowerCase() ?? null,
      mediaType: file?.mediaType ?? null,
      bytes: null,
      columns: [],
      license: isNoLicense(entry.license) ? null : (entry.license ?? null),
      licenseUrl: address(entry.license),
      origins: entry.publisher?.name ? [{ name: entry.publisher.name, url: address(entry.landingPage) }] : [],
    };
  });
  return { provider: null, homepage: null, version: null, listed: sources.length, sources };
}

const isNoLicense = (license: string | null | undefined): boolean => !license || /^(?:notspecified|license not specified|none|unknown)$/i.test(license.trim());

const line = (words: string | null | undefined): string => (words ?? "").replace(/\s+/g, " ").trim();

/** A web address, or nothing: what a provider writes there is shown to people. */
function address(value: string | null | undefined, base?: string): string | null {
  const target = value?.replace(/^git\+/, "");
  if (!target || !URL.canParse(target, base)) return null;
  const url = new URL(target, base);
  return url.protocol === "http:" || url.protocol === "https:" ? url.href : null;
}
