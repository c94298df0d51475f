import fc from "fast-check";
import { expect, test } from "vitest";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { withWorkbench } from "@/lib/publish/workbench";
import { propertyParameters } from "@/lib/testing/property";
import { randomCell } from "@/lib/testing/random-cells";
import { rejection, useReading } from "@/lib/testing/read-file";
import { CELLS_CASES, MARKS_CASES } from "@/lib/testing/text-cells";
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

test.each(MARKS_CASES)("$name: published only if that leaves no doubt", async (each) => {
  const names = Object.keys(each.columns);
  const rows = (each.columns[names[0] ?? ""] ?? []).map((_, row) => names.map((name) => each.columns[name]?.[row]));
  const lines = [names, ...rows].map((cells) => `${cells.map((cell) => quoted(cell ?? "")).join(each.delimiter)}\n`);
  const reading = read("a.csv", lines.join(""));
  if (each.published) return expect((await reading).types).toEqual(each.published);
  const message = await rejection(reading);
  expect(message).toContain(`Column "${each.refused}"`);
  expect(message).toContain("float64 if the point marks decimals, string");
  const declared = await read("a.csv", lines.join(""), [{ name: each.refused ?? "", type: "float64" }]);
  expect(declared.types[each.refused ?? ""]).toBe("float64");
});

test("a column that is unclear to its end is refused, and one that its last row decides is not", async () => {
  const lines = (last: string) =>
    ["a;b", ...Array.from({ length: 60_000 }, () => "x;1.234"), `x;${last}`, ""].join("\n");
  expect(await rejection(read("a.csv", lines("7")))).toContain('Column "b"');
  expect((await read("a.csv", lines("0.5"))).types).toEqual({ a: "string", b: "float64" });
});

test("SQL and TypeScript agree for every type on what is a value of it", async () => {
  const cells = fc.array(randomCell, { minLength: 200, maxLength: 200 });
  await withWorkbench((bench) =>
    fc.assert(
      fc.asyncProperty(cells, async (texts) => {
        const list = `SELECT unnest([${texts.map(quoteLiteral).join(", ")}]) AS x`;
        const tests = TEXT_RULES.map((rule) => `coalesce(${rule.fits("x", rule.value("x"))}, false)::VARCHAR`);
        const fits = await bench.rows(`SELECT x, ${tests.join(", ")} FROM (${list})`);
        const holds = texts.map((text) => [text, ...TEXT_RULES.map((rule) => String(rule.matches(text)))]);
        expect(fits).toEqual(holds);
      }),
      propertyParameters(20),
    ),
  );
});
