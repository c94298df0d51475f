import { appendFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { dumpDatabases } from "./database-dump";
import { findSecrets } from "./find-secrets";
import { runFolder, used, usedSecrets } from "./used-secrets";

const dataDir = process.env.PARQUETRY_E2E_DIR ?? "";

/** The only files that may contain the service's own secrets. */
const OWN_SECRETS = [join("postgres", "password"), "secret", "secrets-keys.json"];
const OWN_SECRETS_SKIPPED = ["--exclude=password", "--exclude=secret", "--exclude=secrets-keys.json"];

test.beforeAll(() => {
  for (const path of OWN_SECRETS.filter((name) => existsSync(join(dataDir, name)))) {
    const text = readFileSync(join(dataDir, path), "utf8").trim();
    if (!text.startsWith("{")) used(text, `file ${path}`);
    else for (const [, key = ""] of text.matchAll(/"key":\s*"([^"]+)"/g)) used(key, `file ${path}`);
  }
});

test("secrets were used and found where they may be, so that finding none elsewhere means something", () => {
  expect(usedSecrets().length).toBeGreaterThan(2);
  expect(findSecrets([join(dataDir, "secret")]).join()).toContain("(file secret)");
});

test("no secret is in anything that the service and its database have logged", () => {
  const postgres = join(dataDir, "postgres", "postgres.log");
  expect(findSecrets([runFolder("logs"), ...[postgres].filter(existsSync)])).toEqual([]);
});

test("no secret is in the body of an error", () => {
  expect(findSecrets([join(runFolder(), "error-bodies.jsonl")].filter(existsSync))).toEqual([]);
});

test("no key, password, token or source secret is in the database in plain text, in any encoding", async () => {
  const dump = join(runFolder(), "dump.txt");
  rmSync(dump, { force: true });
  let rows = 0;
  for await (const { table, text } of dumpDatabases(dataDir)) {
    rows += 1;
    appendFileSync(dump, `${table} ${text.replaceAll("\n", " ")}\n`);
  }
  expect(rows).toBeGreaterThan(50);
  expect(findSecrets([dump])).toEqual([]);
});

test("no secret is in any file of the data folder except those with the service's own", () => {
  expect(findSecrets([dataDir], ["--exclude-dir=blobs", "--exclude-dir=copies", ...OWN_SECRETS_SKIPPED])).toEqual([]);
});
