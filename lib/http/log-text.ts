import { isatty } from "node:tty";

const LEVELS: Readonly<Record<number, string>> = {
  10: "trace",
  20: "debug",
  30: "info",
  40: "warn",
  50: "error",
  60: "fatal",
};
/** Of every line, and the same in all of them. */
const LEFT_OUT: ReadonlySet<string> = new Set(["level", "time", "pid", "hostname", "msg", "err"]);
/** What could control a terminal, or forge a line in it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

interface LoggedError {
  message?: string;
  stack?: string;
  cause?: LoggedError;
}

interface Line {
  level: number;
  time: number;
  msg?: string;
  err?: LoggedError;
  [field: string]: unknown;
}

const INFO = 30;
const FATAL = 60;
/** The first HTTP status of a failed request. */
const FAILED = 500;

/** Whether the log on this file descriptor is text for people, rather than JSON. */
export const isText = (fd: number, format: string | undefined): boolean => (format ? format === "text" : isatty(fd));

/**
 * A line of the log, which is JSON, for a person at a terminal: time, level if it is not info, message, fields, and
 * what an error says, with its stack unless it is why the service ends. Fields after a message that ends with a colon
 * are listed below it. Empty for a request that did not fail, unless the log `isDetailed`.
 */
export function logText(line: string, isDetailed = false): string {
  const read = lineOf(line);
  if (!read) return `${printable(line.trimEnd())}\n`;
  const { level, time, msg = "", err, ...rest } = read;
  if (msg === "request" && Number(rest.status) < FAILED && !isDetailed) return "";
  const fields = Object.entries(rest).filter(([name]) => !LEFT_OUT.has(name));
  const texts = fields.map(
    ([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)] as const,
  );
  const isList = msg.endsWith(":");
  const pairs = isList ? [] : texts.map(([name, value]) => `${name}=${value}`);
  const label = level === INFO ? [] : [LEVELS[level] ?? String(level)];
  const [first = "", ...others] = msg.split("\n");
  const head = [new Date(time).toISOString().slice(11, 19), "", ...label, first, ...pairs].join(" ");
  const width = Math.max(0, ...texts.map(([name]) => name.length));
  const list = isList ? texts.map(([name, value]) => `${name.padEnd(width)}  ${value}`) : [];
  const causes = level === FATAL && !isDetailed ? messagesOf(err) : (err?.stack ?? err?.message ?? "").split("\n");
  const below = [...others, ...list, ...causes].filter(Boolean).map((each) => `  ${each}`);
  return [head, ...below].map((each) => `${printable(each)}\n`).join("");
}

const printable = (text: string): string => text.replace(CONTROLS, " ");

/** What an error and its causes say, without their stacks. */
const messagesOf = (err: LoggedError | undefined): string[] =>
  err ? [...(err.message ?? "").split("\n"), ...messagesOf(err.cause)] : [];

/** Redaction may have removed a part that JSON needs. */
function lineOf(line: string): Line | undefined {
  try {
    return JSON.parse(line) as Line;
  } catch {
    return undefined;
  }
}
