import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { runPackage } from "./run-node.ts";

const PROGRAMS = {
  server: "lib/server/main.ts",
  "command-line": "lib/cli/main.ts",
  sandbox: "lib/sandbox/main.ts",
  worker: "lib/worker/main.ts",
  showcase: "lib/worker/fill-showcase.ts",
  "writing-thread": "lib/formats/writing-thread.ts",
} as const;

export type Program = keyof typeof PROGRAMS;

const KEPT_MS = 24 * 3600 * 1000;

/**
 * The path of a program as JavaScript, compiled (in about a second) if there is no build of these sources. Each digest
 * has its own folder, which appears atomically, so several processes may compile at once and a running one keeps its
 * files.
 */
export async function compiledProgram(root: string, program: Program, digest: string): Promise<string> {
  const builds = join(root, ".build");
  const folder = join(builds, digest.slice(0, 16));
  if (!existsSync(folder)) {
    await generateClient(root);
    const draft = `${folder}.${randomUUID()}`;
    await compile(root, draft);
    dropOld(builds);
    adopt(draft, folder);
  }
  return join(folder, `${program}.js`);
}

/** Two levels below the root, like the sources, so that `import.meta.dirname` resolves to the same paths. */
async function compile(root: string, folder: string): Promise<void> {
  const { build, stop } = await import("esbuild");
  mkdirSync(folder, { recursive: true });
  await build({
    absWorkingDir: root,
    entryPoints: Object.entries(PROGRAMS).map(([out, path]) => ({ in: path, out })),
    outdir: folder,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node22.18",
    sourcemap: true,
    sourcesContent: false,
    logLevel: "error",
  });
  await stop(); // otherwise its process would live as long as ours
}

function adopt(draft: string, folder: string): void {
  try {
    renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(draft, { recursive: true, force: true }); // another process was first
  }
}

function dropOld(builds: string): void {
  for (const name of readdirSync(builds)) {
    const path = join(builds, name);
    const at = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (name !== "cache" && at !== undefined && at < Date.now() - KEPT_MS)
      rmSync(path, { recursive: true, force: true });
  }
}

/** Regenerates the database client if the schema is newer. */
async function generateClient(root: string): Promise<void> {
  const timeOf = (path: string) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (timeOf("prisma/generated/client.ts") >= timeOf("prisma/schema.prisma")) return;
  await runPackage(root, "prisma", "build/index.js", ["generate", "--config", "prisma/prisma.config.ts"]);
}
