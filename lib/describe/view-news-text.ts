import { parseExactJson, stringifyExactJson } from "@/lib/formats/exact-json";
import { formatDay, formatPlural, oneLine, shortFraction } from "@/lib/kernel/format";
import type { ViewChanged } from "@/lib/schemas/news";
import type { ResultChange, ResultRow } from "@/lib/schemas/view-result";

const VALUE_MAX = 80;

/** How a view's result changed, for a person: what happened, the first rows, the versions. Pure. */
export function viewChangeText({ data }: ViewChanged): string[] {
  const change = parseExactJson(data.change) as ResultChange;
  const rows = change.rows.map((row) => rowText(row, change));
  const more = change.added + change.removed + change.changed - rows.length;
  return [
    ...headOf(change, data.threshold),
    ...rows,
    ...(data.before_withheld
      ? ["The values are not repeated here: the version before was withdrawn, or can no longer be read."]
      : []),
    ...(more > 0 && !data.before_withheld ? [`… and ${formatPlural(more, "more row", "more rows")}.`] : []),
    `From ${versionText(data.before)} to ${versionText(data.after)}.`,
  ];
}

const versionText = ({ label, published_at }: ViewChanged["data"]["before"]): string =>
  `${label === null ? "the version" : `version ${oneLine(label)}`} of ${formatDay(published_at)}`;

function headOf(change: ResultChange, threshold: ViewChanged["data"]["threshold"]): string[] {
  if (threshold) {
    const limit = `${threshold.is} ${threshold.value}`;
    const column = short(threshold.column);
    if (!threshold.is_met) return [`${column} is no longer ${limit} in any row.`];
    const count = change.added + change.changed;
    return [`${column} is now ${limit}${isSingle(change) ? "" : ` in ${formatPlural(count, "more row")}`}.`];
  }
  if (change.reordered) return ["The same rows are in another order."];
  const columns = [
    ...(change.columns_added.length > 0 ? [`Columns added: ${change.columns_added.map(short).join(", ")}.`] : []),
    ...(change.columns_removed.length > 0 ? [`Columns removed: ${change.columns_removed.map(short).join(", ")}.`] : []),
  ];
  return isSingle(change) ? columns : [...columns, ...countsText(change)];
}

function countsText({ added, removed, changed }: ResultChange): string[] {
  const parts = [
    ...(changed > 0 ? [`${formatPlural(changed, "row")} changed`] : []),
    ...(added > 0 ? [`${formatPlural(added, "row")} added`] : []),
    ...(removed > 0 ? [`${formatPlural(removed, "row")} removed`] : []),
  ];
  return parts.length > 0 ? [`${parts.join(", ")}.`] : [];
}

/** Whether the result is a single row of values, without groups. */
const isSingle = ({ keys, changed }: ResultChange): boolean => keys?.length === 0 && changed === 1;

function rowText({ before, after }: ResultChange["rows"][number], { keys }: ResultChange): string {
  if (before && after) {
    const differing = Object.keys(after).filter(
      (name) => name in before && exactText(before[name]) !== exactText(after[name]),
    );
    const sign = keys && keys.length > 0 ? "" : ":"; // after the name of the row, another colon would be one too many
    const changes = differing
      .filter((name) => !keys?.includes(name))
      .map((name) => `${short(name)}${sign} ${changeText(before[name], after[name])}`)
      .join(", ");
    return sign === "" ? `${namesText(after, keys ?? [])}: ${changes || "as before"}` : changes;
  }
  if (after) return `Added: ${namesText(after, Object.keys(after))}`;
  return `Removed: ${namesText(before ?? {}, Object.keys(before ?? {}))}`;
}

const namesText = (row: ResultRow, names: readonly string[]): string =>
  names.map((name) => `${short(name)} ${valueText(row[name])}`).join(", ");

/** Both values, rounded where that leaves them different. */
function changeText(before: unknown, after: unknown): string {
  const [old, now] = [valueText(before), valueText(after)];
  return old === now ? `${short(exactText(before))} → ${short(exactText(after))}` : `${old} → ${now}`;
}

/** Published data, on one line and not longer than a line of an email. */
const valueText = (value: unknown): string =>
  short(typeof value === "string" ? value : shortFraction(exactText(value)));

function exactText(value: unknown): string {
  if (value === null || value === undefined) return "no value";
  return typeof value === "string" ? value : stringifyExactJson(value);
}

function short(text: string): string {
  const line = oneLine(text);
  return line.length > VALUE_MAX ? `${line.slice(0, VALUE_MAX)}…` : line;
}
