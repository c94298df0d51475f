import { z } from "zod";
import { membershipOf } from "@/lib/access/authorize";
import { datasetPage } from "@/lib/describe/links";
import { fail } from "@/lib/kernel/errors";
import { holdsSecret } from "@/lib/kernel/secret-forms";
import { operation } from "@/lib/operations/operation";
import { addNote } from "@/lib/store/datasets/notes";
import { onlyOnce } from "@/lib/store/runs/idempotency";
import { findRun } from "@/lib/store/runs/runs";
import { BUILD, datasetPathSchema, idempotencyKeySchema, locateBuilt } from "./build-path";
import { builderOf } from "./builder";

/** POST a note about a dataset, a run or a table. */
export const writeNote = operation({
  name: "write_note",
  summary: "Write a note",
  description: "Adds a note to a dataset, for members and later agents. Notes are never changed.",
  access: "build",
  quota: "account",
  http: { method: "POST", path: `${BUILD}/datasets/{dataset}/notes`, status: 201 },
  input: {
    path: datasetPathSchema,
    body: z.strictObject({
      text: z.string().min(1).max(10_000).describe("Markdown."),
      run_id: z.uuid().optional(),
      table: z.string().max(100).optional(),
      idempotency_key: idempotencyKeySchema,
    }),
  },
  output: z.object({ note_id: z.uuid(), at: z.iso.datetime(), url: z.url() }),
  errors: ["invalid_value", "idempotency_key_reused"],
  examples: { body: { text: "The office revised October on 2 November." } },
  locate: locateBuilt,
  async run({ located, body: { idempotency_key: key, text, run_id: runId, table } }, ctx) {
    if (holdsSecret(text)) throw fail("invalid_value", { message: "The note seems to contain a secret. Remove it." });
    const { workspaceId } = membershipOf(ctx);
    if (runId !== undefined && !(await findRun(workspaceId, runId))) throw fail("not_found");
    const call = { workspaceId, key, tool: "write_note", args: [located.id, text, runId, table], now: ctx.now() };
    return onlyOnce(call, async () => {
      const actor = builderOf(ctx);
      const note = await addNote({ datasetId: located.id, runId, tableSlug: table, body: text, actor, at: ctx.now() });
      return { note_id: note.id, at: note.at.toISOString(), url: datasetPage(ctx.baseUrl, located.slug) };
    });
  },
  mcp: {
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  },
});
