import fc from "fast-check";
import { expect, test } from "vitest";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { withWorkbench } from "@/lib/publish/workbench";
import { propertyParameters } from "@/lib/testing/property";
import { randomCell } from "@/lib/testing/random-cells";
import { useReading } from "@/lib/testing/read-file";
import { CELLS_CASES } from "@/lib/testing/text-cells";
import { TEXT_RULES } from "./cell-types";

const { read } = useReading();

const quoted = (cell: string): string => (cell === "" ? "" : `"${cell}"`);

/** All columns of the table in one file, the shorter ones ending with nulls. */
async function publishAll() {
  const height = Math.max(...CELLS_CASES.map(({ cells }) => cells.length));
  const lines = Array.from({ length: height }, (_, row) =>
    CELLS_CASES.map(({ cells }) => quoted(cells[row] ?? "")).join(","),
  );
  return await read("a.csv", `${CELLS_CASES.map((_, at) => `c${at}`).join(",")}\n${lines.join("\n")}\n`);
}
let published: ReturnType<typeof publishAll> | undefined;

test.each(CELLS_CASES.map((each, at) => ({ ...each, at })))(
  "$name: published with the table's type and values",
  async ({ at, cells, published: expected }) => {
    published ??= publishAll();
    const { types, rows } = await published;
    const values = rows.slice(0, cells.length).map((row) => row[at]);
    expect({ type: types[`c${at}`], values }).toEqual(expected);
  },
);

test("SQL and TypeScript agree for every type on what is a value of it", async () => {
  const cells = fc.array(randomCell, { minLength: 200, maxLength: 200 });
  await withWorkbench((bench) =>
    fc.assert(
      fc.asyncProperty(cells, async (texts) => {
        const list = `SELECT unnest([${texts.map(quoteLiteral).join(", ")}]) AS x`;
        const tests = TEXT_RULES.map((rule) => `coalesce(${rule.fits("x", rule.value("x"))}, false)::VARCHAR`);
        const fits = await bench.rows(`SELECT x, ${tests.join(", ")} FROM (${list})`);
        const holds = texts.map((text) => [text, ...TEXT_RULES.map((rule) => String(rule.holds(text)))]);
        expect(fits).toEqual(holds);
      }),
      propertyParameters(20),
    ),
  );
});
