import type { Context } from "@/lib/access/context";
import { requireHostedDay, requireRoom, takeHostedDay } from "@/lib/access/quotas";
import { PARQUET_MEDIA } from "@/lib/formats/parquet-media";
import { env } from "@/lib/kernel/env";
import { Failure, fail } from "@/lib/kernel/errors";
import { operation, type Reply } from "@/lib/operations/operation";
import { isUnchanged } from "@/lib/operations/reading/preconditions";
import { recordFileDownload } from "@/lib/operations/reading/record-download";
import { openVerified } from "@/lib/storage/read-blob";
import type { VerifiedBlob } from "@/lib/storage/verified-blob";
import type { HostedRelease, HostedTable } from "@/lib/store/datasets/activations";
import { hostedPathSchema, type Located, locateHosted, releaseTag } from "./locate-hosted";

interface Answer {
  table: HostedTable;
  release: HostedRelease;
  /** Absent if the client already has these bytes. */
  blob?: VerifiedBlob;
}

/** GET the whole Parquet file of a table that a subscriber built and activated. */
export const hostedCurrent = operation({
  name: "hosted_current",
  summary: "Download a hosted table",
  description:
    "The whole Parquet file of the table's latest passing release. The release is resolved once and its file is " +
    "verified against the recorded SHA-256 before the first byte is sent, whatever is released in the meantime. " +
    "If-None-Match avoids downloading an unchanged file, and 304 is not counted. No byte ranges, no redirects.",
  access: "hosted",
  quota: "own",
  http: { method: "GET", path: "/api/v2/tables/{table_id}/current" },
  input: { path: hostedPathSchema },
  output: { mediaType: PARQUET_MEDIA },
  errors: ["no_passing_release", "artifact_too_large", "integrity_failure", "busy", "storage_timeout"],
  replyHeaders: {
    ETag: "Strong ETag derived from the SHA-256 of the file.",
    "Content-Digest": "RFC 9530 digest of the bytes sent.",
    "X-Service-Content-Digest": "The same digest as sha256:<hex>.",
    "Content-Disposition": "File name: the dataset, table and version.",
    "Accept-Ranges": "none",
  },
  locate: ({ table_id }, ctx) => locateHosted("hosted-current", table_id, ctx),
  async run({ located }, ctx): Promise<Answer> {
    const { table } = located;
    const { release } = table;
    if (!release)
      throw fail("no_passing_release", { message: "The table has no passing release yet. Promote one first." });
    if (release.bytes > env().ARTIFACT_BYTES)
      throw fail("artifact_too_large", { message: "The release is too large to be served in one reply." });
    if (!release.isConsistent) throw incident(table, release, "its record is inconsistent");
    if (isUnchanged(ctx, releaseTag(release))) return { table, release };
    return { table, release, blob: await openCounted(located, release, ctx) };
  },
  reply: (answer, ctx) => ({
    status: answer.blob ? 200 : 304,
    headers: headersOf(answer),
    body: bodyOf(answer, ctx),
  }),
});

/** Opens the verified file; only then is a download counted against the key's daily quota. */
async function openCounted({ table, limits }: Located, release: HostedRelease, ctx: Context): Promise<VerifiedBlob> {
  requireRoom(ctx);
  await requireHostedDay(limits, ctx);
  const blob = await openVerified(release, ctx.signal && { signal: ctx.signal }).catch((error: unknown) => {
    const isWrong = error instanceof Failure && error.code === "integrity_failure";
    throw isWrong ? incident(table, release, "its stored bytes are not those recorded", error) : error;
  });
  try {
    await takeHostedDay(limits, ctx);
  } catch (rejection) {
    await blob.close();
    throw rejection;
  }
  return blob;
}

/** The log's description of damage; the caller gets only the request's id. */
function incident(table: HostedTable, release: HostedRelease, what: string, error?: unknown): Failure {
  const { datasetSlug, tableSlug } = table;
  const about = `incident: version ${release.versionId} of ${datasetSlug}/${tableSlug} cannot be served: ${what}`;
  return fail("integrity_failure", { cause: new Error(about, { cause: error }) });
}

function headersOf({ table, release, blob }: Answer): Record<string, string> {
  const always = { etag: releaseTag(release), "cache-control": "private, no-cache", "accept-ranges": "none" };
  if (!blob) return always;
  const name = `${table.datasetSlug}-${table.tableSlug}-${release.versionId.slice(0, 8)}.parquet`;
  return {
    ...always,
    "content-type": PARQUET_MEDIA,
    "content-length": String(release.bytes),
    "content-disposition": `attachment; filename="${name}"`,
    "content-digest": `sha-256=:${Buffer.from(release.digest, "hex").toString("base64")}:`,
    "x-service-content-digest": `sha256:${release.digest}`,
  };
}

function bodyOf({ table, release, blob }: Answer, ctx: Context): Reply["body"] {
  if (!blob) return { kind: "none" };
  const path = `/api/v2/tables/${table.hostedId}/current`;
  const read = { tableId: table.tableId, ...release };
  return { kind: "file", blob, onSent: ({ complete }) => void (complete && recordFileDownload(read, path, ctx)) };
}
