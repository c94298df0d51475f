import { readFile } from "node:fs/promises";
import { resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");

/**
 * A path relative to where the command was typed: npm runs scripts in the project's folder and passes the caller's
 * folder in INIT_CWD.
 */
export function fromHere(path: string): string {
  // biome-ignore lint/style/noProcessEnv: npm's word about the terminal, no setting of the service.
  const typedIn = process.cwd() === ROOT ? process.env.INIT_CWD : undefined;
  return resolve(typedIn ?? "", path);
}

/** The text of a file at such a path. */
export async function textOf(path: string): Promise<string> {
  return readFile(fromHere(path), "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new Error(error.code === "ENOENT" ? `File not found: ${path}` : `${path}: ${error.message}`);
  });
}
