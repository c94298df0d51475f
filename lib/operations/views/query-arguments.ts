import { LosslessNumber } from "lossless-json";
import { z } from "zod";
import { readerOf } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import { COLUMNS_MAX } from "@/lib/engine/grammar/bounds";
import { querySchema } from "@/lib/engine/grammar/grammar";
import { distanceName } from "@/lib/engine/plan/near";
import { AGGREGATES } from "@/lib/engine/types/aggregates";
import { BUCKETS } from "@/lib/engine/types/buckets";
import { DERIVATIONS } from "@/lib/engine/types/derivations";
import { OPERATORS } from "@/lib/engine/types/operators";
import { env } from "@/lib/kernel/env";
import { failWith } from "@/lib/kernel/errors";
import { locateChosen, locateTable } from "@/lib/operations/reading/locate-table";

export const ROWS_DEFAULT = 50;
/** An explicit limit of up to this many rows is a top N of the order, not a page. */
const TOP_ROWS_MAX = 10;

type Values = Readonly<Record<string, unknown>>;

const namesOf = (table: object) => Object.keys(table) as [string, ...string[]];
/** Notes are always requested. */
const { notes: _, ...shape } = querySchema.shape;
const filter = shape.filters.unwrap().element;
const scalar = z.union([z.string(), z.number(), z.boolean()]);
const column = z.string();
const filters = z.array(
  filter.extend({
    column: z.string(),
    operator: z.enum(namesOf(OPERATORS)),
    ignore_case: z.boolean().optional().describe("Strings."),
    value: z
      .union([scalar, z.array(scalar)])
      .optional()
      .describe("A list for between (low, high), in; none for is_null."),
  }),
);
const aggregate = shape.aggregates.unwrap().element;
/** Filters are described once, since the schema is part of every conversation. */
const moreFilters = z.array(z.unknown().meta({ type: "object" }));
/** An object whose keys its description lists, in fewer words than a schema. */
const described = (text: string) => z.unknown().meta({ type: "object" }).optional().describe(text);
const order = shape.order_by.unwrap().element;
const bucketed = z.strictObject({
  column,
  bucket: z.enum(namesOf(BUCKETS)).optional().describe("element: items of lists."),
  width: z.number().optional(),
  as: z.string().optional(),
  zone: z.string().optional().describe("IANA, of timestamps."),
});

/** The arguments of query_table as described to a model; the operation itself validates them by the grammar. */
export const queryArguments = z.strictObject({
  table_id: z.string().describe("A table_id, or dataset/table."),
  ...shape,
  columns: z.array(column).optional().describe("Default: all; none in grouped queries."),
  filters: filters.optional().describe("All must match."),
  order_by: z
    .array(
      order.extend({
        column: column.describe("A column, group or alias."),
        direction: z.enum(["asc", "desc"]).optional(),
      }),
    )
    .optional()
    .describe("Nulls last."),
  limit: z.int().min(1).max(env().ROWS_KEY).optional().describe(`Default: ${ROWS_DEFAULT}.`),
  offset: z.int().min(0).optional(),
  cursor: z.string().optional().describe("next_cursor, with the same arguments."),
  group_by: z.array(z.union([column, bucketed])).optional(),
  aggregates: z
    .array(
      aggregate.extend({
        function: z.enum(namesOf(AGGREGATES)),
        as: z.string(),
        filters: moreFilters.optional().describe("Like filters. share takes these or of."),
        with: column.optional().describe("corr, slope: the other column."),
        of: z.array(column).optional().describe("share: groups; [] for all rows."),
      }),
    )
    .optional(),
  having: moreFilters.optional().describe("Like filters, over groups and aliases."),
  derive: z
    .array(
      z.strictObject({
        as: z.string(),
        function: z.enum(namesOf(DERIVATIONS)),
        of: z.string(),
        over: z.string().optional(),
        size: z.int().optional(),
        by: z.array(z.string()).optional(),
        direction: z.enum(["asc", "desc"]).optional(),
      }),
    )
    .optional()
    .describe("From the results of groups before."),
  search: described("{text, columns}: text in a string column (default: any), ignoring case."),
  near: described("{latitude, longitude: columns, of: [lat, lon], km}: rows so near, and distance_km."),
  lookups: z
    .array(z.unknown().meta({ type: "object" }))
    .optional()
    .describe("{table_id, on: {its key: my column}, columns, as: f}: columns of other tables, as f.column."),
  cell: described("{column, offset}: a long string in parts, of the only row that matches."),
  total: z.boolean().optional().describe("Counts all."),
  top: described("{by: columns, count}: the first of each, in order_by."),
  version_id: z.string().optional().describe("UUID, label or number. Default: current."),
  as_of: z.string().optional().describe("Instead of version_id: a date or UTC timestamp."),
  int64: z.enum(["number", "string"]).optional().describe("string: int64, decimals as strings."),
});

/** The query alone, by its members' types: for a tool whose description refers to those of query_table. */
export const briefQuery: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  Object.entries((z.toJSONSchema(queryArguments, { io: "input", unrepresentable: "any" }) as Listed).properties)
    .filter(([name]) => !["table_id", "version_id", "as_of"].includes(name))
    .map(([name, { type }]) => [name, z.unknown().meta({ type }).optional()]),
);
type Listed = { properties: Record<string, { type?: string }> };

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > 0;

export const isGrouped = ({ group_by, aggregates }: Values): boolean => isList(group_by) || isList(aggregates);

/**
 * The N of a query for the top N rows of an order; undefined for a page of rows. One more is read, to see whether it is
 * tied with the last one.
 */
export function topOf(args: Values): number | undefined {
  const limit = Number(args.limit ?? Number.NaN);
  const isTop = isList(args.order_by) && args.cursor === undefined && Number.isInteger(limit) && limit > 0;
  return isTop && limit < env().ROWS_KEY && (isGrouped(args) || limit <= TOP_ROWS_MAX) ? limit : undefined;
}

/** The query of a tool's arguments: absent columns mean all, and for a top N one more row is read. */
export async function queryOf(args: Values, ctx: Context): Promise<{ path: { table_id: string }; body: Values }> {
  const { table_id, ...body } = args;
  if (typeof table_id !== "string")
    throw failWith([{ pointer: "/table_id", code: "invalid_request", message: "Send the table's id as table_id." }]);
  const path = { table_id };
  const top = topOf(args);
  const limit = top === undefined ? (body.limit ?? new LosslessNumber(String(ROWS_DEFAULT))) : exact(top + 1);
  const columns = body.columns ?? (isGrouped(body) ? [] : await allColumns(path.table_id, body, ctx));
  return { path, body: { notes: true, ...body, columns, limit, ...(top !== undefined && { total: true }) } };
}

const exact = (number: number) => new LosslessNumber(String(number));

async function allColumns(
  tableId: string,
  { version_id, as_of, near, lookups }: Values,
  ctx: Context,
): Promise<string[]> {
  const choice = {
    ...(typeof version_id === "string" && { version_id }),
    ...(typeof as_of === "string" && { as_of }),
  };
  const version = await locateChosen(await locateTable(tableId, readerOf(ctx)), choice, "/", ctx.now());
  const distance = shape.near.safeParse(near).data;
  const found = shape.lookups.safeParse(lookups).data ?? [];
  const added = [
    ...found.flatMap(({ as, columns }) => columns.map((name) => `${as}.${name}`)),
    ...(distance ? [distanceName(distance)] : []),
  ];
  const own = version.columns.map(({ name }) => name).slice(0, Math.max(0, COLUMNS_MAX - added.length));
  return [...own, ...added];
}
