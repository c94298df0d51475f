import { z } from "zod";
import { BLANKS } from "@/lib/builds/expressions/functions/texts";
import { columnSetSchema, resolveSet } from "./column-set";
import { mayBeText, projection, rejectType, type StepKind } from "./step";
import { stepShape } from "./step-shape";

const schema = stepShape("trim", {
  columns: columnSetSchema.optional(),
  sides: z.enum(["both", "start", "end"]).default("both"),
  collapse: z.boolean().default(false),
  unicode: z.enum(["none", "nfc"]).default("none"),
  invisible: z.boolean().default(true),
});

/** Replaces no-break spaces and fixed-width blanks by plain spaces. */
export const plainBlanks = (x: string): string =>
  String.raw`regexp_replace(${x}, '[\x{A0}\x{202F}\x{2007}\x{2009}]', ' ', 'g')`;

const withoutInvisible = (x: string): string =>
  String.raw`regexp_replace(${x}, '[\x{200B}-\x{200D}\x{2060}\x{FEFF}\x{AD}]', '', 'g')`;

function trimmedSql(x: string, step: typeof schema._output): string {
  const seen = step.invisible ? plainBlanks(withoutInvisible(x)) : x;
  const normal = step.unicode === "nfc" ? `nfc_normalize(${seen})` : seen;
  const ends = { both: `^${BLANKS}+|${BLANKS}+$`, start: `^${BLANKS}+`, end: `${BLANKS}+$` }[step.sides];
  const cut = `regexp_replace(${normal}, '${ends}', '', 'g')`;
  return step.collapse ? `regexp_replace(${cut}, '${BLANKS}+', ' ', 'g')` : cut;
}

/** Trims Unicode white space, in all text columns if none is named. */
export const trim: StepKind<typeof schema._output> = {
  name: "trim",
  schema,
  english: ({ columns, collapse }) =>
    `trims ${columns ? "some" : "all"} strings${collapse ? " and collapses runs of blanks" : ""}`,
  plan(step, input, scope) {
    const texts = input.columns.flatMap((column, index) => (column.type?.family === "text" ? [{ column, index }] : []));
    const found = step.columns ? resolveSet(scope, input, step.columns, "/columns") : texts;
    if (!found) return undefined;
    const strange = found.filter(({ column }) => !mayBeText(column));
    for (const { column } of strange) rejectType(scope, "/columns", column, "trim takes strings.");
    if (strange.length > 0) return undefined;
    const chosen = new Set(found.map(({ index }) => index));
    return projection(input, () =>
      input.columns.map((_, index) => (chosen.has(index) ? trimmedSql(`c${index}`, step) : `c${index}`)),
    );
  },
};
