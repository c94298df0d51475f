import { realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * Node's flags for what the child's JavaScript may touch: its program and the packages, to read; its folder, also to
 * write. It starts no process and no thread. DuckDB, which is native code and so not bound by this, has its own lock.
 */
export function permissions(program: string, folder: string): string[] {
  const root = resolve(dirname(program), "../..");
  const read = [dirname(program), join(root, "package.json"), folder, ...packagesOf(root)];
  return [
    ...["--permission", "--allow-addons", "--disable-warning=SecurityWarning", `--allow-fs-write=${folder}`],
    ...read.map((path) => `--allow-fs-read=${path}`),
  ];
}

/** Modules are read by their real paths. */
function packagesOf(root: string): string[] {
  const path = join(root, "node_modules");
  try {
    return [path, realpathSync(path)];
  } catch {
    return [path];
  }
}
