import { hostname } from "node:os";
import { isText, logText } from "../http/log-text.ts";

/** Of pino, whose lines these resemble. */
const LEVELS = { info: 30, fatal: 60 } as const;

/** Logs a line before the program and its logger (`lib/http/log.ts`) are loaded, in the same form. */
export function say(msg: string, level: keyof typeof LEVELS = "info"): void {
  const line = { level: LEVELS[level], time: Date.now(), pid: process.pid, hostname: hostname(), msg };
  const json = `${JSON.stringify(line)}\n`;
  process.stdout.write(isText(1, process.env.PARQUETRY_LOG_FORMAT) ? logText(json) : json);
}
