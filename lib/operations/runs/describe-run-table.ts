import { z } from "zod";
import { querySubject } from "@/lib/access/quotas";
import { presentColumns } from "@/lib/describe/present-columns";
import { COLUMNS_MAX } from "@/lib/engine/grammar/bounds";
import { profileRows } from "@/lib/engine/run/profile-rows";
import { parseQuery } from "@/lib/engine/run/query";
import { locateRun } from "@/lib/operations/datasets/build-path";
import { operation } from "@/lib/operations/operation";
import { cachedOutput } from "@/lib/operations/reading/cached-outputs";
import { columnSchema } from "@/lib/schemas/column";
import { timestampSchema } from "@/lib/schemas/timestamp";
import { hmacKey } from "@/lib/storage/secret";
import { profilesJson } from "@/lib/store/datasets/tables";
import { queryRun, runTable } from "./query-run";
import { runTableVersion } from "./run-table-version";

const outputSchema = z.strictObject({
  kind: z.enum(["sealed", "sample", "candidate", "rejects"]),
  rows: z.int().min(0),
  bytes: z.int().min(0),
  columns: z.array(columnSchema),
  published_at: timestampSchema.nullable().describe("When what was sealed was first made current, if it was."),
});

/**
 * What the studio's explorer needs to know about a table that a run made, only for pages. What was sealed has the
 * profiles of a version; of anything else only nulls are counted.
 */
export const describeRunTable = operation({
  name: "describe_run_table",
  summary: "Describe what a run made",
  description: "The columns and the size of a table of a run, for the page on which its rows are explored.",
  access: "build_read",
  quota: "account",
  input: { path: queryRun.input.path },
  output: outputSchema,
  errors: ["version_withdrawn", "integrity_failure", "busy", "query_timeout", "storage_timeout"],
  locate: locateRun,
  async run({ located, path }, ctx) {
    const table = await runTable(located, path.table, ctx.now());
    const { id, kind, rows, bytes, columns } = table;
    return await cachedOutput(`run table ${id} ${table.publishedAt?.getTime() ?? ""}`, async () => {
      const profiles = kind === "sealed" ? await profilesJson(id) : await nullsOf();
      const published_at = table.publishedAt?.toISOString() ?? null;
      const output = { kind, rows, bytes, columns: presentColumns(columns, profiles), published_at };
      return { output, size: profiles.length };
    });

    async function nullsOf(): Promise<string> {
      const found: [string, { null_count: number }][] = [];
      for (let from = 0; from < columns.length; from += COLUMNS_MAX) {
        const some = columns.slice(from, from + COLUMNS_MAX).map(({ name }) => name);
        const body = parseQuery({ columns: some }, { rowsMax: Infinity, bytesMax: Infinity });
        const counted = await profileRows(await ctx.engine(), runTableVersion(table), body, (column) => ({ column }), {
          secret: hmacKey("cursors"),
          caller: { subject: querySubject(ctx), signal: ctx.signal },
        });
        for (const { name, nulls } of counted.columns) found.push([name, { null_count: nulls }]);
      }
      return JSON.stringify(Object.fromEntries(found));
    }
  },
});
