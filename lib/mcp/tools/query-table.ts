import { LosslessNumber } from "lossless-json";
import { z } from "zod";
import { querySchema } from "@/lib/engine/grammar/grammar";
import { parseExactJson } from "@/lib/formats/exact-json";
import { failWith } from "@/lib/kernel/errors";
import { citationLine, citationSchema, cite } from "@/lib/mcp/citation";
import { rowText } from "@/lib/mcp/row-text";
import { plainArguments, READING, type Tool, type ToolReply } from "@/lib/mcp/tool";
import { execute } from "@/lib/operations/execute";
import { queryTable } from "@/lib/operations/query-table";
import { queryReplySchema } from "@/lib/schemas/query-reply";

const ROWS_DEFAULT = "50";
/** Of the rows' JSON: the text holds them a second time, and both stay under 10,000 tokens. */
const BYTES_MAX = 11_000;

type QueryReply = z.output<typeof queryReplySchema>;

/** The REST query, its arguments read from the request's own digits, in pages that a model can read. */
export const queryTableTool: Tool = {
  name: "query_table",
  title: "Query a table",
  description:
    "Queries one table: filters (ANDed; contains, starts_with, ends_with for string only; no gt to between for " +
    "uuid, time; lists, structs and json take is_null, is_not_null only), order_by, pagination, or group_by with " +
    "aggregates. Let it count and sum instead of reading rows: " +
    '{"columns":[],"aggregates":[{"function":"count","as":"n"}],"filters":[…]}. columns is required, and [] in ' +
    "grouped queries. Timestamps are YYYY-MM-DDThh:mm:ssZ, numbers are JSON numbers. limit defaults to 50. A first " +
    "line PARTIAL means that more rows exist: narrow, aggregate, or pass next_cursor as cursor with the same " +
    "arguments (groups have no cursor: raise limit). Requires a use key or a connection.",
  access: "connector_read",
  hints: READING,
  input: z.strictObject({
    table_id: z.string().describe("A tableId."),
    ...querySchema.shape,
    limit: querySchema.shape.limit.describe(`Rows or groups per page; default ${ROWS_DEFAULT}.`),
  }), // the operation itself checks all but table_id
  output: queryReplySchema
    .omit({ execution: true, query_id: true, table: true })
    .extend({ returned_rows: z.int(), truncated: z.boolean(), citation: citationSchema }),
  async call(args, ctx): Promise<ToolReply> {
    const { table_id, ...body } = (args ?? {}) as Record<string, unknown>;
    if (typeof table_id !== "string")
      throw failWith([{ pointer: "/table_id", code: "invalid_request", message: "Send the tableId as table_id." }]);
    const query = { limit: new LosslessNumber(ROWS_DEFAULT), ...body };
    const answer = await execute(
      queryTable,
      { path: { table_id }, body: query as never },
      { ...ctx, pageBytesMax: BYTES_MAX },
    );
    const reply = parseExactJson(Buffer.from(answer.page.body).toString()) as QueryReply;
    return present(reply, {
      cited: cite(answer.version, ctx),
      grouped: answer.page.grouped,
      rowsTotal: answer.version.rows,
      args: plainArguments(args),
    });
  },
};

interface Asked {
  cited: ReturnType<typeof cite>;
  grouped: boolean;
  rowsTotal: number;
  args: Readonly<Record<string, unknown>>;
}

function present(
  { execution, query_id: _id, table: _table, ...reply }: QueryReply,
  { cited, grouped, rowsTotal, args }: Asked,
): ToolReply {
  const { truncated, returned_rows } = execution;
  const isWhole = !grouped && !(Array.isArray(args.filters) && args.filters.length > 0);
  const text = rowText({
    columns: reply.columns,
    rows: reply.rows,
    truncated,
    nextCursor: reply.next_cursor,
    grouped,
    ...(isWhole && { total: rowsTotal }),
    later: args.cursor !== undefined || Number(args.offset ?? 0) > 0,
  });
  const cursor = reply.next_cursor === null ? [] : [`next_cursor: ${reply.next_cursor}`];
  return {
    structured: { ...reply, returned_rows, truncated, citation: cited },
    text: [text, ...cursor, citationLine(cited)].join("\n"),
  };
}
