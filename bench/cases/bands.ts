import { columnTypeOf } from "@/lib/engine/types/column-types";
import { widthSql } from "@/lib/engine/types/widths";
import { hastened, interleave } from "../measure";
import type { Options } from "../options";
import { RawDuckDb } from "../raw";
import { line, ms, type Outcome, ratio } from "../report";

const ROWS = 3_000_000;
const TURNS = { warm: 3, least: 9, most: 41, budgetMs: 30_000 };
const MOST = 1.6;

const COLUMNS = [
  { name: "d", type: "float64", cast: "DOUBLE" },
  { name: "f", type: "float32", cast: "FLOAT" },
] as const;
const WIDTHS = ["0.1", "2.5", "30"];

/** Bands of floats as they were computed before their edges were those of filters: values / width, rounded down. */
function formerSql(ref: string, width: string, cast: string): string {
  const size = `CAST('${width}' AS ${cast})`;
  const [value, by] = cast === "FLOAT" ? [`CAST(${ref} AS DOUBLE)`, `CAST(${size} AS DOUBLE)`] : [ref, size];
  return `CAST(floor(${value} / ${by}) * ${by} + 0.0 AS ${cast})`;
}

/** Groups by the width of floats, by the former expression and by both that have exact edges. */
export async function measureBands({ haste }: Options): Promise<Outcome> {
  const raw = await RawDuckDb.open();
  const casts = COLUMNS.map(({ name, cast }) => `CAST(hash(i) % 10000000 / 1e4 - 300 AS ${cast}) AS ${name}`);
  await raw.rows(`CREATE TABLE floats AS SELECT ${casts.join(", ")} FROM range(${ROWS}) r(i)`);
  const rows: string[][] = [];
  const ratios: number[] = [];
  for (const { name, type, cast } of COLUMNS)
    for (const width of WIDTHS) {
      const former = formerSql(name, width, cast);
      const contenders = [
        { key: former, value: former },
        widthSql(name, width, columnTypeOf({ type }), true),
        widthSql(name, width, columnTypeOf({ type })),
      ].map(({ key, value }, at) => ({
        name: String(at),
        run: () => raw.rows(`SELECT ${value} AS edge, count(*) AS n FROM floats GROUP BY ${key} ORDER BY 1 LIMIT 10`),
      }));
      const [before = 0, near = 0, whole = 0] = await interleave(contenders, hastened(TURNS, haste));
      ratios.push(near / before);
      rows.push([`${type} by ${width}`, ms(before), ms(near), ratio(near / before), ms(whole)]);
    }
  return {
    lines: [line("bands with the edges of filters / the former ones, at most", Math.max(...ratios), { most: MOST })],
    figures: { head: ["3,000,000 values", "former, ms", "now, ms", "ratio", "values of any size, ms"], rows },
  };
}
