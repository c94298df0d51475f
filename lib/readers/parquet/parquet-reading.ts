import { join } from "node:path";
import { quoteIdentifier, quoteLiteral } from "@/lib/engine/sql/identifier";
import { columnTypeOfDuckdb, parseColumnType } from "@/lib/engine/types/column-types";
import { parseStorageType } from "@/lib/engine/types/storage-type";
import type { Bench } from "@/lib/readers/bench";
import { COLUMNS_MAX, tooManyColumns } from "@/lib/readers/columns-max";
import { mismatch, type ReadFailure } from "@/lib/readers/failure";
import { checkNames, checkNotes } from "@/lib/readers/typed/column-names";
import { type ColumnPlan, noteOf, type Reading } from "@/lib/readers/typed/reading";
import type { ColumnNote } from "@/lib/schemas/publish";
import { exactFooter, type InexactLeaf, inexactLeaf, isLeaf } from "./exact-leaves";
import { type Mapping, mapType, valueSql } from "./exact-values";
import { childrenOf, copyWithFooter, type Footer, readFooter, subtreeEnd } from "./footer";

/** Plans the reading of a Parquet file: its own types, exactly, or an error that says what to write instead. */
export async function readParquet(
  bench: Bench,
  path: string,
  notes: readonly ColumnNote[],
  orderBy: readonly string[],
): Promise<Reading> {
  const footer = await readFooter(path);
  const columns = columnsOf(footer);
  if (columns.length > COLUMNS_MAX) throw tooManyColumns("The file", columns.length);
  const names = columns.map(({ name }) => name);
  checkNames(names);
  checkNotes(notes, orderBy, names);
  checkFields(footer, columns);
  const copy = await exactCopy(bench, path, footer, columns);
  const relation = `read_parquet(${quoteLiteral(copy ?? path)}, hive_partitioning = false)`;
  const described = await describeParquet(bench, relation);
  const plans = described.map(([readName, storage], index) => {
    const column = columns[index];
    if (!column) throw new Error("DuckDB found more columns than the file's schema has");
    return planOf(column, quoteIdentifier(readName ?? ""), storage ?? "", noteOf(notes, column.name));
  });
  return {
    relation,
    columns: plans,
    rows: footer.rows,
    ...(copy !== undefined && { copy }),
    unreadable: (error) => unreadable(bench, relation, { columns, described, error }),
  };
}

/** A column of the file's first level: its name there, and how DuckDB would change each of its leaves. */
interface FileColumn {
  name: string;
  leaves: (InexactLeaf | undefined)[];
  /** Where its nodes are in the schema. */
  from: number;
  to: number;
}

function columnsOf({ nodes }: Footer): FileColumn[] {
  const columns: FileColumn[] = [];
  for (const from of childrenOf(nodes, 0)) {
    const to = subtreeEnd(nodes, from);
    const leaves = nodes.slice(from, to).filter(isLeaf).map(inexactLeaf);
    columns.push({ name: nodes[from]?.name ?? "", leaves, from, to });
  }
  return columns;
}

/** Rejects structs with fields that DuckDB would rename. */
function checkFields({ nodes }: Footer, columns: readonly FileColumn[]): void {
  for (const { name, from, to } of columns)
    for (let at = from; at < to; at += 1) {
      const seen = new Map<string, string>();
      for (const child of childrenOf(nodes, at)) {
        const field = nodes[child]?.name ?? "";
        const other = seen.get(field.toLowerCase());
        if (other !== undefined)
          throw mismatch(
            `Column ${JSON.stringify(name)} has two fields of one name, ${JSON.stringify(other)} and ` +
              `${JSON.stringify(field)} (ignoring case). Rename one of them in the file.`,
          );
        seen.set(field.toLowerCase(), field);
      }
    }
}

let copies = 0;

/** A copy of the file that DuckDB reads exactly; undefined if it reads the file so. */
async function exactCopy(
  bench: Bench,
  path: string,
  footer: Footer,
  columns: readonly FileColumn[],
): Promise<string | undefined> {
  for (const { name, leaves } of columns)
    for (const leaf of leaves)
      if (leaf?.kind === "wideDecimal" && leaf.scale > DIGITS_MAX)
        throw mismatch(
          `Column ${JSON.stringify(name)} has the type ${wideName(leaf)}, which is not supported. Write it with at ` +
            `most ${DIGITS_MAX} digits, or as text.`,
        );
  const leaves = columns.flatMap((column) => column.leaves);
  const inexact = new Map(leaves.flatMap((leaf, at) => (leaf ? [[at, leaf] as const] : [])));
  if (inexact.size === 0) return undefined;
  copies += 1;
  const copy = join(bench.folder, `exact-${copies}.parquet`);
  await copyWithFooter(path, copy, footer.from, exactFooter(footer, inexact));
  return copy;
}

const DIGITS_MAX = 38;

const wideName = ({ precision, scale }: InexactLeaf & { kind: "wideDecimal" }): string =>
  `decimal(${precision},${scale})`;

async function describeParquet(bench: Bench, relation: string): Promise<(string | null)[][]> {
  try {
    return await bench.rows(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${relation})`);
  } catch (error) {
    throw mismatch(`Cannot read the file as Parquet: ${reasonOf(error)} Write it again.`);
  }
}

interface Unread {
  columns: readonly FileColumn[];
  described: readonly (readonly (string | null)[])[];
  error: Error;
}

/** Which column DuckDB could not read, and why. */
async function unreadable(bench: Bench, relation: string, { columns, described, error }: Unread): Promise<ReadFailure> {
  for (const [index, { name, leaves }] of columns.entries()) {
    const ref = quoteIdentifier(described[index]?.[0] ?? "");
    const found = await bench.rows(`SELECT CAST(max(hash(${ref})) AS VARCHAR) FROM ${relation}`).then(
      () => undefined,
      (fault: unknown) => fault,
    );
    if (found === undefined) continue;
    const label = `Column ${JSON.stringify(name)}`;
    if (/not valid UTF-?8/i.test(reasonOf(found)))
      return mismatch(`${label} contains text that is not UTF-8. Write it as UTF-8, or as binary.`);
    const wide = leaves.find((leaf) => leaf?.kind === "wideDecimal");
    return wide?.kind === "wideDecimal" && /decimal/i.test(reasonOf(found))
      ? mismatch(
          `${label} has the type ${wideName(wide)}, and a value of more than ${DIGITS_MAX} ` +
            `digits. Write it with at most ${DIGITS_MAX} digits, or as text.`,
        )
      : mismatch(`${label} cannot be read: ${reasonOf(found)} Write the file again.`);
  }
  return mismatch(`The Parquet file cannot be read: ${reasonOf(error)} Write it again.`);
}

function planOf({ name, leaves }: FileColumn, ref: string, source: string, note: ColumnNote | undefined): ColumnPlan {
  const mapped = mappingOf(name, leaves, source);
  const ownType = typeOf(name, mapped.storage);
  const shown = `CAST(${mapped.shown?.(ref) ?? ref} AS VARCHAR)`;
  const value = mapped.storage === source && !mapped.value ? ref : valueSql(mapped, ref);
  const fits = mapped.fits?.(ref);
  const plan = { name, shown, ...adviceFor(source, leaves) };
  if (note?.type === undefined || note.type === ownType)
    return { ...plan, type: ownType, value, fits: fits === undefined ? undefined : () => fits };
  const type = parseColumnType(note.type);
  const target = type?.source.staged ?? type?.duckdb;
  if (!type || !target)
    throw mismatch(`Column ${JSON.stringify(name)} has the type ${ownType} and cannot be declared ${note.type}.`);
  const cast = `TRY_CAST(${value} AS ${target})`;
  // a declared type must preserve every value in a round-trip cast
  const castable = type.source.castable ? `${type.source.castable(value)} AND ` : "";
  const isExact =
    `${castable}(${cast} IS NOT NULL OR ${ref} IS NULL) AND TRY_CAST(${cast} AS ${mapped.storage}) IS NOT DISTINCT ` +
    `FROM ${value} AND ${fits ?? "true"}`;
  return { ...plan, type: note.type, value: cast, fits: () => `(${isExact})` };
}

function mappingOf(name: string, leaves: FileColumn["leaves"], source: string): Mapping {
  const parsed = parseStorageType(source);
  let leaf = 0;
  const mapped = parsed && mapType(parsed, () => leaves[leaf++]);
  if (!mapped) throw rejectType(name, source);
  return mapped;
}

/** What to do about a value that does not fit, if the service cannot hold all values of the type. */
function adviceFor(source: string, leaves: FileColumn["leaves"]): Pick<ColumnPlan, "advice"> {
  if (leaves.some((leaf) => leaf?.kind === "wideDecimal"))
    return { advice: `Write it with at most ${DIGITS_MAX} digits, or as text.` };
  if (source.includes("_NS") || leaves.some((leaf) => leaf?.kind === "int96"))
    return { advice: "The service keeps microseconds. Write them, without nanoseconds, or write text." };
  return {};
}

function typeOf(name: string, storage: string): string {
  const type = columnTypeOfDuckdb(storage);
  if (!type) throw rejectType(name, storage);
  return type.name;
}

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/INTERVAL/, "Write it as a number with a unit, or as text"],
  [/HUGEINT/, "Write it as decimal(38,0)"],
  [/GEOMETRY/, "Write it as WKT text or WKB binary"],
];

function rejectType(name: string, source: string): Error {
  const advice = ADVICE.find(([pattern]) => pattern.test(source))?.[1] ?? "Write it as one of the service's types";
  return mismatch(`Column ${JSON.stringify(name)} has the type ${source}, which is not supported. ${advice}.`);
}

const REASON_MAX = 300;

/** The first line of DuckDB's message, without its kind, and without paths of this machine. */
function reasonOf(error: unknown): string {
  const line = (error instanceof Error ? error.message : String(error)).slice(0, REASON_MAX).split("\n")[0] ?? "";
  const text = line
    .replace(/^[A-Za-z ]{1,40} Error: /, "")
    .replaceAll(/ ?(?:in |from )?(?:Parquet )?file ["'][^"']*["']/gi, "")
    .replaceAll(/\/\S*\//g, "");
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
