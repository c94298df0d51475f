import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { THIS_RELEASE } from "./instance-process";

const run = (folder: string, program: string, ...args: string[]): string =>
  execFileSync(program, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();

/** The commit of an earlier release: RELEASE_FROM, or the newest tag; undefined if there is neither. */
export function earlierCommit(): string | undefined {
  const tags = run(THIS_RELEASE, "git", "tag", "--list", "v*", "--sort=-creatordate");
  const name = process.env.RELEASE_FROM ?? tags.split("\n")[0];
  return name ? run(THIS_RELEASE, "git", "rev-parse", `${name}^{commit}`) : undefined;
}

/** A folder with the release of a commit, installed and built; made once on a machine. */
export function releaseOf(commit: string): string {
  const folder = join(tmpdir(), `parquetry-release-${commit}`);
  const complete = join(folder, ".git", "complete");
  if (existsSync(complete)) return folder;
  rmSync(folder, { recursive: true, force: true });
  run(THIS_RELEASE, "git", "clone", "--quiet", "--no-checkout", THIS_RELEASE, folder);
  run(folder, "git", "checkout", "--quiet", "--detach", commit);
  const lockOf = (release: string) => readFileSync(join(release, "package-lock.json"), "utf8");
  if (lockOf(folder) === lockOf(THIS_RELEASE)) {
    cpSync(join(THIS_RELEASE, "node_modules"), join(folder, "node_modules"), {
      recursive: true,
      verbatimSymlinks: true,
    });
    run(folder, "npm", "run", "-s", "postinstall");
  } else run(folder, "npm", "ci", "--no-audit", "--no-fund");
  run(folder, "npm", "run", "-s", "build");
  writeFileSync(complete, "");
  return folder;
}
