import { format, stripVTControlCharacters } from "node:util";
import type { Logger } from "pino";

const LEVELS = { trace: "debug", debug: "debug", log: "info", info: "info", warn: "warn", error: "error" } as const;

type Method = keyof typeof LEVELS;
type Console = Record<Method, (...values: unknown[]) => void>;

/**
 * Turns other code's console output (the framework prints whatever a page or a route throws, with all attached data)
 * into log lines, without secrets and with errors described like ours. Returns the function that restores the console.
 */
export function consoleToLog(
  logger: Pick<Logger, "debug" | "info" | "warn" | "error">,
  target: Console = globalThis.console,
): () => void {
  const before = { ...target };
  for (const method of Object.keys(LEVELS) as Method[]) {
    target[method] = (...values) => {
      const err = values.find((value) => value instanceof Error);
      const text = stripVTControlCharacters(format(...values.filter((value) => value !== err))).trim();
      if (err) logger[LEVELS[method]]({ err }, text.replace(/^⨯$/, "") || "request failed");
      else if (text !== "") logger[LEVELS[method]](text);
    };
  }
  return () => void Object.assign(target, before);
}
