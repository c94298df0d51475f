import { z } from "zod";
import { comparisonPage, datasetVersions } from "@/lib/describe/links";
import { stringifyExactJson } from "@/lib/formats/exact-json";
import { formatCount, formatPlural } from "@/lib/kernel/format";
import { type ToolReply, toolPart, type Viewed } from "@/lib/operations/tool-part";
import { type Comparison, comparisonSchema } from "@/lib/schemas/comparison";
import { type Versions, versionsSchema } from "@/lib/schemas/table";
import type { TableVersion } from "@/lib/store/datasets/tables";
import { secondsOf } from "./cited-read";
import { fitting } from "./fitting";

const BYTES_MAX = 9_000;
const EXAMPLES_BYTES_MAX = 2_500;
const EXAMPLES_DEFAULT = 3;
const EXAMPLES_MAX = 10;

const tableId = z.string().describe("A table_id, or dataset/table.");
const entrySchema = versionsSchema.shape.versions.element
  .pick({ number: true, label: true, version_id: true, published_at: true, rows: true, change: true })
  .extend({
    current: z.literal(true).optional(),
    other_labels: z.array(z.string()).optional(),
    notes: z.string().optional(),
  });

export const listVersionsTool = toolPart({
  title: "List a table's versions",
  description:
    "The immutable versions of a table, newest first: number, current, label (what its source calls it), day, rows, " +
    "and change from the previous one (first, appended, restated, columns_added, breaking, metadata). Read an older " +
    "one by sending its label, number or version_id as version_id, or as_of a date, to query_table.",
  input: z.strictObject({ table_id: tableId }),
  hasApp: true,
  toInput: ({ table_id }) => ({ path: { table_id } }),
  output: z.strictObject({ status: z.string(), table: z.string(), versions: z.array(entrySchema) }),
  view({ versions: all }: Versions, { located, ctx }: Viewed<unknown, TableVersion>): ToolReply {
    const entries = all.map(({ current, other_labels: others, notes, bytes: _b, content_digest: _c, ...version }) => ({
      ...version,
      ...(current && { current }),
      ...(others.length > 0 && { other_labels: others }),
      ...(notes !== null && { notes }),
    }));
    const versions = fitting(entries, BYTES_MAX, 1);
    const isWhole = versions.length === all.length;
    const status = isWhole
      ? `COMPLETE: ${formatCount(all.length)} version${all.length === 1 ? "" : "s"}`
      : `PARTIAL: the newest ${formatCount(versions.length)} of ${formatCount(all.length)} versions`;
    const table = `${located.datasetSlug}/${located.tableSlug}`;
    const text = [`${status} of ${table}`, ...versions.map(versionLine)].join("\n");
    const digests = Object.fromEntries(
      all.slice(0, versions.length).map((one) => [one.version_id, one.content_digest]),
    );
    const page = datasetVersions(ctx.baseUrl, located.datasetSlug);
    return {
      structured: { status, table, versions },
      text,
      app: { kind: "versions", table: shown(located, page), digests },
    };
  },
});

function versionLine(version: z.output<typeof entrySchema>): string {
  const { number, current, label, other_labels: others = [], version_id, published_at: at, rows, change } = version;
  const names = [
    `number ${number}`,
    ...(current ? ["current"] : []),
    ...(label === null ? [] : [label]),
    ...others.map((other) => `also ${other}`),
  ];
  const facts = [...names, at.slice(0, 10), `${formatCount(rows)} rows`, change, version_id];
  return `${facts.join(" | ")}${version.notes === undefined ? "" : ` | ${stringifyExactJson(version.notes)}`}`;
}

const sideSchema = comparisonSchema.shape.from.pick({ version_id: true, number: true, label: true, rows: true });
const { rows } = comparisonSchema.shape;
const examplesSchema = rows.unwrap().shape.examples;

export const compareVersionsTool = toolPart({
  title: "Compare two versions of a table",
  description:
    "What changed between two versions: how many rows were added, removed, changed and unchanged (matched by primary " +
    "key, or as whole rows if there is none), which columns, and example rows.",
  input: z.strictObject({
    table_id: tableId,
    from: z.string().max(64).describe("The older version: label, number or version_id."),
    to: z.string().max(64).describe("The newer one."),
    examples: z.int().min(0).max(EXAMPLES_MAX).default(EXAMPLES_DEFAULT).describe("Example rows per kind of change."),
  }),
  hasApp: true,
  toInput: ({ table_id, ...query }) => ({ path: { table_id }, query }),
  output: z.strictObject({
    status: z.string(),
    from: sideSchema,
    to: sideSchema,
    columns: z.looseObject({}).describe("Added, removed, retyped, described, perhaps_renamed, reordered."),
    rows: rows.unwrap().pick({ added: true, removed: true, changed: true, unchanged: true }).loose().nullable(),
    examples: z.looseObject({}).describe("Rows added, removed and changed."),
    citation: z.string(),
  }),
  view(comparison: Comparison, { located, ctx }: Viewed<unknown, TableVersion>): ToolReply {
    const { from, to, columns, rows } = comparison;
    const status = statusOf(comparison);
    const citation =
      `Cite: ${located.datasetSlug}, table ${located.tableName}, versions ${from.version_id} ` +
      `(${from.content_digest}) and ${to.version_id} (${to.content_digest}), queried ${secondsOf(ctx.now())}`;
    const { examples = NO_EXAMPLES, columns: _compared, ...counts } = rows ?? {};
    const few = {
      added: fitting(examples.added, EXAMPLES_BYTES_MAX, 0),
      removed: fitting(examples.removed, EXAMPLES_BYTES_MAX, 0),
      changed: fitting(examples.changed, EXAMPLES_BYTES_MAX, 0),
    };
    const structured = {
      status,
      from: sideOf(from),
      to: sideOf(to),
      columns: { ...columns, described: columns.described.map(({ name }) => name) },
      rows: rows && counts,
      examples: few,
      citation,
    };
    const page = comparisonPage(ctx.baseUrl, located.datasetSlug, {
      table: located.tableSlug,
      from: from.version_id,
      to: to.version_id,
    });
    const text = [status, ...linesOf(structured), citation].join("\n");
    return { structured, text, app: { kind: "comparison", table: shown(located, page) } };
  },
});

const shown = ({ datasetSlug: dataset, tableName: name }: TableVersion, page: string) => ({ dataset, name, page });

const NO_EXAMPLES: z.output<typeof examplesSchema> = { added: [], removed: [], changed: [] };

const sideOf = ({ version_id, number, label, rows: count }: Comparison["from"]) => ({
  version_id,
  number,
  label,
  rows: count,
});

function statusOf({ from, to, rows: counts }: Comparison): string {
  const names = `From ${nameOf(from)} to ${nameOf(to)}`;
  if (!counts) return `COMPLETE: ${names}: the versions have no column in common, so no rows were compared`;
  const changed = counts.changed === null ? [] : [`${formatCount(counts.changed)} changed`];
  const figures = [
    `${formatPlural(counts.added, "row")} added`,
    `${formatCount(counts.removed)} removed`,
    ...changed,
    `${formatCount(counts.unchanged)} unchanged`,
  ];
  const how = counts.compared_by === "primary_key" ? `matched by ${counts.key.join(", ")}` : "as whole rows";
  return `COMPLETE: ${names}: ${figures.join(", ")} (${how})`;
}

const nameOf = ({ label, number }: Comparison["from"]): string => label ?? `number ${number}`;

/** The structured content as text: one line for each kind of change that occurs. */
function linesOf({ columns, rows, examples }: StructuredComparison): string[] {
  const named = [
    ["columns added", columns.added.map(({ name, type }) => `${name} (${type})`)],
    ["columns removed", columns.removed.map(({ name }) => name)],
    ["columns retyped", columns.retyped.map(({ name, from, to }) => `${name} (${from} to ${to})`)],
    ["perhaps renamed", columns.perhaps_renamed.map(({ from, to }) => `${from} to ${to}`)],
    ["columns redescribed", columns.described],
    ["changed cells by column", (rows?.changed_columns ?? []).map(({ name, rows: count }) => `${name} ${count}`)],
  ] as const;
  const lists = [
    ["added", examples.added],
    ["removed", examples.removed],
    ["changed", examples.changed],
  ] as const;
  return [
    ...named.flatMap(([what, list]) => (list.length === 0 ? [] : [`${what}: ${list.join(", ")}`])),
    ...lists.flatMap(([what, list]) => (list.length === 0 ? [] : [`${what}, such as: ${stringifyExactJson(list)}`])),
  ];
}

interface StructuredComparison {
  columns: Omit<Comparison["columns"], "described"> & { described: string[] };
  rows: Partial<Omit<NonNullable<Comparison["rows"]>, "examples" | "columns">> | null;
  examples: z.output<typeof examplesSchema>;
}
