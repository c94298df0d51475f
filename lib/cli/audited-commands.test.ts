import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type AuditRow, listAudit } from "@/lib/store/audit";
import { callCommand } from "@/lib/testing/command";
import { useTestState } from "@/lib/testing/database";
import { describeCommands } from "./command-tree";
import { buildProgram } from "./program";

useTestState();
const folder = mkdtempSync(join(tmpdir(), "parquetry-audited-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

/** Results of earlier commands, by name. */
const made: Record<string, string> = {};
const TEXTS = ["--title", "D", "--publisher", "P", "--license", "MIT"];
const SOURCES = '{"name":"p","resources":[{"name":"r","path":"https://example.com/r.csv"}]}';

/** Every command that changes something: its call, what it returns for later ones, and its audit entry. */
const CHANGING: [
  usage: string,
  args: () => string[],
  action: RegExp,
  keep?: (printed: Record<string, string>) => void,
][] = [
  ["key create", () => ["--email", "a@example.com"], /^key\.created$/, ({ id }) => Object.assign(made, { key: id })],
  ["user link <email>", () => ["a@example.com"], /^account\.link_made$/],
  ["user remove-passkeys <email>", () => ["a@example.com"], /^account\.passkey_removed$/],
  ["user disable <email>", () => ["a@example.com"], /^account\.disabled$/],
  ["user enable <email>", () => ["a@example.com"], /^account\.enabled$/],
  ["key revoke <id>", () => [made.key ?? ""], /^key\.revoked$/],
  [
    "workspace create",
    () => ["--name", "W", "--owner", "a@example.com"],
    /^workspace\.created$/,
    ({ id }) => Object.assign(made, { workspace: id }),
  ],
  ["workspace plan <id> <plan>", () => [made.workspace ?? "", "paid"], /^plan\.changed$/],
  ["member add <workspace> <email>", () => [made.workspace ?? "", "b@example.com"], /^member\.joined$/],
  ["member role <workspace> <email> <role>", () => [made.workspace ?? "", "b@example.com", "owner"], /^member\.role/],
  ["member remove <workspace> <email>", () => [made.workspace ?? "", "b@example.com"], /^member\.removed$/],
  [
    "publish <file>",
    () => [file("d.csv", "id\n1\n"), "--dataset", "d", "--table", "t", ...TEXTS],
    /^version\.published$/,
    ({ version_id }) => Object.assign(made, { version: version_id }),
  ],
  ["dataset edit <slug>", () => ["d", "--title", "E"], /^dataset\.edited$/],
  ["column edit <dataset> <table> <column>", () => ["d", "t", "id", "--unit", "1"], /^version\.published$/],
  ["version edit <version-id>", () => [made.version ?? "", "--label", "1.0"], /^version\.edited$/],
  ["version withdraw <version-id>", () => [made.version ?? "", "--reason", "x"], /^version\.withdrawn$/],
  ["dataset visibility <slug> <visibility>", () => ["d", "withdrawn"], /^dataset\.visibility_changed$/],
  ["sources harvest <document>", () => [file("s.json", SOURCES)], /^sources\.swept$/],
  ["maintenance on", () => [], /^service\.maintenance$/],
  ["maintenance off", () => [], /^service\.maintenance$/],
  ["user delete <email>", () => ["a@example.com", "--yes"], /^account\.deleted$/],
];

/**
 * Run elsewhere: a built dataset (build-deletion.test.ts), `publish` many times over, keys of the secrets' ring (rotate.test.ts), hosts of a secret
 * (secret-commands.test.ts), an empty data folder (restore.test.ts), a built dataset (activation-commands.test.ts).
 */
const TESTED_ELSEWHERE = [
  "dataset delete <slug>",
  ...["showcase", "secrets rotate", "secrets hosts <name>", "restore <folder>"],
  ...["dataset activate <slug>", "dataset deactivate <slug>"],
];

/** Commands for another computer, and commands that change nothing that others can see. */
const READING = [
  ...["login", "logout", "whoami", "tools [tool]", "call <tool> [arguments]", "skill install"],
  ...["inspect <source>", "recipe check <file>", "recipe push <dataset> <file>", "recipe pull <dataset>"],
  ...[
    "new <title>",
    "rows <run> <table>",
    "start <dataset>",
    "confirm <run>",
    "cancel <run>",
    "events <run>",
    "diagnose <dataset/table>",
    "replay <run>",
    "watch <run>",
    "approve <run>",
  ].map((usage) => `build ${usage}`),
  ...["show", "set", "pause", "resume", "run"].map((verb) => `schedule ${verb} <dataset>`),
  "promote <dataset>",
  ...["upload <file>", "uploads list", "uploads delete <name>"],
  ...["dataset list", "sources show", "user list", "user show <email>", "workspace list", "workspace show <id>"],
  ...[
    "key list",
    "secrets list",
    "watch list",
    "watch deliveries <watch-id>",
    "audit",
    "maintenance status",
    "backup <folder>",
    "doctor",
    "verify",
    "settings",
    "worker",
  ],
  "commands",
  "credentials",
];

test("every command is classified as changing something or not", () => {
  const known = [...CHANGING.map(([usage]) => usage), ...TESTED_ELSEWHERE, ...READING];
  expect(known.sort()).toEqual(
    describeCommands(buildProgram())
      .map(({ usage }) => usage)
      .sort(),
  );
});

test("every command that changes something is in the audit log as the administrator's", async () => {
  await callCommand("key", "create", "--email", "b@example.com");
  let before = new Set((await listAudit({ limit: 1000 })).map(({ id }) => id));
  for (const [usage, args, action, keep] of CHANGING) {
    const name = usage.split(" ").filter((word) => /^[a-z]/.test(word));
    const { code, stdout, stderr } = await callCommand(...name, ...args(), ...jsonOption(usage));
    expect([usage, code, stderr]).toEqual([usage, 0, ""]);
    if (keep) keep(JSON.parse(stdout));
    const entries: AuditRow[] = (await listAudit({ limit: 1000 })).filter(({ id }) => !before.has(id));
    const told = entries.filter((entry) => action.test(entry.action) && entry.actor === "operator");
    expect([usage, told.length]).toEqual([usage, Math.max(1, told.length)]);
    before = new Set([...before, ...entries.map(({ id }) => id)]);
  }
});

const jsonOption = (usage: string): string[] =>
  describeCommands(buildProgram())
    .find((command) => command.usage === usage)
    ?.options.some(({ flags }) => flags === "--json")
    ? ["--json"]
    : [];
