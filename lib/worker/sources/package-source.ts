import { join } from "node:path";
import type { PlannedPart } from "@/lib/builds/plan";
import { env } from "@/lib/kernel/env";
import type { PackageSource } from "@/lib/schemas/recipe-source";
import { type PackageRead, type PackageReading, readPackage } from "@/lib/sources/package-source";
import type { ReadingContext } from "@/lib/sources/read-source";
import { SourceFailure } from "@/lib/sources/source-failure";
import { readInstalled } from "./installed-package";
import type { Reading } from "./read-sources";
import { contextOf, limitsOf } from "./source-context";
import { failedRead, msSince, type Piece, recordRead } from "./stored-read";

/** Reads a package's tarball into the run's folder. The sandbox extracts the files. */
export async function readPackageSource(source: PackageSource, reading: Reading): Promise<PlannedPart[]> {
  const path = join(reading.folder, "raw", "draft-package");
  const requestKey = JSON.stringify([source.package, source.version]);
  const piece: Piece = { source: source.name, partition: null, requestKey, draft: path };
  const startedAt = performance.now();
  const wanted = { source, registry: env().PACKAGE_REGISTRY, path, limits: limitsOf(source, reading) };
  const { installed } = reading.material;
  const reads = installed ? readInstalled(source, installed, path) : readFromRegistry(wanted, contextOf(reading));
  const read = await reads.catch(async (error: unknown) => {
    throw await failedRead(error, piece, msSince(startedAt), reading);
  });
  return [{ partition: read.version, file: await recordRead(read, piece, msSince(startedAt), reading) }];
}

type RegistryRequest = Omit<PackageReading, "registry"> & { registry: string | undefined };

/** Reads from the registry in the administrator's setting. Without one, packages cannot be read. */
export async function readFromRegistry(
  { registry, ...request }: RegistryRequest,
  context: ReadingContext,
): Promise<PackageRead> {
  if (registry !== undefined) return readPackage({ ...request, registry }, context);
  throw new SourceFailure(
    "source_refused",
    "No package registry is set. Ask your administrator to set PACKAGE_REGISTRY, or use an http source.",
  );
}
