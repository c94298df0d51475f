import fc from "fast-check";
import { expect, test } from "vitest";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import { useTestState } from "@/lib/testing/database";
import { propertyParameters } from "@/lib/testing/property";
import { endsOf } from "./histogram";
import { quantilesOf } from "./quantiles";
import { withWorkbench } from "./workbench";

useTestState();

const CELLS = {
  float64: fc.oneof(fc.double({ noNaN: true }), fc.constantFrom(1.5, 1.5000000000000002, 1e300, -1e300, 5e-324)),
  int64: fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.bigInt({ min: 0n, max: 9n })),
  "decimal(38,2)": fc.bigInt({ min: -(10n ** 35n), max: 10n ** 35n }),
  timestamp: fc.bigInt({ min: -62_000_000_000_000_000n, max: 250_000_000_000_000_000n }),
} as const;

const literalOf = (type: string, cell: number | bigint, storage: string): string =>
  type === "timestamp" ? `make_timestamptz(${cell})` : `CAST('${Object.is(cell, -0) ? 0 : cell}' AS ${storage})`;

const columns = (Object.keys(CELLS) as (keyof typeof CELLS)[]).map((type) =>
  fc.tuple(fc.constant(type), fc.array(CELLS[type] as fc.Arbitrary<number | bigint>, { minLength: 1, maxLength: 150 })),
);

test("quantiles by buckets are those that DuckDB finds by sorting all values", async () => {
  await withWorkbench(async (bench) => {
    const compare = async (type: string, cells: readonly (number | bigint)[]) => {
      const { number, profile, duckdb = "" } = columnTypeOf({ type });
      const column = { name: "v", ref: "v", type, storage: duckdb, isFloat: number?.isFloat === true, form: profile };
      const values = cells.map((cell) => literalOf(type, cell, duckdb)).join(", ");
      await bench.run(`CREATE OR REPLACE TEMP VIEW value_rows AS SELECT 0 AS place, unnest([${values}]) AS v, 1 AS n`);
      const found = await quantilesOf(bench, column, "value_rows", await endsOf(bench, column, "value_rows"));
      expect(found).toEqual(await quantilesOf(bench, column, "value_rows", new Map()));
    };
    await fc.assert(
      fc.asyncProperty(fc.oneof(...columns), ([type, cells]) => compare(type, cells)),
      propertyParameters(60),
    );
  });
});
