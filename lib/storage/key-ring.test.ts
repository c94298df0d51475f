import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readSettings } from "@/lib/kernel/env";
import { forgetProcessWide, processWide } from "@/lib/kernel/process-wide";
import { addCurrentKey, createKeyRing, dropKeysBut, hasKeyRing, isRingOurs, keyRing } from "./key-ring";

let folder = "";
const path = () => join(folder, "data", "secrets-keys.json");
const names = () => keyRing().map(({ name }) => name);

function use(settings: Readonly<Record<string, string>>): void {
  forgetProcessWide("settings");
  processWide("settings", () => readSettings({ PARQUETRY_DATA_DIR: join(folder, "data"), ...settings }));
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parquetry-ring-"));
  use({});
});
afterEach(() => {
  forgetProcessWide("settings");
  rmSync(folder, { recursive: true, force: true });
});

describe("the ring in the data folder", () => {
  test("is created once, for the service's own user only, and leaves no draft", () => {
    expect(hasKeyRing()).toBe(false);
    expect(keyRing).toThrow(/^There is no secrets-keys\.json .* PARQUETRY_SECRETS_KEYS/);
    expect(existsSync(path())).toBe(false);
    createKeyRing();
    createKeyRing();
    const [made] = keyRing();
    expect(made.key).toHaveLength(32);
    expect(keyRing()).toEqual([made]);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, "data"))).toEqual(["secrets-keys.json"]);
    expect(isRingOurs()).toBe(true);
  });

  test("is the same for processes that create it at once", async () => {
    const script = `import { createKeyRing, keyRing } from "./lib/storage/key-ring.ts";
      import { existsSync, writeFileSync } from "node:fs";
      writeFileSync("${folder}/ready-" + process.pid, "");
      while (!existsSync("${folder}/go")); // all begin at one instant
      createKeyRing();
      const [{ name, key }] = keyRing();
      process.stdout.write(name + " " + Buffer.from(key).toString("hex"));`;
    const env = { PATH: "/usr/bin:/bin", NODE_ENV: "test" as const, PARQUETRY_DATA_DIR: join(folder, "data") };
    const run = () =>
      promisify(execFile)(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], { env });
    const running = Promise.all([run(), run(), run(), run()]);
    await expect.poll(() => readdirSync(folder).filter((name) => name.startsWith("ready")).length).toBe(4);
    writeFileSync(join(folder, "go"), "");
    const rings = await running;
    const [{ name, key }] = keyRing();
    expect(new Set(rings.map(({ stdout }) => stdout))).toEqual(
      new Set([`${name} ${Buffer.from(key).toString("hex")}`]),
    );
  });

  test("gets new keys at the front, for its own user only, and loses only old ones", () => {
    createKeyRing();
    const [first = ""] = names();
    const [second = ""] = addCurrentKey(new Date("2026-01-02T03:04:05Z")).map(({ name }) => name);
    expect(second).toMatch(/^2026-01-02-[0-9a-f]{8}$/);
    expect(names()).toEqual([second, first]);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    const [third = ""] = addCurrentKey(new Date()).map(({ name }) => name);
    expect(dropKeysBut(new Set([first]))).toEqual([second]);
    expect(names()).toEqual([third, first]);
    expect(dropKeysBut(new Set())).toEqual([first]);
    expect(names()).toEqual([third]);
    expect(readdirSync(join(folder, "data"))).toEqual(["secrets-keys.json"]);
  });

  test.runIf(process.getuid?.() === 0)("keeps its owner when root changes it", () => {
    createKeyRing();
    chownSync(path(), 1234, 1235);
    addCurrentKey(new Date());
    expect(statSync(path())).toMatchObject({ uid: 1234, gid: 1235 });
    expect(statSync(path()).mode & 0o777).toBe(0o600);
  });

  test.each([
    ["cut off", (text: string) => text.slice(0, -20)],
    ["without a key", () => '{"format":"parquetry-secrets-keys.v1","keys":[]}'],
    ["with a key that is too short", (text: string) => text.replace(/"key": "./, '"key": "')],
    ["of another format", (text: string) => text.replace(".v1", ".v2")],
    ["empty", () => ""],
  ])("is never replaced when it is %s, nor shown", (_what, damage) => {
    createKeyRing();
    const [{ key }] = keyRing();
    writeFileSync(path(), damage(readFileSync(path(), "utf8")));
    const damaged = readFileSync(path(), "utf8");
    expect(keyRing).toThrow(/^secrets-keys\.json .* is not a key ring\. Restore it from a backup/);
    expect(keyRing).toThrow(expect.objectContaining({ code: "integrity_failure" })); // a caller is told, by name
    expect(() => keyRing()).not.toThrow(Buffer.from(key).toString("base64").slice(1, 20));
    expect(readFileSync(path(), "utf8")).toBe(damaged);
  });
});

describe("the ring in the settings", () => {
  const base64 = () => randomBytes(32).toString("base64");

  test("is used as it is, its first key current, and no file is created", () => {
    const [first, second] = [base64(), base64()];
    use({ PARQUETRY_SECRETS_KEYS: `k2:${first}, k1:${second}` });
    expect(keyRing().map(({ name, key }) => [name, Buffer.from(key).toString("base64")])).toEqual([
      ["k2", first],
      ["k1", second],
    ]);
    expect(isRingOurs()).toBe(false);
    expect(existsSync(path())).toBe(false);
  });

  test.each([
    ["no name", (key: string) => key],
    ["a short key", (key: string) => `k:${key.slice(4)}`],
    ["a long key", (key: string) => `k:AAAA${key}`],
    ["invalid characters", (key: string) => `k:${key.slice(0, -2)}!=`],
    ["a blank name", (key: string) => `:${key}`],
    ["an empty part", (key: string) => `k:${key},,k2:${key}`],
  ])("is rejected with %s, and not shown", (_what, write) => {
    const key = base64();
    const text = write(key);
    let message = "";
    try {
      readSettings({ PARQUETRY_SECRETS_KEYS: text });
    } catch (error) {
      message = String(error);
    }
    expect(message).toMatch(/PARQUETRY_SECRETS_KEYS: Expected comma-separated name:key pairs/);
    expect(message).not.toContain(key.slice(4, 40));
  });

  test("is rejected with two keys of the same name", () => {
    use({ PARQUETRY_SECRETS_KEYS: `k:${base64()},k:${base64()}` });
    expect(keyRing).toThrow(/two keys have the same name/);
  });
});
