import { expect, test } from "vitest";
import { listAudit } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import { callCommand, runCommand } from "@/lib/testing/command";
import { useTestState } from "@/lib/testing/database";
import { newWorkspace } from "@/lib/testing/workspace";
import { openSecret, storeSecret } from "@/lib/vault/secrets";

const state = useTestState();

const secrets = (...args: string[]) => callCommand("secrets", ...args);

/** In a separate process, with everything that it logs. */
const secretsApart = (...args: string[]) =>
  runCommand(["secrets", ...args], {
    DATABASE_URL: state.databaseUrl(),
    PARQUETRY_DATA_DIR: state.dataDir(),
    PARQUETRY_LOG_LEVEL: "trace",
  });

test("secrets list and rotate never print a value", async () => {
  expect((await secrets("list")).stdout).toBe("no secrets\n");
  const [ours, theirs] = [await newWorkspace(), await newWorkspace()];
  const value = { kind: "bearer", token: "the-value-itself" } as const;
  for (const { workspaceId } of [ours, theirs])
    await storeSecret({ actor: "service" }, workspaceId, { name: "weather", ...value }, new Date());

  const all = await secrets("list", "--json");
  expect(JSON.parse(all.stdout)).toHaveLength(2);
  const one = await secrets("list", "--workspace", ours.workspaceId, "--json");
  expect(JSON.parse(one.stdout)).toMatchObject([
    { workspace: ours.workspaceId, name: "weather", kind: "bearer", last_used_at: null },
  ]);
  expect(await secrets("list", "--workspace", "none")).toMatchObject({
    code: 1,
    stderr: "Unknown workspace: none\n",
  });

  const rotated = await secretsApart("rotate", "--json");
  const { current, unused } = JSON.parse(rotated.stdout) as { current: string; unused: string[] };
  expect(JSON.parse(rotated.stdout)).toMatchObject({ resealed: 2, unopened: [] });
  expect(unused).toEqual([JSON.parse(one.stdout)[0].sealed_with]);
  expect(await openSecret(ours.workspaceId, "weather", "r", new Date())).toEqual(value);

  const { prisma } = await database();
  await prisma.sourceCredential.updateMany({
    where: { workspaceId: theirs.workspaceId },
    data: { sealed: new Uint8Array(50) },
  });
  const failed = await secrets("rotate");
  expect(failed).toMatchObject({ code: 1, stdout: expect.stringContaining(`unopened  ${theirs.workspaceId}/weather`) });
  expect(failed.stdout).not.toContain(`unused    ${current}`); // the damaged row still names it
  for (const { stdout, stderr } of [all, one, rotated, failed])
    expect(stdout + stderr).not.toContain("the-value-itself");
});

test("the hosts of a credential are listed by command, and audited as the administrator's", async () => {
  const { workspaceId } = await newWorkspace();
  const value = { kind: "bearer", token: "another-value" } as const;
  await storeSecret({ actor: "service" }, workspaceId, { name: "air", ...value }, new Date());
  const hosts = (...given: string[]) =>
    secrets("hosts", "air", "--workspace", workspaceId, "--hosts", ...given, "--json");
  expect(JSON.parse((await hosts("api.example.org", "*.data.example.org")).stdout)).toMatchObject({
    hosts: ["api.example.org", "*.data.example.org"],
  });
  expect((await hosts("https://api.example.org/x")).code).toBe(1);
  expect(JSON.parse((await hosts("none")).stdout)).toMatchObject({ hosts: [] });
  const told = (await listAudit({ workspaceId, limit: 20 })).filter(({ action }) => action === "secret.hosts_changed");
  expect(told.map(({ actor }) => actor)).toEqual(["operator", "operator"]);
  expect((await secrets("hosts", "none-such", "--workspace", workspaceId, "--hosts", "a.example.org")).code).toBe(1);
});
