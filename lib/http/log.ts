import { type DestinationStream, type Logger, pino } from "pino";
import { env, type Settings } from "@/lib/kernel/env";
import { processWide } from "@/lib/kernel/process-wide";
import { keepFromLogs } from "@/lib/kernel/secret-values";
import { activeTraceId } from "@/lib/kernel/telemetry";

import { LogOutput } from "./log-output";
import { isText, logText } from "./log-text";
import { redact, secretSettings } from "./redact";

/**
 * The log of this process: JSON lines on standard output, or text for people at a terminal. Callers never pass keys,
 * addresses, bodies or query strings.
 * If any of these still end up in a message or a stack, they are removed from the finished line.
 */
export const log = (): Logger => processWide("log", () => logTo(1, env()));

/** A log that neither waits for its file descriptor nor ends with it; a line says how many others were dropped. */
export function logTo(fd: number, settings: Settings): Logger {
  const output = new LogOutput(fd, (lines) =>
    logger.warn({ lines }, "log lines were dropped, since the log could not be written"),
  );
  const { PARQUETRY_LOG_FORMAT, PARQUETRY_LOG_LEVEL } = settings;
  const isDetailed = PARQUETRY_LOG_LEVEL === "debug" || PARQUETRY_LOG_LEVEL === "trace";
  const asText = { write: (line: string) => output.write(logText(line, isDetailed)) };
  const sink = isText(fd, PARQUETRY_LOG_FORMAT) ? asText : output;
  const logger = openLog(settings, sink);
  return logger;
}

/** A log that writes to `sink`. */
export function openLog(settings: Settings, sink: DestinationStream): Logger {
  for (const secret of secretSettings(settings)) keepFromLogs(secret);
  const filtered = { write: (line: string) => sink.write(redact(line)) };
  const mixin = () => {
    const trace_id = activeTraceId();
    return trace_id === undefined ? {} : { trace_id };
  };
  return pino({ level: settings.PARQUETRY_LOG_LEVEL, serializers: { err: describeError }, mixin }, filtered);
}

const DEPTH_MAX = 5;

/**
 * An error as it is logged: name, code, message, stack and causes, and nothing else. Drivers attach rows, parameters,
 * requests and whole connections to their errors.
 */
function describeError(error: unknown, depth = 0): Record<string, unknown> {
  if (!isError(error)) return { type: typeof error, message: typeof error === "string" ? error : "not an error" };
  const { name, message, stack, code, digest, cause, errors } = error;
  const inner = (value: unknown) => (typeof value === "string" ? value : describeError(value, depth + 1));
  return {
    type: name,
    message,
    ...(isLabel(code) && { code }),
    ...(isLabel(digest) && { digest }), // what a failed page shows
    stack,
    ...(cause !== undefined && depth < DEPTH_MAX && { cause: inner(cause) }),
    ...(Array.isArray(errors) && depth < DEPTH_MAX && { errors: errors.slice(0, 10).map(inner) }),
  };
}

interface ErrorLike {
  name: string;
  message: string;
  stack?: string;
  code?: unknown;
  digest?: unknown;
  cause?: unknown;
  errors?: unknown;
}

/** Also matches errors of other realms. */
const isError = (value: unknown): value is ErrorLike =>
  typeof value === "object" && value !== null && typeof (value as ErrorLike).message === "string" && "stack" in value;

const isLabel = (value: unknown): value is string | number =>
  typeof value === "number" || (typeof value === "string" && value.length <= 100);
