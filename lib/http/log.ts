import { type Logger, pino } from "pino";
import { env } from "@/lib/env";
import { processWide } from "@/lib/process-wide";

/** The log of this process: JSON lines on standard output. Callers never pass keys, addresses, bodies or query strings. */
export const log = (): Logger => processWide("log", () => pino({ level: env().PARQUETRY_LOG_LEVEL }));
