import { type Choice, MODES } from "./choice";
import type { StepRun } from "./run-test";
import { STEPS } from "./steps";

interface Circumstances {
  base: string;
  origin: string;
  now: Date;
  browser: string;
}

/** The conclusion: that everything works, or what to do first. */
export function conclusion(steps: readonly StepRun[]): { isGood: boolean; message: string } {
  const failed = steps.find(({ verdict }) => verdict?.isGood === false);
  return failed?.verdict
    ? { isGood: false, message: failed.verdict.fix ?? failed.verdict.message }
    : { isGood: true, message: "Everything a client needs works." };
}

/** The test as text to send when asking for help; contains no key, token or code. */
export function reportText(
  choice: Choice,
  steps: readonly StepRun[],
  { base, origin, now, browser }: Circumstances,
): string {
  const lines = steps.flatMap(({ id, verdict, exchanges }) => [
    `${verdict ? (verdict.isGood ? "ok  " : "FAIL") : "--  "} ${STEPS[id].title}: ${verdict?.message ?? "not reached"}`,
    ...exchanges.filter(({ method }) => method !== "").map((exchange) => `       ${exchangeLine(exchange)}`),
  ]);
  return [
    "Parquetry connection test",
    `Connector: ${base}${choice.path}, from a page of ${origin}`,
    `Tested: ${MODES[choice.mode].toLowerCase()}, ${now.toISOString()}`,
    `Browser: ${browser}`,
    "",
    ...lines,
    "",
    conclusion(steps).message,
  ].join("\n");
}

function exchangeLine({ asked, method, path, status, ms, failure, headers }: StepRun["exchanges"][number]): string {
  const facts = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${path} (${asked}): ${failure ?? status} in ${ms} ms`, ...facts].join("; ");
}
