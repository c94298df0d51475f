import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import commands from "@/lib/docs/commands.json" with { type: "json" };
import { makeRelease } from "./release";

/** Commands on the page /docs/self-hosting that this test runs in a folder like an operator's. */
const RUN = [
  "sha256sum --check SHA256SUMS",
  "mkdir -p /opt/parquetry && tar --extract --file parquetry-*.tar.gz --strip-components 1 --directory /opt/parquetry",
  "haproxy -c -f deploy/haproxy.cfg",
  "promtool check rules deploy/prometheus/alerts.yml",
];
/** Commands that change the machine, need its service or take minutes: what they name is checked. */
const CHECKED = [
  "npm ci --omit=dev",
  "npm run build",
  "useradd --system --home-dir /var/lib/parquetry parquetry",
  "chown -R parquetry: .build .next",
  "install -D -m 600 /dev/null /etc/parquetry/parquetry.env",
  "install -m 644 deploy/systemd/parquetry.service /etc/systemd/system/",
  "systemctl enable --now parquetry",
  "curl -fsS http://localhost:3000/readyz",
  "install -m 644 deploy/systemd/parquetry-worker.service /etc/systemd/system/",
  "systemctl enable --now parquetry-worker",
  "docker build -f deploy/Dockerfile -t parquetry .",
  "docker compose -f deploy/compose.yaml up -d",
  "systemctl restart parquetry",
  "curl -fsS --retry 60 --retry-all-errors http://localhost:3000/readyz",
  "npm run -s parquetry -- backup /mnt/backups/2026-01-31",
  "npm run -s parquetry -- backup --check /mnt/backups/2026-01-31",
];

const page = readFileSync("lib/docs/pages/self-hosting.md", "utf8");
const operators = page.slice(page.indexOf("## One machine"), page.indexOf("## Publish"));

test("every command for operators is one that is run or checked", () => {
  const shown = [...operators.matchAll(/^```shellscript .*\n([\s\S]*?)^```$/gm)].flatMap(([, code = ""]) =>
    code.split("\n").filter(Boolean),
  );
  expect([...new Set(shown)].sort()).toEqual([...RUN, ...CHECKED].sort());
});

test("files, units, scripts and commands that they name exist", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Readonly<Record<string, string>> };
  const all = [...RUN, ...CHECKED].join("\n");
  const named = (pattern: RegExp) => [...all.matchAll(pattern)].map(([, name = ""]) => name);
  expect(named(/\b(deploy\/\S+)/g).filter((path) => !existsSync(path))).toEqual([]);
  expect(named(/^systemctl .* (\S+)$/gm).filter((unit) => !existsSync(`deploy/systemd/${unit}.service`))).toEqual([]);
  expect(named(/npm run (?:-s )?(\w+)/g).filter((script) => !(script in scripts))).toEqual([]);
  const usages = commands.map(({ usage }) => usage.split(" ")[0]);
  expect(named(/parquetry -- (\w+)/g).filter((command) => !usages.includes(command))).toEqual([]);
});

describe("the commands that can be run anywhere", () => {
  const folder = mkdtempSync(join(tmpdir(), "parquetry-operator-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const [release, installed, clone] = ["release", "installed", "clone"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];

  test("verify, unpack and check a release", () => {
    expect(spawnSync("git", ["clone", "--quiet", resolve("."), clone]).status).toBe(0);
    mkdirSync(installed);
    makeRelease(clone, release);
    for (const command of RUN) {
      const cwd = command.includes(" deploy/") ? installed : release;
      const here = command.replaceAll("/opt/parquetry", installed);
      const { status, stderr } = spawnSync("sh", ["-c", here], { cwd, encoding: "utf8" });
      const isMissing = status === 127; // haproxy and promtool are not on every machine
      if (!isMissing) expect([command, status, status === 0 ? "" : stderr]).toEqual([command, 0, ""]);
    }
    expect(existsSync(join(installed, "lib/start/server.ts"))).toBe(true);
  });
});
