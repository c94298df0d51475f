import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Bench } from "../bench";
import { Client, pageOf } from "../client";
import { median } from "../measure";
import { FLIGHT } from "../queries";
import { line, ms, type Outcome, ratio } from "../report";
import { type Service, startService } from "../service";

/** Rounds of either service in turn, and the queries of one. */
const ROUNDS = 20;
const QUERIES = 200;
const WARM = 300;

/** Takes what is sent, as a collector beside the service would. */
async function openCollector(): Promise<{ url: string; requests(): number; close(): void }> {
  let requests = 0;
  const server = createServer((req, res) => {
    requests += 1;
    req.resume().once("end", () => res.writeHead(200, { "content-type": "application/json" }).end("{}"));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, requests: () => requests, close: () => void server.close() };
}

/** Processor time of queries with spans and metrics, which are sent to a collector, and without. */
export async function measureTelemetry({ port, tables: { tiny, flights }, haste }: Bench): Promise<Outcome> {
  const collector = await openCollector();
  const uncached = { RESULT_CACHE_MB: "0" };
  const sending = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, METRICS_PORT: String(port + 3) };
  const off = await startService(port + 1, uncached);
  const on = await startService(port + 2, { ...uncached, ...sending });
  const reads = [
    { name: "10 rows × 2", tableId: tiny.tableId, body: { columns: ["id", "name"] } },
    { name: "100 rows × 5", tableId: flights.tableId, body: { columns: FLIGHT, limit: 100 } },
  ];
  try {
    const rows = [];
    for (const { name, ...query } of reads) {
      const run = async (service: Service, queries: number): Promise<number> => {
        const client = new Client(service.url, service.key);
        const before = service.processorMs();
        for (let done = 0; done < queries; done += 1) pageOf(await client.query(query));
        client.close();
        return (service.processorMs() - before) / queries;
      };
      for (const service of [off, on]) await run(service, WARM);
      const [without, withIt]: [number[], number[]] = [[], []];
      for (let round = 0; round < Math.max(3, ROUNDS / haste); round += 1) {
        without.push(await run(off, QUERIES));
        withIt.push(await run(on, QUERIES));
      }
      rows.push({ name, off: median(without), on: median(withIt) });
    }
    if (collector.requests() === 0) throw new Error("Nothing was sent to the collector");
    return {
      lines: rows.map((row) => line(`${row.name}: with telemetry / without`, row.on / row.off, { most: 1.03 })),
      figures: {
        head: ["query", "busy without, ms", "busy with, ms", "ratio"],
        rows: rows.map((row) => [row.name, ms(row.off), ms(row.on), ratio(row.on / row.off)]),
      },
    };
  } finally {
    await on.stop();
    await off.stop();
    collector.close();
  }
}
