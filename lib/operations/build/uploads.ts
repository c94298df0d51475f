import { z } from "zod";
import { authorOf } from "@/lib/access/author";
import { membershipOf } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import { env } from "@/lib/kernel/env";
import { fail, failWith } from "@/lib/kernel/errors";
import { holdsSecret } from "@/lib/kernel/secret-forms";
import { asUpload } from "@/lib/limits/uploads-in-flight";
import type { FileBody } from "@/lib/operations/file-body";
import { operation } from "@/lib/operations/operation";
import { type Upload, uploadNameSchema, uploadSchema } from "@/lib/schemas/upload";
import { blobStore } from "@/lib/storage/blob-store";
import { withReceivedFile } from "@/lib/storage/receive-file";
import { noteFetchedBytes, requireFetchQuota } from "@/lib/store/builds/build-quota";
import {
  deleteUploads,
  listUploads as listStored,
  recordUpload,
  type StoredUpload,
  uploadedBytes,
  withUploadLock,
} from "@/lib/store/builds/uploads";
import { withBlobsLock } from "@/lib/store/versions";
import { BUILD, buildPathSchema } from "./build-path";
import { builderAuthor, builderOf } from "./builder";

const LISTED_MAX = 1000;

const uploadPathSchema = buildPathSchema.extend({ name: z.string().describe("What recipes call the file.") });
const digestSchema = z.string().regex(/^sha256:[0-9a-f]{64}$/, "Use sha256: and 64 hex digits.");

const listSchema = z.object({
  uploads: z.array(uploadSchema),
  bytes: z.int().describe("Of all of them, each file once."),
  bytes_max: z.int(),
});

/** GET the files that recipes of a workspace may read. */
export const listUploads = operation({
  name: "list_uploads",
  summary: "List uploaded files",
  description: "By name, the newest first. A recipe reads the newest of a name, unless it names a digest.",
  access: "member",
  quota: "account",
  http: { method: "GET", path: `${BUILD}/uploads` },
  input: { path: buildPathSchema },
  output: listSchema,
  async run(_input, ctx) {
    const { workspaceId } = membershipOf(ctx);
    const rows = await listStored(workspaceId, LISTED_MAX);
    return {
      uploads: rows.map((row, at) => presentUpload(row, rows[at - 1]?.name !== row.name)),
      bytes: await uploadedBytes(workspaceId),
      bytes_max: env().UPLOADS_BYTES_WORKSPACE,
    };
  },
});

/** PUT a file that recipes read by its name. */
export const storeUpload = operation({
  name: "store_upload",
  summary: "Upload a file",
  description:
    "Stores a file that recipes of the workspace read as a source of kind upload; the body is the file itself. An " +
    "earlier file of the same name is kept for runs that are repeated. Files that no run has read are deleted after " +
    "30 days. Send its SHA-256 as Content-Digest to have it checked.",
  access: "upload",
  quota: "account",
  http: { method: "PUT", path: `${BUILD}/uploads/{name}`, status: 201 },
  input: {
    path: uploadPathSchema,
    query: z.strictObject({ file_name: z.string().max(255).optional().describe("The file's own name.") }),
    file: true,
  },
  output: z.object({
    upload: uploadSchema,
    outcome: z.enum(["stored", "unchanged"]).describe("unchanged: the newest file of the name has these bytes."),
    next: z.string(),
  }),
  errors: ["invalid_value", "conflict", "daily_quota_exhausted", "busy"],
  async run({ path: { name }, query: { file_name: fileName = "" }, body }, ctx) {
    const { workspaceId } = membershipOf(ctx);
    requireName(name);
    if (holdsSecret(name) || holdsSecret(fileName))
      throw fail("invalid_value", { message: "The file's name seems to contain a secret. Rename it." });
    await requireRoom(workspaceId, body.declaredBytes ?? 0, body.declaredDigest ?? "");
    await requireFetchQuota(workspaceId, env().BUILD_BYTES_DAY, ctx.now());
    const { upload, again } = await asUpload(workspaceId, () => store({ workspaceId, name, fileName }, body, ctx));
    return {
      upload: presentUpload(upload, true),
      outcome: again ? ("unchanged" as const) : ("stored" as const),
      next: `A recipe reads it as {"kind":"upload","upload":"${name}"}. Inspect it to have its reader proposed.`,
    };
  },
});

function requireName(name: string): void {
  const { success, error } = uploadNameSchema.safeParse(name);
  if (success) return;
  const message = `Invalid name: ${name.slice(0, 100)}. ${error.issues[0]?.message ?? ""}`;
  throw failWith([{ pointer: "", code: "invalid_value", message }]);
}

type About = Record<"workspaceId" | "name" | "fileName", string>;

function store(about: About, { chunks, declaredBytes, declaredDigest, mediaType }: FileBody, ctx: Context) {
  const { workspaceId } = about;
  let arrived = 0;
  const counted = async function* () {
    for await (const chunk of chunks) {
      arrived += chunk.byteLength;
      yield chunk;
    }
  };
  return withReceivedFile(counted(), { bytesMax: env().UPLOAD_BYTES, declaredBytes }, async (file) => {
    const { bytes, digest, path } = file;
    if (bytes === 0) throw fail("invalid_value", { message: "The file is empty. Nothing was stored." });
    if (declaredDigest !== undefined && declaredDigest !== digest)
      throw fail("invalid_value", {
        message: `The file arrived with SHA-256 ${digest}, not ${declaredDigest}. Nothing was stored. Send it again.`,
      });
    return withUploadLock(workspaceId, async () => {
      await requireRoom(workspaceId, bytes, digest);
      await blobStore().put(digest, path);
      const actor = builderOf(ctx);
      return recordUpload({ ...about, digest, bytes, mediaType, actor, at: ctx.now() }, builderAuthor(ctx));
    });
  }).finally(() => (arrived > 0 ? noteFetchedBytes(workspaceId, arrived, ctx.now()) : undefined));
}

async function requireRoom(workspaceId: string, bytes: number, digest: string): Promise<void> {
  const { UPLOADS_BYTES_WORKSPACE } = env();
  const stored = await uploadedBytes(workspaceId, digest);
  if (stored + bytes <= UPLOADS_BYTES_WORKSPACE) return;
  const most = UPLOADS_BYTES_WORKSPACE.toLocaleString("en");
  const message = `The workspace's uploads would exceed ${most} bytes. Delete files first. Nothing was stored.`;
  throw fail("conflict", { message });
}

/** DELETE the files under a name. */
export const deleteUpload = operation({
  name: "delete_upload",
  summary: "Delete an uploaded file",
  description:
    "Deletes every file of the name, or the one with the digest; the newest that remains is read from then on. Runs " +
    "that read a deleted file can no longer be repeated. What they made stays.",
  access: "member",
  quota: "account",
  http: { method: "DELETE", path: `${BUILD}/uploads/{name}` },
  input: { path: uploadPathSchema, query: z.strictObject({ digest: digestSchema.optional() }) },
  output: z.object({ deleted: z.int() }),
  async run({ path: { name }, query: { digest } }, ctx) {
    const { workspaceId } = membershipOf(ctx);
    const which = { workspaceId, name, digest: digest?.slice("sha256:".length) };
    const deleted = await withBlobsLock(async () => {
      const gone = await deleteUploads(which, authorOf(ctx));
      for (const blob of gone.unnamed) await blobStore().remove(blob);
      return gone.deleted;
    });
    if (deleted === 0) throw fail("not_found", { message: `The workspace has no such upload: ${name}.` });
    return { deleted };
  },
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
