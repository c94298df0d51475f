import { createHash } from "node:crypto";
import { database } from "@/lib/store/postgres/database";
import { officeRows, officeSums } from "./faulty-office";
import { ask, type Received } from "./hosted";
import type { OfficeDataset } from "./office-books";
import { readParquet } from "./read-back";

const COLUMNS = {
  rows: ["id BIGINT", "gauge VARCHAR", "level BIGINT"],
  sums: ["gauge VARCHAR", "sum DECIMAL(38,0)"],
};

/** The served table, as cells. */
async function cellsOf(table: string, bytes: Buffer): Promise<string> {
  const columns = (COLUMNS[table as "rows"] ?? []).map((text) => {
    const [name = "", storage = ""] = text.split(" ");
    return { name, storage, type: "" };
  });
  return sorted((await readParquet(bytes, columns)).map((row) => Object.values(row)));
}

const sorted = (rows: readonly (readonly unknown[])[]): string =>
  rows
    .map((row) => JSON.stringify(row))
    .sort()
    .join();

const expectedCells = (table: string, office: number, edition: number): string =>
  sorted(table === "rows" ? officeRows(office, edition) : [...officeSums(office, edition)]);

/** Datasets whose current tables do not all come from the same run. */
const HALF_VISIBLE = `SELECT t."datasetId" FROM "Table" t JOIN "Release" r ON r."versionId" = t."currentVersionId"
  GROUP BY t."datasetId" HAVING count(DISTINCT r."runId") <> 1 OR count(*) <> 2`;

/** How often a subscriber retries after 503 with Retry-After, as sent by a machine that is too busy. */
const ASKED_AGAIN_MAX = 5;

/** Reads as subscribers do, and records everything that is wrong. */
export class HostedReader {
  readonly wrong: string[] = [];
  reads = 0;
  /** Number of replies that asked for a retry. */
  unavailable = 0;

  constructor(private readonly key: string) {}

  /** The served table must be exactly one of these editions. */
  async expectServed({ paths, at, slug }: OfficeDataset, table: string, editions: readonly number[]): Promise<void> {
    this.reads += 1;
    const { status, bytes, headers } = await this.#ask(paths[table] ?? "");
    const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
    const cells = status === 200 ? await cellsOf(table, bytes) : "";
    const isWhole = digest === headers.get("x-service-content-digest");
    const isOne = editions.some((edition) => expectedCells(table, at, edition) === cells);
    if (!isWhole || !isOne) this.wrong.push(`${slug}/${table}: ${status} ${digest} ${cells.slice(0, 200)}`);
  }

  async #ask(path: string): Promise<Received> {
    for (let again = 0; ; again += 1) {
      const reply = await ask(path, { "x-api-key": this.key });
      const isTold = reply.status === 503 && reply.headers.has("retry-after");
      if (!isTold || again === ASKED_AGAIN_MAX) return reply;
      this.unavailable += 1;
    }
  }

  async expectNothingHalf(): Promise<void> {
    const { pool } = await database();
    const { rows } = await pool.query(HALF_VISIBLE);
    if (rows.length > 0) this.wrong.push(`half visible: ${JSON.stringify(rows)}`);
  }
}
