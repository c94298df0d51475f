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

interface Line {
  level: number;
  time: number;
  msg?: string;
  err?: { message?: string; stack?: string };
}

/** A line of the log, which is JSON, for a person at a terminal: time, level, message, fields, and the error's stack. */
export function logText(line: string): string {
  const read = lineOf(line);
  if (!read) return `${line.trimEnd().replace(CONTROLS, " ")}\n`;
  const { level, time, msg = "", err, ...fields } = read;
  const pairs = Object.entries(fields)
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  const head = [new Date(time).toISOString().slice(11, 19), (LEVELS[level] ?? String(level)).padEnd(5), msg, ...pairs];
  const stack = (err?.stack ?? err?.message ?? "").split("\n").filter(Boolean);
  return [head.join(" "), ...stack.map((each) => `  ${each}`)]
    .map((each) => `${each.replace(CONTROLS, " ")}\n`)
    .join("");
}

/** Redaction may have removed a part that JSON needs. */
function lineOf(line: string): Line | undefined {
  try {
    return JSON.parse(line) as Line;
  } catch {
    return undefined;
  }
}
