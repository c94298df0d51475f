import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** One import of a project file or a package; `typeOnly` imports leave no trace in the running code. */
export interface Import {
  from: string;
  /** A project path without its extension, or the name of a package as it is written. */
  to: string;
  typeOnly: boolean;
}

/** Paths of the project that git tracks or would track, relative to its root. */
export function projectFiles(): string[] {
  return execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" })
    .split("\n")
    .filter((path) => path && existsSync(path));
}

const IMPORT =
  /^\s*(?:import|export)\s+(type\s)?[^;"']*?from "([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)|^\s*import "([^"]+)"/gm;

/**
 * Every import in the TypeScript files, including dynamic ones. Example:
 * `{from: "lib/cli/main.ts", to: "lib/kernel/env"}`.
 */
export function importsOf(paths: readonly string[]): Import[] {
  return paths.flatMap((from) =>
    [...readFileSync(from, "utf8").matchAll(IMPORT)].map(([, type, named, dynamic, bare]) => ({
      from,
      to: resolved(from, named ?? dynamic ?? bare ?? ""),
      typeOnly: type !== undefined,
    })),
  );
}

function resolved(from: string, name: string): string {
  if (name.startsWith("@/")) return name.slice(2);
  return name.startsWith(".") ? join(dirname(from), name) : name;
}

/** The folders or files on a cycle of imports, as lists such as `["lib/store", "lib/vault"]`; empty if there is none. */
export function cyclesOf(edges: readonly (readonly [from: string, to: string])[]): string[][] {
  const next = new Map<string, Set<string>>();
  for (const [from, to] of edges) next.set(from, (next.get(from) ?? new Set()).add(to));
  const reaches = (start: string): Set<string> => {
    const seen = new Set<string>();
    const queue = [start];
    for (let at = queue.pop(); at !== undefined; at = queue.pop())
      for (const to of next.get(at) ?? []) if (!seen.has(to)) queue.push(to) && seen.add(to);
    return seen;
  };
  const reach = new Map([...next.keys()].map((folder) => [folder, reaches(folder)]));
  const cycles = new Set<string>();
  for (const [folder, found] of reach) {
    if (!found.has(folder)) continue;
    cycles.add(JSON.stringify([...found].filter((other) => reach.get(other)?.has(folder)).sort()));
  }
  return [...cycles].map((text) => JSON.parse(text) as string[]);
}
