import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { compressAssets } from "./static-assets";

const SOURCES = [
  "app",
  "components",
  "lib",
  "prisma/schema.prisma",
  "public",
  "next.config.ts",
  "package-lock.json",
  "tsconfig.json",
];
const LEFT_OUT = /(?:\.test\.tsx?|\.md|\.json)$|^lib\/(?:cli|testing|showcase|publish)\//;

/**
 * Builds the pages and routes when there is no build of the sources as they are; takes half a minute when it must,
 * milliseconds when not.
 */
export async function buildIfNeeded(root: string, say: (text: string) => void): Promise<void> {
  const stamp = join(root, ".next", "parquetry-sources");
  const sources = fingerprint(root);
  if (existsSync(join(root, ".next", "BUILD_ID")) && existsSync(stamp) && readFileSync(stamp, "utf8") === sources)
    return;
  say("Building (once; half a minute, or some where the machine is busy) …");
  await run(root, packageFile(root, "prisma", "build/index.js"), ["generate", "--config", "prisma/prisma.config.ts"]);
  await run(root, packageFile(root, "next", "dist/bin/next"), ["build"]);
  await compressAssets(root);
  writeFileSync(stamp, sources);
}

/** The names and contents of all that goes into a build. */
function fingerprint(root: string): string {
  const hash = createHash("sha256");
  const visit = (path: string) => {
    const full = join(root, path);
    if (!existsSync(full) || LEFT_OUT.test(path)) return;
    if (statSync(full).isDirectory()) for (const name of readdirSync(full).sort()) visit(`${path}/${name}`);
    else hash.update(path).update("\0").update(readFileSync(full)).update("\0");
  };
  for (const source of SOURCES) visit(source);
  return hash.digest("hex");
}

const packageFile = (root: string, name: string, file: string) =>
  join(dirname(createRequire(join(root, "package.json")).resolve(`${name}/package.json`)), file);

/** Runs a Node script to its end; its output is shown only when it fails. */
function run(cwd: string, script: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], {
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" },
    });
    const output: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => output.push(chunk));
    child.once("error", reject);
    child.once("exit", (code) =>
      code === 0
        ? resolve()
        : reject(new Error(`${script} ${args.join(" ")} failed:\n${Buffer.concat(output).toString()}`)),
    );
  });
}
