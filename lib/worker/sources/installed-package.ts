import { readFile, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { fileDigest } from "@/lib/kernel/file-digest";
import type { PackageSource } from "@/lib/schemas/recipe-source";
import { packageFile } from "@/lib/showcase/package-file";
import type { PackageRead } from "@/lib/sources/package-source";
import { SourceFailure } from "@/lib/sources/source-failure";

/** A package shipped with the service, read in place of the registry's. Used by runs that replay the showcase. */
export interface InstalledPackage {
  /** The name that it is installed under. */
  folder: string;
  version: string;
  /** When this version was released, in ISO 8601. */
  at: string;
}

/** The file that a recipe reads from an installed package, packed as the registry would send it. */
export async function readInstalled(
  source: Pick<PackageSource, "package" | "path">,
  { folder, version }: InstalledPackage,
  to: string,
): Promise<PackageRead> {
  const { path = "" } = source;
  const own = JSON.parse(await readFile(packageFile(folder, "package.json"), "utf8")) as Record<string, unknown>;
  if (own.name !== source.package || own.version !== version)
    throw new SourceFailure("source_changed", `The installed package is not ${source.package} ${version}.`);
  const content = await readFile(packageFile(folder, path));
  await writeFile(to, gzipSync(packed(`package/${path}`, content)), { mode: 0o600 });
  const digest = await fileDigest(to);
  const finalAddress = `https://www.npmjs.com/package/${source.package}/v/${version}`;
  const unsaid = { redirects: 0, etag: null, lastModified: null, mediaType: null, link: null, hasRanges: false };
  const whole = { outcome: "read", status: 200, length: null, isCut: false } as const;
  const license = typeof own.license === "string" ? own.license : null;
  return { ...unsaid, ...whole, finalAddress, digest, bytes: content.length, version, license };
}

const BLOCK = 512;

/** A tar archive of one file, with the same bytes whenever it is made. */
function packed(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0);
  header.write(`${content.length.toString(8).padStart(11, "0")} `, 124);
  header.write("        0", 148);
  header.write("ustar", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  const padding = Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK);
  return Buffer.concat([header, content, padding, Buffer.alloc(2 * BLOCK)]);
}
