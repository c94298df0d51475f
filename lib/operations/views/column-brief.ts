import { z } from "zod";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import { stringifyExactJson } from "@/lib/formats/exact-json";
import { formatCount } from "@/lib/kernel/format";
import { type Column, columnSchema, profileSchema } from "@/lib/schemas/column";
import { beginning } from "./beginning";

/** Up to this many values are all listed; if there are more, only examples. */
const VALUES_ALL = 12;
const VALUES_SOME = 3;
const SOME_CHARACTERS_MAX = 70;
const VALUE_CHARACTERS_MAX = 40;
const MEANING_CHARACTERS_MAX = 240;

/** A column as an agent reads it: REST's names, without what a model cannot use. */
export const columnBriefSchema = columnSchema
  .omit({ json: true })
  .partial({ unit: true, description: true, operators: true, functions: true })
  .extend({
    profile: profileSchema
      .omit({ histogram: true })
      .partial()
      .extend({ quantiles: z.record(z.string(), z.unknown()).optional() }),
  });

type ColumnBrief = z.output<typeof columnBriefSchema>;
type Profile = ColumnBrief["profile"];

/** Everything about a column except its histogram. */
export function wholeColumn({ json: _json, profile, ...column }: Column): ColumnBrief {
  const { histogram: _histogram, ...rest } = profile;
  return { ...column, profile: rest };
}

/** What is needed to query a column correctly: type, unit, description, nulls, range or values. */
export function columnBrief({ name, type, nullable, unit, description, profile }: Column): ColumnBrief {
  return {
    name,
    type,
    nullable,
    ...(unit && { unit }),
    ...(description && { description: shortened(description) }),
    profile: profileBrief(profile, type),
  };
}

function profileBrief(
  { null_count, nan_count, distinct_count: distinct, min, max, top_values, true_count }: Column["profile"],
  type: string,
): Profile {
  const short = (top_values ?? []).filter(({ value }) => stringifyExactJson(value).length <= VALUE_CHARACTERS_MAX);
  const isWhole = distinct !== undefined && distinct.value <= VALUES_ALL && short.length === distinct.value;
  const { family, number } = columnTypeOf({ type });
  const values = isWhole ? short : family === "text" ? examples(short) : [];
  const hasRange = !isWhole && family !== "text" && min !== undefined && max !== undefined;
  return {
    ...(null_count > 0 && { null_count }),
    ...(nan_count && { nan_count }),
    ...(distinct && !number?.isFloat && true_count === undefined && { distinct_count: distinct }),
    ...(hasRange && { min, max }),
    ...(true_count !== undefined && { true_count }),
    ...(values.length > 0 && true_count === undefined && { top_values: values }),
  };
}

/** Number of example values: one is enough if no two rows share a value. */
function examples(values: NonNullable<Profile["top_values"]>): typeof values {
  const some = values.slice(0, values[0]?.count === 1 ? 1 : VALUES_SOME);
  return some.filter(
    (_, at) => stringifyExactJson(some.slice(0, at + 1).map(({ value }) => value)).length <= SOME_CHARACTERS_MAX,
  );
}

/** The column as one line. */
export function columnLine({ name, type, unit, description, profile }: ColumnBrief): string {
  const facts = [`${type}${unit ? ` [${oneLine(unit)}]` : ""}`, ...profileFacts(profile)].join(", ");
  return (
    `${/^[\w $().%/-]+$/.test(name) ? name : JSON.stringify(name)}: ` +
    `${facts}${description ? ` | ${oneLine(description)}` : ""}`
  );
}

function profileFacts({
  null_count: nulls,
  nan_count: nans,
  distinct_count: distinct,
  min,
  max,
  top_values: top = [],
  true_count,
}: Profile): string[] {
  const isWhole = distinct !== undefined && top.length === distinct.value;
  const count = distinct && `${distinct.exact ? "" : "about "}${formatCount(distinct.value)} distinct`;
  const values = isWhole
    ? [top.map(({ value, count: n }) => `${stringifyExactJson(value)} ×${n}`).join(", ")]
    : [
        ...(count ? [count] : []),
        ...(top.length > 0 ? [`such as ${top.map(({ value }) => stringifyExactJson(value)).join(", ")}`] : []),
      ];
  return [
    ...(min === undefined ? [] : [`${stringifyExactJson(min)} to ${stringifyExactJson(max)}`]),
    ...(true_count === undefined ? [] : [`${formatCount(true_count)} true`]),
    ...values.filter(Boolean),
    ...(nulls ? [`${formatCount(nulls)} null`] : []),
    ...(nans ? [`${formatCount(nans)} NaN`] : []),
  ];
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

function shortened(text: string): string {
  return text.length <= MEANING_CHARACTERS_MAX
    ? text
    : `${beginning(text, text.lastIndexOf(" ", MEANING_CHARACTERS_MAX) + 1 || MEANING_CHARACTERS_MAX).trimEnd()}…`;
}
