import { Chart } from "@/components/chart/chart";
import { CodeBlock } from "@/components/ui/code-block";
import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { PreviewGrid } from "@/components/values/preview-grid";
import { Specimen } from "./specimen";

interface Airline {
  name: string;
  seats: number;
  state: string;
}

const AIRLINES: readonly Airline[] = [
  { name: "Southwest", seats: 1_204_118, state: "current" },
  { name: "Delta", seats: 98_301, state: "current" },
  { name: "Pan Am", seats: 7, state: "ended" },
];
const COLUMNS: readonly DataColumn<Airline>[] = [
  { id: "name", head: "Airline", isRest: true, cell: ({ name }) => name },
  { id: "state", head: "State", cell: ({ state }) => state },
  { id: "seats", head: "Seats", isNumber: true, cell: ({ seats }) => seats.toLocaleString("en-US") },
];

const GRID = {
  columns: [
    { name: "origin", type: "string", numeric: false },
    { name: "delay", type: "int16", numeric: true },
    { name: "note", type: "string", numeric: false },
  ],
  rows: [
    [{ text: "LAS" }, { text: "-4" }, { text: "" }],
    [{ text: "PHX" }, { text: "112" }, { text: "Held on the ground while a thunderstorm passed over the field" }],
    [{ text: "ORD" }, { text: null }, { text: null }],
  ],
};

const SPEEDS = ["A", "B", "C", "D", "E", "F", "G", "H"].flatMap((line, at) =>
  [1, 2, 3, 4, 5, 6].map((hour) => ({ hour, line, speed: 10 + at * 7 + ((hour * (at + 3)) % 5) * 2 })),
);
const COUNTS = [
  { origin: "LAS", flights: 182 },
  { origin: "PHX", flights: 141 },
  { origin: "ORD", flights: 97 },
  { origin: "JFK", flights: 42 },
];

const CODE = `# The latest rows
rows = query("flights", limit=5)
for row in rows:
    print(row["origin"], row["delay"] or 0)`;

/** Tables, rows, charts and code. */
export function DataSpecimens({ theme }: { theme: string }) {
  return (
    <>
      <Specimen title="Tables">
        <DataTable
          label={`An example of a table, ${theme}`}
          columns={COLUMNS}
          rows={AIRLINES}
          keyOf={({ name }) => name}
        />
        <div className="mt-6">
          <PreviewGrid data={GRID} label={`An example of rows, ${theme}`} />
        </div>
      </Specimen>
      <Specimen title="Charts">
        <Chart spec={{ kind: "line", x: "hour", y: "speed", series: "line" }} columns={LINE_COLUMNS} rows={SPEEDS} />
        <div className="mt-6">
          <Chart spec={{ kind: "bar", x: "origin", y: "flights" }} columns={BAR_COLUMNS} rows={COUNTS} />
        </div>
      </Specimen>
      <Specimen title="Code">
        <CodeBlock code={CODE} language="python" label="Python" />
      </Specimen>
    </>
  );
}

const LINE_COLUMNS = [
  { name: "hour", type: "int16" },
  { name: "speed", type: "float64", unit: "km/h" },
  { name: "line", type: "string" },
];
const BAR_COLUMNS = [
  { name: "origin", type: "string" },
  { name: "flights", type: "int64" },
];
