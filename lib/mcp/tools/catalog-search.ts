import { z } from "zod";
import { formatCount } from "@/lib/kernel/format";
import { beginning } from "@/lib/mcp/beginning";
import { fitting } from "@/lib/mcp/fitting";
import { READING, tool } from "@/lib/mcp/tool";
import { searchSources, sourceSearchSchema } from "@/lib/operations/search-sources";
import { type Source, type Sweep, sourceCatalogueSchema, sourceSchema, sweepSchema } from "@/lib/schemas/source";

const COLUMNS_MAX = 20;
const DESCRIPTION_MAX = 300;
const ORIGINS_MAX = 5;
/** Of one source's columns, and of its origins: one alone must be readable too. */
const PART_BYTES_MAX = 3_000;
/** Of the sources' JSON; the text holds them a second time. */
const BYTES_MAX = 15_000;

export const catalogSearchTool = tool({
  name: "catalog_search",
  title: "Search a provider's sources",
  description:
    "Searches a fixed snapshot of one provider's public sources, harvested at sweep.swept_at with coverage " +
    "sweep.coverage. These are not the datasets published here and cannot be queried; use search for those. " +
    "license_state unknown means that the provider states no licence: do not assume one. Requires a use key or " +
    "a connection.",
  access: "connector_read",
  hints: READING,
  input: sourceSearchSchema,
  output: sourceCatalogueSchema.extend({
    sweep: sweepSchema.omit({ document_digest: true, homepage: true }).nullable(),
    sources: z.array(sourceSchema.omit({ license_url: true }).extend({ columns_total: z.int() })),
  }),
  async call(query) {
    const found = await searchSources(query);
    const sources = fitting(found.sources.map(shortSource), BYTES_MAX, 1);
    const structured = { ...found, sweep: shortSweep(found.sweep), sources, truncated: sources.length < found.total };
    return {
      structured,
      text: [sweepLine(found.sweep), foundLine(found.total, sources.length), ...sources.map(sourceLine)].join("\n"),
    };
  },
});

function shortSource({ license_url: _, description, columns, origins, ...source }: Source): ShownSource {
  return {
    ...source,
    description: description.length > DESCRIPTION_MAX ? `${beginning(description, DESCRIPTION_MAX)}…` : description,
    columns: fitting(columns.slice(0, COLUMNS_MAX), PART_BYTES_MAX, 0),
    columns_total: columns.length,
    origins: fitting(origins.slice(0, ORIGINS_MAX), PART_BYTES_MAX, 0),
  };
}

/** As of when, and of how much: what is not here may well be at the provider's. */
function sweepLine(sweep: Sweep | null): string {
  if (!sweep) return "No sources have been harvested yet, so there is nothing to search.";
  const { listed, taken, with_columns, with_license } = sweep.coverage;
  const edition = sweep.document_version ? ` ${sweep.document_version}` : "";
  const known = `${formatCount(with_license)} with a stated licence, ${formatCount(with_columns)} with columns`;
  return (
    `Fixed snapshot of ${sweep.provider}${edition}, harvested ${sweep.swept_at}, covering ` +
    `${taken === listed ? "all" : `${formatCount(taken)} of`} ${formatCount(listed)} listed sources (${known}); ` +
    "the sources themselves were not opened or checked."
  );
}

const foundLine = (total: number, shown: number): string =>
  shown < total
    ? `PARTIAL: ${shown} of ${formatCount(total)} sources; narrow the search, or raise limit (maximum 50)`
    : `COMPLETE: ${formatCount(total)} source${total === 1 ? "" : "s"}`;

interface ShownSource extends Omit<Source, "license_url"> {
  columns_total: number;
}

function sourceLine({
  name,
  title,
  description,
  url,
  format,
  bytes,
  columns,
  columns_total: all,
  license,
  origins,
}: ShownSource): string {
  const facts = [
    format,
    bytes === null ? null : `${formatCount(bytes)} bytes`,
    license ? `licence ${license}` : "licence unknown",
  ].filter((fact) => fact !== null);
  const rest = [
    description,
    ...(columns.length > 0
      ? [`columns: ${columns.join(", ")}${all > columns.length ? `, and ${all - columns.length} more` : ""}`]
      : []),
    ...(origins.length > 0 ? [`from: ${origins.map((origin) => origin.name).join("; ")}`] : []),
    ...(url ? [url] : []),
  ].filter((part) => part !== "");
  return (
    `- ${name}${title && title !== name ? `, ${title}` : ""} ` +
    `(${facts.join(", ")})${rest.length > 0 ? `: ${rest.join(" | ")}` : ""}`
  );
}

function shortSweep(sweep: Sweep | null) {
  if (!sweep) return null;
  const { document_digest: _digest, homepage: _homepage, ...rest } = sweep;
  return rest;
}
