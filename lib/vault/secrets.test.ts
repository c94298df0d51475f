import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { NewSecret } from "@/lib/schemas/secret";
import type { Author } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { newWorkspace } from "@/lib/testing/workspace";
import { openSecret, removeSecret, secretsOf, storeSecret, storeSecretAnew } from "./secrets";

useTestState();

const NOW = new Date("2026-05-06T07:08:09.000Z");
const person = (userId: string): Author => ({ actor: "person", userId, fromHash: "f".repeat(64) });
const bearer = (name: string, token = "t"): NewSecret => ({ kind: "bearer", name, token });

async function audit(workspaceId: string) {
  const { prisma } = await database();
  const events = await prisma.auditEvent.findMany({ where: { workspaceId }, orderBy: { at: "asc" } });
  return events.map(({ action, actor, userId, subject, details }) => ({ action, actor, userId, subject, details }));
}

const ALL: NewSecret[] = [
  { kind: "header", name: "a-header", field: "X-Key", value: "value of the header" },
  { kind: "bearer", name: "a-bearer", token: "token-of-the-bearer" },
  { kind: "basic", name: "a-basic", username: "userOfBasic", password: "pässwörd-of-basic" },
  { kind: "query", name: "a-query", field: "api_key", value: "value of the query" },
  {
    kind: "s3",
    name: "an-s3",
    access_key_id: "AKIAOFTHES3",
    secret_access_key: "secretOfTheS3",
    session_token: "sessionOfTheS3",
    region: "eu-west-1",
  },
];
const VALUES = ALL.flatMap(({ name: _name, kind: _kind, ...fields }) =>
  Object.entries(fields).flatMap(([field, value = ""]) => (field === "field" ? [] : [value])),
);

describe("a workspace's secrets", () => {
  test("of every kind decrypt to what was stored, and only names, kinds and times are shown", async () => {
    const { workspaceId, userId, email } = await newWorkspace();
    for (const secret of ALL) await storeSecret(person(userId), workspaceId, secret, NOW);
    for (const { name, ...value } of ALL) expect(await openSecret(workspaceId, name, "recipe", NOW)).toEqual(value);
    const shown = await secretsOf(workspaceId);
    expect(shown.map(({ name, kind, field }) => [name, kind, field])).toEqual([
      ["a-basic", "basic", null],
      ["a-bearer", "bearer", null],
      ["a-header", "header", "X-Key"],
      ["a-query", "query", "api_key"],
      ["an-s3", "s3", null],
    ]);
    expect(shown[0]).toEqual({
      name: "a-basic",
      kind: "basic",
      field: null,
      hosts: [],
      created_at: NOW.toISOString(),
      created_by: email,
      replaced_at: null,
      last_used_at: NOW.toISOString(),
      last_used_by: "recipe",
    });
    for (const value of VALUES) expect(JSON.stringify(shown)).not.toContain(value);
  });

  test("are nowhere in the database in plain text: not as text, not as hex, not as base64", async () => {
    const { pool } = await database();
    const tables = await pool.query<{ name: string }>(
      `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    const dumps = await Promise.all(
      tables.rows.map(({ name }) => pool.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`)),
    );
    const dump = dumps
      .flatMap(({ rows }) => rows)
      .map(({ row }) => row)
      .join("\n");
    expect(dump).toContain("a-bearer");
    for (const value of VALUES)
      for (const form of ["utf8", "hex", "base64", "base64url"] as const)
        expect(dump).not.toContain(Buffer.from(value).toString(form).replace(/=+$/, "").slice(0, -1)); // the last digit of base64 may depend on what follows
  });

  test("are replaced under their name, only with the same kind", async () => {
    const { workspaceId, userId } = await newWorkspace();
    await storeSecret(person(userId), workspaceId, { kind: "query", name: "k", field: "key", value: "old" }, NOW);
    const later = new Date(NOW.getTime() + 1000);
    await storeSecretAnew(person(userId), workspaceId, "k", { kind: "query", field: "token", value: "new" }, later);
    expect(await openSecret(workspaceId, "k", "r", NOW)).toEqual({ kind: "query", field: "token", value: "new" });
    expect(await secretsOf(workspaceId)).toMatchObject([
      { field: "token", created_at: NOW.toISOString(), replaced_at: later.toISOString() },
    ]);
    await expect(
      storeSecretAnew(person(userId), workspaceId, "k", { kind: "bearer", token: "t" }, NOW),
    ).rejects.toMatchObject({ code: "conflict" });
    await expect(
      storeSecretAnew(person(userId), workspaceId, "none", { kind: "bearer", token: "t" }, NOW),
    ).rejects.toMatchObject({ code: "not_found" });
    expect(await openSecret(workspaceId, "k", "r", NOW)).toMatchObject({ value: "new" });
  });

  test("are permanently gone when deleted", async () => {
    const { workspaceId, userId } = await newWorkspace();
    await storeSecret(person(userId), workspaceId, bearer("k"), NOW);
    await removeSecret(person(userId), workspaceId, "k");
    await expect(openSecret(workspaceId, "k", "r", NOW)).rejects.toMatchObject({ code: "not_found" });
    await expect(removeSecret(person(userId), workspaceId, "k")).rejects.toMatchObject({ code: "not_found" });
    expect(await secretsOf(workspaceId)).toEqual([]);
  });

  test("have unique names: of ten created at once under one name, one succeeds", async () => {
    const { workspaceId, userId } = await newWorkspace();
    const made = await Promise.allSettled(
      Array.from({ length: 10 }, (_, at) => storeSecret(person(userId), workspaceId, bearer("k", `t${at}`), NOW)),
    );
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const one of made) if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "conflict" });
  });

  test("are at most 100, even if created at once", async () => {
    const { workspaceId, userId } = await newWorkspace();
    const { prisma } = await database();
    const row = { workspaceId, kind: "bearer" as const, sealed: new Uint8Array(1), sealedWith: "k" };
    await prisma.sourceCredential.createMany({
      data: Array.from({ length: 95 }, (_, at) => ({ ...row, name: `full-${at}` })),
    });
    const made = await Promise.allSettled(
      Array.from({ length: 10 }, (_, at) => storeSecret(person(userId), workspaceId, bearer(`more-${at}`), NOW)),
    );
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    for (const one of made)
      if (one.status === "rejected")
        expect(one.reason).toMatchObject({ code: "conflict", message: expect.stringMatching(/maximum 100/) });
    expect(await secretsOf(workspaceId)).toHaveLength(100);
  });

  test("belong only to their workspace", async () => {
    const [ours, theirs] = [await newWorkspace(), await newWorkspace()];
    await storeSecret(person(ours.userId), ours.workspaceId, bearer("k", "ours"), NOW);
    await expect(openSecret(theirs.workspaceId, "k", "r", NOW)).rejects.toMatchObject({ code: "not_found" });
    await expect(
      storeSecretAnew(person(theirs.userId), theirs.workspaceId, "k", { kind: "bearer", token: "x" }, NOW),
    ).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(removeSecret(person(theirs.userId), theirs.workspaceId, "k")).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await secretsOf(theirs.workspaceId)).toEqual([]);
    await expect(
      storeSecret(person(ours.userId), "99999999-9999-4999-8999-999999999999", bearer("k"), NOW),
    ).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("the audit log", () => {
  test("records each change and each use, with the use in the row itself, and never a value", async () => {
    const { workspaceId, userId } = await newWorkspace();
    const [first, second] = [randomBytes(12).toString("hex"), randomBytes(12).toString("hex")];
    await storeSecret(person(userId), workspaceId, bearer("k", first), NOW);
    await storeSecretAnew(person(userId), workspaceId, "k", { kind: "bearer", token: second }, NOW);
    await openSecret(workspaceId, "k", "river-levels", NOW);
    await removeSecret(person(userId), workspaceId, "k");
    const events = await audit(workspaceId);
    expect(events).toEqual([
      { action: "secret.created", actor: "person", userId, subject: "k", details: { kind: "bearer" } },
      { action: "secret.replaced", actor: "person", userId, subject: "k", details: { kind: "bearer" } },
      { action: "secret.used", actor: "service", userId: null, subject: "k", details: { by: "river-levels" } },
      { action: "secret.deleted", actor: "person", userId, subject: "k", details: {} },
    ]);
    expect(JSON.stringify(events)).not.toMatch(new RegExp(`${first}|${second}`));
  });

  test("records no use of a secret that could not be opened", async () => {
    const { workspaceId, userId } = await newWorkspace();
    await storeSecret(person(userId), workspaceId, bearer("k"), NOW);
    const { prisma } = await database();
    await prisma.sourceCredential.updateMany({ where: { workspaceId }, data: { sealedWith: "a-key-of-elsewhere" } });
    await expect(openSecret(workspaceId, "k", "r", NOW)).rejects.toMatchObject({
      code: "integrity_failure",
      message: expect.stringMatching(/secret k: .*a-key-of-elsewhere/),
    });
    expect(await secretsOf(workspaceId)).toMatchObject([{ last_used_at: null }]);
    expect((await audit(workspaceId)).map(({ action }) => action)).toEqual(["secret.created"]);
  });
});

test("sealed bytes copied in the database to another workspace, name or row cannot be opened there", async () => {
  const [ours, theirs] = [await newWorkspace(), await newWorkspace()];
  for (const name of ["a", "b"])
    await storeSecret(person(ours.userId), ours.workspaceId, bearer(name, `ours-${name}`), NOW);
  await storeSecret(person(theirs.userId), theirs.workspaceId, bearer("a", "theirs"), NOW);
  const { pool } = await database();
  const copy = `UPDATE "SourceCredential" to_row SET sealed = from_row.sealed FROM "SourceCredential" from_row
    WHERE to_row."workspaceId" = $1 AND to_row.name = $2 AND from_row."workspaceId" = $3 AND from_row.name = $4`;
  await pool.query(copy, [theirs.workspaceId, "a", ours.workspaceId, "a"]);
  await pool.query(copy, [ours.workspaceId, "b", ours.workspaceId, "a"]);
  await expect(openSecret(theirs.workspaceId, "a", "r", NOW)).rejects.toMatchObject({ code: "integrity_failure" });
  await expect(openSecret(ours.workspaceId, "b", "r", NOW)).rejects.toMatchObject({ code: "integrity_failure" });
  await pool.query(`UPDATE "SourceCredential" SET name = 'c' WHERE "workspaceId" = $1 AND name = 'a'`, [
    ours.workspaceId,
  ]);
  await expect(openSecret(ours.workspaceId, "c", "r", NOW)).rejects.toMatchObject({ code: "integrity_failure" });
});
