import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
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

/** A program for people's own computers: with everything it needs, since nothing else is installed there. */
const PACKED_PROGRAMS = { "packed-command-line": "lib/cli/remote/package.ts" } as const;

export type Program = keyof typeof PROGRAMS | keyof typeof PACKED_PROGRAMS;

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
  const options = {
    absWorkingDir: root,
    outdir: folder,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node22.18",
    logLevel: "error",
  } as const;
  const entriesOf = (programs: Readonly<Record<string, string>>) =>
    Object.entries(programs).map(([out, path]) => ({ in: path, out }));
  const external = { packages: "external", sourcemap: true, sourcesContent: false } as const;
  await build({ ...options, ...external, entryPoints: entriesOf(PROGRAMS) });
  const { metafile } = await build({
    ...options,
    entryPoints: entriesOf(PACKED_PROGRAMS),
    minify: true,
    metafile: true,
    legalComments: "none",
    banner: { js: COMMON_JS },
  });
  writeFileSync(join(folder, "packed-licences.txt"), licencesOf(root, Object.keys(metafile.inputs)));
  await stop(); // otherwise its process would live as long as ours
}

/** What packages that are CommonJS expect of their module. */
const COMMON_JS =
  'import { createRequire } from "node:module"; const require = createRequire(import.meta.url); ' +
  "const __filename = import.meta.filename; const __dirname = import.meta.dirname;";

/** The licences of all packages that files of a bundle are from. */
function licencesOf(root: string, files: readonly string[]): string {
  const folders = files.flatMap((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
      const file = readdirSync(join(root, folder)).find((each) => /^licen[cs]e/i.test(each));
      const text = file === undefined ? "" : readFileSync(join(root, folder, file), "utf8");
      return `${name} ${version}, ${license}\n\n${text.trim()}\n`;
    })
    .join(`\n${"-".repeat(72)}\n\n`);
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
