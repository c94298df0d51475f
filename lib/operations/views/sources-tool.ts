import { z } from "zod";
import { formatCount } from "@/lib/kernel/format";
import { READING, toolPart } from "@/lib/operations/tool-part";
import {
  type Harvest,
  harvestSchema,
  type Source,
  type SourceCatalogue,
  sourceCatalogueSchema,
  sourceSchema,
} from "@/lib/schemas/source";
import { beginning } from "./beginning";
import { fitting } from "./fitting";

const COLUMNS_MAX = 20;
const DESCRIPTION_MAX = 300;
const ORIGINS_MAX = 5;
/** Bytes of one source's columns, and of its origins: even a single source must be readable. */
const PART_BYTES_MAX = 3_000;
/** Bytes of the sources' JSON; the text repeats them. */
const BYTES_MAX = 15_000;

export const catalogSearchTool = toolPart({
  description:
    "Searches a fixed snapshot of one provider's public sources, harvested at harvest.harvested_at with coverage " +
    "harvest.coverage. These are not the datasets published here and cannot be queried; use search for those. " +
    "license_state unknown means that the provider states no licence: do not assume one. Requires a use key or " +
    "a connection.",
  hints: READING,
  output: sourceCatalogueSchema.extend({
    harvest: harvestSchema.omit({ document_digest: true, homepage: true }).nullable(),
    sources: z.array(sourceSchema.omit({ license_url: true }).extend({ columns_total: z.int() })),
  }),
  view(found: SourceCatalogue) {
    const sources = fitting(found.sources.map(shortSource), BYTES_MAX, 1);
    const structured = {
      ...found,
      harvest: shortHarvest(found.harvest),
      sources,
      truncated: sources.length < found.total,
    };
    return {
      structured,
      text: [harvestLine(found.harvest), foundLine(found.total, sources.length), ...sources.map(sourceLine)].join("\n"),
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

/** The date and extent of the harvest: what is missing here may exist at the provider. */
function harvestLine(harvest: Harvest | null): string {
  if (!harvest) return "No sources have been harvested yet, so there is nothing to search.";
  const { listed, taken, with_columns, with_license } = harvest.coverage;
  const edition = harvest.document_version ? ` ${harvest.document_version}` : "";
  const known = `${formatCount(with_license)} with a stated licence, ${formatCount(with_columns)} with columns`;
  return (
    `Fixed snapshot of ${harvest.provider}${edition}, harvested ${harvest.harvested_at}, covering ` +
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

function shortHarvest(harvest: Harvest | null) {
  if (!harvest) return null;
  const { document_digest: _digest, homepage: _homepage, ...rest } = harvest;
  return rest;
}
