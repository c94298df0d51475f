import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { median, quantile } from "./measure";
import { ms } from "./report";

/** The replies to one path that was requested again and again. */
export interface LightReplies {
  path: string;
  latencies: number[];
  /** Number of replies per status. */
  statuses: Record<string, number>;
}

/** Requests each path with its own client, from another process. `stop` returns the replies. */
export function sampleLight(url: string, paths: readonly string[]): { stop(): Promise<LightReplies[]> } {
  const program = join(import.meta.dirname, "sampler.ts");
  const child = spawn(process.execPath, ["--import", "tsx", program, url, ...paths], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const printed = text(child.stdout);
  return {
    stop: async () => {
      child.stdin.end();
      return JSON.parse(await printed) as LightReplies[];
    },
  };
}

/** Median, 99th percentile, and worst. */
export const timesOf = (values: readonly number[]): string[] =>
  [median(values), quantile(values, 0.99), quantile(values, 1)].map(ms);
