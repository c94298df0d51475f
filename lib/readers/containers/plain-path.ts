import { randomBytes } from "node:crypto";
import { symlink } from "node:fs/promises";
import { join, resolve } from "node:path";

/** DuckDB expands patterns in paths, and takes the folder `year=2026` for a column. */
const HAS_MEANING = /[*?[\]{}=]/;

/** A path to the same file that means nothing else to DuckDB: a link in `folder` if its own does. */
export async function plainPath(file: string, folder: string): Promise<string> {
  if (!HAS_MEANING.test(file)) return file;
  const link = join(folder, `source-${randomBytes(6).toString("hex")}`);
  await symlink(resolve(file), link);
  return link;
}
