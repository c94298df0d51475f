import { isatty } from "node:tty";
import { type DestinationStream, type Logger, pino } from "pino";
import { env, type Settings } from "@/lib/kernel/env";
import { processWide } from "@/lib/kernel/process-wide";
import { keepFromLogs } from "@/lib/kernel/secret-values";
import { describeError } from "./describe-error";
import { LogOutput } from "./log-output";
import { logText } from "./log-text";
import { redact, secretSettings } from "./redact";

/**
 * The log of this process: JSON lines on standard output, or lines of text if that is a terminal. Callers never pass
 * keys, addresses, bodies or query strings.
 * If any of these still end up in a message or a stack, they are removed from the finished line.
 */
export const log = (): Logger => processWide("log", () => logTo(1, env()));

/** A log that neither waits for its file descriptor nor ends with it; a line says how many others were dropped. */
export function logTo(fd: number, settings: Settings): Logger {
  const output = new LogOutput(fd, (lines) =>
    logger.warn({ lines }, "log lines were dropped, since the log could not be written"),
  );
  const sink = isatty(fd) ? { write: (line: string) => output.write(logText(line)) } : output;
  const logger = openLog(settings, sink);
  return logger;
}

/** A log that writes to `sink`. */
export function openLog(settings: Settings, sink: DestinationStream): Logger {
  for (const secret of secretSettings(settings)) keepFromLogs(secret);
  const filtered = { write: (line: string) => sink.write(redact(line)) };
  return pino({ level: settings.PARQUETRY_LOG_LEVEL, serializers: { err: describeError } }, filtered);
}
