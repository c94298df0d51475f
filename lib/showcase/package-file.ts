import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

/**
 * The path of a file inside an installed package, by the name it is installed under. Searches the folders itself,
 * because a package's `exports` may hide its data files.
 */
export function packageFile(packageName: string, path: string): string {
  const folders = createRequire(import.meta.url).resolve.paths(packageName) ?? [];
  const found = folders.map((folder) => join(folder, packageName, path)).find((candidate) => existsSync(candidate));
  if (!found)
    throw new Error(
      `${packageName}/${path} is not installed. The showcase data comes with development packages, which ` +
        "`npm ci --omit=dev` omits. Run `npm ci`.",
    );
  return found;
}

/** Whether the showcase packages are installed; they are installed or omitted together. */
export function showcaseInstalled(): boolean {
  const folders = createRequire(import.meta.url).resolve.paths("vega-datasets") ?? [];
  return folders.some((folder) => existsSync(join(folder, "vega-datasets")));
}

/** The parsed JSON of a package's file; the caller is responsible for its shape, which the pinned version fixes. */
export async function packageJson<T>(packageName: string, path: string): Promise<T> {
  return JSON.parse(await readFile(packageFile(packageName, path), "utf8")) as T;
}
