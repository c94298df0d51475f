import { parse } from "lossless-json";
import { canonicalJson } from "@/lib/builds/document/canonical";
import { readReader, readSource } from "@/lib/builds/document/source-shape";
import { type Fault, failWith } from "@/lib/kernel/errors";
import { sha256Hex } from "@/lib/kernel/sha256";
import type { RecipeSource } from "@/lib/schemas/recipe-source";

type Plain = Record<string, unknown>;

export interface InspectionInput {
  source: Plain;
  depth: "quick" | "full";
  reader?: { format: string; options?: unknown } | undefined;
}

export interface CheckedInspection {
  /** Canonical JSON text, as it is stored. */
  request: string;
  requestDigest: string;
  source: RecipeSource;
}

/** Parses the request for an inspection. Fails with every fault of the source and its reader. */
export function inspectionRequest({ source, depth, reader = undefined }: InspectionInput): CheckedInspection {
  const { reader: own, ...rest } = { ...named(source) };
  const ofKind = kindFaults(rest);
  if (ofKind.length > 0) throw failWith(ofKind);
  const wanted = reader ?? (own as InspectionInput["reader"]);
  const standIn = "pages" in rest ? { format: "json" } : { format: "csv" };
  const shaped = readSource(treeOf({ ...rest, reader: wanted ?? standIn }), "/source", "inspection");
  if (!shaped.value || shaped.faults.length > 0) throw failWith(shaped.faults);
  const plain = { source: { ...rest, reader: wanted ?? standIn }, depth, reader: wanted ?? null };
  return {
    request: JSON.stringify(plain),
    requestDigest: inspectionDigest(shaped.value, depth, wanted),
    source: shaped.value,
  };
}

/** A URL without anything else is a source of kind http. */
const named = (source: Plain): Plain => ({ name: "source", ...("kind" in source ? {} : { kind: "http" }), ...source });

function kindFaults({ kind }: Plain): Fault[] {
  if (kind !== "table") return [];
  const message =
    "A table of this service cannot be inspected; get_table_schema describes it. Inspect sources of kind http or " +
    "package.";
  return [{ pointer: "/source/kind", code: "invalid_value", message }];
}

/**
 * A digest of what determines the findings: where the bytes come from, how much of them is read, and by which reader.
 */
export function inspectionDigest(
  source: RecipeSource,
  depth: InspectionInput["depth"],
  reader: InspectionInput["reader"],
): string {
  const { name: _, title: __, homepage: ___, note: ____, reader: _____, ...bytes } = source as RecipeSource & Plain;
  const tried = reader ? readReader(treeOf(reader), "").value : null;
  return sha256Hex(canonicalJson(treeOf({ bytes, depth, reader: tried })));
}

/** A plain value as a document's tree, whose numbers keep their digits. */
export const treeOf = (value: unknown): unknown => parse(JSON.stringify(value));
