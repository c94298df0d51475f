import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { METRICS } from "@/lib/kernel/telemetry";

/** Runs a program; what it printed, if it failed. */
function faultsOf(program: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: "utf8" });
  return status === 0 ? "" : `${program} ${args.join(" ")}: ${error?.message ?? ""}${stdout}${stderr}`;
}

const has = (program: string, version: string): boolean => spawnSync(program, [version]).error === undefined;
const needing = (program: string, version = "--version") =>
  has(program, version)
    ? { skipped: false, title: (name: string) => name }
    : { skipped: true, title: (name: string) => `skipped: needs ${program} (${name})` };

const promtool = needing("promtool");

describe.skipIf(promtool.skipped)(promtool.title("alerts"), () => {
  test("Prometheus reads the rules and the configuration, and the rules fire when they should", () => {
    expect(faultsOf("promtool", ["check", "rules", "deploy/prometheus/alerts.yml"])).toBe("");
    expect(faultsOf("promtool", ["check", "config", "--syntax-only", "deploy/prometheus/prometheus.yml"])).toBe("");
    expect(faultsOf("promtool", ["test", "rules", "deploy/prometheus/alerts.test.yml"])).toBe("");
  });
});

test.each(["deploy/prometheus/alerts.yml", "deploy/grafana/parquetry.json"])("%s names metrics that exist", (path) => {
  const exposed = new Set(
    Object.values(METRICS).flatMap(({ name, kind }) => {
      const plain = name.replaceAll(".", "_");
      if (kind === "histogram") return [`${plain}_bucket`, `${plain}_sum`, `${plain}_count`];
      return [kind === "counter" ? `${plain}_total` : plain];
    }),
  );
  const starts = [...new Set(Object.values(METRICS).map(({ name }) => name.split(".")[0]))].join("|");
  const named =
    readFileSync(path, "utf8")
      .replace(/^.*description:.*$/gm, "")
      .match(new RegExp(`\\b(?:${starts})_\\w+`, "g")) ?? [];
  expect(named.length).toBeGreaterThan(10);
  expect([...new Set(named)].filter((name) => !exposed.has(name))).toEqual([]);
});
