import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { PackageSource } from "@/lib/schemas/recipe-source";
import { type ReadingContext, readSource, type SourceRead, type SourceReading } from "./read-source";
import { SourceFailure } from "./source-failure";

export interface PackageReading {
  source: Pick<PackageSource, "package" | "version">;
  /** The registry's origin, set by the administrator. If it is private, its `host:port` must be in `privateHosts`. */
  registry: string;
  /** Where the tarball is written. */
  path: string;
  limits: SourceReading["limits"];
}

export interface PackageRead extends SourceRead {
  /** The version that `latest` or another tag resolved to, which is the key of the observation. */
  version: string;
  /** The licence that the registry states for this version; null if it states none. */
  license: string | null;
}

interface Manifest {
  dist?: { tarball?: string; integrity?: string };
  /** A string, or an object in old versions. */
  license?: unknown;
}

interface Metadata {
  "dist-tags"?: Record<string, string>;
  versions?: Record<string, Manifest>;
}

const METADATA_BYTES_MAX = 64 * 1024 * 1024;
const MANIFEST_BYTES_MAX = 4 * 1024 * 1024;
const LICENCE_CHARACTERS = 200;
/** Abbreviated metadata, a tenth of the size: names, versions and the places of their tarballs. */
const METADATA_TYPE = "application/vnd.npm.install-v1+json";

/**
 * Reads an npm package's tarball (gzip of a tar whose members begin with `package/`) and verifies it by the registry's
 * sha512. The tarball is always read from the registry's own origin, wherever the metadata point.
 */
export async function readPackage(reading: PackageReading, context: ReadingContext): Promise<PackageRead> {
  const metadata = await readMetadata(reading, context);
  const wanted = reading.source.version;
  const version = metadata["dist-tags"]?.[wanted] ?? wanted;
  const manifest = Object.hasOwn(metadata.versions ?? {}, version) ? metadata.versions?.[version] : undefined;
  const dist = manifest?.dist;
  if (!dist?.tarball || !dist.integrity?.startsWith("sha512-"))
    throw new SourceFailure("source_status", `The package ${reading.source.package} has no version ${wanted}.`);
  const url = new URL(new URL(dist.tarball).pathname, reading.registry).href;
  const read = await readSource({ url, path: reading.path, limits: reading.limits }, context);
  if (dist.integrity.split(" ").includes(`sha512-${await sha512(reading.path)}`))
    return { ...read, version, license: licenceOf(manifest) ?? (await readLicence(reading, version, context)) };
  await rm(reading.path, { force: true });
  throw new SourceFailure(
    "source_changed",
    `The tarball of ${reading.source.package} ${version} does not match its digest.`,
  );
}

const readMetadata = (reading: PackageReading, context: ReadingContext): Promise<Metadata> =>
  readDocument<Metadata>(reading, { name: "", bytes: METADATA_BYTES_MAX, accept: METADATA_TYPE }, context);

/** Abbreviated metadata contain no licence, but a version's manifest does. A registry without manifests states none. */
async function readLicence(reading: PackageReading, version: string, context: ReadingContext): Promise<string | null> {
  const asked = { name: `/${encodeURIComponent(version)}`, bytes: MANIFEST_BYTES_MAX, retriesMax: 0 };
  try {
    return licenceOf(await readDocument<Manifest>(reading, asked, context)) ?? null;
  } catch (error) {
    if (error instanceof SourceFailure && !context.signal.aborted) return null;
    throw error;
  }
}

/** `MIT`, or `{"type": "MIT"}` in the old form. */
function licenceOf(manifest: Manifest | null | undefined): string | undefined {
  const { license } = manifest ?? {};
  const text = typeof license === "object" && license !== null && "type" in license ? license.type : license;
  return typeof text === "string" && text !== "" ? text.slice(0, LICENCE_CHARACTERS) : undefined;
}

interface AskedDocument {
  /** Path below the package's URL. */
  name: string;
  bytes: number;
  accept?: string;
  retriesMax?: number;
}

async function readDocument<T>(
  { source, registry, path, limits }: PackageReading,
  { name, bytes, ...asked }: AskedDocument,
  context: ReadingContext,
): Promise<T> {
  const url = new URL(source.package.replace("/", "%2f") + name, `${registry.replace(/\/$/, "")}/`).href;
  const file = `${path}.json`;
  await readSource({ url, path: file, limits: { ...limits, bytes, mayCut: false }, ...asked, isPage: true }, context);
  try {
    return JSON.parse(await readFile(file, "utf8")) as T;
  } catch {
    throw new SourceFailure("reader_mismatch", `The registry's reply for ${source.package} is not JSON.`);
  } finally {
    await rm(file, { force: true });
  }
}

async function sha512(path: string): Promise<string> {
  const hash = createHash("sha512");
  await pipeline(createReadStream(path), hash);
  return hash.digest("base64");
}
