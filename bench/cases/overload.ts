import type { Bench } from "../bench";
import { Client, type Query } from "../client";
import { type LightReplies, sampleLight, timesOf } from "../light";
import { failures, type Load, load, statusList } from "../load";
import { quantile } from "../measure";
import { FLIGHT, MIXED } from "../queries";
import { type Line, line, type Outcome } from "../report";
import type { Tables } from "../tables";

const SECONDS = 30;
const CROWDS = [64, 200];
/** Callers that send the queries in turn, because one caller may have only two queries in progress. */
const CALLERS = 4;
const LIGHT_MS = 100;

const DATASET = "us-flights-2001";
/** What must remain quick, whatever is queried. */
const LIGHT = ["/healthz", "/readyz", `/datasets/${DATASET}`, `/api/v2/public/datasets/${DATASET}`] as const;

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** Far more heavy queries than can be answered, and at the same time liveness, readiness, a page and metadata. */
export async function measureOverload({ service, tables, haste }: Bench): Promise<Outcome> {
  const keys = Array.from({ length: CALLERS }, (_, at) => service.makeKey(`caller-${at}@example.com`));
  const clients = keys.map((key) => new Client(service.url, key));
  const ask = (number: number) => {
    const client = clients[number % clients.length];
    if (!client) throw new Error("There are no callers");
    return client.query(heavy(tables, Math.floor(number / clients.length)));
  };
  await load(ask, 4, { seconds: 5 / haste });
  await warm(service.url);
  const turns: Turn[] = [];
  for (const crowd of CROWDS) {
    const light = sampleLight(service.url, LIGHT);
    const made = await load(ask, crowd, { seconds: SECONDS / haste });
    turns.push({ crowd, made, light: await light.stop() });
  }
  for (const client of clients) client.close();
  return {
    lines: turns.flatMap(linesOf),
    figures: {
      head: ["clients", "request", "median ms", "99 of 100 within, ms", "worst, ms", "answers"],
      rows: turns.flatMap(({ crowd, made, light }) => [
        [String(crowd), "heavy query", ...timesOf(made.latencies), statusList(made)],
        ...light.map((replies) => [
          ...["", `GET ${replies.path}`, ...timesOf(replies.latencies)],
          Object.entries(replies.statuses)
            .map(([status, count]) => `${status}: ${count}`)
            .join(", "),
        ]),
      ]),
    },
  };
}

/** The first request for a page loads the code that renders it. */
async function warm(url: string): Promise<void> {
  const client = new Client(url, "");
  for (const path of LIGHT) for (let turn = 0; turn < 3; turn += 1) await client.get(path);
  client.close();
}

interface Turn {
  crowd: number;
  made: Load;
  light: LightReplies[];
}

function linesOf({ crowd, made, light }: Turn): Line[] {
  const failed = failures(made) + light.reduce((sum, { statuses }) => sum + othersThan200(statuses), 0);
  return [
    {
      what: `${crowd} clients: queries answered other than 200, 429, 503 with Retry-After, the rest other than 200`,
      measured: String(failed),
      goal: "0",
      met: failed === 0,
    },
    ...light.map(({ path, latencies }) =>
      line(`${crowd} clients: 99 of 100 of GET ${path} within`, quantile(latencies, 0.99), { most: LIGHT_MS }, " ms"),
    ),
  ];
}

const othersThan200 = (statuses: Readonly<Record<string, number>>): number =>
  Object.entries(statuses).reduce((sum, [status, count]) => sum + (status === "200" ? 0 : count), 0);

/** Groups and sorts of 3,000,000 rows, and pages of 10,000 in each format. No two return the same rows. */
function heavy({ flights, b10 }: Pick<Tables, "flights" | "b10">, number: number): Query {
  const least = { column: "distance", operator: "gt", value: 100 + (number % 1000) };
  const page = { columns: MIXED, limit: 10_000, offset: number % 5000 };
  const bodies: Query[] = [
    { tableId: flights.tableId, body: { ...BY_ROUTE, filters: [least] } },
    { tableId: flights.tableId, body: { ...TOP, filters: [least] } },
    { tableId: b10.tableId, body: page },
    { tableId: b10.tableId, body: page, accept: "text/csv" },
    { tableId: b10.tableId, body: page, accept: XLSX },
    { tableId: b10.tableId, body: page, accept: "application/vnd.apache.parquet" },
  ];
  return bodies[number % bodies.length] as Query;
}

const BY_ROUTE = {
  columns: [],
  group_by: ["origin", "destination"],
  aggregates: [
    { function: "count", as: "n" },
    { function: "avg", column: "delay", as: "mean" },
    { function: "median", column: "distance", as: "middle" },
  ],
  limit: 1000,
};

const TOP = { columns: FLIGHT, order_by: [{ column: "destination" }, { column: "delay" }], limit: 10_000 };
