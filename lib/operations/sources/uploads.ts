import { z } from "zod";
import { membershipOf } from "@/lib/access/authorize";
import { Admission } from "@/lib/kernel/admission";
import { env } from "@/lib/kernel/env";
import { fail, failWith } from "@/lib/kernel/errors";
import { processWide } from "@/lib/kernel/process-wide";
import { holdsSecret } from "@/lib/kernel/secret-forms";
import { BUILD, buildPathSchema } from "@/lib/operations/datasets/build-path";
import { builderAuthor } from "@/lib/operations/datasets/builder";
import type { FilePart } from "@/lib/operations/file-body";
import { operation } from "@/lib/operations/operation";
import {
  type UnfinishedUpload,
  type Upload,
  unfinishedUploadSchema,
  uploadNameSchema,
  uploadSchema,
} from "@/lib/schemas/upload";
import { blobStore } from "@/lib/storage/blob-store";
import { withBlobsLock } from "@/lib/store/datasets/versions";
import { requireFetchQuota } from "@/lib/store/runs/build-quota";
import { listUnfinished, removeUnfinished, type StoredParts } from "@/lib/store/sources/unfinished-uploads";
import {
  deleteUploads,
  listUploads as listStored,
  type StoredUpload,
  uploadedBytes,
} from "@/lib/store/sources/uploads";
import { savePart } from "./save-part";
import { requireRoom, type SavedUpload, saveUpload } from "./save-upload";

const LISTED_MAX = 1000;

/** The files that this process receives concurrently: workspaces take turns, two of each at most. */
const receiving = (): Admission =>
  processWide("uploads", () => new Admission({ slots: 32, queueMs: 10_000, eachMax: 2 }));

const uploadPathSchema = buildPathSchema.extend({ name: z.string().describe("What recipes call the file.") });
const digestSchema = z.string().regex(/^sha256:[0-9a-f]{64}$/, "Use sha256: and 64 hex digits.");

const listSchema = z.object({
  uploads: z.array(uploadSchema),
  bytes: z.int().describe("Total of all files, counting each once."),
  unfinished: z.array(unfinishedUploadSchema).describe("Files with missing parts."),
  bytes_max: z.int(),
});

/** GET the files that recipes of a workspace can read. */
export const listUploads = operation({
  name: "list_uploads",
  summary: "List uploaded files",
  description: "Files by name, newest first. A recipe reads the newest file with a name, unless it gives a digest.",
  access: "uploads",
  quota: "account",
  http: { method: "GET", path: `${BUILD}/uploads` },
  input: { path: buildPathSchema },
  output: listSchema,
  async run(_input, ctx) {
    const { workspaceId } = membershipOf(ctx);
    const rows = await listStored(workspaceId, LISTED_MAX);
    const unfinished = await listUnfinished(workspaceId);
    return {
      uploads: rows.map((row, at) => presentUpload(row, rows[at - 1]?.name !== row.name)),
      bytes: await uploadedBytes(workspaceId),
      unfinished: unfinished.map(presentUnfinished),
      bytes_max: env().UPLOADS_BYTES_WORKSPACE,
    };
  },
});

const storedSchema = z.object({
  upload: uploadSchema.nullable().describe("null while parts are missing."),
  outcome: z
    .enum(["stored", "unchanged", "partial"])
    .describe("unchanged: the newest file with this name has the same bytes. partial: parts are missing."),
  held_bytes: z.int(),
  next: z.string(),
});
type Stored = z.output<typeof storedSchema>;

/** PUT a file that recipes read by its name. */
export const storeUpload = operation({
  name: "store_upload",
  summary: "Upload a file",
  description:
    "Stores a file that recipes of the workspace read as a source of kind upload; the body is the file itself. " +
    "Earlier files of the same name are kept so that runs can be repeated. Files that no run has read are deleted " +
    "after 30 days. Send its SHA-256 as Content-Digest to have it checked. A large file can be sent in order in " +
    "parts of at most 16 MiB: each has its range in Content-Range and the SHA-256 of the complete file in " +
    "Repr-Digest, and gets 202 until the last. After an interruption, send Content-Range: bytes */<size> without a " +
    "body to learn how much has arrived: Upload-Offset says so, also in the 416 for a part at the wrong position, " +
    "and in the 409 if another part was stored there at the same time. Unfinished files are deleted two days after " +
    "their last part.",
  access: "upload",
  quota: "account",
  http: { method: "PUT", path: `${BUILD}/uploads/{name}`, status: 201 },
  input: {
    path: uploadPathSchema,
    query: z.strictObject({ file_name: z.string().max(255).optional().describe("The file's own name.") }),
    file: true,
  },
  output: storedSchema,
  errors: ["invalid_value", "conflict", "range_not_satisfiable", "daily_quota_exhausted", "busy"],
  async run({ path: { name }, query: { file_name: fileName = "" }, body }, ctx) {
    const { workspaceId } = membershipOf(ctx);
    requireName(name);
    if (holdsSecret(name) || holdsSecret(fileName))
      throw fail("invalid_value", { message: "The file's name seems to contain a secret. Rename it." });
    const { part } = body;
    const about = { workspaceId, name, fileName };
    if (part) await requireRoom(workspaceId, part.totalBytes, part.digest);
    else await requireRoom(workspaceId, body.declaredBytes ?? 0, body.declaredDigest ?? "");
    await requireFetchQuota(workspaceId, env().BUILD_BYTES_DAY, ctx.now());
    return receiving().run(workspaceId, async () =>
      part
        ? presentPart(await savePart(about, { ...body, part }, ctx), part)
        : present(await saveUpload(about, body, ctx)),
    );
  },
  reply: (output) => ({
    status: output.upload ? 201 : 202,
    headers: {
      ...{ "content-type": "application/json; charset=utf-8", "cache-control": "no-store" },
      ...(!output.upload && { "upload-offset": String(output.held_bytes) }),
    },
    body: { kind: "bytes", bytes: Buffer.from(JSON.stringify(output)) },
  }),
});

const present = ({ upload, again }: SavedUpload): Stored => ({
  upload: presentUpload(upload, true),
  outcome: again ? "unchanged" : "stored",
  held_bytes: Number(upload.bytes),
  next: `A recipe reads it as {"kind":"upload","upload":"${upload.name}"}. Inspect it to have its reader proposed.`,
});

const presentPart = (saved: SavedUpload | { storedBytes: number }, { totalBytes }: FilePart): Stored =>
  "upload" in saved
    ? present(saved)
    : {
        ...{ upload: null, outcome: "partial", held_bytes: saved.storedBytes },
        next: `Send the next part, which begins at byte ${saved.storedBytes} of ${totalBytes}.`,
      };

function requireName(name: string): void {
  const { success, error } = uploadNameSchema.safeParse(name);
  if (success) return;
  const message = `Invalid name: ${name.slice(0, 100)}. ${error.issues[0]?.message ?? ""}`;
  throw failWith([{ pointer: "", code: "invalid_value", message }]);
}

/** DELETE the files under a name. */
export const deleteUpload = operation({
  name: "delete_upload",
  summary: "Delete an uploaded file",
  description:
    "Deletes every file with the name, or only the one with the digest; the newest remaining file is read from " +
    "then on. Runs that read a deleted file can no longer be repeated, but their results are kept. A digest also " +
    "deletes the unfinished file with that digest, under any name.",
  access: "uploads",
  quota: "account",
  http: { method: "DELETE", path: `${BUILD}/uploads/{name}` },
  input: { path: uploadPathSchema, query: z.strictObject({ digest: digestSchema.optional() }) },
  output: z.object({ deleted: z.int() }),
  async run({ path: { name }, query: { digest } }, ctx) {
    const { workspaceId } = membershipOf(ctx);
    const which = { workspaceId, name, digest: digest?.slice("sha256:".length) };
    const deleted = await withBlobsLock(async () => {
      const gone = await deleteUploads(which, builderAuthor(ctx));
      for (const blob of gone.unnamed) await blobStore().remove(blob);
      return gone.deleted + (await removeParts(which));
    });
    if (deleted === 0) throw fail("not_found", { message: `Unknown upload: ${name}. The workspace has no such file.` });
    return { deleted };
  },
});

async function removeParts({ workspaceId, digest }: { workspaceId: string; digest: string | undefined }) {
  const gone = (await listUnfinished(workspaceId)).filter((file) => file.digest === digest);
  for (const file of gone) await removeUnfinished(file);
  return gone.length;
}

const presentUnfinished = (file: StoredParts): UnfinishedUpload => ({
  name: file.name,
  file_name: file.fileName || null,
  content_digest: `sha256:${file.digest}`,
  held_bytes: file.storedBytes,
  total_bytes: file.totalBytes,
  changed_at: file.changedAt.toISOString(),
});

const presentUpload = (row: StoredUpload, isCurrent: boolean): Upload => ({
  name: row.name,
  content_digest: `sha256:${row.digest}`,
  bytes: Number(row.bytes),
  file_name: row.fileName || null,
  media_type: row.mediaType || null,
  stored_at: row.at.toISOString(),
  last_read_at: row.readAt?.toISOString() ?? null,
  current: isCurrent,
});
