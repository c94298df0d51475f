import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { runPackage } from "./run-node.ts";

const COMPRESSED = /\.(?:js|css)$/;
const compress = promisify(brotliCompress);

const stampOf = (root: string): string => join(root, ".next", "parquetry-sources");

/** Whether the pages and routes are built from these sources. */
export function isSiteBuilt(root: string, digest: string): boolean {
  const stamp = stampOf(root);
  return existsSync(join(root, ".next", "BUILD_ID")) && existsSync(stamp) && readFileSync(stamp, "utf8") === digest;
}

/** Builds the pages and routes if there is no build of these sources; that takes half a minute. */
export async function buildSite(root: string, digest: string, say: (text: string) => void): Promise<void> {
  if (isSiteBuilt(root, digest)) return;
  say("Building (once; half a minute, or some where the machine is busy) …");
  await runPackage(root, "next", "dist/bin/next", ["build"]);
  await compressAssets(root);
  writeFileSync(stampOf(root), digest);
}

/**
 * Writes each script and style sheet of a build a second time, compressed with Brotli; once per build, in a few
 * seconds.
 */
export async function compressAssets(root: string): Promise<void> {
  const folder = join(root, ".next", "static");
  const names = (await readdir(folder, { recursive: true })).filter((name) => COMPRESSED.test(name));
  await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name));
      await writeFile(
        join(folder, `${name}.br`),
        await compress(text, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: text.byteLength } }),
      );
    }),
  );
}
