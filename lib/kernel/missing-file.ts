import { readFileSync } from "node:fs";

/** Whether a file operation failed because the file does not exist. */
export const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException | null)?.code === "ENOENT";

/**
 * A handler for `catch` that returns `value` if the file does not exist and rethrows every other error.
 * Example: `await readFile(path, "utf8").catch(whenMissing(undefined))`.
 */
export const whenMissing =
  <T>(value: T) =>
  (error: unknown): T => {
    if (isMissing(error)) return value;
    throw error;
  };

/** A file's text; undefined if the file does not exist. Throws every other error. */
export function textIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    return whenMissing(undefined)(error);
  }
}
