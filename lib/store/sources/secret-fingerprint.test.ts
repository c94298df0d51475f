import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { callCommandAt } from "@/lib/testing/command";
import { migratedDatabase, useTestState } from "@/lib/testing/database";
import { type Place, succeedAt, usePlaces } from "@/lib/testing/places";

useTestState();
const { newName } = usePlaces();

const secretOf = ({ PARQUETRY_DATA_DIR }: Place) => join(PARQUETRY_DATA_DIR, "secret");
const ringOf = ({ PARQUETRY_DATA_DIR }: Place) => join(PARQUETRY_DATA_DIR, "secrets-keys.json");
const keysAt = async (place: Place) => JSON.parse((await succeedAt(place, "key", "list", "--json")).stdout);

/** A service's database and data folder with its generated secret, and one key. */
async function usedPlace(): Promise<Place> {
  const place = { PARQUETRY_DATA_DIR: newName(), DATABASE_URL: await migratedDatabase() };
  mkdirSync(place.PARQUETRY_DATA_DIR);
  await succeedAt(place, "key", "create", "--email", "reader@example.com");
  return place;
}

async function findings(place: Place): Promise<{ code: number; problems: string[] }> {
  const { code, stdout } = await callCommandAt(place, "doctor", "--json");
  return { code, problems: (JSON.parse(stdout) as { problem: string }[]).map(({ problem }) => problem) };
}

const CASES: readonly [string, string, RegExp, (place: Place) => Place][] = [
  ["emptied", "secret_damaged", /is empty or damaged/, (place) => written(place, "")],
  ["of blanks", "secret_damaged", /is empty or damaged/, (place) => written(place, " \n".repeat(40))],
  ["cut short", "secret_damaged", /is empty or damaged/, (place) => written(place, secret(place).slice(0, 31))],
  [
    "changed in one character",
    "secret_changed",
    /not the one/,
    (place) => written(place, `_${secret(place).slice(1)}`),
  ],
  ["removed", "secret_missing", /is missing/, (place) => removed(place)],
  ["replaced by a setting", "secret_changed", /\(PARQUETRY_SECRET\)/, (place) => set(place, "s".repeat(64))],
  ["of another folder", "secret_missing", /is missing/, (place) => ({ ...place, PARQUETRY_DATA_DIR: newName() })],
];

const secret = (place: Place): string => readFileSync(secretOf(place), "utf8");
const set = (place: Place, text: string): Place => ({ ...place, PARQUETRY_SECRET: text });

function written(place: Place, text: string): Place {
  writeFileSync(secretOf(place), text);
  return place;
}

function removed(place: Place): Place {
  rmSync(secretOf(place));
  return place;
}

describe("a secret that is not the database's own", () => {
  test.each(CASES)(
    "%s is refused with what to do, found by doctor, and never replaced",
    async (...[, problem, words, change]) => {
      const place = await usedPlace();
      const old = secret(place);
      const changed = change(place);
      const before = existsSync(secretOf(changed)) ? secret(changed) : undefined;
      for (const args of [
        ["key", "list"],
        ["key", "create", "--email", "reader@example.com"],
      ]) {
        const { code, stderr } = await callCommandAt(changed, ...args);
        expect([code, stderr]).toEqual([1, expect.stringMatching(words)]);
        expect(stderr).toContain("doctor --accept-secret");
        expect(stderr).not.toContain(old.slice(1, 31));
      }
      expect(await findings(changed)).toEqual({ code: 1, problems: [problem] });
      expect(existsSync(secretOf(changed)) ? secret(changed) : undefined).toBe(before);
      expect(await keysAt(written(place, old))).toHaveLength(1); // the old one, put back
    },
  );

  test("is used once the administrator accepts it, which the audit log says; a damaged one never", async () => {
    const place = set(await usedPlace(), "s".repeat(64));
    await succeedAt(place, "doctor", "--accept-secret");
    expect(await findings(place)).toEqual({ code: 0, problems: [] });
    expect(await keysAt(place)).toHaveLength(1);
    expect((await succeedAt(place, "audit")).stdout).toContain("secret");
    const damaged = written(await usedPlace(), "");
    expect((await callCommandAt(damaged, "doctor", "--accept-secret")).code).toBe(1);
    await succeedAt(removed(damaged), "doctor", "--accept-secret");
    expect(secret(damaged)).toHaveLength(64);
    expect(await keysAt(damaged)).toHaveLength(1);
  });
});

test("a damaged key ring is named by doctor", async () => {
  const place = await usedPlace();
  writeFileSync(ringOf(place), "{");
  const { code, stdout } = await callCommandAt(place, "doctor", "--json");
  expect([code, JSON.parse(stdout)]).toEqual([
    1,
    [{ problem: "key_ring_damaged", subject: expect.stringMatching(/^secrets-keys\.json .*Restore it/), fixed: "no" }],
  ]);
});

describe("a key ring that is not the database's own", () => {
  const keyOf = (letter: string) => Buffer.from(letter.repeat(32)).toString("base64");
  const withKeys = (place: Place, ...keys: string[]): Place => ({ ...place, PARQUETRY_SECRETS_KEYS: keys.join(",") });
  const withOther = (place: Place): Place => ({
    ...place,
    PARQUETRY_SECRET: secret(place),
    PARQUETRY_DATA_DIR: newName(),
  });

  /** A database that was used with the keys a and b, of which a row uses b. */
  async function sealedPlace(): Promise<Place> {
    const place = await usedPlace();
    await succeedAt(withKeys(place, `a:${keyOf("a")}`, `b:${keyOf("b")}`), "key", "list");
    const client = new pg.Client({ connectionString: place.DATABASE_URL });
    await client.connect();
    const sealed = `INSERT INTO "SourceCredential" (id, "workspaceId", name, kind, sealed, "sealedWith")
      SELECT gen_random_uuid(), id, 'k', 'bearer', '', 'b' FROM "Workspace"`;
    await client.query(sealed).finally(() => client.end());
    return place;
  }

  test.each<[string, string, RegExp, (place: Place) => Place]>([
    ["that is missing", "key_ring_missing", /are missing: PARQUETRY_SECRETS_KEYS is not set/, withOther],
    ["of other keys", "key_ring_changed", /\(PARQUETRY_SECRETS_KEYS\)/, (place) => withKeys(place, `c:${keyOf("c")}`)],
    [
      "with another key of a name",
      "key_ring_changed",
      /\(PARQUETRY_SECRETS_KEYS\)/,
      (place) => withKeys(place, `b:${keyOf("b")}`, `a:${keyOf("c")}`),
    ],
    [
      "without a key that a credential needs",
      "key_ring_changed",
      /\(PARQUETRY_SECRETS_KEYS\)/,
      (place) => withKeys(place, `a:${keyOf("a")}`),
    ],
  ])(
    "%s is refused with the setting, found by doctor, and used once it is accepted",
    async (...[, problem, words, change]) => {
      const place = change(await sealedPlace());
      const { code, stderr } = await callCommandAt(place, "key", "list");
      expect([code, stderr]).toEqual([1, expect.stringMatching(words)]);
      expect(stderr).not.toContain(keyOf("a"));
      expect(await findings(place)).toEqual({ code: 1, problems: [problem] });
      await succeedAt(place, "doctor", "--accept-secret");
      expect(await findings(place)).toEqual({ code: 0, problems: [] });
      expect(await keysAt(place)).toHaveLength(1);
    },
  );

  test("a ring may gain keys, change their order, and lose those that nothing uses", async () => {
    const place = await sealedPlace();
    const [a, b, c] = ["a", "b", "c"].map((name) => `${name}:${keyOf(name)}`) as [string, string, string];
    for (const keys of [[a, b, c], [c, b], [b], [b, a]]) await succeedAt(withKeys(place, ...keys), "key", "list");
  });
});
