// Removes from the lock file the optional packages that have no entry in it (builds for other platforms that a registry
// lacked), so that `npm ci` accepts it.
// Run after every `npm install`; `--check` fails if there is something to remove.
import { readFileSync, writeFileSync } from "node:fs";

const before = readFileSync("package-lock.json", "utf8");
const lock = JSON.parse(before);
const present = new Set(Object.keys(lock.packages).map((path) => path.split("node_modules/").at(-1)));
for (const entry of Object.values(lock.packages)) {
  for (const name of Object.keys(entry.optionalDependencies ?? {}))
    if (!present.has(name)) delete entry.optionalDependencies[name];
  if (entry.optionalDependencies && Object.keys(entry.optionalDependencies).length === 0)
    delete entry.optionalDependencies;
}
const after = `${JSON.stringify(lock, null, 2)}\n`;
if (after === before) process.exit(0);
if (process.argv.includes("--check")) {
  process.stderr.write("package-lock.json names optional packages without an entry. Run node .ci/trim-lock.mjs\n");
  process.exit(1);
}
writeFileSync("package-lock.json", after);
