// Sends the same queries in turn to the service and to other servers that hold the flights: see peers.md
import { resolve } from "node:path";
import { Client } from "./client";
import { runLine } from "./machine";
import { interleave } from "./measure";
import { FLIGHT } from "./queries";
import { ms } from "./report";
import { say } from "./say";
import { startService } from "./service";
import { prepareTables } from "./tables";

const PORT = 4870;
const ROWS = 100_000;
const AIRPORTS = ["ATL", "ORD", "DFW", "LAX", "PHX", "DEN", "DTW"];

interface Question {
  name: string;
  /**
   * The body in the service's grammar, SQL with FLIGHTS for the table, and Malloy; the airport differs from turn to
   * turn.
   */
  body: (airport: string) => object;
  sql: (airport: string) => string;
  malloy: (airport: string) => string;
}

const QUESTIONS: readonly Question[] = [
  {
    name: "10 rows × 2",
    body: () => ({ columns: ["date", "delay"], limit: 10 }),
    sql: () => "SELECT date, delay FROM FLIGHTS LIMIT 10",
    malloy: () => "run: flights -> { select: `date`, delay; limit: 10 }",
  },
  {
    name: "one airport's top 100 by delay",
    body: (airport) => ({
      columns: FLIGHT,
      filters: [{ column: "origin", operator: "eq", value: airport }],
      order_by: [{ column: "delay", direction: "desc" }],
    }),
    sql: (airport) => `SELECT * FROM FLIGHTS WHERE origin = '${airport}' ORDER BY delay DESC LIMIT 100`,
    malloy: (airport) =>
      `run: flights -> { select: *; where: origin = '${airport}'; order_by: delay desc; limit: 100 }`,
  },
  {
    name: "mean delay by hour of the day",
    body: () => ({
      columns: [],
      group_by: [{ column: "date", bucket: "hour_of_day", as: "hour" }],
      aggregates: [{ function: "avg", column: "delay", as: "mean" }],
    }),
    sql: () => "SELECT hour(date) AS hour, avg(delay) AS mean FROM FLIGHTS GROUP BY 1 ORDER BY 1",
    malloy: () => "run: flights -> { group_by: h is hour(`date`); aggregate: mean is delay.avg(); order_by: h }",
  },
  {
    name: "10,000 rows × 5",
    body: () => ({ columns: FLIGHT, limit: 10_000 }),
    sql: () => "SELECT * FROM FLIGHTS LIMIT 10000",
    malloy: () => "run: flights -> { select: *; limit: 10000 }",
  },
];

/** The request for each kind of server: path and body. */
const KINDS: Readonly<Record<string, (question: Question, airport: string, table: string) => [string, string]>> = {
  mosaic: ({ sql }, airport, table) => [
    "/",
    JSON.stringify({ type: "json", sql: sql(airport).replace("FLIGHTS", table) }),
  ],
  malloy: ({ malloy }, airport) => ["/", malloy(airport)],
};

type Ask = (question: Question, airport: string) => Promise<unknown[]>;

process.env.PARQUETRY_DATA_DIR = resolve(".data-bench");
const { flights } = await prepareTables(ROWS, false);
const service = await startService(PORT, { RESULT_CACHE_MB: "0" });
const client = new Client(service.url, service.key);
const peers = process.argv.slice(2).map((text): [string, Ask] => peer(text));
const ours: Ask = async ({ body }, airport) => {
  const answer = await client.query({ tableId: flights.tableId, body: body(airport) });
  return (parsed(answer.status, answer.body) as { rows: unknown[] }).rows;
};
const contenders: [string, Ask][] = [["Parquetry", ours], ...peers];
say(`${runLine(ROWS)}\n\n| | ${contenders.map(([name]) => `${name}, ms`).join(" | ")} |`);
say(`| --- | ${contenders.map(() => "---").join(" | ")} |`);
try {
  for (const question of QUESTIONS) say(`| ${question.name} | ${(await measure(question)).join(" | ")} |`);
} finally {
  client.close();
  await service.stop();
}
process.exit(0);

async function measure(question: Question): Promise<string[]> {
  const counts = await Promise.all(contenders.map(async ([, ask]) => (await ask(question, "ATL")).length));
  if (new Set(counts).size > 1) throw new Error(`${question.name}: replies of ${counts.join(", ")} rows`);
  const runs = contenders.map(([name, ask]) => ({
    name,
    run: (turn: number) => ask(question, AIRPORTS[turn % AIRPORTS.length] as string),
  }));
  return (await interleave(runs, { least: 21, most: 61, budgetMs: 8_000 })).map(ms);
}

/** Parses `mosaic=http://localhost:4350`. */
function peer(text: string): [string, Ask] {
  const [name = "", url = ""] = text.split("=");
  const request = KINDS[name];
  if (!request) throw new Error(`Unknown server: ${name}. Choose from ${Object.keys(KINDS).join(" and ")}.`);
  const others = new Client(url, "");
  return [
    name,
    async (question, airport) => {
      const answer = await others.post(...request(question, airport, `read_parquet('${flights.parquetPath}')`));
      return parsed(answer.status, answer.body) as unknown[];
    },
  ];
}

function parsed(status: number, body: Buffer): unknown {
  if (status !== 200) throw new Error(`A server answered ${status}: ${body.toString().slice(0, 300)}`);
  return JSON.parse(body.toString());
}
