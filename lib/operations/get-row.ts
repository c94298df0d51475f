import { z } from "zod";
import { readerOf } from "@/lib/access/actor";
import { querySubject } from "@/lib/access/quotas";
import { citeAs, citedVersion } from "@/lib/describe/citation";
import { rowPage } from "@/lib/describe/links";
import { VERSION_HELP, versionNameSchema } from "@/lib/engine/grammar/version-choice";
import { runPreview } from "@/lib/engine/run/preview";
import { parseExactJson } from "@/lib/formats/exact-json";
import { fail } from "@/lib/kernel/errors";
import { formatCount, formatPlural } from "@/lib/kernel/format";
import { locateChosen, locateTable, tablePathSchema } from "@/lib/operations/reading/locate-table";
import { sealedVersion } from "@/lib/operations/reading/read-version";
import { type TableRow, tableRowSchema } from "@/lib/schemas/table";
import type { TableVersion } from "@/lib/store/datasets/tables";
import { locateDataset } from "./get-dataset";
import { presentVersion } from "./get-schema";
import { operation } from "./operation";

/** Total characters of all long cells, shared among them. */
const CHARACTERS_MAX = 262_144;
const CELL_MAX = 49_152;

const querySchema = z.strictObject({ version_id: versionNameSchema.optional().describe(VERSION_HELP) });
const pathSchema = tablePathSchema.extend({
  position: z.string().describe("The row's position in the version's stored order, from 1."),
});

/** GET one row of an immutable version by its position, with its citation. */
export const getRow = operation({
  name: "get_row",
  summary: "Get a row",
  description:
    "One row of a version by its position in the stored order, from 1, with every column, its citation and the URL " +
    "of its page. Versions never change, so position and version always identify the same row. Cells over 49,152 " +
    "characters (fewer in tables of more than five columns) are truncated and listed in truncated_cells.",
  access: "open",
  quota: "catalogue",
  http: { method: "GET", path: "/api/v2/public/tables/{table_id}/rows/{position}" },
  input: { path: pathSchema, query: querySchema },
  output: tableRowSchema,
  errors: ["invalid_value", "version_withdrawn", "integrity_failure", "busy", "query_timeout", "storage_timeout"],
  locate: ({ table_id }, ctx) => locateTable(table_id, readerOf(ctx)),
  async run({ path, query, located }, ctx): Promise<TableRow> {
    const version = await locateChosen(located, query, "?", ctx.now());
    const position = positionIn(version, path.position);
    const caller = { subject: querySubject(ctx), signal: ctx.signal };
    const columns = Math.max(1, version.columns.length);
    const cellMax = Math.min(CELL_MAX, Math.ceil(CHARACTERS_MAX / columns));
    const [record, read] = await Promise.all([
      locateDataset(version.datasetSlug, readerOf(ctx)),
      ctx
        .engine()
        .then((engine) =>
          runPreview(engine, sealedVersion(version), { position: position - 1, rows: 1, cellMax }, caller),
        ),
    ]);
    const url = rowPage(ctx.baseUrl, version, position);
    const [row = {}] = parseExactJson(Buffer.from(read.rowsJson).toString()) as TableRow["row"][];
    return {
      schema_version: "service-public-table-row.v1",
      table: presentVersion(version),
      position,
      columns: read.columns,
      row,
      truncated_cells: read.truncatedCells.map(({ column }) => column),
      url,
      citation: `${citeAs(citedVersion(record, version, ctx.baseUrl)).text}. Row ${position}: ${url}`,
    };
  },
});

/** A whole number from 1 to the number of rows; fails with `not_found`. */
function positionIn(version: TableVersion, text: string): number {
  const position = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : Number.NaN;
  if (position <= version.rows) return position;
  const message =
    version.rows === 0
      ? "No such row: this version has no rows."
      : `No such row: ${JSON.stringify(text.slice(0, 20))}. This version has ${formatPlural(version.rows, "row")}.`;
  const fix =
    version.rows === 0 ? "Read another version." : `Use a whole number from 1 to ${formatCount(version.rows)}.`;
  throw fail("not_found", { message, fix });
}
