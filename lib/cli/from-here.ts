import { resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");

/**
 * A path as it was meant where the command was typed: npm runs scripts in the project's own folder, and says in
 * INIT_CWD where it was called.
 */
export function fromHere(path: string): string {
  // biome-ignore lint/style/noProcessEnv: npm's word about the terminal, no setting of the service.
  const typedIn = process.cwd() === ROOT ? process.env.INIT_CWD : undefined;
  return resolve(typedIn ?? "", path);
}
