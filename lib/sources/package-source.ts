import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { PackageSource } from "@/lib/schemas/recipe-source";
import { type ReadingContext, readSource, type SourceRead, type SourceReading } from "./read-source";
import { SourceFailure } from "./source-failure";

export interface PackageReading {
  source: Pick<PackageSource, "package" | "version">;
  /** The registry's origin, which the administrator names; its `host:port` belongs among `privateHosts` where it is. */
  registry: string;
  /** Where the tarball goes. */
  path: string;
  limits: SourceReading["limits"];
}

export interface PackageRead extends SourceRead {
  /** What `latest` or another tag led to: the key of the observation. */
  version: string;
}

interface Metadata {
  "dist-tags"?: Record<string, string>;
  versions?: Record<string, { dist?: { tarball?: string; integrity?: string } }>;
}

const METADATA_BYTES_MAX = 64 * 1024 * 1024;
/** A tenth of the size: names, versions and where their tarballs are. */
const METADATA_TYPE = "application/vnd.npm.install-v1+json";

/**
 * Reads an npm package's tarball (gzip of a tar whose members begin with `package/`) and proves it by the registry's
 * sha512. The tarball's address is taken to the registry's own origin, wherever the metadata point.
 */
export async function readPackage(reading: PackageReading, context: ReadingContext): Promise<PackageRead> {
  const metadata = await readMetadata(reading, context);
  const wanted = reading.source.version;
  const version = metadata["dist-tags"]?.[wanted] ?? wanted;
  const dist = Object.hasOwn(metadata.versions ?? {}, version) ? metadata.versions?.[version]?.dist : undefined;
  if (!dist?.tarball || !dist.integrity?.startsWith("sha512-"))
    throw new SourceFailure("source_status", `The package ${reading.source.package} has no version ${wanted}.`);
  const url = new URL(new URL(dist.tarball).pathname, reading.registry).href;
  const read = await readSource({ url, path: reading.path, limits: reading.limits }, context);
  if (dist.integrity.split(" ").includes(`sha512-${await sha512(reading.path)}`)) return { ...read, version };
  await rm(reading.path, { force: true });
  throw new SourceFailure(
    "source_changed",
    `The tarball of ${reading.source.package} ${version} does not match its digest.`,
  );
}

async function readMetadata(
  { source, registry, path, limits }: PackageReading,
  context: ReadingContext,
): Promise<Metadata> {
  const url = new URL(source.package.replace("/", "%2f"), `${registry.replace(/\/$/, "")}/`).href;
  const bounds = { ...limits, bytes: METADATA_BYTES_MAX, mayCut: false };
  const file = `${path}.json`;
  await readSource({ url, path: file, limits: bounds, accept: METADATA_TYPE, isPage: true }, context);
  try {
    return JSON.parse(await readFile(file, "utf8")) as Metadata;
  } catch {
    throw new SourceFailure("reader_mismatch", `The registry's answer for ${source.package} is not JSON.`);
  } finally {
    await rm(file, { force: true });
  }
}

async function sha512(path: string): Promise<string> {
  const hash = createHash("sha512");
  await pipeline(createReadStream(path), hash);
  return hash.digest("base64");
}
