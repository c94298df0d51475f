import type { ChildProcess } from "node:child_process";
import { expect } from "@playwright/test";
import { type PortName, portOf } from "./ports";
import { startService } from "./service";

/** The limits in the contract. */
const LIMITS = {
  LIMIT_KEY_MINUTE: "60",
  LIMIT_KEY_DAY: "5000",
  LIMIT_ADDRESS_MINUTE: "30",
  LIMIT_ADDRESS_DAY: "600",
  LIMIT_CATALOGUE_MINUTE: "300",
  LIMIT_DOWNLOAD_MINUTE: "60",
  LIMIT_DOWNLOAD_DAY: "2000",
};

/** Settings for an instance whose sign-ins and sign-ups, all from one address, are not under test. */
export const roomySignIns = (): Record<string, string> =>
  Object.fromEntries(
    ["SIGN_IN_ACCOUNT", "SIGN_IN_ADDRESS", "SIGN_UP_ADDRESS"].flatMap((name) =>
      ["MINUTE", "DAY"].map((window) => [`LIMIT_${name}_${window}`, "1000000"]),
    ),
  );

/** Another instance on the same data, with the real limits, behind a trusted proxy. */
export class LimitedService {
  readonly base: string;
  private child: ChildProcess | undefined;

  private readonly port: number;

  constructor(
    name: PortName,
    private readonly settings: Readonly<Record<string, string>> = {},
  ) {
    this.port = portOf(name);
    this.base = `http://localhost:${this.port}`;
  }

  async start(): Promise<void> {
    const own = {
      PORT: String(this.port),
      PARQUETRY_BASE_URL: this.base,
      PARQUETRY_TRUSTED_PROXIES: "127.0.0.1,::1",
      WORKERS: "0", // its own worker would take the run's inspections, and reject the run's sources
    };
    this.child = startService({ ...own, ...LIMITS, ...this.settings });
    await expect.poll(() => this.readiness(), { timeout: 300_000 }).toBe(200);
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null) return;
    child.kill("SIGTERM");
    await new Promise((resolve) => child.once("exit", resolve));
  }

  readiness(): Promise<number> {
    return fetch(`${this.base}/readyz`).then(
      ({ status }) => status,
      () => 0,
    );
  }

  query(
    tableId: string,
    { key, address, columns = ["CO2"] }: { key?: string; address?: string; columns?: string[] },
  ): Promise<Response> {
    const headers = {
      "content-type": "application/json",
      ...(key && { "x-api-key": key }),
      ...(address && { "x-forwarded-for": address }),
    };
    const route = key ? "/api/v2/public/tables" : "/api/public/tables";
    return fetch(`${this.base}${route}/${tableId}/query`, {
      method: "POST",
      headers,
      body: JSON.stringify({ columns, limit: 1 }),
    });
  }

  download(tableId: string, key: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.base}/api/v2/public/tables/${tableId}/current`, { headers: { "x-api-key": key, ...headers } });
  }

  catalogue(address: string): Promise<Response> {
    return fetch(`${this.base}/api/v2/public/datasets?limit=1`, { headers: { "x-forwarded-for": address } });
  }
}

/**
 * Runs `attempt` until one began and ended within the same minute, since limits are counted per clock minute. Each
 * attempt gets its number, for keys or addresses that no earlier one has used.
 */
export async function withinOneMinute(attempt: (number: number) => Promise<void>): Promise<void> {
  const minute = () => Math.floor(Date.now() / 60_000);
  for (let number = 0; ; number += 1) {
    const began = minute();
    const failure = await attempt(number).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    if (minute() !== began) continue;
    if (failure) throw failure.error;
    return;
  }
}

/** The number of replies per status. */
export async function statuses(replies: readonly Promise<Response>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status } of await Promise.all(replies)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
