import { parseExactJson } from "@/lib/formats/exact-json";
import type { AppFacts } from "@/lib/operations/app-facts";
import type { Comparison } from "@/lib/schemas/comparison";
import type { ToolResult } from "./host";

type Facts<Kind extends AppFacts["kind"]> = Extract<AppFacts, { kind: Kind }>;
type Row = Readonly<Record<string, unknown>>;

export type RowsResult = Facts<"rows"> & {
  structured: {
    status: string;
    advice?: string;
    columns: readonly { name: string; type: string }[];
    rows: readonly (readonly unknown[])[];
    citation: string;
  };
};

export type VersionsResult = Facts<"versions"> & {
  structured: { status: string; versions: readonly Row[] };
};

export type ComparisonResult = Facts<"comparison"> & {
  structured: {
    status: string;
    columns: Omit<Comparison["columns"], "described"> & { described: readonly string[] };
    rows: (Pick<NonNullable<Comparison["rows"]>, "added" | "removed" | "changed" | "unchanged"> & Row) | null;
    examples: NonNullable<Comparison["rows"]>["examples"];
    citation: string;
  };
};

export type AppResult = RowsResult | VersionsResult | ComparisonResult;

/** The app's copy of a result, with all digits; undefined if the reply has none, such as an error. */
export function readResult({ _meta: meta }: ToolResult): AppResult | undefined {
  const text = meta?.["parquetry/result"];
  return typeof text === "string" ? (parseExactJson(text) as AppResult) : undefined;
}

/** What the model reads. */
export const textOf = ({ content }: ToolResult): string =>
  content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
