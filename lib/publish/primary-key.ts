import { columnTypeOf } from "@/lib/engine/types/column-types";
import { fail, failWith } from "@/lib/kernel/errors";
import { onlyRow } from "@/lib/readers/bench";
import type { Stage, StagedColumn } from "./stage";
import type { Workbench } from "./workbench";

const ADVICE = "Correct the rows, or declare another primary key.";

/**
 * Verifies that no two rows share the key and none lacks a part of it. Fails with `invalid_request` (the key itself) or
 * `invalid_value` (the rows).
 */
export async function proveKey(bench: Workbench, stage: Stage, key: readonly string[]): Promise<void> {
  if (key.length === 0) return;
  const columns = keyColumns(stage, key);
  await rejectNulls(bench, columns);
  await rejectDuplicates(bench, columns);
}

interface KeyColumn extends StagedColumn {
  ref: string;
}

function keyColumns(stage: Stage, key: readonly string[]): KeyColumn[] {
  const faults = key.flatMap((name, at) => {
    const column = stage.columns.find((each) => each.name === name);
    const message = !column
      ? `Unknown column ${JSON.stringify(name)}.`
      : key.indexOf(name) !== at
        ? `Duplicate column ${JSON.stringify(name)}.`
        : columnTypeOf(column).source.isKey
          ? undefined
          : `${JSON.stringify(name)} has the type ${column.type}, which cannot be used in a primary key.`;
    return message === undefined ? [] : [{ pointer: `/primaryKey/${at}`, code: "invalid_request" as const, message }];
  });
  if (faults.length > 0) throw failWith(faults);
  return key.map((name) => {
    const at = stage.columns.findIndex((column) => column.name === name);
    return { ...(stage.columns[at] as StagedColumn), ref: `c${at}` };
  });
}

async function rejectNulls(bench: Workbench, columns: readonly KeyColumn[]): Promise<void> {
  const firsts = columns.map(({ ref }) => `(min(CASE WHEN ${ref} IS NULL THEN rowid END) + 1)::VARCHAR`);
  const rows = await onlyRow(bench, `SELECT ${firsts.join(", ")} FROM stage`);
  const at = rows.findIndex((row) => row !== null);
  if (at < 0) return;
  const message = `Row ${rows[at]}, column ${JSON.stringify(columns[at]?.name)}: null in the primary key. ${ADVICE}`;
  throw fail("invalid_value", { message });
}

async function rejectDuplicates(bench: Workbench, columns: readonly KeyColumn[]): Promise<void> {
  const refs = columns.map(({ ref }) => ref).join(", ");
  const shown = columns.map(({ ref }) => `any_value(${ref})::VARCHAR`).join(", ");
  const positions = "(min(rowid) + 1)::VARCHAR, (list_sort(list(rowid))[2] + 1)::VARCHAR";
  const groups = `SELECT ${refs} FROM stage GROUP BY ${refs} HAVING count(*) > 1`;
  const [times] = await onlyRow(bench, `SELECT count(*)::VARCHAR FROM (${groups})`);
  if (times === "0") return;
  const keys = `SELECT ${positions}, ${shown} FROM stage GROUP BY ${refs}`;
  const found = `${keys} HAVING count(*) > 1 ORDER BY min(rowid) LIMIT 1`;
  const [first, second, ...values] = await onlyRow(bench, found);
  const key = columns.map(({ name }, at) => `${JSON.stringify(name)} ${short(values[at])}`).join(", ");
  const more = times === "1" ? "" : ` ${times} keys occur more than once.`;
  throw fail("invalid_value", {
    message: `Rows ${first} and ${second} have the same primary key: ${key}.${more} ${ADVICE}`,
  });
}

const short = (text: string | null | undefined): string =>
  JSON.stringify(text && text.length > 80 ? `${text.slice(0, 80)}…` : text);
