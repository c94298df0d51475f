import { type CompatData, featureRows, releaseRows, supportRows } from "./browser-compatibility-rows";
import { writeNdjson } from "./ndjson-file";
import { packageFile, packageJson } from "./package-file";

const COMPAT_ROWS: Readonly<Record<string, (data: CompatData) => Iterable<object>>> = {
  support: supportRows,
  features: featureRows,
  releases: releaseRows,
};

function compatRows(data: CompatData, table: string): Iterable<object> {
  const rowsOf = COMPAT_ROWS[table];
  if (!rowsOf) throw new Error(`Browser compatibility has no table ${table}`);
  return rowsOf(data);
}

interface Quake {
  id: string;
  geometry: { coordinates: [number, number, number] };
  properties: QuakeProperties;
}

type QuakeProperties = Record<
  "place" | "url" | "detail" | "status" | "net" | "code" | "ids" | "sources" | "types" | "magType" | "type" | "title",
  string
> &
  Record<"mag" | "time" | "updated" | "tz" | "tsunami" | "sig", number> &
  Record<"felt" | "cdi" | "mmi" | "nst" | "dmin" | "rms" | "gap", number | null> & { alert: string | null };

const instant = (epochMs: number): string => new Date(epochMs).toISOString();

/** The feed's lists are text with a comma at both ends: ",ci,us,". */
const listOf = (text: string): string[] => text.split(",").filter(Boolean);

function quakeRow({ id, geometry, properties }: Quake): object {
  const { time, updated, tz, magType, tsunami, ids, sources, types, ...quake } = properties;
  const [longitude, latitude, depth] = geometry.coordinates;
  return {
    id,
    time: instant(time),
    updated: instant(updated),
    tz,
    longitude,
    latitude,
    depth,
    mag: quake.mag,
    mag_type: magType,
    place: quake.place,
    title: quake.title,
    type: quake.type,
    status: quake.status,
    tsunami: tsunami === 1,
    sig: quake.sig,
    felt: quake.felt,
    cdi: quake.cdi,
    mmi: quake.mmi,
    alert: quake.alert,
    nst: quake.nst,
    dmin: quake.dmin,
    rms: quake.rms,
    gap: quake.gap,
    net: quake.net,
    code: quake.code,
    ids: listOf(ids),
    sources: listOf(sources),
    types: listOf(types),
    url: quake.url,
    detail: quake.detail,
  };
}

interface Subtag {
  Type: string;
  Subtag?: string;
  Tag?: string;
  Description: string[];
  Added: string;
  Deprecated?: string;
  "Preferred-Value"?: string;
  Prefix?: string[];
  "Suppress-Script"?: string;
  Macrolanguage?: string;
  Scope?: string;
  Comments?: string[];
}

const subtagRow = (entry: Subtag): object => ({
  type: entry.Type,
  subtag: entry.Subtag ?? null,
  tag: entry.Tag ?? null,
  name: entry.Description[0] ?? null,
  descriptions: entry.Description,
  added: entry.Added,
  deprecated: entry.Deprecated ?? null,
  preferred_value: entry["Preferred-Value"] ?? null,
  prefixes: entry.Prefix ?? null,
  suppress_script: entry["Suppress-Script"] ?? null,
  macrolanguage: entry.Macrolanguage ?? null,
  scope: entry.Scope ?? null,
  comments: entry.Comments ?? null,
});

interface MimeEntry {
  source?: string;
  charset?: string;
  compressible?: boolean;
  extensions?: string[];
}

function mimeRow([mimeType, entry]: [string, MimeEntry]): object {
  const slash = mimeType.indexOf("/");
  return {
    mime_type: mimeType,
    top_level_type: mimeType.slice(0, slash),
    subtype: mimeType.slice(slash + 1),
    source: entry.source ?? null,
    charset: entry.charset ?? null,
    compressible: entry.compressible ?? null,
    extensions: entry.extensions ?? null,
  };
}

interface NodeRelease {
  name: string;
  version: string;
  date: string;
  lts: false | string;
  security: boolean;
  v8?: string;
}

function nodeReleaseRow(release: NodeRelease): object {
  const parts = /^(\d+)\.(\d+)\.(\d+)(?:-(.+))?$/.exec(release.version);
  if (!parts) throw new Error(`${release.version} is not a version of Node.js`);
  const [major, minor, patch] = parts.slice(1, 4).map(Number);
  return {
    name: release.name,
    version: release.version,
    major,
    minor,
    patch,
    prerelease: parts[4] ?? null,
    release_date: release.date,
    is_lts: release.lts !== false,
    lts_name: release.lts === false ? null : release.lts,
    is_security: release.security,
    v8: release.v8 ?? null,
  };
}

interface License {
  name: string;
  url?: string;
  osiApproved: boolean;
  licenseText: string;
}

const licenseRow = ([licenseId, license]: [string, License]): object => ({
  license_id: licenseId,
  name: license.name,
  url: license.url ?? null,
  is_osi_approved: license.osiApproved,
  license_text: license.licenseText,
});

/** Each turns the JSON of a package's file into rows: the notes' columns in the notes' order. */
export const PREPARATIONS = {
  "browser-compatibility": compatRows,
  "earthquakes-2018": (feed: { features: Quake[] }) => feed.features.map(quakeRow),
  "language-subtags": (entries: Subtag[]) => entries.map(subtagRow),
  "mime-types": (entries: Record<string, MimeEntry>) => Object.entries(entries).map(mimeRow),
  "nodejs-releases": (releases: NodeRelease[]) => releases.map(nodeReleaseRow),
  "spdx-licenses": (licenses: Record<string, License>) => Object.entries(licenses).map(licenseRow),
} satisfies Record<string, (content: never, table: string) => Iterable<object>>;

export type PreparationName = keyof typeof PREPARATIONS;

export interface Preparing {
  preparation: PreparationName | undefined;
  /** The name that the package is installed under, and the path of its file. */
  folder: string;
  path: string;
  /** The slug of the table. */
  table: string;
  /** Where prepared rows are written. */
  to: string;
}

/** The path of a table's file: the package's own, unless a preparation has to write another one. */
export async function preparedFile({ preparation, folder, path, table, to }: Preparing): Promise<string> {
  if (preparation === undefined) return packageFile(folder, path);
  const rowsOf: (content: never, table: string) => Iterable<object> = PREPARATIONS[preparation];
  await writeNdjson(to, rowsOf(await packageJson<never>(folder, path), table));
  return to;
}
