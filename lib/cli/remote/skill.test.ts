import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { callCommand } from "@/lib/testing/command";
import { usePlaces } from "@/lib/testing/places";
import { useRemoteService } from "@/lib/testing/remote-service";

const remote = useRemoteService();
const { folder } = usePlaces();

describe("a skill", () => {
  const SKILL = "---\nname: read-open-data\n---\n";
  const listing = (change: Record<string, string> = {}) => ({
    skills: [
      {
        name: "read-open-data",
        type: "skill-md",
        url: `${remote.url}/SKILL.md`,
        digest: `sha256:${createHash("sha256").update(SKILL).digest("hex")}`,
        ...change,
      },
    ],
  });
  const offering = (change?: Record<string, string>) => {
    remote.answers = (path) => ({ body: path.endsWith("index.json") ? listing(change) : SKILL });
  };
  const installed = (dir: string): string => join(dir, "read-open-data", "SKILL.md");
  const install = (dir: string, ...more: string[]) =>
    callCommand("skill", "install", "--url", remote.url, "--dir", dir, ...more);

  test("is written as served, and replaced only with --force", async () => {
    const dir = mkdtempSync(join(folder, "skills-"));
    offering();
    expect((await install(dir)).stdout).toBe(`Written: ${installed(dir)}\n`);
    expect(readFileSync(installed(dir), "utf8")).toBe(SKILL);
    expect((await install(dir)).stdout).toContain("is up to date");
    rmSync(installed(dir));

    writeFileSync(installed(dir), "my own");
    expect(await install(dir)).toMatchObject({ code: 1, stderr: expect.stringContaining("--force") });
    expect((await install(dir, "--force")).stdout).toContain("Replaced");
  });

  test("with a wrong digest, at another origin, or with a path as its name is not written", async () => {
    for (const change of [
      { digest: `sha256:${"0".repeat(64)}` },
      { url: "https://evil.example/SKILL.md" },
      { name: "../escape" },
      { name: "a/b" },
    ]) {
      const dir = mkdtempSync(join(folder, "skills-"));
      offering(change);
      expect(await install(dir)).toMatchObject({ code: 1, stdout: "" });
      expect([existsSync(join(dir, "read-open-data")), existsSync(join(dir, "..", "escape"))]).toEqual([false, false]);
    }
  });
});
