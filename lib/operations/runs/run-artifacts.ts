import { z } from "zod";
import { membershipOf } from "@/lib/access/authorize";
import { Failure, fail } from "@/lib/kernel/errors";
import { BUILD, buildPathSchema, locateRun, runPathSchema } from "@/lib/operations/datasets/build-path";
import { operation } from "@/lib/operations/operation";
import { artifactStore } from "@/lib/storage/blob-store";
import { openVerified } from "@/lib/storage/read-blob";
import { findArtifact, listArtifacts } from "@/lib/store/runs/artifacts";

const INLINE_BYTES_MAX = 20_000;

const artifactSchema = z.object({
  artifact_id: z.uuid(),
  kind: z.string(),
  table: z.string().nullable(),
  name: z.string(),
  media_type: z.string(),
  bytes: z.number(),
  sha256: z.string(),
  expires_at: z.iso.datetime(),
  text: z.boolean(),
});

type Stored = Awaited<ReturnType<typeof listArtifacts>>[number];

const isText = ({ mediaType }: Stored): boolean => /^text\/|json$/.test(mediaType);

const present = (artifact: Stored): z.output<typeof artifactSchema> => ({
  artifact_id: artifact.id,
  kind: artifact.kind,
  table: artifact.tableSlug,
  name: artifact.name,
  media_type: artifact.mediaType,
  bytes: Number(artifact.bytes),
  sha256: artifact.digest,
  expires_at: artifact.expiresAt.toISOString(),
  text: isText(artifact),
});

/** GET the artifacts of a run. */
export const runArtifacts = operation({
  name: "run_artifacts",
  summary: "List a run's artifacts",
  description:
    "What a run keeps for a limited time: recipe, plan, sample tables, rejects, checks, lineage, rows around steps.",
  access: "build_read",
  quota: "account",
  http: { method: "GET", path: `${BUILD}/runs/{run_id}/artifacts` },
  input: { path: runPathSchema },
  output: z.object({ artifacts: z.array(artifactSchema) }),
  locate: locateRun,
  run: async ({ located }, ctx) => ({ artifacts: (await listArtifacts(located.id, ctx.now())).map(present) }),
  mcp: {},
});

/** An artifact that is missing or damaged is gone; one that storage does not return in time is not. */
export async function textOf(artifact: { digest: string; bytes: number }): Promise<string> {
  try {
    const { content } = await openVerified(artifact, {}, artifactStore());
    if (content.kind !== "bytes") throw fail("artifact_too_large");
    return content.bytes.toString("utf8");
  } catch (error) {
    throw error instanceof Failure && error.code === "integrity_failure" ? fail("not_found") : error;
  }
}

/** GET the text of an artifact. */
export const getArtifactDownload = operation({
  name: "get_artifact_download",
  summary: "Get an artifact",
  description: "The text of a small artifact: rejects, checks, plan, recipe or lineage. Read tables with query_run.",
  access: "build_read",
  quota: "account",
  http: { method: "GET", path: `${BUILD}/artifacts/{artifact_id}` },
  input: { path: buildPathSchema.extend({ artifact_id: z.string().max(100) }) },
  output: artifactSchema.extend({ content: z.string() }),
  errors: ["conflict", "artifact_too_large"],
  async run({ path }, ctx) {
    const artifact = await findArtifact(membershipOf(ctx).workspaceId, path.artifact_id, ctx.now());
    if (!artifact) throw fail("not_found", { message: "Unknown artifact. run_artifacts lists a run's artifacts." });
    if (!isText(artifact))
      throw fail("conflict", { message: "A table is not returned as text. Read it with query_run." });
    if (Number(artifact.bytes) > INLINE_BYTES_MAX) throw fail("artifact_too_large");
    return { ...present(artifact), content: await textOf({ ...artifact, bytes: Number(artifact.bytes) }) };
  },
  mcp: {},
});
