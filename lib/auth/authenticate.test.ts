import { createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createUseKey, revokeUseKey } from "@/lib/access/use-keys";
import { forgetProcessWide, processWide } from "@/lib/kernel/process-wide";
import { listKeys } from "@/lib/store/people/keys";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { newKey } from "./access-key";
import { authenticateKey } from "./authenticate";
import { keyKindOf } from "./key-form";

useTestState();

const now = new Date("2026-01-01T00:00:00Z");

describe("the form of a key", () => {
  test("a new key has its kind's prefix and matches the pattern of secret scanners", () => {
    for (const kind of ["use", "live", "cli"] as const) {
      const key = newKey(kind);
      expect(key).toMatch(/^svc_(use|live|cli)_[0-9A-Za-z]{46}$/);
      expect(keyKindOf(key)).toBe(kind);
    }
  });

  test("a typo at any position is detected without a lookup", () => {
    const key = newKey("use");
    for (let place = "svc_use_".length; place < key.length; place++) {
      const wrong = `${key.slice(0, place)}${key[place] === "a" ? "b" : "a"}${key.slice(place + 1)}`;
      expect(keyKindOf(wrong)).toBeUndefined();
    }
  });
});

describe("whom a key authenticates", () => {
  const codeOf = (text: string | undefined, at = now) =>
    authenticateKey(text, ["use"], at).then(
      () => "admitted",
      (error: { code: string }) => error.code,
    );

  test("the stored form of a key is computed once, and that of another key never taken for it", async () => {
    const { key } = await createUseKey({ email: "o@example.com", name: "once" }, now);
    const { key: other } = await createUseKey({ email: "o@example.com", name: "other" }, now);
    expect(await codeOf(key)).toBe("admitted");
    const name = "hmac-key:access-keys";
    const own = processWide<KeyObject | undefined>(name, () => undefined);
    forgetProcessWide(name);
    processWide(name, () => createSecretKey(randomBytes(32)));
    expect([await codeOf(key), await codeOf(other)]).toEqual(["admitted", "key_invalid"]);
    forgetProcessWide(name);
    processWide(name, () => own);
    forgetProcessWide("cache key-hashes");
    expect(await codeOf(other)).toBe("admitted");
  });

  test("each rejection has its own code", async () => {
    const { key } = await createUseKey({ email: "a@example.com", name: "a" }, now);
    const { key: brief } = await createUseKey({ email: "a@example.com", name: "brief", expires: 1000 }, now);
    const { id, key: revoked } = await createUseKey({ email: "a@example.com", name: "r" }, now);
    expect(await revokeUseKey(id)).toBe(true);
    expect(await codeOf(key)).toBe("admitted");
    expect(await codeOf(brief)).toBe("admitted");
    expect(await codeOf(brief, new Date(now.getTime() + 1000))).toBe("key_expired");
    expect(await codeOf(revoked)).toBe("key_revoked");
    expect(await codeOf(undefined)).toBe("key_missing");
    expect(await codeOf("")).toBe("key_missing");
    expect(await codeOf("svc_use_nonsense")).toBe("key_invalid");
    expect(await codeOf(newKey("use"))).toBe("key_invalid");
    expect(await codeOf(newKey("live"))).toBe("key_wrong_type");
    expect(await codeOf(newKey("cli"))).toBe("key_wrong_type");
  });

  test("concurrent key creation gives a person exactly one personal workspace", async () => {
    await Promise.all(Array.from({ length: 8 }, () => createUseKey({ email: "many@example.com", name: "k" }, now)));
    const keys = await listKeys({ email: "many@example.com" });
    expect(keys).toHaveLength(8);
    expect(new Set(keys.map(({ workspaceId }) => workspaceId)).size).toBe(1);
  });

  test("the database stores no key in plain text", async () => {
    const { key } = await createUseKey({ email: "c@example.com", name: "clear" }, now);
    const { pool } = await database();
    const { rows } = await pool.query(`SELECT k::text AS line FROM "AccessKey" k`);
    for (const { line } of rows) expect(line).not.toContain(key.slice(12, 44));
  });
});
