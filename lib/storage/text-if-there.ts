import { readFileSync } from "node:fs";

/** A file's text; undefined where there is none. Throws what else goes wrong. */
export function textIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
