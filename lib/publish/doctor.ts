import { rm } from "node:fs/promises";
import { basename } from "node:path";
import { env } from "@/lib/kernel/env";
import { oidcVariable } from "@/lib/kernel/oidc-settings";
import { upkeepText } from "@/lib/schemas/upkeep";
import { blobStore } from "@/lib/storage/blob-store";
import { listUnprovenCopies } from "@/lib/storage/copy-proof";
import { copiesDir, tempDir } from "@/lib/storage/paths";
import { changedAt, filesIn, isRunning, LEFTOVER_AFTER_MS } from "@/lib/storage/temp-leftovers";
import { listDigests, listEmptyTables, withBlobsLock } from "@/lib/store/datasets/versions";
import { findWorkspace } from "@/lib/store/people/workspaces";
import { database } from "@/lib/store/postgres/database";
import { describeRingFault, type RingFault, ringFault } from "@/lib/store/sources/ring-fingerprint";
import { describeSecretFault, type SecretFault, secretFault } from "@/lib/store/sources/secret-fingerprint";
import { findUpkeepFailures } from "@/lib/store/upkeep-failures";

export interface Finding {
  problem:
    | "temp_leftover"
    | "blob_without_version"
    | "stray_file"
    | "copy_without_version"
    | "copy_without_proof"
    | "blob_missing"
    | "blob_wrong_size"
    | "table_without_version"
    | "key_ring_damaged"
    | "upkeep_failing"
    | "workspace_of_groups_unusable"
    | SecretFault
    | RingFault;
  /** A path, a digest, `dataset/table`, or what is wrong and what to do. */
  subject: string;
  /** Whether `fix` removed it. Losses can only be repaired by publishing again. */
  fixed: boolean;
}

interface DoctorOptions {
  /** Removes what no version needs. */
  fix: boolean;
  /** Newer files may belong to a running publication and are kept. Default: an hour. */
  olderThanMs?: number;
}

/**
 * Looks for keys that do not fit the database, for leftovers of killed processes, and for losses in the data folder.
 * Without the right secret nothing else is examined, since nothing can be proven.
 */
export async function doctor({ fix, olderThanMs = LEFTOVER_AFTER_MS }: DoctorOptions): Promise<Finding[]> {
  const fault = await secretFault((await database()).pool);
  const keys = await ringProblems();
  if (fault) return [{ problem: fault, subject: describeSecretFault(fault), fixed: false }, ...keys];
  const settings = await unusableGroups();
  return [...keys, ...settings, ...(await failingUpkeep()), ...(await withBlobsLock(() => examine(fix, olderThanMs)))];
}

async function ringProblems(): Promise<Finding[]> {
  try {
    const fault = await ringFault((await database()).pool);
    return fault ? [{ problem: fault, subject: describeRingFault(fault), fixed: false }] : [];
  } catch (error) {
    return [{ problem: "key_ring_damaged", subject: (error as Error).message, fixed: false }];
  }
}

async function examine(fix: boolean, olderThanMs: number): Promise<Finding[]> {
  const now = Date.now();
  const removable = (await leftovers()).filter(({ changedAtMs }) => now - changedAtMs >= olderThanMs);
  const fixed = await Promise.all(
    removable.map(async ({ problem, subject, remove }) => {
      if (fix) await remove();
      return { problem, subject, fixed: fix };
    }),
  );
  return [...fixed, ...(await losses())];
}

/** Workspaces in the settings of identity providers that cannot have members by groups. */
async function unusableGroups(): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { id, groups } of env().oidcProviders)
    for (const workspaceId of new Set(groups.map((grant) => grant.workspaceId))) {
      const workspace = await findWorkspace(workspaceId);
      if (workspace && !workspace.personal) continue;
      const why = workspace ? "is personal, so it cannot have other members" : "does not exist";
      const todo = "Correct the ID; parquetry workspace list shows them.";
      const subject = `${oidcVariable(id, "GROUPS")}: the workspace ${workspaceId} ${why}. ${todo}`;
      findings.push({ problem: "workspace_of_groups_unusable", subject, fixed: false });
    }
  return findings;
}

async function failingUpkeep(): Promise<Finding[]> {
  return (await findUpkeepFailures()).map(({ step, since, message }) => ({
    problem: "upkeep_failing",
    subject: `${upkeepText(step)}, since ${since.toISOString()}: ${message}`,
    fixed: false,
  }));
}

interface Leftover extends Pick<Finding, "problem" | "subject"> {
  /** The newest change in it; a rename counts as one. */
  changedAtMs: number;
  remove(): Promise<void>;
}

async function leftovers(): Promise<Leftover[]> {
  const [temps, copies] = [await filesIn(tempDir()), await filesIn(copiesDir())];
  const named = new Set((await listDigests()).map(({ digest }) => digest));
  const isCopy = (path: string) => path.endsWith(".duckdb") || path.endsWith(".duckdb.proof");
  const strays = copies.filter((path) => !named.has(basename(path).slice(0, 64)) || !isCopy(path));
  // rebuilt at their next use
  const bad = new Set(await listUnprovenCopies());
  const unproven = copies.filter((path) => !strays.includes(path) && bad.has(basename(path).slice(0, 64)));
  const files = [
    ...temps.filter((path) => !isRunning(path)).map((path) => leftoverFile("temp_leftover", path)),
    ...strays.map((path) => leftoverFile("copy_without_version", path)),
    ...unproven.map((path) => leftoverFile("copy_without_proof", path)),
  ];
  return [...(await Promise.all(files)).flatMap((found) => found ?? []), ...(await leftoverBlobs(named))];
}

async function leftoverBlobs(named: ReadonlySet<string>): Promise<Leftover[]> {
  const store = blobStore();
  const findings: Leftover[] = [];
  for await (const { digest, changedAtMs } of store.list())
    if (!named.has(digest)) {
      const remove = () => store.remove(digest);
      findings.push({ problem: "blob_without_version", subject: digest, changedAtMs, remove });
    }
  for await (const { name, changedAtMs, remove } of store.strays())
    findings.push({ problem: "stray_file", subject: name, changedAtMs, remove });
  return findings;
}

/** Undefined if it has been deleted in the meantime. */
async function leftoverFile(problem: Leftover["problem"], path: string): Promise<Leftover | undefined> {
  const changedAtMs = await changedAt(path);
  if (changedAtMs === undefined) return undefined;
  return { problem, subject: path, changedAtMs, remove: () => rm(path, { recursive: true, force: true }) };
}

async function losses(): Promise<Finding[]> {
  const findings: Finding[] = (await listEmptyTables()).map((subject) => ({
    problem: "table_without_version",
    subject,
    fixed: false,
  }));
  for (const { digest, bytes } of await listDigests()) {
    const size = (await blobStore().stat(digest))?.bytes;
    if (size !== bytes)
      findings.push({
        problem: size === undefined ? "blob_missing" : "blob_wrong_size",
        subject: digest,
        fixed: false,
      });
  }
  return findings;
}
