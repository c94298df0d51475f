import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify, stripVTControlCharacters } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { runPackage } from "./run-node.ts";

const COMPRESSED = /\.(?:js|css|wasm)$/;
/** Larger files take too long at the best quality: 34 MB of WebAssembly become 6.2 MB at this one, and 5.9 at the next. */
const LARGE_BYTES = 4_000_000;
const LARGE_QUALITY = 5;
const AGAIN_MS = 5_000;
const DUCKDB_IN_WORKERS = "./node_modules/@duckdb/duckdb-wasm/dist/duckdb-browser-blocking.mjs";
/** The file with the name of the worker's script. */
const SQL_WORKER_NAME = ".next/sql-worker";

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
  await buildSqlWorker(root);
  await compressAssets(root);
  writeFileSync(stampOf(root), digest);
}

/**
 * Bundles the worker of the page for SQL, with its WebAssembly modules beside it; every name has the digest of its
 * file. Not by the framework, whose scripts share one policy: this worker alone may compile WebAssembly.
 */
async function buildSqlWorker(root: string): Promise<void> {
  const { build, stop } = await import("esbuild");
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { worker: "components/sql/worker.ts" },
    outdir: ".next/static/sql",
    entryNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    publicPath: "/_next/static/sql",
    loader: { ".wasm": "file" },
    alias: { "@duckdb/duckdb-wasm/browser-blocking": DUCKDB_IN_WORKERS },
    bundle: true,
    minify: true,
    metafile: true,
    platform: "browser",
    format: "esm",
    target: "es2022",
    legalComments: "none",
    logLevel: "error",
  });
  await stop(); // otherwise its process would live as long as ours
  const worker = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint !== undefined)?.[0] ?? "";
  writeFileSync(join(root, SQL_WORKER_NAME), basename(worker));
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

/** Writes a second, Brotli-compressed copy of each script, style sheet and WebAssembly module. Once per build; takes a few seconds. */
export async function compressAssets(root: string): Promise<void> {
  const folder = join(root, ".next", "static");
  const names = (await readdir(folder, { recursive: true })).filter((name) => COMPRESSED.test(name));
  await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name));
      await writeFile(
        join(folder, `${name}.br`),
        await compress(text, {
          params: {
            [constants.BROTLI_PARAM_SIZE_HINT]: text.byteLength,
            [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
            ...(text.byteLength > LARGE_BYTES && { [constants.BROTLI_PARAM_QUALITY]: LARGE_QUALITY }),
          },
        }),
      );
    }),
  );
}
