import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify, stripVTControlCharacters } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { runPackage } from "./run-node.ts";

const COMPRESSED = /\.(?:js|css)$/;
const AGAIN_MS = 5_000;

type Say = (text: string) => void;

const compress = promisify(brotliCompress);

const stampOf = (root: string): string => join(root, ".next", "parquetry-sources");

/** Whether the pages and routes are built from these sources. */
export function isSiteBuilt(root: string, digest: string): boolean {
  const stamp = stampOf(root);
  return existsSync(join(root, ".next", "BUILD_ID")) && existsSync(stamp) && readFileSync(stamp, "utf8") === digest;
}

/** Builds the pages and routes if there is no build of these sources. Takes half a minute. */
export async function buildSite(root: string, digest: string, say: Say, againMs = AGAIN_MS): Promise<void> {
  if (isSiteBuilt(root, digest)) return;
  say("Building (first start only; half a minute, or several on a busy machine) …");
  await buildAlone(root, digest, say, againMs);
  if (isSiteBuilt(root, digest)) return; // another process was first
  await compressAssets(root);
  writeFileSync(stampOf(root), digest);
}

/** Another build, such as one of a killed start, is not disturbed: this one begins once it has ended. */
async function buildAlone(root: string, digest: string, say: Say, againMs: number): Promise<void> {
  let isToldOnce = false;
  while (!isSiteBuilt(root, digest)) {
    const failure = await runPackage(root, "next", "dist/bin/next", ["build"]).catch((error: Error) => error);
    if (!failure) return;
    if (!isOfAnotherBuild(failure)) throw failure;
    if (!isToldOnce) say("Another build is under way, possibly from a start that was killed. Waiting for it to end …");
    isToldOnce = true;
    await sleep(againMs);
  }
}

const isOfAnotherBuild = ({ message }: Error): boolean =>
  stripVTControlCharacters(message).includes("Another next build process is already running");

/** Writes a second, Brotli-compressed copy of each script and style sheet. Once per build; takes a few seconds. */
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
